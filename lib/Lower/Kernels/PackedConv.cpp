//===- PackedConv.cpp - Dense convolutions ----------------------------------------------------===//

#include "Dialect/Target/Tiling.h"
#include "Lower/Kernels/Kernels.h"
#include "Lower/Kernels/Tile.h"
#include "Operators/Packed.h"

using namespace mlir;

namespace ingot {

/// A tile is a run of positions along one row of the result; along a row of the window, the input's
/// columns and channels lie behind each other and make one run of the inner dimension.
LogicalResult buildPackedConv(StepBuilder &sb, Operation *anchor) {
  auto op = cast<PackedConvOp>(anchor);
  Value x = sb.memoryOf(op.getX()), w = sb.memoryOf(op.getW());
  AffineExpr columns = op.getColumns().getExprs()[0];
  if (!x || !w || sb.anyInPlace() || !constantDim(columns))
    return failure();
  RankedTensorType input = tensorType(op.getX());
  Type element = input.getElementType();
  auto lanes = static_cast<int64_t>(op.getLanes()), vectors = static_cast<int64_t>(op.getVectors());
  int64_t width = lanes * vectors;
  SmallVector<AffineExpr> dims = getDims(tensorType(op.getResult()));
  AffineExpr channels = getDim(input, 3);
  int64_t kernelHeight = op.getKernel()[0], kernelWidth = op.getKernel()[1];
  int64_t tile = tileRows(sb.target, vectors, constantDim(dims[2]));
  bool isContiguous = op.getDilations()[1] == 1;

  StepBuilder::WidthScope scope(sb, lanes);
  Index c = sb.dim(channels);
  Index panelSize = sb.mul(c, kernelHeight * kernelWidth * width);
  sb.loops(ArrayRef(dims).take_front(1), [&](ArrayRef<Index> batch) {
    forPanels(sb, columns, lanes, vectors, [&](Index panel, const TileColumns &place) {
      Index weights = sb.mul(panel, panelSize);
      sb.loops(ArrayRef(dims).slice(1, 1), [&](ArrayRef<Index> y) {
        forTiles(sb, sb.constant(0), sb.dim(dims[2]), tile, [&](Index start, int64_t count) {
          SmallVector<Index> offsets;
          for (int64_t r = 0; r < count; ++r)
            offsets.push_back(sb.mul(c, r * op.getStrides()[1]));
          Tile sums(sb, count, place, element);
          auto run = [&](Index ky, Index kx, Index length) {
            Index row = sb.add(sb.mul(y[0], op.getStrides()[0]), sb.mul(ky, op.getDilations()[0]));
            Index column =
                sb.add(sb.mul(start, op.getStrides()[1]), sb.mul(kx, op.getDilations()[1]));
            Index left = linearIndex(sb, input, {batch[0], row, column, sb.constant(0)});
            Index tap = sb.add(sb.mul(ky, kernelWidth), kx);
            Index right = sb.add(weights, sb.mul(tap, sb.mul(c, width)));
            sums.addRun(x, left, offsets, w, right, width, length);
          };
          auto alongRow = [&](Index ky) {
            if (isContiguous)
              return run(ky, sb.constant(0), sb.mul(c, kernelWidth));
            sums.loop(sb.constant(0), sb.constant(kernelWidth), [&](Index kx) { run(ky, kx, c); });
          };
          if (kernelHeight == 1)
            alongRow(sb.constant(0));
          else
            sums.loop(sb.constant(0), sb.constant(kernelHeight), alongRow);
          for (int64_t r = 0; r < count; ++r)
            for (auto [v, vector] : llvm::enumerate(place.vectors)) {
              SmallVector<Index> at{
                  batch[0], y[0], sb.add(start, r), {vector.column.base, lanes > 1}};
              sb.define(op.getResult(), at, sums.accumulator(r, v));
              sb.storeResults(at, /*takeApart=*/true);
            }
        });
      });
    });
  });
  return success();
}

} // namespace ingot
