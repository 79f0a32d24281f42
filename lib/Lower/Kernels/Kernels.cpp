//===- Kernels.cpp - Schedules of the heavy operators -----------------------------------------===//

#include "Lower/Kernels/Kernels.h"
#include "Operators/AllFamilies.h"

using namespace mlir;

namespace ingot {

Kernel kernelFor(Operation *op) {
#define INGOT_KERNEL(OpClass, function)                                                            \
  if (isa<OpClass>(op))                                                                            \
    return function;
#include "Lower/Kernels/Kernels.inc"
#undef INGOT_KERNEL
  return nullptr;
}

} // namespace ingot
