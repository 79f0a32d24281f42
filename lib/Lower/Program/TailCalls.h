//===- TailCalls.h - Calls in the last place to jumps -----------------------------------------===//
#pragma once

#include "Lower/StepNames.h"

namespace ingot {

/// Leaves tail calls only where they lead back to their function: calls of the function itself
/// become jumps, those that never lead back become calls and returns.
void resolveTailCalls(mlir::ModuleOp module);

/// Merges functions that call each other in the last place into one: it takes the number of the
/// function that it stands for at first, and such calls are jumps to its beginning.
void mergeTailCalls(mlir::ModuleOp module, StepNames &names);

} // namespace ingot
