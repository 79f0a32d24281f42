//===- Search.h - Exact search for a packing of a given height --------------------------------===//
#pragma once

#include "Memory/Packing/Packing.h"
#include <memory>

namespace ingot {

/// What a search found out.
enum class SearchResult { Found, Impossible, GaveUp };

/// Looks for offsets with which nothing reaches above a given height: it places items from the
/// bottom up, each as low as what is below it permits, and goes back when some time cannot hold
/// what it must. Which item it tries first is drawn anew for each run: many short runs find more
/// than a long one.
class PackingSearch {
public:
  PackingSearch(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts);
  ~PackingSearch();

  /// Seeds below this stand for preferences that succeed often.
  static constexpr unsigned provenSeeds = 3;

  /// Gives up after `limit` placements. Writes `offsets` only when it found some.
  SearchResult run(int64_t height, unsigned seed, int64_t limit, std::vector<int64_t> &offsets);
  /// Steps of work done in all runs.
  int64_t work() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> search;
};

} // namespace ingot
