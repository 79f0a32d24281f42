//===- Exhaustive.h - What a match leaves out, and what it says twice -------------------------===//
#pragma once

#include "Import/Relay/Types/Type.h"

namespace ingot::relay {

/// Reports a total match that does not cover every value, with one that is not covered, and clauses
/// that no value reaches (Maranget: Warnings for pattern matching, 2007).
void checkExhaustive(const MatchExpr &match, TypeContext &types, Reporter &reporter);

} // namespace ingot::relay
