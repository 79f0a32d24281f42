//===- Tiling.h - Register tiles of matrix products -------------------------------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include <optional>

namespace ingot {

/// How wide a panel of the right operand is: `vectors` vectors of `lanes` elements; and how many
/// rows of the left operand a tile takes.
struct TileShape {
  int64_t lanes, vectors, rows;
};

/// The tile for a product of `rows` by `columns` (nothing: not known) in elements of `elementBits`.
/// `lanes` is at most `columns`, so that every vector can be a whole one.
TileShape chooseTile(const TargetInfo &target, std::optional<int64_t> rows,
                     std::optional<int64_t> columns, unsigned elementBits);

/// Rows of a tile of `vectors` vectors that leave room in the registers for a row of the panel.
int64_t tileRows(const TargetInfo &target, int64_t vectors, std::optional<int64_t> rows);

} // namespace ingot
