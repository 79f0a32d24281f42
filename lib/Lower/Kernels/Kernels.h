//===- Kernels.h - Schedules of the heavy operators -------------------------------------------===//
#pragma once

#include "Lower/StepBuilder.h"

namespace ingot {

/// Builds the step of the group that `anchor` is in, with its element-wise tail. Fails, whatever it
/// built so far being thrown away, if its schedule does not fit; the general one is then used.
using Kernel = llvm::LogicalResult (*)(StepBuilder &sb, mlir::Operation *anchor);

/// The kernel for `op`, or null.
Kernel kernelFor(mlir::Operation *op);

#define INGOT_KERNEL(OpClass, function)                                                            \
  llvm::LogicalResult function(StepBuilder &sb, mlir::Operation *anchor);
#include "Lower/Kernels/Kernels.inc"
#undef INGOT_KERNEL

} // namespace ingot
