//===- Search.h - Exact search for a packing of a given height --------------------------------===//
#pragma once

#include "Memory/Packing.h"

namespace ingot {

/// What a search found out.
enum class SearchResult { Found, Impossible, GaveUp };

/// The order in which the search prefers items that could stand equally low.
enum class Preference { Lifetime, Pressure, PressureLifetime };

/// Looks for offsets with which nothing reaches above `height`: it places items from the bottom up,
/// each as low as what is below it permits, and goes back when some time cannot hold what it must.
/// Gives up after `limit` placements. Writes `offsets` only when it found some.
SearchResult searchPacking(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts,
                           int64_t height, Preference preference, int64_t limit,
                           std::vector<int64_t> &offsets);

} // namespace ingot
