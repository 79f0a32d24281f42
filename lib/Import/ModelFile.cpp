//===- ModelFile.cpp - The file that holds a model --------------------------------------------===//

#include "Import/ModelFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

namespace ingot {

ModelFile::ModelFile(const Source &source, std::vector<Diagnostic> &diagnostics)
    : source(source), content(source.bytes) {
  if (!source.bytes.empty())
    return;
  auto file = llvm::MemoryBuffer::getFile(source.path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    diagnostics.push_back(
        {Severity::Refusal, source.path, "", "cannot read it: " + file.getError().message()});
    isGood = false;
    return;
  }
  buffer = std::move(*file);
  content = buffer->getBuffer();
}

static std::string identifierOf(llvm::StringRef path) {
  std::string result;
  for (char c : llvm::sys::path::stem(path))
    result += llvm::isAlnum(c) ? llvm::toLower(c) : '_';
  if (result.empty() || llvm::isDigit(result[0]))
    result = "model_" + result;
  return result;
}

void ModelFile::describe(ModelInterface &interface, llvm::StringRef name) const {
  interface.name = name.empty() ? identifierOf(source.path) : name.str();
  interface.source = llvm::sys::path::filename(source.path).str();
  interface.sha256 =
      llvm::toHex(llvm::SHA256::hash(llvm::ArrayRef(
                      reinterpret_cast<const uint8_t *>(content.data()), content.size())),
                  /*LowerCase=*/true);
}

} // namespace ingot
