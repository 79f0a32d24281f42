//===- Tiling.cpp - Register tiles of matrix products -----------------------------------------===//

#include "Dialect/Target/Tiling.h"
#include <algorithm>

namespace ingot {

static int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t tileRows(const TargetInfo &target, int64_t vectors, std::optional<int64_t> rows) {
  // Accumulators, and one broadcast element for each row: C compilers load those ahead, and keep
  // the panel in memory.
  int64_t available = target.vectorBits == 0 ? 20 : target.vectorRegisters;
  int64_t most = std::clamp<int64_t>(available / (vectors + 1), 1, 14);
  if (!rows || *rows <= 0)
    return most;
  if (*rows <= most)
    return *rows;
  // As many tiles as the tallest tile needs, evenly high.
  return ceilDivide(*rows, ceilDivide(*rows, most));
}

TileShape chooseTile(const TargetInfo &target, std::optional<int64_t> rows,
                     std::optional<int64_t> columns, unsigned elementBits) {
  int64_t lanes = std::max<int64_t>(1, target.vectorBits / elementBits);
  if (columns)
    while (lanes > *columns && lanes > 1)
      lanes /= 2;
  // Three vectors a panel use each element of the left operand three times and still leave room
  // for several rows; a single row needs its accumulators from the columns.
  int64_t most = target.vectorBits == 0 ? 4 : 3;
  if (rows == 1)
    most = target.vectorRegisters >= 32 ? 8 : 6;
  int64_t vectors = 2;
  if (columns) {
    int64_t needed = std::max<int64_t>(1, ceilDivide(*columns, lanes));
    // The widest panel among those that repeat fewest vectors.
    int64_t best = 1, bestCost = INT64_MAX;
    for (int64_t v = 1; v <= most; ++v) {
      int64_t computed = ceilDivide(needed, v) * v;
      // One vector alone loads an element of the left operand for each product.
      int64_t cost = computed * (v == 1 ? 5 : 4);
      if (cost <= bestCost) {
        best = v;
        bestCost = cost;
      }
    }
    vectors = best;
  }
  return {lanes, vectors, tileRows(target, vectors, rows)};
}

} // namespace ingot
