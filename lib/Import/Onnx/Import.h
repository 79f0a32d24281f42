//===- Import.h - From ONNX to the ingot dialect ----------------------------------------------===//
#pragma once

#include "ingot/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ingot {

struct OnnxOptions {
  /// Prefix of all symbols; empty: made from the file's name.
  std::string name;
  /// Values for symbolic dimensions.
  std::map<std::string, int64_t> dims;
  /// Every node's output becomes an output of the model too.
  bool exposeIntermediates = false;
};

/// A node of the file and the location of what was made from it.
struct OnnxNode {
  std::string name, op;
};

/// Reads `source` into a module with one function @main and the attribute `ingot.model`. Appends
/// everything that is wrong with the file, or not supported, to `diagnostics`, all nodes in one go,
/// and returns null if there is anything but warnings. `nodes`, if given, receives every node, in
/// order.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(mlir::MLIRContext &context, const Source &source,
                                             const OnnxOptions &options,
                                             std::vector<Diagnostic> &diagnostics,
                                             std::vector<OnnxNode> *nodes = nullptr);

} // namespace ingot
