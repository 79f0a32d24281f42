//===- Packing.cpp - Offsets for buffers of known size and lifetime ---------------------------===//

#include "Memory/Packing/Packing.h"
#include "Memory/Packing/Search.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace ingot {
namespace {

/// The most pairs of conflicting items to hold; more are packed by one pass over time.
constexpr size_t conflictLimit = 20'000'000;
/// The most items to search exactly for: the search recurses once per item.
constexpr size_t searchLimit = 2'000;

struct Event {
  int64_t time;
  bool isStart;
  unsigned item;
};

/// Starts and ends in order of time; ends come first, at the time after the last one alive.
std::vector<Event> eventsOf(llvm::ArrayRef<PackItem> items) {
  std::vector<Event> events;
  for (auto [i, item] : llvm::enumerate(items))
    for (Lifetime life : item.live) {
      events.push_back({life.first, true, static_cast<unsigned>(i)});
      events.push_back({life.last + 1, false, static_cast<unsigned>(i)});
    }
  llvm::sort(events, [](const Event &a, const Event &b) {
    return std::tuple(a.time, a.isStart, a.item) < std::tuple(b.time, b.isStart, b.item);
  });
  return events;
}

int64_t heightOf(llvm::ArrayRef<PackItem> items, llvm::ArrayRef<int64_t> offsets) {
  int64_t height = 0;
  for (auto [item, offset] : llvm::zip(items, offsets))
    height = std::max(height, offset + item.size);
  return height;
}

/// Places items one after another, each into the lowest or the tightest gap between its neighbours.
class Placer {
public:
  Placer(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts)
      : items(items), conflicts(conflicts) {}

  enum class Gap { Lowest, Tightest };

  /// Returns the height, or something above `bound` as soon as that is reached.
  int64_t place(llvm::ArrayRef<unsigned> order, Gap gap, int64_t bound,
                std::vector<int64_t> &offsets) {
    offsets.assign(items.size(), -1);
    int64_t height = 0;
    for (unsigned i : order) {
      offsets[i] = findGap(i, gap, offsets);
      height = std::max(height, offsets[i] + items[i].size);
      if (height > bound)
        break;
    }
    return height;
  }

  /// Steps of work done so far.
  int64_t work = 0;

private:
  int64_t findGap(unsigned item, Gap gap, llvm::ArrayRef<int64_t> offsets) {
    neighbours.clear();
    for (unsigned j : conflicts[item])
      if (offsets[j] >= 0)
        neighbours.push_back({offsets[j], offsets[j] + items[j].size});
    work += conflicts[item].size() + 4 * neighbours.size() + 1;
    llvm::sort(neighbours);
    int64_t end = 0, best = -1, bestWaste = INT64_MAX;
    for (auto [from, to] : neighbours) {
      int64_t waste = from - end - items[item].size;
      if (waste >= 0 && waste < bestWaste) {
        best = end;
        bestWaste = waste;
        if (gap == Gap::Lowest)
          break;
      }
      end = std::max(end, to);
    }
    return best >= 0 ? best : end;
  }

  llvm::ArrayRef<PackItem> items;
  const Conflicts &conflicts;
  std::vector<std::pair<int64_t, int64_t>> neighbours;
};

/// The best packing found so far.
struct Best {
  std::vector<int64_t> offsets;
  int64_t height = INT64_MAX;
};

std::vector<std::vector<unsigned>> startingOrders(llvm::ArrayRef<PackItem> items) {
  std::vector<double> length;
  for (const PackItem &item : items)
    length.push_back(static_cast<double>(item.live.back().last - item.live.front().first + 1));
  auto size = [&](unsigned i) { return static_cast<double>(items[i].size); };
  auto start = [&](unsigned i) { return static_cast<double>(items[i].live.front().first); };
  const std::function<double(unsigned)> keys[] = {
      [&](unsigned i) { return -size(i); },
      [&](unsigned i) { return -length[i]; },
      [&](unsigned i) { return -size(i) * length[i]; },
      start,
      [&](unsigned i) { return -static_cast<double>(items[i].live.back().last); },
  };
  std::vector<std::vector<unsigned>> orders;
  for (const auto &key : keys) {
    std::vector<unsigned> &order = orders.emplace_back(items.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::tuple(key(a), -size(a), a) < std::tuple(key(b), -size(b), b);
    });
  }
  return orders;
}

/// Moves items that stand at the top to the front of the order, again and again.
void improve(llvm::ArrayRef<PackItem> items, Placer &placer, std::vector<unsigned> order,
             Placer::Gap gap, int64_t goal, int64_t work, Best &best) {
  // Fixed: the same model gives the same plan.
  std::minstd_rand random(1);
  std::vector<int64_t> offsets;
  int64_t current = placer.place(order, gap, INT64_MAX, offsets);
  std::vector<unsigned> position(items.size());
  int64_t end = placer.work + work;
  while (placer.work < end && best.height > goal) {
    for (auto [p, i] : llvm::enumerate(order))
      position[i] = p;
    std::vector<unsigned> top;
    for (unsigned i = 0; i < items.size(); ++i)
      if (offsets[i] + items[i].size == current)
        top.push_back(i);
    std::vector<unsigned> next = order;
    unsigned from = position[top[random() % top.size()]];
    unsigned to = from ? random() % from : 0;
    std::rotate(next.begin() + to, next.begin() + from, next.begin() + from + 1);
    // Now and then a second change, to leave a plateau.
    if (random() % 4 == 0)
      std::swap(next[random() % next.size()], next[random() % next.size()]);
    std::vector<int64_t> tried;
    placer.work += items.size();
    int64_t height = placer.place(next, gap, current, tried);
    if (height > current)
      continue;
    order = std::move(next);
    offsets = std::move(tried);
    current = height;
    if (current < best.height)
      best = {offsets, current};
  }
}

/// The Luby sequence 1 1 2 1 1 2 4 1 1 2 ...: how patient the run number `i`, from 1, should be.
int64_t patience(int64_t i) {
  while (!llvm::isPowerOf2_64(i + 1))
    i -= (int64_t(1) << llvm::Log2_64(i + 1)) - 1;
  return (i + 1) / 2;
}

/// Closes in on `goal` by searches for chosen heights, mostly for the goal itself if that
/// `isEnough`.
void searchHeights(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts, int64_t goal,
                   bool isEnough, int64_t work, Best &best) {
  PackingSearch search(items, conflicts);
  auto attempt = [&](int64_t height, int64_t share, unsigned run) {
    int64_t end = search.work() + share;
    for (; search.work() < end; ++run) {
      std::vector<int64_t> offsets;
      int64_t limit = run < PackingSearch::provenSeeds ? 3000 : 500 * patience(run);
      SearchResult result = search.run(height, run, limit, offsets);
      if (result == SearchResult::Found)
        best = {offsets, heightOf(items, offsets)};
      if (result != SearchResult::GaveUp)
        return std::pair(result, run);
    }
    return std::pair(SearchResult::GaveUp, run);
  };
  // A goal that is tight is found sooner than a height near it: less has to be tried.
  auto [result, runs] = attempt(goal, (isEnough ? 8 : 4) * work / 10, 0);
  if (result == SearchResult::Found)
    return;
  int64_t step = std::max<int64_t>((best.height - goal) / 2, 1);
  int64_t end = search.work() + 4 * work / 10;
  while (step > goal / 512 && search.work() < end && best.height > goal)
    if (attempt(std::max(best.height - step, goal), work / 12, 0).first != SearchResult::Found)
      step /= 2;
  if (result == SearchResult::GaveUp && best.height > goal)
    attempt(goal, work - search.work(), runs);
}

/// One pass over time: each item goes into the tightest free block when it first comes to life.
void packOnline(llvm::ArrayRef<PackItem> items, Best &best) {
  std::vector<PackItem> hulls;
  for (const PackItem &item : items)
    hulls.push_back({item.size, {{item.live.front().first, item.live.back().last}}});
  best.offsets.assign(items.size(), 0);
  best.height = 0;
  std::map<int64_t, int64_t> freeByOffset;          // offset -> size
  std::set<std::pair<int64_t, int64_t>> freeBySize; // size, offset
  auto add = [&](int64_t offset, int64_t size) {
    freeByOffset[offset] = size;
    freeBySize.insert({size, offset});
  };
  auto remove = [&](std::map<int64_t, int64_t>::iterator block) {
    freeBySize.erase({block->second, block->first});
    freeByOffset.erase(block);
  };
  for (const Event &event : eventsOf(hulls)) {
    int64_t size = items[event.item].size, &offset = best.offsets[event.item];
    if (size == 0)
      continue;
    if (event.isStart) {
      auto block = freeBySize.lower_bound({size, 0});
      if (block != freeBySize.end()) {
        auto [available, at] = *block;
        offset = at;
        remove(freeByOffset.find(at));
        if (available > size)
          add(at + size, available - size);
        continue;
      }
      // A free block at the top is grown rather than left.
      offset = best.height;
      if (!freeByOffset.empty()) {
        auto top = std::prev(freeByOffset.end());
        if (top->first + top->second == best.height) {
          offset = top->first;
          remove(top);
        }
      }
      best.height = offset + size;
      continue;
    }
    int64_t from = offset, to = offset + size;
    auto next = freeByOffset.lower_bound(from);
    if (next != freeByOffset.end() && next->first == to) {
      to += next->second;
      remove(next);
    }
    next = freeByOffset.lower_bound(from);
    if (next != freeByOffset.begin()) {
      auto previous = std::prev(next);
      if (previous->first + previous->second == from) {
        from = previous->first;
        remove(previous);
      }
    }
    add(from, to - from);
  }
}

} // namespace

std::optional<Conflicts> findConflicts(llvm::ArrayRef<PackItem> items, size_t limit) {
  Conflicts conflicts(items.size());
  // The live items as a list, and where each stands in it.
  std::vector<unsigned> live, position(items.size());
  bool hasGaps = llvm::any_of(items, [](const PackItem &item) { return item.live.size() > 1; });
  size_t pairs = 0;
  for (const Event &event : eventsOf(items)) {
    unsigned i = event.item;
    if (!event.isStart) {
      live[position[i]] = live.back();
      position[live.back()] = position[i];
      live.pop_back();
      continue;
    }
    pairs += live.size();
    if (pairs > limit)
      return std::nullopt;
    for (unsigned j : live) {
      conflicts[i].push_back(j);
      conflicts[j].push_back(i);
    }
    position[i] = live.size();
    live.push_back(i);
  }
  for (std::vector<unsigned> &list : conflicts) {
    llvm::sort(list);
    if (hasGaps)
      list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return conflicts;
}

int64_t largestLiveSum(llvm::ArrayRef<PackItem> items) {
  int64_t sum = 0, largest = 0;
  for (const Event &event : eventsOf(items)) {
    sum += event.isStart ? items[event.item].size : -items[event.item].size;
    largest = std::max(largest, sum);
  }
  return largest;
}

Packing pack(llvm::ArrayRef<PackItem> allItems, double effort, int64_t goal) {
  Packing result;
  result.offsets.assign(allItems.size(), 0);
  // What has no size can stand anywhere.
  std::vector<PackItem> items;
  std::vector<size_t> original;
  for (auto [i, item] : llvm::enumerate(allItems))
    if (item.size > 0) {
      items.push_back(item);
      original.push_back(i);
    }
  result.lowerBound = largestLiveSum(items);
  if (items.empty())
    return result;

  bool hasGoal = goal > 0;
  goal = std::max(goal, result.lowerBound);
  Best best;
  if (auto conflicts = findConflicts(items, conflictLimit)) {
    Placer placer(items, *conflicts);
    std::vector<unsigned> bestOrder;
    Placer::Gap bestGap = Placer::Gap::Lowest;
    for (std::vector<unsigned> &order : startingOrders(items))
      for (Placer::Gap gap : {Placer::Gap::Lowest, Placer::Gap::Tightest}) {
        if (best.height <= goal)
          break;
        std::vector<int64_t> offsets;
        int64_t height = placer.place(order, gap, best.height, offsets);
        if (height < best.height) {
          best = {std::move(offsets), height};
          bestOrder = order;
          bestGap = gap;
        }
      }
    if (best.height > goal)
      improve(items, placer, bestOrder, bestGap, goal, static_cast<int64_t>(20'000'000 * effort),
              best);
    if (best.height > goal && items.size() <= searchLimit)
      searchHeights(items, *conflicts, goal, hasGoal, static_cast<int64_t>(400'000'000 * effort),
                    best);
  } else {
    packOnline(items, best);
  }
  for (auto [i, offset] : llvm::zip(original, best.offsets))
    result.offsets[i] = offset;
  result.height = best.height;
  return result;
}

} // namespace ingot
