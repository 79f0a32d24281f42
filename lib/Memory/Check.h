//===- Check.h - Proof of a memory plan -------------------------------------------------------===//
//
// Shares nothing with the planner: it does not look at lifetimes. It follows the planned entry
// along all its paths, keeps which buffers still hold what was last written to them, and reports
// the access to a buffer that another was written over in the meantime.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

namespace ingot {

/// Checks the planned `module`: every buffer lies within the workspace at a multiple of its
/// alignment, no call gets two buffers that overlap, and no access finds its buffer overwritten.
/// With symbolic dimensions it does so for several values of them, drawn from `seed`. Reports every
/// violation as an error of the compiler at the operation.
llvm::LogicalResult checkMemory(mlir::ModuleOp module, uint64_t seed = 1);

} // namespace ingot
