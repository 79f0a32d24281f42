//===- Constants.h - What is known at compile time --------------------------------------------===//
#pragma once

#include "Operators/Structure.h"
#include <optional>

namespace ingot {

/// True if `v` depends on constants only, followed up to a few operators back.
bool isConstantTree(mlir::Value v, int depth = 24);

/// The one value of a constant of floats; nothing if it is no such constant.
std::optional<double> splatFloat(mlir::Value v);

/// The shape of `v`, which varies along its last dimension only and stands beside tensors of
/// `channels` channels last: [channels], [1, ..., 1, channels], or one element.
bool isPerLastDim(mlir::Value v, mlir::AffineExpr channels);

} // namespace ingot
