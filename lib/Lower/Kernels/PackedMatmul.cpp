//===- PackedMatmul.cpp - Matrix products -----------------------------------------------------===//

#include "Dialect/Target/Tiling.h"
#include "Lower/Kernels/Kernels.h"
#include "Lower/Kernels/Tile.h"
#include "Operators/Packed.h"

using namespace mlir;

namespace ingot {

/// Elements one by one, for products narrower than a vector.
static void buildNarrow(StepBuilder &sb, ArrayRef<AffineExpr> dims) {
  StepBuilder::WidthScope scope(sb, 1);
  sb.loops(dims, [&](ArrayRef<Index> at) { sb.storeResults(at, /*takeApart=*/false); });
}

LogicalResult buildPackedMatmul(StepBuilder &sb, Operation *anchor) {
  auto op = cast<PackedMatmulOp>(anchor);
  Value a = sb.memoryOf(op.getA()), b = sb.memoryOf(op.getB());
  if (!a || !b || sb.anyInPlace())
    return failure();
  RankedTensorType left = tensorType(op.getA()), right = tensorType(op.getB());
  Type element = left.getElementType();
  auto lanes = static_cast<int64_t>(op.getLanes()), vectors = static_cast<int64_t>(op.getVectors());
  AffineExpr columns = op.getColumns().getExprs()[0];
  SmallVector<AffineExpr> dims = getDims(tensorType(op.getResult()));
  AffineExpr inner = getDim(left, left.getRank() - 1), rows = dims[dims.size() - 2];
  auto fixedRows = constantDim(rows), fixedInner = constantDim(inner);
  int64_t tile = tileRows(sb.target, vectors, fixedRows);
  // Rows of the left operand that stay in the second-level cache while all panels pass.
  int64_t block =
      std::max<int64_t>(tile, sb.target.cacheL2 / 2 / (4 * fixedInner.value_or(512)) / tile * tile);

  auto product = [&] {
    StepBuilder::WidthScope scope(sb, lanes);
    sb.loops(ArrayRef(dims).drop_back(2), [&](ArrayRef<Index> batch) {
      Index first = sb.constant(0), panels = sb.constant(0);
      SmallVector<Index> origin(batch);
      origin.append(2, sb.constant(0));
      first = linearIndex(sb, left, origin);
      SmallVector<AffineExpr> panelDims = getDims(right);
      AffineExpr panelSize =
          simplifyDim(panelDims[panelDims.size() - 2] * panelDims[panelDims.size() - 1]);
      if (right.getRank() > 3) {
        origin.push_back(sb.constant(0));
        panels = linearIndex(sb, right, origin);
      }
      Index count = sb.dim(inner), height = sb.dim(rows);
      auto band = [&](Index from, Index to) {
        forPanels(sb, columns, lanes, vectors, [&](Index panel, const TileColumns &place) {
          Index base = sb.add(panels, sb.mul(panel, sb.dim(panelSize)));
          forTiles(sb, from, to, tile, [&](Index row, int64_t tileHeight) {
            SmallVector<Index> offsets;
            for (int64_t r = 0; r < tileHeight; ++r)
              offsets.push_back(sb.mul(count, r));
            Tile sums(sb, tileHeight, place, element);
            sums.addRun(a, sb.add(first, sb.mul(row, count)), offsets, b, base, lanes * vectors,
                        count);
            for (int64_t r = 0; r < tileHeight; ++r)
              for (auto [v, vector] : llvm::enumerate(place.vectors)) {
                SmallVector<Index> at(batch);
                at.push_back(sb.add(row, r));
                at.push_back({vector.column.base, lanes > 1});
                sb.define(op.getResult(), at, sums.accumulator(r, v));
                sb.storeResults(at, /*takeApart=*/true);
              }
          });
        });
      };
      if (fixedRows && *fixedRows <= block + tile)
        return band(sb.constant(0), height);
      auto loop = sb.b.create<scf::ForOp>(sb.loc, sb.constantIndex(0), height.base,
                                          sb.constantIndex(block));
      OpBuilder::InsertionGuard guard(sb.b);
      sb.b.setInsertionPoint(loop.getBody()->getTerminator());
      Index from{loop.getInductionVar()};
      band(from, sb.min(sb.add(from, block), height));
    });
  };
  if (constantDim(columns)) {
    product();
    return success();
  }
  auto branch = sb.b.create<scf::IfOp>(sb.loc, sb.lessOrEqual(sb.constant(lanes), sb.dim(columns)),
                                       /*withElseRegion=*/true);
  sb.b.setInsertionPoint(branch.thenBlock()->getTerminator());
  product();
  sb.b.setInsertionPoint(branch.elseBlock()->getTerminator());
  buildNarrow(sb, dims);
  sb.b.setInsertionPointAfter(branch);
  return success();
}

} // namespace ingot
