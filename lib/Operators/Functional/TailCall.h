//===- TailCall.h - Calls that end a function -------------------------------------------------===//
#pragma once

#include "Operators/Functional.h"

namespace ingot {

/// True if `op`'s function ends with this call and returns its results.
bool isTailCall(CallOp op);

} // namespace ingot
