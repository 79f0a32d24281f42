//===- Interfaces.h - How the stages see an operator ------------------------------------------===//
#pragma once

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/ArrayRef.h"

namespace ingot {
class ElementBuilder;
class LoopBuilder;
class ScalarBuilder;
struct Index;
} // namespace ingot

#include "Dialect/Interfaces.h.inc"
