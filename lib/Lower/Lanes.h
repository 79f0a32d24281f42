//===- Lanes.h - Covering a dimension with vectors --------------------------------------------===//
#pragma once

#include "Dialect/Dims.h"
#include "Lower/StepBuilder.h"

namespace ingot {

/// Calls `body` for positions that cover `extent` elements from `begin` on along a contiguous
/// dimension, with sb.lanes() elements each time: in a loop of full vectors, then for what is left.
/// With `mayOverlap` that is one more vector that repeats some elements (not where a result is
/// written over an operand: it would be read again); else narrower ones.
void forLanes(StepBuilder &sb, mlir::AffineExpr begin, mlir::AffineExpr extent, bool mayOverlap,
              llvm::function_ref<void(Index)> body);
inline void forLanes(StepBuilder &sb, mlir::AffineExpr extent, bool mayOverlap,
                     llvm::function_ref<void(Index)> body) {
  forLanes(sb, dimConstant(extent.getContext(), 0), extent, mayOverlap, body);
}

/// A value folded over [0, extent): several accumulators of full vectors, then what is left.
/// `step(accumulator, position)` adds elements at the position, as many as the accumulator has.
/// Returns the accumulator, reduced to a scalar.
mlir::Value foldLanes(StepBuilder &sb, mlir::AffineExpr extent, ReductionOpInterface reduction,
                      ScalarBuilder &s, mlir::Value initial,
                      llvm::function_ref<mlir::Value(mlir::Value, Index)> step);

} // namespace ingot
