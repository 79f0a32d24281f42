//===- Search.cpp - Exact search for a packing of a given height ------------------------------===//
//
// Any packing can be pushed down until each item rests on the bottom or on another, and then be
// built in order of offset. So it is enough to try such orders: an item that is passed over may
// later stand only on something placed after.
//
//===----------------------------------------------------------------------------------------===//

#include "Memory/Search.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace ingot {
namespace {

/// Items and times, renumbered so that a smaller number is preferred.
class Search {
public:
  Search(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts, int64_t height,
         Preference preference, int64_t limit);
  SearchResult run(std::vector<int64_t> &offsets);

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
  int64_t height, budget;
  std::vector<unsigned> original; ///< by number
  std::vector<int64_t> size, first, last;
  std::vector<std::vector<unsigned>> near, sectionsOf;
  std::vector<Section> sections;
  std::vector<int64_t> low;  ///< no packing of this branch has the item lower
  std::vector<int64_t> rest; ///< the top of the placed items it conflicts with
  std::vector<int64_t> blocked, placed;
  std::vector<Change> trail;
  std::vector<unsigned> touched;
  std::vector<bool> isTouched;
  bool gaveUp = false;
};

Search::Search(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts, int64_t height,
               Preference preference, int64_t limit)
    : count(items.size()), height(height), budget(limit), original(count), size(count),
      first(count), last(count), near(count), sectionsOf(count), low(count), rest(count),
      blocked(count), placed(count) {
  std::vector<int64_t> length(count), pressure(count);
  for (size_t i = 0; i < count; ++i)
    length[i] = items[i].live.back().last - items[i].live.front().first + 1;
  std::iota(original.begin(), original.end(), 0);
  for (size_t i = 0; i < count; ++i) {
    size[i] = items[i].size;
    first[i] = items[i].live.front().first;
    last[i] = items[i].live.back().last;
  }
  findSections(items);
  for (const Section &section : sections)
    for (unsigned i : section.items)
      pressure[i] = std::max(pressure[i], section.remaining);
  auto key = [&](unsigned i) {
    int64_t t = pressure[i], w = length[i];
    double a = static_cast<double>(size[i]) * static_cast<double>(w);
    double byLength = static_cast<double>(w), byPressure = static_cast<double>(t);
    switch (preference) {
    case Preference::Lifetime:
      return std::array{byLength, a, byPressure};
    case Preference::Pressure:
      return std::array{byPressure, a, byLength};
    case Preference::PressureLifetime:
      return std::array{byPressure, byLength, a};
    }
    return std::array{0.0, 0.0, 0.0};
  };
  llvm::sort(original,
             [&](unsigned a, unsigned b) { return std::pair(key(b), a) < std::pair(key(a), b); });
  std::vector<unsigned> number(count);
  for (size_t i = 0; i < count; ++i)
    number[original[i]] = i;
  for (size_t i = 0; i < count; ++i) {
    const PackItem &item = items[original[i]];
    size[i] = item.size;
    first[i] = item.live.front().first;
    last[i] = item.live.back().last;
    for (unsigned j : conflicts[original[i]])
      near[i].push_back(number[j]);
  }
  for (auto [s, section] : llvm::enumerate(sections))
    for (unsigned &i : section.items) {
      i = number[i];
      sectionsOf[i].push_back(s);
    }
  isTouched.resize(sections.size());
}

void Search::findSections(llvm::ArrayRef<PackItem> items) {
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

void Search::undo(size_t mark) {
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
bool Search::settle() {
  bool fits = true;
  for (unsigned s : touched) {
    isTouched[s] = false;
    Section &section = sections[s];
    if (!fits || section.remaining == 0)
      continue;
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
bool Search::place(unsigned item) {
  set(Change::Placed, item, placed[item], 1);
  int64_t top = low[item] + size[item];
  bool fits = true;
  for (unsigned s : sectionsOf[item]) {
    set(Change::Remaining, s, sections[s].remaining, sections[s].remaining - size[item]);
    set(Change::Floor, s, sections[s].floor, std::max(top, sections[s].floor));
  }
  touch(item);
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
bool Search::pass(unsigned item, int64_t next) {
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
std::vector<Search::Group> Search::split(Group group) const {
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

bool Search::solve(const Group &group) {
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
  llvm::sort(candidates,
             [&](unsigned a, unsigned b) { return std::pair(low[a], a) < std::pair(low[b], b); });
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

SearchResult Search::run(std::vector<int64_t> &offsets) {
  for (const Section &section : sections)
    if (section.remaining > height)
      return SearchResult::Impossible;
  Group all(count);
  std::iota(all.begin(), all.end(), 0);
  for (const Group &part : split(std::move(all)))
    if (!solve(part))
      return gaveUp ? SearchResult::GaveUp : SearchResult::Impossible;
  offsets.resize(count);
  for (size_t i = 0; i < count; ++i)
    offsets[original[i]] = low[i];
  return SearchResult::Found;
}

} // namespace

SearchResult searchPacking(llvm::ArrayRef<PackItem> items, const Conflicts &conflicts,
                           int64_t height, Preference preference, int64_t limit,
                           std::vector<int64_t> &offsets) {
  return Search(items, conflicts, height, preference, limit).run(offsets);
}

} // namespace ingot
