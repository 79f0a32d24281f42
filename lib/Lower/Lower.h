//===- Lower.h - From tensors to loops --------------------------------------------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// Turns the fused tensor program @main into the loop level of docs/loop-level.md, before memory
/// planning. @main holds groups, constants, reshapes (which become aliases) and control flow only.
llvm::LogicalResult lowerToLoops(mlir::ModuleOp module, const TargetInfo &target);

/// Registers the pass lower-to-loops.
void registerLowerPass();

} // namespace ingot
