//===- Packing.h - Offsets for buffers of known size and lifetime -----------------------------===//
//
// Sizes, offsets and heights are in one unit of the caller's choice; times are arbitrary integers.
// Deterministic: the effort is counted in steps of work, never in seconds.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace ingot {

/// The times `first` to `last`, both included.
struct Lifetime {
  int64_t first, last;
  bool operator==(const Lifetime &) const = default;
};

struct PackItem {
  int64_t size; ///< at least 0
  /// When it is live: in ascending order, disjoint, at least one.
  llvm::SmallVector<Lifetime, 1> live;
};

struct Packing {
  std::vector<int64_t> offsets; ///< one per item
  int64_t height = 0;           ///< the largest end
  int64_t lowerBound = 0;       ///< the largest sum of sizes live at one time; height is no less
};

/// Items that are live at one time, by index.
using Conflicts = std::vector<std::vector<unsigned>>;

/// The pairs of items that are live at one time; nothing if there are more than `limit`.
std::optional<Conflicts> findConflicts(llvm::ArrayRef<PackItem> items, size_t limit);

/// The largest sum of sizes live at one time.
int64_t largestLiveSum(llvm::ArrayRef<PackItem> items);

/// Offsets such that items live at one time do not overlap. The sum of all sizes must fit 62 bits.
/// `effort` scales the search for a plan that is better than the first ones; 1 is about a second
/// for some hundred items that are hard to place. The search ends at a height of `goal`, and in any
/// case at the lower bound. Time and space are near linear beyond what `findConflicts` can hold.
Packing pack(llvm::ArrayRef<PackItem> items, double effort = 1, int64_t goal = 0);

} // namespace ingot
