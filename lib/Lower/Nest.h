//===- Nest.h - The general schedules ---------------------------------------------------------===//
#pragma once

#include "Lower/StepBuilder.h"

namespace ingot {

/// Loops over the elements of the results, which all have one shape, vectors along the last
/// dimension; fails if an element has no vector form for sb.lanes().
llvm::LogicalResult buildNest(StepBuilder &sb);

/// True if `group` folds over trailing dimensions within its rows; see buildRows.
bool hasRows(GroupOp group);

/// Loops over rows: first every fold of a row, then the elements that use them (softmax, layer
/// normalisation). Every tensor in the group has the shape of the whole or that of one element a
/// row.
llvm::LogicalResult buildRows(StepBuilder &sb);

/// One operator that writes its own loops, its operands' producers inlined.
llvm::LogicalResult buildOwnLoops(StepBuilder &sb, LoopsOpInterface op);

} // namespace ingot
