//===- ModelFile.h - The file that holds a model ----------------------------------------------===//
#pragma once

#include "Dialect/ModelInterface.h"
#include "ingot/Compile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ingot {

/// The bytes of a model, from memory or from its file; reports a file that cannot be read.
class ModelFile {
public:
  ModelFile(const Source &source, std::vector<Diagnostic> &diagnostics);

  explicit operator bool() const { return isGood; }
  llvm::StringRef bytes() const { return content; }
  /// Sets the name (`name`, or made from the file's), the source and its hash.
  void describe(ModelInterface &interface, llvm::StringRef name) const;

private:
  const Source &source;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::StringRef content;
  bool isGood = true;
};

} // namespace ingot
