//===- PackingTest.cpp - Packings of known and of random items --------------------------------===//

#include "Memory/Packing/Packing.h"
#include "Memory/Packing/Search.h"
#include <gtest/gtest.h>
#include <random>

using namespace ingot;

namespace {

/// Fails the test if two items that are live at one time overlap.
void expectSound(llvm::ArrayRef<PackItem> items, const Packing &packing) {
  ASSERT_EQ(packing.offsets.size(), items.size());
  auto meet = [&](const PackItem &a, const PackItem &b) {
    for (Lifetime x : a.live)
      for (Lifetime y : b.live)
        if (x.first <= y.last && y.first <= x.last)
          return true;
    return false;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_GE(packing.offsets[i], 0);
    EXPECT_LE(packing.offsets[i] + items[i].size, packing.height);
    for (size_t j = 0; j < i; ++j)
      if (items[i].size > 0 && items[j].size > 0 && meet(items[i], items[j]))
        EXPECT_TRUE(packing.offsets[i] + items[i].size <= packing.offsets[j] ||
                    packing.offsets[j] + items[j].size <= packing.offsets[i])
            << i << " and " << j;
  }
}

/// Cuts the rectangle of `height` and the times `first` to `last` into `count` items: they fit
/// exactly.
void cut(std::mt19937 &random, int64_t first, int64_t last, int64_t height, unsigned count,
         std::vector<PackItem> &items) {
  bool canSplitTime = last > first, canSplitHeight = height > 1;
  if (count <= 1 || (!canSplitTime && !canSplitHeight)) {
    items.push_back({height, {{first, last}}});
    return;
  }
  unsigned left = 1 + random() % (count - 1);
  if (canSplitHeight && (random() % 2 || !canSplitTime)) {
    int64_t below = 1 + random() % (height - 1);
    cut(random, first, last, below, left, items);
    cut(random, first, last, height - below, count - left, items);
  } else {
    int64_t middle = first + random() % (last - first);
    cut(random, first, middle, height, left, items);
    cut(random, middle + 1, last, height, count - left, items);
  }
}

TEST(Packing, NothingAndEmptyItems) {
  EXPECT_EQ(pack({}).height, 0);
  std::vector<PackItem> items = {{0, {{0, 9}}}, {5, {{0, 9}}}, {0, {{3, 4}}}};
  Packing packing = pack(items);
  EXPECT_EQ(packing.height, 5);
  expectSound(items, packing);
}

TEST(Packing, GapsInALifetimeAreUsed) {
  std::vector<PackItem> items = {{10, {{0, 1}, {4, 5}}}, {10, {{2, 3}}}};
  EXPECT_EQ(pack(items).height, 10);
  EXPECT_TRUE(findConflicts(items, 100)->at(0).empty());
}

TEST(Packing, ConflictsStopAtTheLimit) {
  std::vector<PackItem> items(10, PackItem{1, {{0, 0}}});
  EXPECT_EQ(findConflicts(items, 45)->at(3).size(), 9u);
  EXPECT_FALSE(findConflicts(items, 44));
}

TEST(Packing, RectanglesCutToPieces) {
  // The best height is known. Small ones must be found, large ones within 8 % with little effort.
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<PackItem> items;
    unsigned count = seed < 20 ? 12 : 150;
    cut(random, 0, 40, 1000, count, items);
    std::shuffle(items.begin(), items.end(), random);
    Packing packing = pack(items, 0.2);
    expectSound(items, packing);
    EXPECT_EQ(packing.lowerBound, 1000);
    EXPECT_LE(packing.height, count == 12 ? 1000 : 1080) << "seed " << seed;
  }
}

TEST(Packing, RandomItemsAreSoundAndTheSame) {
  std::mt19937 random(7);
  std::vector<PackItem> items;
  for (int i = 0; i < 300; ++i) {
    int64_t first = random() % 200, last = first + random() % 12;
    items.push_back({static_cast<int64_t>(random() % 1000), {{first, last}}});
    if (i % 5 == 0)
      items.back().live.push_back({last + 3, last + 5});
  }
  Packing packing = pack(items, 0.1);
  expectSound(items, packing);
  EXPECT_LE(packing.height, packing.lowerBound * 1.05);
  EXPECT_EQ(pack(items, 0.1).offsets, packing.offsets);
}

TEST(Packing, ManyItems) {
  // A long chain, and very many that are all live at once: neither may take quadratic time.
  std::vector<PackItem> chain, crowd;
  for (int64_t i = 0; i < 200'000; ++i) {
    chain.push_back({1 + i % 7, {{i, i + 2}}});
    crowd.push_back({1 + i % 7, {{i, 400'000 - i}}});
  }
  Packing packing = pack(chain, 0.1);
  EXPECT_LE(packing.height, packing.lowerBound * 1.05);
  packing = pack(crowd, 0.1);
  EXPECT_EQ(packing.height, packing.lowerBound);
}

TEST(Search, SaysWhenNothingFits) {
  // Live sums of at most 4, but 1 and 1 keep the second 2 from standing beside the first.
  std::vector<PackItem> items = {{2, {{0, 2}}}, {1, {{0, 0}}}, {2, {{2, 4}}}, {1, {{1, 3}}}};
  auto conflicts = findConflicts(items, 100);
  PackingSearch search(items, *conflicts);
  std::vector<int64_t> offsets;
  EXPECT_EQ(search.run(4, 0, 1000, offsets), SearchResult::Impossible);
  EXPECT_EQ(search.run(5, 0, 1000, offsets), SearchResult::Found);
  EXPECT_EQ(search.run(5, 0, 1, offsets), SearchResult::GaveUp);
}

TEST(Search, EveryAnswerIsRight) {
  // Small enough to compare with all packings, which stand on each other in some order.
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<PackItem> items;
    for (int i = 0; i < 6; ++i) {
      int64_t first = random() % 6, last = first + random() % 3;
      items.push_back({static_cast<int64_t>(1 + random() % 5), {{first, last}}});
    }
    auto conflicts = findConflicts(items, 100);
    std::vector<unsigned> order = {0, 1, 2, 3, 4, 5};
    int64_t best = INT64_MAX;
    do {
      std::vector<int64_t> top(6, 0);
      int64_t height = 0;
      for (size_t p = 0; p < 6; ++p) {
        int64_t offset = 0;
        for (unsigned j : (*conflicts)[order[p]])
          if (std::find(order.begin(), order.begin() + p, j) != order.begin() + p)
            offset = std::max(offset, top[j]);
        top[order[p]] = offset + items[order[p]].size;
        height = std::max(height, top[order[p]]);
      }
      best = std::min(best, height);
    } while (std::next_permutation(order.begin(), order.end()));
    PackingSearch search(items, *conflicts);
    std::vector<int64_t> offsets;
    for (unsigned preference = 0; preference < 6; ++preference) {
      EXPECT_EQ(search.run(best, preference, 100'000, offsets), SearchResult::Found) << seed;
      EXPECT_EQ(search.run(best - 1, preference, 100'000, offsets), SearchResult::Impossible)
          << seed;
    }
    EXPECT_EQ(pack(items).height, best);
  }
}

} // namespace
