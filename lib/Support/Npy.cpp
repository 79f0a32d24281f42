// NumPy's .npy: a magic string, a version, and a Python dictionary as text that describes the
// elements which follow.
#include "Support/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

namespace ingot {
namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");

struct NpyType {
  const char *code;
  ElementType type;
};

// bfloat16 has no code of its own in NumPy and is written as its bits.
constexpr NpyType kTypes[] = {
    {"|b1", ElementType::Bool},    {"|i1", ElementType::Int8},    {"<i2", ElementType::Int16},
    {"<i4", ElementType::Int32},   {"<i8", ElementType::Int64},   {"|u1", ElementType::UInt8},
    {"<u2", ElementType::UInt16},  {"<u4", ElementType::UInt32},  {"<u8", ElementType::UInt64},
    {"<f2", ElementType::Float16}, {"<f4", ElementType::Float32}, {"<f8", ElementType::Float64},
};

// The text after `'key':` in the header's dictionary, without leading blanks; empty if there is
// none.
llvm::StringRef valueOf(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == llvm::StringRef::npos)
    return {};
  llvm::StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  return rest.consume_front(":") ? rest.ltrim() : llvm::StringRef();
}

std::optional<ElementType> parseType(llvm::StringRef text) {
  if (!text.consume_front("'"))
    return std::nullopt;
  llvm::StringRef code = text.take_until([](char c) { return c == '\''; });
  for (const NpyType &candidate : kTypes)
    if (code == candidate.code)
      return candidate.type;
  return std::nullopt;
}

bool parseShape(llvm::StringRef text, std::vector<int64_t> &shape) {
  if (!text.consume_front("("))
    return false;
  for (text = text.ltrim(); !text.starts_with(")"); text = text.ltrim()) {
    int64_t extent = 0;
    if (text.consumeInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
    text = text.ltrim();
    if (!text.consume_front(",") && !text.starts_with(")"))
      return false;
  }
  return true;
}

} // namespace

llvm::Expected<Tensor> readNpy(const std::string &path) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError(path + ": " + reason);
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with(kMagic) || bytes.size() < 12)
    return fail("not a .npy file");
  bool wide = bytes[6] >= 2;
  size_t length = 0, start = wide ? 12 : 10;
  for (size_t i = 0; i < (wide ? 4 : 2); ++i)
    length |= static_cast<size_t>(static_cast<uint8_t>(bytes[8 + i])) << (8 * i);
  if (bytes.size() - start < length)
    return fail("truncated .npy header");
  llvm::StringRef header = bytes.substr(start, length), data = bytes.drop_front(start + length);
  std::optional<ElementType> type = parseType(valueOf(header, "descr"));
  if (!type)
    return fail("element type not understood (little-endian numbers and bool are)");
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return fail("Fortran order is not supported; save with numpy.ascontiguousarray");
  std::vector<int64_t> shape;
  if (!parseShape(valueOf(header, "shape"), shape))
    return fail("malformed shape");
  llvm::Expected<int64_t> size = shapeBytes(*type, shape);
  if (!size)
    return fail(llvm::toString(size.takeError()));
  if (static_cast<uint64_t>(*size) != data.size())
    return fail("has " + llvm::Twine(data.size()) + " bytes of elements, " +
                describe(*type, shape) + " needs " + llvm::Twine(*size));
  Tensor tensor(*type, std::move(shape));
  std::memcpy(tensor.data(), data.data(), data.size());
  return tensor;
}

llvm::Error writeNpy(const std::string &path, const Tensor &tensor) {
  const char *code = "<u2";
  for (const NpyType &candidate : kTypes)
    if (candidate.type == tensor.type())
      code = candidate.code;
  std::string header = std::string("{'descr': '") + code + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.shape())
    header += std::to_string(extent) + ",";
  header += "), }";
  // The elements start at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return llvm::createStringError(path + ": " + error.message());
  out << kMagic << '\x01' << '\0' << static_cast<char>(header.size() & 255)
      << static_cast<char>(header.size() >> 8) << header;
  out.write(static_cast<const char *>(tensor.data()), tensor.bytes());
  out.close();
  if (out.has_error())
    return llvm::createStringError(path + ": " + out.error().message());
  return llvm::Error::success();
}

} // namespace ingot
