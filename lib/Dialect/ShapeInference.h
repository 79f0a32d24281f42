//===- ShapeInference.h - Result shapes shared by operator families ---------------------------===//
#pragma once

#include "Dialect/Dims.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/ValueRange.h"

namespace ingot {

/// True if a result of type `actual` can stand where `inferred` was expected: equal rank, element
/// type and constant extents. Symbolic dimensions may differ in form; that they are equal is the
/// model's claim (see Constraint).
bool compatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

/// Multidirectional broadcasting of ONNX. Symbolic dimensions that are not known to be equal are
/// taken to be equal, the simpler one names the result.
llvm::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
broadcastDims(std::optional<mlir::Location> loc, mlir::ValueRange operands);

/// Output extent of a window of `kernel` taps `dilation` apart, moved by `stride` over `extent`
/// padded by `low` and `high` (ONNX Conv, "output shape").
mlir::AffineExpr windowExtent(mlir::AffineExpr extent, int64_t kernel, int64_t stride,
                              int64_t dilation, int64_t low, int64_t high, bool ceilMode);

} // namespace ingot
