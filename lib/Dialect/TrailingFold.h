//===- TrailingFold.h - Folds along rows ------------------------------------------------------===//
#pragma once

#include "Dialect/Interfaces.h"

namespace ingot {

/// The number of trailing dimensions that `op` folds and keeps with extent 1; 0 if it folds others
/// or drops them.
size_t trailingFold(ReductionOpInterface op);

} // namespace ingot
