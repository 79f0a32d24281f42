//===- Constants.h - What is known at compile time --------------------------------------------===//
#pragma once

#include "Operators/Structure.h"
#include <optional>

namespace ingot {

/// True if `v` depends on constants only, followed a few dozen operators back.
bool isConstantTree(mlir::Value v);

/// The one value of a constant of floats; nothing if it is no such constant.
std::optional<double> splatFloat(mlir::Value v);

/// True if `v` is a constant of numbers that all equal `value`.
bool isSplatOf(mlir::Value v, int64_t value);

/// A constant of the shape of `like`, a tensor of floats, that holds `value`.
mlir::Value splatLike(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like, double value);

/// True if `v` varies along its last dimension only and stands beside tensors of `channels`
/// channels last: [channels], [1, ..., 1, channels], or one element.
bool isPerLastDim(mlir::Value v, mlir::AffineExpr channels);

} // namespace ingot
