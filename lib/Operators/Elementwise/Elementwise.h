//===- Elementwise.h - What all element-wise operators share ----------------------------------===//
#pragma once

#include "Dialect/OpHeader.h"

namespace ingot {

inline mlir::Type elementOf(mlir::Value v) {
  return llvm::cast<mlir::RankedTensorType>(v.getType()).getElementType();
}

/// The broadcast shape of the operands with `element` as element type.
llvm::LogicalResult inferElementwise(std::optional<mlir::Location> loc, mlir::ValueRange operands,
                                     mlir::Type element, llvm::SmallVectorImpl<mlir::Type> &types);

/// Reads each operand at `at`, broadcast, and applies the operator's function in the element type
/// `element`.
mlir::Value elementwise(ScalarOpInterface op, ElementBuilder &eb, llvm::ArrayRef<Index> at,
                        mlir::Type element);

/// Where an operand of type `type` is read when the result of rank at.size() is at `at`.
llvm::SmallVector<Index> broadcastAccess(ElementBuilder &eb, mlir::RankedTensorType type,
                                         llvm::ArrayRef<Index> at);

} // namespace ingot
