//===- Plan.h - One workspace for all buffers -------------------------------------------------===//
//
// In: the loop level (docs/loop-level.md) whose entry allocates its buffers. Out: the same module,
// in which each allocation is a view of the workspace argument at a multiple of 64 bytes, and the
// interface knows the workspace's size or a function `@workspace_size` computes it. docs/memory.md
// explains how.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

namespace ingot {

/// Plans the memory of `module` and rewrites it. Fails with an error if a buffer is too large to
/// plan for or used in a way the loop level does not have.
llvm::LogicalResult planMemory(mlir::ModuleOp module);

/// Registers the passes plan-memory, check-memory and report-memory.
void registerMemoryPasses();

} // namespace ingot
