//===- Lanes.cpp - Covering a dimension with vectors ------------------------------------------===//

#include "Lower/Lanes.h"

using namespace mlir;

namespace ingot {

static Index position(Index base, StepBuilder &sb) { return {base.base, sb.lanes() > 1}; }

/// for (i = lower; i < upper; i += step) body(i)
static void steppedLoop(StepBuilder &sb, Value lower, Value upper, int64_t step,
                        function_ref<void(Index)> body) {
  auto loop = sb.b.create<scf::ForOp>(sb.loc, lower, upper, sb.constantIndex(step));
  OpBuilder::InsertionGuard guard(sb.b);
  sb.b.setInsertionPoint(loop.getBody()->getTerminator());
  body({loop.getInductionVar()});
}

void forLanes(StepBuilder &sb, AffineExpr begin, AffineExpr extent, bool mayOverlap,
              function_ref<void(Index)> body) {
  auto fixed = constantDim(extent);
  int64_t lanes = sb.lanes();
  Index from = sb.dim(begin);
  if (!fixed) {
    Index to = sb.add(from, sb.dim(extent));
    if (lanes == 1)
      return sb.loop(from, to, body);
    Index full = sb.sub(to, sb.mod(sb.sub(to, from), sb.constant(lanes)));
    steppedLoop(sb, from.base, full.base, lanes, [&](Index i) { body(position(i, sb)); });
    StepBuilder::WidthScope scope(sb, 1);
    return sb.loop(full, to, body);
  }
  while (lanes > *fixed && lanes > 1)
    lanes /= 2;
  StepBuilder::WidthScope scope(sb, lanes);
  int64_t full = *fixed / lanes * lanes;
  if (full == lanes)
    body(position(from, sb));
  else if (full > 0)
    steppedLoop(sb, from.base, sb.add(from, full).base, lanes,
                [&](Index i) { body(position(i, sb)); });
  int64_t rest = *fixed - full;
  if (rest > 0 && mayOverlap) {
    body(position(sb.add(from, *fixed - lanes), sb));
    return;
  }
  for (int64_t width = lanes; rest > 0; width /= 2)
    if (width <= rest) {
      StepBuilder::WidthScope narrow(sb, width);
      body(position(sb.add(from, *fixed - rest), sb));
      rest -= width;
    }
}

//===----------------------------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------------------------===//

static Value horizontal(StepBuilder &sb, ReductionOpInterface reduction, ScalarBuilder &s,
                        Value v) {
  auto type = dyn_cast<VectorType>(v.getType());
  if (!type)
    return v;
  if (auto kind = reduction.vectorKind())
    return sb.b.create<vector::ReductionOp>(sb.loc, *kind, v);
  Value result = sb.b.create<vector::ExtractOp>(sb.loc, v, int64_t(0));
  for (int64_t i = 1; i < type.getNumElements(); ++i)
    result = reduction.combine(s, result, sb.b.create<vector::ExtractOp>(sb.loc, v, i));
  return result;
}

Value foldLanes(StepBuilder &sb, AffineExpr extent, ReductionOpInterface reduction,
                ScalarBuilder &s, Value initial, function_ref<Value(Value, Index)> step) {
  // A chain of dependent operations of latency 4 on two pipes wants eight accumulators; four are a
  // compromise with short rows.
  constexpr int64_t accumulators = 4;
  auto fixed = constantDim(extent);
  // Masks are not carried from one round to the next.
  int64_t lanes = initial.getType().isInteger(1) ? 1 : sb.lanes();
  Index whole = sb.dim(extent);
  Value total = initial;
  auto vectorLoop = [&](Index from, Index to, int64_t count) {
    int64_t width = sb.lanes();
    SmallVector<Value> start(
        count, sb.b.create<vector::BroadcastOp>(sb.loc, VectorType::get({width}, initial.getType()),
                                                initial));
    auto loop =
        sb.b.create<scf::ForOp>(sb.loc, from.base, to.base, sb.constantIndex(width * count), start);
    {
      OpBuilder::InsertionGuard guard(sb.b);
      sb.b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> next;
      for (int64_t i = 0; i < count; ++i) {
        Index at = sb.add(Index{loop.getInductionVar()}, i * width);
        next.push_back(step(loop.getRegionIterArgs()[i], {at.base, true}));
      }
      sb.b.create<scf::YieldOp>(sb.loc, next);
    }
    Value sum = loop.getResult(0);
    for (int64_t i = 1; i < count; ++i)
      sum = reduction.combine(s, sum, loop.getResult(i));
    total = reduction.combine(s, total, horizontal(sb, reduction, s, sum));
  };
  Index done = sb.constant(0);
  auto vectors = [&](int64_t width, int64_t count) {
    StepBuilder::WidthScope scope(sb, width);
    Index rest = sb.sub(whole, done);
    Index to = sb.add(done, sb.sub(rest, sb.mod(rest, sb.constant(width * count))));
    vectorLoop(done, to, count);
    done = to;
  };
  int64_t rest = fixed.value_or(std::numeric_limits<int64_t>::max());
  if (lanes > 1 && rest >= 2 * accumulators * lanes) {
    vectors(lanes, accumulators);
    rest = fixed ? rest % (accumulators * lanes) : rest;
  }
  for (int64_t width = lanes; width > 1; width /= 2)
    if (rest >= width && (fixed || width == lanes)) {
      vectors(width, 1);
      rest = fixed ? rest % width : rest;
    }
  if (rest == 0)
    return total;
  StepBuilder::WidthScope scope(sb, 1);
  return sb.loop(done, whole, ValueRange(total), [&](Index i, ValueRange carried) {
    return SmallVector<Value>{step(carried[0], i)};
  })[0];
}

} // namespace ingot
