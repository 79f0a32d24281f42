//===- Passes.h - Passes on tensors -----------------------------------------------------------===//
#pragma once

#include "mlir/Pass/Pass.h"

namespace ingot {

#define GEN_PASS_DECL
#include "Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Transforms/Passes.h.inc"

} // namespace ingot
