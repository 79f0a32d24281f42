//===- Merge.h - Functions of tensors that call each other last, as one -----------------------===//
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {

/// Replaces `members`, which take and return tensors and call each other in the last place only, by
/// one function that calls itself in the last place. It takes the number of the member that it
/// stands for, and as many tensors of each type as the member with most of them. Calls from outside
/// become calls of it.
void mergeFunctions(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> members);

} // namespace ingot
