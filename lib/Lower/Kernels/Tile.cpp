//===- Tile.cpp - Register tiles --------------------------------------------------------------===//

#include "Lower/Kernels/Tile.h"
#include "Dialect/Dims.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ingot {

static std::optional<int64_t> constantOf(Index i) {
  APInt value;
  return matchPattern(i.base, m_ConstantInt(&value)) ? std::optional(value.getSExtValue())
                                                     : std::nullopt;
}

static void steppedLoop(StepBuilder &sb, Index lower, Index upper, int64_t step,
                        function_ref<void(Index)> body) {
  auto loop = sb.b.create<scf::ForOp>(sb.loc, lower.base, upper.base, sb.constantIndex(step));
  OpBuilder::InsertionGuard guard(sb.b);
  sb.b.setInsertionPoint(loop.getBody()->getTerminator());
  body({loop.getInductionVar()});
}

void forTiles(StepBuilder &sb, Index from, Index to, int64_t rows,
              function_ref<void(Index, int64_t)> body) {
  Index extent = sb.sub(to, from);
  auto fixed = constantOf(extent);
  if (fixed && *fixed <= 0)
    return;
  if (fixed && *fixed <= rows)
    return body(from, *fixed);
  Index rest = sb.mod(extent, sb.constant(rows));
  Index full = sb.sub(to, rest);
  if (fixed && *fixed / rows == 1)
    body(from, rows);
  else
    steppedLoop(sb, from, full, rows, [&](Index i) { body(i, rows); });
  if (fixed) {
    if (*fixed % rows != 0)
      body(sb.sub(to, sb.constant(rows)), rows);
    return;
  }
  if (rows == 1)
    return;
  sb.ifThen(sb.less(sb.constant(0), rest), [&] {
    auto branch = sb.b.create<scf::IfOp>(sb.loc, sb.lessOrEqual(sb.constant(rows), extent),
                                         /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(sb.b);
    sb.b.setInsertionPoint(branch.thenBlock()->getTerminator());
    body(sb.sub(to, sb.constant(rows)), rows);
    sb.b.setInsertionPoint(branch.elseBlock()->getTerminator());
    steppedLoop(sb, from, to, 1, [&](Index i) { body(i, 1); });
  });
}

void forPanels(StepBuilder &sb, AffineExpr columns, int64_t lanes, int64_t vectors,
               function_ref<void(Index, const TileColumns &)> body) {
  auto fixed = constantDim(columns);
  auto all = [&](Index panel, function_ref<Index(Index)> clamp) {
    TileColumns result;
    for (int64_t v = 0; v < vectors; ++v) {
      Index start = sb.mul(sb.add(sb.mul(panel, vectors), v), lanes);
      result.vectors.push_back({clamp(start), v * lanes});
    }
    body(panel, result);
  };
  auto asIs = [](Index i) { return i; };
  int64_t width = lanes * vectors;
  if (!fixed) {
    Index extent = sb.dim(columns);
    Index panels = sb.div(sb.add(extent, width - 1), sb.constant(width));
    Index last = sb.sub(extent, sb.constant(lanes));
    sb.loop(sb.constant(0), panels,
            [&](Index panel) { all(panel, [&](Index i) { return sb.min(i, last); }); });
    return;
  }
  int64_t whole = *fixed / width;
  if (whole == 1)
    all(sb.constant(0), asIs);
  else if (whole > 1)
    sb.loop(sb.constant(0), sb.constant(whole), [&](Index panel) { all(panel, asIs); });
  if (*fixed % width == 0)
    return;
  TileColumns result;
  for (int64_t v = 0; v < vectors; ++v) {
    int64_t start = (whole * vectors + v) * lanes;
    if (start < *fixed)
      result.vectors.push_back({sb.constant(std::min(start, *fixed - lanes)), v * lanes});
  }
  body(sb.constant(whole), result);
}

Tile::Tile(StepBuilder &sb, int64_t rows, const TileColumns &columns, Type element)
    : sb(sb), rowCount(rows), columns(columns), element(element) {
  accumulators.assign(rows * columns.vectors.size(), zero());
}

Value Tile::zero() {
  ScalarBuilder s = sb.scalars(element);
  return sb.splat(s.constant(0));
}

void Tile::step(Value a, Index left, ArrayRef<Index> rowOffsets, Value b, Index right,
                MutableArrayRef<Value> into) {
  ScalarBuilder s = sb.scalars(element);
  bool hasLanes = sb.lanes() > 1;
  SmallVector<Value> row;
  for (const TileColumns::Vector &v : columns.vectors)
    row.push_back(sb.load(b, element, {sb.add(right, v.position).base, hasLanes}));
  if (rowCount > 1)
    for (Value vector : row)
      if (auto load = vector.getDefiningOp<vector::LoadOp>())
        load->setAttr("ingot.register", sb.b.getUnitAttr());
  for (int64_t r = 0; r < rowCount; ++r) {
    Value x = sb.splat(sb.load(a, element, sb.add(left, rowOffsets[r])));
    for (size_t v = 0; v < row.size(); ++v) {
      Value &sum = into[r * row.size() + v];
      sum = s.fma(x, row[v], sum);
    }
  }
}

void Tile::addRun(Value a, Index left, ArrayRef<Index> rowOffsets, Value b, Index right,
                  int64_t rowWidth, Index count) {
  // With few accumulators, several sets of them hide the latency of the additions.
  constexpr size_t enough = 8;
  auto fixed = constantOf(count);
  int64_t sets = 1;
  while (accumulators.size() * sets * 2 <= enough && fixed && *fixed >= 4 * sets)
    sets *= 2;
  size_t size = accumulators.size();
  SmallVector<Value> start(accumulators);
  for (int64_t i = 1; i < sets; ++i)
    start.append(size, zero());
  Index whole = sb.sub(count, sb.mod(count, sb.constant(sets)));
  auto loop = sb.b.create<scf::ForOp>(sb.loc, sb.constantIndex(0), whole.base,
                                      sb.constantIndex(sets), start);
  {
    OpBuilder::InsertionGuard guard(sb.b);
    sb.b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t i = 0; i < sets; ++i) {
      Index k = sb.add(Index{loop.getInductionVar()}, i);
      step(a, sb.add(left, k), rowOffsets, b, sb.add(right, sb.mul(k, rowWidth)),
           MutableArrayRef(next).slice(i * size, size));
    }
    sb.b.create<scf::YieldOp>(sb.loc, next);
  }
  SmallVector<Value> sums(loop.getResults());
  ScalarBuilder s = sb.scalars(element);
  for (int64_t stride = sets / 2; stride > 0; stride /= 2)
    for (size_t i = 0; i < stride * size; ++i)
      sums[i] = s.add(sums[i], sums[i + stride * size]);
  accumulators.assign(sums.begin(), sums.begin() + size);
  if (sets > 1 && fixed && *fixed % sets != 0)
    for (int64_t k = *fixed / sets * sets; k < *fixed; ++k)
      step(a, sb.add(left, k), rowOffsets, b, sb.add(right, k * rowWidth), accumulators);
}

void Tile::loop(Index lower, Index upper, function_ref<void(Index)> body) {
  auto loop =
      sb.b.create<scf::ForOp>(sb.loc, lower.base, upper.base, sb.constantIndex(1), accumulators);
  OpBuilder::InsertionGuard guard(sb.b);
  sb.b.setInsertionPointToStart(loop.getBody());
  accumulators.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  body({loop.getInductionVar()});
  sb.b.create<scf::YieldOp>(sb.loc, accumulators);
  accumulators.assign(loop.getResults().begin(), loop.getResults().end());
}

} // namespace ingot
