//===- Tensors.cpp - Tensors and types of ONNX files ------------------------------------------===//

#include "Dialect/ModelInterface.h"
#include "Import/Onnx/Graph.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace ingot::onnx_import {

/// Bytes of one element in the file.
static int64_t fileSize(Type element) {
  return element.isInteger(1) ? 1 : element.getIntOrFloatBitWidth() / 8;
}

/// The bytes of external data, or null with a report.
static std::unique_ptr<llvm::MemoryBuffer>
readExternal(Session &session, const onnx::TensorProto &proto, uint64_t expected, StringRef node) {
  std::string location;
  uint64_t offset = 0, length = expected;
  for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
    StringRef value = entry.value();
    if (entry.key() == "location")
      location = value.str();
    else if ((entry.key() == "offset" && value.getAsInteger(10, offset)) ||
             (entry.key() == "length" && value.getAsInteger(10, length))) {
      session.report(node, "external data: '" + entry.key() + "' is not a number");
      return nullptr;
    }
  }
  // Only files beside the model or below it.
  bool isSafe = !location.empty() && !llvm::sys::path::is_absolute(location) &&
                !StringRef(location).contains('\\') && !StringRef(location).contains('\0');
  for (auto part = llvm::sys::path::begin(location); part != llvm::sys::path::end(location); ++part)
    isSafe &= *part != "..";
  if (!isSafe) {
    session.report(node, "external data: '" + location + "' is not a file beside the model");
    return nullptr;
  }
  if (length != expected) {
    session.report(node,
                   "external data: " + Twine(length) + " bytes for a tensor of " + Twine(expected));
    return nullptr;
  }
  llvm::SmallString<256> path(llvm::sys::path::parent_path(session.source.path));
  llvm::sys::path::append(path, location);
  // A link could lead anywhere.
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status, /*follow=*/false) ||
      status.type() != llvm::sys::fs::file_type::regular_file) {
    session.report(node, "external data: '" + location + "' is not a regular file");
    return nullptr;
  }
  uint64_t available = 0;
  if (auto error = llvm::sys::fs::file_size(path, available)) {
    session.report(node, "external data: cannot read '" + location + "': " + error.message());
    return nullptr;
  }
  if (offset > available || available - offset < length) {
    session.report(node,
                   "external data: '" + location + "' ends before byte " + Twine(offset + length));
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, length, offset);
  if (!buffer) {
    session.report(node,
                   "external data: cannot read '" + location + "': " + buffer.getError().message());
    return nullptr;
  }
  return std::move(*buffer);
}

/// The elements of `field` as `T`, one each; empty if there are not `count`.
template <typename T, typename Field>
static std::vector<char> packField(const Field &field, int64_t count) {
  std::vector<char> bytes;
  if (static_cast<int64_t>(field.size()) != count)
    return bytes;
  bytes.resize(count * sizeof(T));
  T *out = reinterpret_cast<T *>(bytes.data());
  for (const auto &value : field)
    *out++ = static_cast<T>(value);
  return bytes;
}

ElementsAttr readTensor(Session &session, const onnx::TensorProto &proto, StringRef node) {
  MLIRContext *context = &session.context;
  auto fail = [&](const Twine &reason) {
    session.report(node, "tensor '" + proto.name() + "': " + reason);
    return ElementsAttr();
  };
  Type element = elementTypeOf(context, proto.data_type());
  if (!element)
    return fail("element type " + onnx::TensorProto_DataType_Name(proto.data_type()) +
                " is not supported");
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (int64_t extent : proto.dims()) {
    if (extent < 0 || llvm::MulOverflow(count, extent, count) || count > (int64_t(1) << 40))
      return fail("its shape is impossible");
    shape.push_back(extent);
  }
  if (shape.size() > 32)
    return fail("more than 32 dimensions");
  auto type = RankedTensorType::get(shape, element);
  int64_t bytes = count * fileSize(element);

  std::unique_ptr<llvm::MemoryBuffer> external;
  std::vector<char> packed;
  ArrayRef<char> data;
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    external = readExternal(session, proto, bytes, node);
    if (!external)
      return {};
    data = ArrayRef(external->getBufferStart(), external->getBufferSize());
  } else if (proto.has_raw_data()) {
    data = ArrayRef(proto.raw_data().data(), proto.raw_data().size());
  } else {
    if (element.isF32())
      packed = packField<float>(proto.float_data(), count);
    else if (element.isF64())
      packed = packField<double>(proto.double_data(), count);
    else if (element.isSignlessInteger(64))
      packed = packField<int64_t>(proto.int64_data(), count);
    else if (element.isUnsignedInteger(32))
      packed = packField<uint32_t>(proto.uint64_data(), count);
    else if (element.isUnsignedInteger(64))
      packed = packField<uint64_t>(proto.uint64_data(), count);
    else if (fileSize(element) == 4)
      packed = packField<int32_t>(proto.int32_data(), count);
    else if (fileSize(element) == 2)
      packed = packField<uint16_t>(proto.int32_data(), count);
    else
      packed = packField<uint8_t>(proto.int32_data(), count);
    data = packed;
  }
  if (static_cast<int64_t>(data.size()) != bytes)
    return fail(Twine(data.size()) + " bytes of data for " + Twine(count) + " elements");

  if (element.isInteger(1)) {
    SmallVector<bool> bits;
    for (char c : data)
      bits.push_back(c != 0);
    return DenseElementsAttr::get(type, bits);
  }
  // Attributes are uniqued by content; large ones are better not compared.
  constexpr int64_t large = 1 << 14;
  if (bytes <= large)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  auto blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(data, 64);
  std::string key = "_";
  for (char c : proto.name())
    key += llvm::isAlnum(c) ? c : '_';
  return DenseResourceElementsAttr::get(type, key, std::move(blob));
}

std::optional<Content> contentOf(MLIRContext *context, ElementsAttr elements) {
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense || dense.getNumElements() > 256 || dense.getType().getRank() > 1 ||
      !isa<IntegerType>(dense.getElementType()))
    return std::nullopt;
  bool isSigned =
      !dense.getElementType().isUnsignedInteger() && !dense.getElementType().isInteger(1);
  Content content;
  for (APInt value : dense.getValues<APInt>())
    content.push_back(dimConstant(context, isSigned ? value.getSExtValue()
                                                    : static_cast<int64_t>(value.getZExtValue())));
  return content;
}

RankedTensorType readType(Session &session, const onnx::TypeProto &proto, StringRef name) {
  MLIRContext *context = &session.context;
  auto fail = [&](const Twine &reason) {
    session.report("", "'" + name + "': " + reason);
    return RankedTensorType();
  };
  if (!proto.has_tensor_type())
    return fail("only tensors can be inputs; it is a sequence, a map or an optional value");
  Type element = elementTypeOf(context, proto.tensor_type().elem_type());
  if (!element)
    return fail("its element type is not supported");
  if (!proto.tensor_type().has_shape())
    return fail("its rank is not known");
  SmallVector<AffineExpr> dims;
  if (proto.tensor_type().shape().dim_size() > 32)
    return fail("more than 32 dimensions");
  for (auto [i, dim] : llvm::enumerate(proto.tensor_type().shape().dim())) {
    if (dim.has_dim_value() && dim.dim_value() >= 0) {
      dims.push_back(dimConstant(context, dim.dim_value()));
      continue;
    }
    std::string symbol = dim.has_dim_param() ? dim.dim_param() : std::string();
    if (symbol.empty() || symbol == "?")
      symbol = (name + "_dim" + Twine(i)).str();
    // A symbol becomes a member of a C struct.
    std::string identifier;
    for (char c : symbol)
      identifier += llvm::isAlnum(c) ? c : '_';
    if (llvm::isDigit(identifier[0]))
      identifier = "n" + identifier;
    auto fixed = session.options.dims.find(symbol);
    if (fixed == session.options.dims.end())
      fixed = session.options.dims.find(identifier);
    if (fixed != session.options.dims.end()) {
      dims.push_back(dimConstant(context, fixed->second));
      continue;
    }
    if (!llvm::is_contained(session.interface.symbols, identifier))
      session.interface.symbols.push_back(identifier);
    dims.push_back(dimSymbol(context, identifier));
  }
  if (!isPossibleShape(dims))
    return fail("its shape is impossible");
  return makeTensorType(dims, element);
}

} // namespace ingot::onnx_import
