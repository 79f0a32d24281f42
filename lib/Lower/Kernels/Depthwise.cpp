//===- Depthwise.cpp - Convolutions of each channel by itself ---------------------------------===//

#include "Lower/Kernels/Kernels.h"
#include "Lower/Kernels/Tile.h"
#include "Lower/Lanes.h"
#include "Operators/Convolution.h"

using namespace mlir;

namespace ingot {

namespace {

class Depthwise {
public:
  Depthwise(StepBuilder &sb, ConvOp op)
      : sb(sb), op(op), input(tensorType(op.getX())), weights(tensorType(op.getW())),
        dims(getDims(tensorType(op.getResult()))), x(sb.memoryOf(op.getX())),
        w(sb.memoryOf(op.getW())) {}
  LogicalResult build();

private:
  /// Positions [start, start + count) of row `y`, all taps along the row inside, `rows` the taps of
  /// the column that are.
  void inner(Index n, Index y, Index start, int64_t count, Index firstRow, Index lastRow);
  /// Position `column` by the operator's own description.
  void border(Index n, Index y, Index column);

  StepBuilder &sb;
  ConvOp op;
  RankedTensorType input, weights;
  SmallVector<AffineExpr> dims;
  Value x, w;
};

} // namespace

void Depthwise::border(Index n, Index y, Index column) {
  forLanes(sb, dims[3], /*mayOverlap=*/true,
           [&](Index c) { sb.storeResults({n, y, column, c}, /*takeApart=*/true); });
}

void Depthwise::inner(Index n, Index y, Index start, int64_t count, Index firstRow, Index lastRow) {
  Type element = input.getElementType();
  int64_t kernelWidth = weights.getDimSize(1), stride = op.getStrides()[1],
          dilation = op.getDilations()[1];
  forLanes(sb, dims[3], /*mayOverlap=*/true, [&](Index c) {
    ScalarBuilder s = sb.scalars(element);
    SmallVector<Value> zero(count, sb.splat(s.constant(0)));
    auto loop =
        sb.b.create<scf::ForOp>(sb.loc, firstRow.base, lastRow.base, sb.constantIndex(1), zero);
    {
      OpBuilder::InsertionGuard guard(sb.b);
      sb.b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> sums(loop.getRegionIterArgs());
      Index ky{loop.getInductionVar()};
      Index row = sb.sub(sb.add(sb.mul(y, op.getStrides()[0]), sb.mul(ky, op.getDilations()[0])),
                         sb.constant(op.getLow()[0]));
      Index column = sb.sub(sb.mul(start, stride), sb.constant(op.getLow()[1]));
      Index channels = sb.dim(dims[3]);
      Index left = linearIndex(sb, input, {n, row, column, sb.constant(0)});
      Index right = linearIndex(sb, weights, {ky, sb.constant(0), sb.constant(0), sb.constant(0)});
      // Neighbouring positions share most of what they read.
      std::map<int64_t, Value> loaded;
      for (int64_t kx = 0; kx < kernelWidth; ++kx) {
        Value weight = sb.load(
            w, element, {sb.add(sb.add(right, sb.mul(channels, kx)), Index{c.base}).base, c.lanes});
        for (int64_t p = 0; p < count; ++p) {
          int64_t offset = p * stride + kx * dilation;
          Value &value = loaded[offset];
          if (!value)
            value = sb.load(
                x, element,
                {sb.add(sb.add(left, sb.mul(channels, offset)), Index{c.base}).base, c.lanes});
          sums[p] = s.fma(value, weight, sums[p]);
        }
      }
      sb.b.create<scf::YieldOp>(sb.loc, sums);
    }
    for (int64_t p = 0; p < count; ++p) {
      SmallVector<Index> at{n, y, sb.add(start, p), c};
      sb.define(op.getResult(), at, loop.getResult(p));
      sb.storeResults(at, /*takeApart=*/true);
    }
  });
}

LogicalResult Depthwise::build() {
  int64_t height = weights.getDimSize(0), width = weights.getDimSize(1);
  int64_t strideX = op.getStrides()[1], lowX = op.getLow()[1];
  int64_t strideY = op.getStrides()[0], lowY = op.getLow()[0], dilationY = op.getDilations()[0];
  int64_t tile = sb.target.vectorRegisters >= 32 ? 8 : 4;
  sb.loops(ArrayRef(dims).take_front(2), [&](ArrayRef<Index> at) {
    Index n = at[0], y = at[1];
    Index rows = sb.dim(getDim(input, 1)), columns = sb.dim(getDim(input, 2));
    Index out = sb.dim(dims[2]);
    // Taps of the window's rows with 0 <= y * stride - low + tap * dilation < rows.
    Index origin = sb.sub(sb.mul(y, strideY), sb.constant(lowY));
    Index firstRow = sb.constant(0), lastRow = sb.constant(height);
    if (lowY > 0)
      firstRow = sb.div(sb.max(sb.sub(sb.constant(dilationY - 1), origin), sb.constant(0)),
                        sb.constant(dilationY));
    if (lowY > 0 || op.getHigh()[0] > 0)
      lastRow = sb.min(lastRow,
                       sb.div(sb.max(sb.add(sb.sub(rows, origin), dilationY - 1), sb.constant(0)),
                              sb.constant(dilationY)));
    // Positions whose window lies inside the row.
    int64_t reach = (width - 1) * op.getDilations()[1];
    Index begin = sb.min(sb.constant((lowX + strideX - 1) / strideX), out);
    Index room = sb.sub(sb.add(columns, lowX + strideX - 1), sb.constant(reach));
    Index end = sb.min(sb.div(sb.max(room, sb.constant(0)), sb.constant(strideX)), out);
    end = sb.max(end, begin);
    forTiles(sb, sb.constant(0), begin, 1, [&](Index i, int64_t) { border(n, y, i); });
    forTiles(sb, begin, end, tile,
             [&](Index start, int64_t count) { inner(n, y, start, count, firstRow, lastRow); });
    forTiles(sb, end, out, 1, [&](Index i, int64_t) { border(n, y, i); });
  });
  return success();
}

LogicalResult buildDepthwise(StepBuilder &sb, Operation *anchor) {
  auto op = cast<ConvOp>(anchor);
  if (!op.isDepthwise() || tensorType(op.getX()).getRank() != 4 || sb.anyInPlace() ||
      !sb.memoryOf(op.getX()) || !sb.memoryOf(op.getW()))
    return failure();
  return Depthwise(sb, op).build();
}

} // namespace ingot
