//===- Metadata.h - Constants in the metadata section of a Relay text -------------------------===//
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace ingot::relay {

/// Collects tensors, each once.
class MetadataWriter {
public:
  /// The expression that stands for `value`: "meta[relay.Constant][0]".
  std::string refer(mlir::ElementsAttr value);
  /// The section; empty without constants.
  std::string text() const;

private:
  llvm::MapVector<mlir::ElementsAttr, size_t> constants;
};

} // namespace ingot::relay
