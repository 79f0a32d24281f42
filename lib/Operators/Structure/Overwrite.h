//===- Overwrite.h - Which operands of a group its results may lie over -----------------------===//
#pragma once

#include "Operators/Structure.h"

namespace ingot {

/// The value whose memory `v` lies in: reshaped tensors share one.
mlir::Value storageRoot(mlir::Value v);

/// Operands that each result of `group` may be written over, if nobody needs them afterwards: all
/// their elements are read for the result's element at the same indices only, and no other operand
/// lies in their memory. One list of operand numbers for each result.
llvm::SmallVector<llvm::SmallVector<unsigned>> overwritableOperands(GroupOp group);

/// True if `next`, which a round of a loop hands on for its `argument`, can be computed into the
/// argument's own memory: nothing reads the argument afterwards.
bool canLieOver(mlir::Value next, mlir::BlockArgument argument);

} // namespace ingot
