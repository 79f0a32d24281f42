//===- Kernels.h - What each operation does to one element ------------------------------------===//
#pragma once

#include "mlir/IR/Operation.h"
#include <cstdint>

namespace ingot::interpreter {

/// A scalar, or one lane of a vector. Integers are sign-extended to 64 bits (i1: 0 or 1); half
/// floats are kept as the float of the same value.
union Cell {
  int64_t i;
  float f;
  double d;
};

enum class Kind : uint8_t { I1, I8, I16, I32, I64, Index, F16, BF16, F32, F64 };

/// The kind of a scalar, or of the elements of a vector or buffer; nothing for types the loop level
/// does not have.
std::optional<Kind> kindOf(mlir::Type type);
int64_t sizeOf(Kind kind);

/// Between memory and cells; booleans do not lie in memory.
Cell readCell(Kind kind, const std::byte *memory);
void writeCell(Kind kind, Cell cell, std::byte *memory);
/// The cell of an IntegerAttr or FloatAttr of this kind.
Cell constantCell(Kind kind, mlir::Attribute value);

/// Computes one result element; returns what is undefined about the operands, or null.
using Kernel = const char *(*)(const Cell *operands, Cell &result);

/// The kernel of an element-wise operation of arith, math or vector; null if there is none.
Kernel findKernel(mlir::Operation *op);
/// The kernel that vector.reduction of `op` folds with.
Kernel findReductionKernel(mlir::Operation *op);

} // namespace ingot::interpreter
