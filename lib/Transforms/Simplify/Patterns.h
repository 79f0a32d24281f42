//===- Patterns.h - The rules of the pass simplify --------------------------------------------===//
//
// Every rule keeps the type of the value it replaces. Floats may be rounded once more or once less;
// no rule reorders the additions of the model's own values.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace ingot {

/// Neutral elements, constants merged, powers, casts.
void addArithmeticPatterns(mlir::RewritePatternSet &patterns);
/// Scales and shifts move into the weights of convolutions and matrix products.
void addWeightPatterns(mlir::RewritePatternSet &patterns);
/// Operators that move elements, and folds that fold nothing.
void addMovementPatterns(mlir::RewritePatternSet &patterns);
/// Matches and conditions that are known; results of them that nobody reads.
void addControlPatterns(mlir::RewritePatternSet &patterns);

} // namespace ingot
