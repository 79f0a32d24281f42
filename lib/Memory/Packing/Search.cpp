//===- Search.cpp - Exact search for a packing of a given height ------------------------------===//
//
// Any packing can be pushed down until each item rests on the bottom or on another, and then be
// built in order of offset. So it is enough to try such orders: an item that is passed over may
// later stand only on something placed after.
//
//===----------------------------------------------------------------------------------------===//

#include "Memory/Packing/Search.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace ingot {

class PackingSearch::Implementation {
public:
  Implementation(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts);
  SearchResult run(int64_t height, unsigned seed, int64_t limit, std::vector<int64_t> &offsets);
  int64_t work = 0;

private:
  using Group = std::vector<unsigned>;

  struct Change {
    enum Kind : uint8_t { Low, Rest, Blocked, Placed, Floor, Remaining } kind;
    unsigned index;
    int64_t old;
  };

  /// A maximal set of items live at one time.
  struct Section {
    std::vector<unsigned> items;
    int64_t floor = 0;     ///< nothing more can lie below
    int64_t remaining = 0; ///< sizes of the items not placed
  };

  void findSections(llvm::ArrayRef<PackItem> items);
  void choosePreference(unsigned seed);
  double areaOf(unsigned item) const {
    return static_cast<double>(size[item]) * static_cast<double>(last[item] - first[item] + 1);
  }
  bool solve(const Group &group);
  bool place(unsigned item);
  bool pass(unsigned item, int64_t next);
  bool settle();
  std::vector<Group> split(Group group) const;
  void set(Change::Kind kind, unsigned index, int64_t &slot, int64_t value) {
    trail.push_back({kind, index, slot});
    slot = value;
  }
  void undo(size_t mark);
  void touch(unsigned item) {
    for (unsigned s : sectionsOf[item])
      if (!isTouched[s]) {
        isTouched[s] = true;
        touched.push_back(s);
      }
  }

  size_t count;
  int64_t height = 0, budget = 0;
  std::vector<int64_t> size, first, last, pressure;
  const Conflicts &near;
  std::vector<std::vector<unsigned>> sectionsOf;
  std::vector<Section> sections;
  std::vector<unsigned> preference; ///< per item; the smaller are tried first
  std::vector<int64_t> low;         ///< no packing of this branch has the item lower
  std::vector<int64_t> rest;        ///< the top of the placed items it conflicts with
  std::vector<int64_t> blocked, placed;
  std::vector<Change> trail;
  std::vector<unsigned> touched;
  std::vector<bool> isTouched;
  bool gaveUp = false;
  /// What the order of this run was made from, and that of the run that came furthest: which placed
  /// the largest area, size times lifetime, at one time.
  std::vector<double> keys, bestKeys;
  double area = 0, largestArea = 0, bestArea = 0;
};

PackingSearch::Implementation::Implementation(llvm::ArrayRef<PackItem> items,
                                              const Conflicts &conflicts)
    : count(items.size()), pressure(count), near(conflicts), sectionsOf(count), preference(count),
      low(count), rest(count), blocked(count), placed(count) {
  for (const PackItem &item : items) {
    size.push_back(item.size);
    first.push_back(item.live.front().first);
    last.push_back(item.live.back().last);
  }
  findSections(items);
  for (auto [s, section] : llvm::enumerate(sections))
    for (unsigned i : section.items) {
      pressure[i] = std::max(pressure[i], section.remaining);
      sectionsOf[i].push_back(s);
    }
  isTouched.resize(sections.size());
}

/// Orders the items by a product of powers of lifetime, size and pressure (the largest sum it takes
/// part in), with some noise; every other run varies the order that came furthest so far.
void PackingSearch::Implementation::choosePreference(unsigned seed) {
  std::minstd_rand random(seed + 1);
  random.discard(4);
  auto draw = [&] { return static_cast<double>(random()) / std::minstd_rand::max(); };
  keys.resize(count);
  if (seed >= provenSeeds && seed % 2 && !bestKeys.empty()) {
    constexpr double strengths[] = {0.15, 0.5, 1.5};
    double strength = strengths[random() % std::size(strengths)];
    for (auto [key, best] : llvm::zip(keys, bestKeys))
      key = best + (random() % 2 ? strength * (draw() - 0.5) : 0);
  } else {
    double lifetimePower = draw(), sizePower = draw(), pressurePower = 8 * draw();
    double noise = seed % 4 == 0 ? 0 : 0.5;
    // The first runs are those that succeed most often: by one, then by the others among equals.
    constexpr double proven[provenSeeds][3] = {{1, 0.001, 0}, {1, 1, 1000}, {1, 0.001, 1000}};
    if (seed < provenSeeds) {
      lifetimePower = proven[seed][0];
      sizePower = proven[seed][1];
      pressurePower = proven[seed][2];
      noise = 0;
    }
    for (size_t i = 0; i < count; ++i)
      keys[i] = lifetimePower * std::log(static_cast<double>(last[i] - first[i] + 1)) +
                sizePower * std::log(static_cast<double>(size[i])) +
                pressurePower * std::log(static_cast<double>(pressure[i])) + noise * draw();
  }
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return std::pair(keys[b], a) < std::pair(keys[a], b); });
  for (auto [p, i] : llvm::enumerate(order))
    preference[i] = p;
}

void PackingSearch::Implementation::findSections(llvm::ArrayRef<PackItem> items) {
  std::map<int64_t, std::pair<std::vector<unsigned>, std::vector<unsigned>>> events;
  for (auto [i, item] : llvm::enumerate(items))
    for (Lifetime life : item.live) {
      events[life.first].first.push_back(i);
      events[life.last + 1].second.push_back(i);
    }
  std::vector<unsigned> live;
  bool grew = false;
  auto close = [&] {
    if (!grew)
      return;
    Section section;
    section.items = live;
    for (unsigned i : live)
      section.remaining += size[i];
    sections.push_back(std::move(section));
    grew = false;
  };
  for (auto &[time, event] : events) {
    auto &[starts, ends] = event;
    if (!ends.empty()) {
      close();
      llvm::erase_if(live, [&](unsigned i) { return llvm::is_contained(ends, i); });
    }
    if (!starts.empty()) {
      live.insert(live.end(), starts.begin(), starts.end());
      grew = true;
    }
  }
}

void PackingSearch::Implementation::undo(size_t mark) {
  while (trail.size() > mark) {
    Change c = trail.back();
    trail.pop_back();
    switch (c.kind) {
    case Change::Low:
      low[c.index] = c.old;
      break;
    case Change::Rest:
      rest[c.index] = c.old;
      break;
    case Change::Blocked:
      blocked[c.index] = c.old;
      break;
    case Change::Placed:
      placed[c.index] = c.old;
      area -= areaOf(c.index);
      break;
    case Change::Floor:
      sections[c.index].floor = c.old;
      break;
    case Change::Remaining:
      sections[c.index].remaining = c.old;
      break;
    }
  }
}

/// Raises the floors of the touched sections to the lowest item that is still to come.
bool PackingSearch::Implementation::settle() {
  bool fits = true;
  for (unsigned s : touched) {
    isTouched[s] = false;
    Section &section = sections[s];
    if (!fits || section.remaining == 0)
      continue;
    work += section.items.size();
    int64_t lowest = INT64_MAX;
    for (unsigned i : section.items)
      if (!placed[i])
        lowest = std::min(lowest, low[i]);
    if (lowest > section.floor && lowest != INT64_MAX)
      set(Change::Floor, s, section.floor, lowest);
    fits = section.floor + section.remaining <= height;
  }
  touched.clear();
  return fits;
}

/// Puts `item` down at its lowest place.
bool PackingSearch::Implementation::place(unsigned item) {
  set(Change::Placed, item, placed[item], 1);
  area += areaOf(item);
  largestArea = std::max(largestArea, area);
  int64_t top = low[item] + size[item];
  bool fits = true;
  for (unsigned s : sectionsOf[item]) {
    set(Change::Remaining, s, sections[s].remaining, sections[s].remaining - size[item]);
    set(Change::Floor, s, sections[s].floor, std::max(top, sections[s].floor));
  }
  touch(item);
  work += near[item].size();
  for (unsigned j : near[item]) {
    if (placed[j] || rest[j] >= top)
      continue;
    set(Change::Rest, j, rest[j], top);
    if (blocked[j])
      set(Change::Blocked, j, blocked[j], 0);
    if (low[j] < top) {
      set(Change::Low, j, low[j], top);
      fits &= top + size[j] <= height;
      touch(j);
    }
  }
  return settle() && fits;
}

/// Decides that `item` will stand on something placed later, nothing of which lies below `next`.
bool PackingSearch::Implementation::pass(unsigned item, int64_t next) {
  set(Change::Blocked, item, blocked[item], 1);
  int64_t support = INT64_MAX;
  for (unsigned j : near[item])
    if (!placed[j])
      support = std::min(support, std::max(low[j], next) + size[j]);
  if (support == INT64_MAX || support + size[item] > height)
    return false;
  if (support > low[item]) {
    set(Change::Low, item, low[item], support);
    touch(item);
  }
  return true;
}

/// Parts of `group` that share no time.
std::vector<PackingSearch::Implementation::Group>
PackingSearch::Implementation::split(Group group) const {
  llvm::sort(group, [&](unsigned a, unsigned b) { return first[a] < first[b]; });
  std::vector<Group> parts;
  int64_t end = 0;
  for (unsigned i : group) {
    if (parts.empty() || first[i] > end)
      parts.emplace_back();
    end = parts.back().empty() ? last[i] : std::max(end, last[i]);
    parts.back().push_back(i);
  }
  return parts;
}

bool PackingSearch::Implementation::solve(const Group &group) {
  if (group.empty())
    return true;
  int64_t lowestTop = INT64_MAX;
  for (unsigned i : group)
    if (!blocked[i])
      lowestTop = std::min(lowestTop, low[i] + size[i]);
  std::vector<unsigned> candidates;
  // Whoever could be passed under by another that is still free would only waste that place.
  for (unsigned i : group)
    if (!blocked[i] && low[i] < lowestTop)
      candidates.push_back(i);
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::pair(low[a], preference[a]) < std::pair(low[b], preference[b]);
  });
  work += group.size();
  size_t start = trail.size();
  for (size_t c = 0; c < candidates.size(); ++c) {
    unsigned item = candidates[c];
    if (budget-- <= 0) {
      gaveUp = true;
      break;
    }
    size_t mark = trail.size();
    int64_t at = low[item];
    if (place(item)) {
      Group others;
      for (unsigned i : group)
        if (i != item)
          others.push_back(i);
      bool solved = true;
      for (const Group &part : split(std::move(others)))
        if (solved)
          solved = solve(part);
      if (solved)
        return true;
    }
    if (gaveUp)
      break;
    undo(mark);
    // In what follows, this one is not the next to be placed.
    int64_t next = c + 1 < candidates.size() ? low[candidates[c + 1]] : at;
    bool possible = pass(item, next);
    if (!settle() || !possible)
      break;
  }
  if (!gaveUp)
    undo(start);
  return false;
}

SearchResult PackingSearch::Implementation::run(int64_t newHeight, unsigned seed, int64_t limit,
                                                std::vector<int64_t> &offsets) {
  if (height != newHeight)
    bestArea = 0;
  height = newHeight;
  budget = limit;
  gaveUp = false;
  undo(0);
  for (const Section &section : sections)
    if (section.remaining > height)
      return SearchResult::Impossible;
  choosePreference(seed);
  work += 8 * count;
  area = largestArea = 0;
  Group all(count);
  std::iota(all.begin(), all.end(), 0);
  for (const Group &part : split(std::move(all)))
    if (!solve(part)) {
      if (largestArea > bestArea) {
        bestArea = largestArea;
        bestKeys = keys;
      }
      return gaveUp ? SearchResult::GaveUp : SearchResult::Impossible;
    }
  offsets = low;
  return SearchResult::Found;
}

PackingSearch::PackingSearch(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts)
    : search(std::make_unique<Implementation>(items, conflicts)) {}
PackingSearch::~PackingSearch() = default;

SearchResult PackingSearch::run(int64_t height, unsigned seed, int64_t limit,
                                std::vector<int64_t> &offsets) {
  return search->run(height, seed, limit, offsets);
}

int64_t PackingSearch::work() const { return search->work; }

} // namespace ingot
