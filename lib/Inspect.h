//===- Inspect.h - What a module tells about its model ----------------------------------------===//
#pragma once

#include "Import/Onnx/Import.h"
#include "ingot/Model.h"

namespace ingot {

/// The nodes of the file with the shapes, parameters and multiply-adds of what they became.
/// `module` is what the importer made.
std::vector<NodeInfo> describeNodes(mlir::ModuleOp module, llvm::ArrayRef<OnnxNode> nodes);

/// Multiply-adds of one operator; null if it multiplies nothing or its extents are not known.
std::optional<int64_t> multiplyAdds(mlir::Operation *op);

/// The steps of a module at the loop level.
std::vector<StepInfo> describeSteps(mlir::ModuleOp module, llvm::ArrayRef<OnnxNode> nodes);
/// Bytes of all constant tables.
int64_t constantBytes(mlir::ModuleOp loops);
/// Bytes of machine code in an object file.
int64_t textBytes(llvm::StringRef object);

} // namespace ingot
