//===- LowerProgram.h - From programs with data to blocks and functions -----------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// True if `module` is more than one graph of tensors: it has data, references, or functions that
/// call each other.
bool isProgram(mlir::ModuleOp module);

/// Turns fused functions into functions of the heap dialect: each group a step, as lowerToLoops
/// does, everything else operations on counted blocks. Adds `@entry`, which takes the interface's
/// tensors in the caller's memory.
llvm::LogicalResult lowerProgram(mlir::ModuleOp module, const TargetInfo &target);

} // namespace ingot
