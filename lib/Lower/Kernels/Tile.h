//===- Tile.h - Register tiles ----------------------------------------------------------------===//
#pragma once

#include "Lower/StepBuilder.h"

namespace ingot {

/// Calls `body(start, rows)` for tiles that cover [from, to): of `rows` positions each, the last
/// one beginning earlier so that it ends at `to` (its positions are computed twice, which needs
/// results that are not written over operands). Fewer positions than `rows` in all: one at a time,
/// or, if their number is known, at once.
void forTiles(StepBuilder &sb, Index from, Index to, int64_t rows,
              llvm::function_ref<void(Index start, int64_t rows)> body);

/// The columns of one tile: where each vector begins in the result and in the panel.
struct TileColumns {
  struct Vector {
    Index column;     ///< of the result
    int64_t position; ///< in the panel's row
  };
  llvm::SmallVector<Vector> vectors;
};

/// Calls `body(panel, columns)` for every panel of a packed operand with `columns` columns. The
/// last panel's vectors end at the last column; those it repeats are left out where that is known.
/// `columns` is at least `lanes`.
void forPanels(StepBuilder &sb, mlir::AffineExpr columns, int64_t lanes, int64_t vectors,
               llvm::function_ref<void(Index panel, const TileColumns &columns)> body);

/// A tile of rows by vectors of columns, accumulated over runs of the inner dimension.
class Tile {
public:
  /// All zero; `element` is the type computed in.
  Tile(StepBuilder &sb, int64_t rows, const TileColumns &columns, mlir::Type element);

  /// Adds, for k in [0, count), a[left + rowOffsets[r] + k] * b[right + k * rowWidth + position of
  /// the vector] to each accumulator.
  void addRun(mlir::Value a, Index left, llvm::ArrayRef<Index> rowOffsets, mlir::Value b,
              Index right, int64_t rowWidth, Index count);
  /// The accumulators are carried through a loop around what `body` adds.
  void loop(Index lower, Index upper, llvm::function_ref<void(Index)> body);

  mlir::Value accumulator(int64_t row, size_t vector) const {
    return accumulators[row * columns.vectors.size() + vector];
  }
  int64_t rows() const { return rowCount; }

private:
  void step(mlir::Value a, Index left, llvm::ArrayRef<Index> rowOffsets, mlir::Value b, Index right,
            llvm::MutableArrayRef<mlir::Value> into);
  mlir::Value zero();

  StepBuilder &sb;
  int64_t rowCount;
  const TileColumns &columns;
  mlir::Type element;
  llvm::SmallVector<mlir::Value> accumulators;
};

} // namespace ingot
