//===- Nest.cpp - The general schedules -------------------------------------------------------===//

#include "Lower/Nest.h"
#include "Dialect/TrailingFold.h"
#include "Lower/Lanes.h"
#include "Operators/Movement.h"

using namespace mlir;

namespace ingot {

static SmallVector<AffineExpr> dimsOf(Value v) {
  return getDims(cast<RankedTensorType>(v.getType()));
}

/// Loops over all dimensions but the last `inner`, then `body` with the indices so far.
static void outerLoops(StepBuilder &sb, ArrayRef<AffineExpr> dims, size_t inner,
                       function_ref<void(SmallVector<Index> &)> body) {
  sb.loops(dims.drop_back(inner), [&](ArrayRef<Index> at) {
    SmallVector<Index> indices(at);
    body(indices);
  });
}

/// True if the last index of `v` is that of the group's results, all the way.
static bool keepsLastIndex(Value v, AffineExpr extent) {
  return llvm::all_of(v.getUsers(), [&](Operation *user) {
    if (isa<YieldOp>(user))
      return true;
    auto pad = dyn_cast<PadOp>(user);
    if (!isa<ScalarOpInterface>(user) && !pad)
      return false;
    if (pad && (pad.getX() != v || pad.getMode() != "constant"))
      return false;
    return dimsOf(user->getResult(0)).back() == extent &&
           keepsLastIndex(user->getResult(0), extent);
  });
}

/// A concatenation along the results' last dimension, whose loop can be split into one for each
/// operand; null if there is none.
static ConcatOp splittableConcat(GroupOp group) {
  for (auto concat : group.getBody().getOps<ConcatOp>()) {
    SmallVector<AffineExpr> dims = dimsOf(concat.getResult());
    if (concat.getAxis() + 1 == dims.size() && keepsLastIndex(concat.getResult(), dims.back()))
      return concat;
  }
  return {};
}

LogicalResult buildNest(StepBuilder &sb) {
  SmallVector<AffineExpr> dims = dimsOf(sb.group.getResult(0));
  if (dims.empty()) {
    StepBuilder::WidthScope scope(sb, 1);
    sb.storeResults({}, /*takeApart=*/false);
    return success();
  }
  ConcatOp concat = splittableConcat(sb.group);
  outerLoops(sb, dims, 1, [&](SmallVector<Index> &at) {
    auto build = [&](Index i) {
      at.push_back(i);
      sb.storeResults(at, /*takeApart=*/false);
      at.pop_back();
    };
    if (!concat) {
      forLanes(sb, dims.back(), !sb.anyInPlace(), build);
      return;
    }
    AffineExpr begin = dimConstant(concat.getContext(), 0);
    for (auto [i, operand] : llvm::enumerate(concat.getX())) {
      AffineExpr extent = dimsOf(operand).back();
      sb.setPart(concat, i);
      forLanes(sb, begin, extent, !sb.anyInPlace(), build);
      begin = simplifyDim(begin + extent);
    }
    sb.setPart(nullptr, 0);
  });
  return failure(sb.vectorFailed());
}

LogicalResult buildOwnLoops(StepBuilder &sb, LoopsOpInterface op) {
  op.loops(sb);
  return success();
}

//===----------------------------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------------------------===//

bool hasRows(GroupOp group) {
  for (Operation &op : group.getBody().front())
    if (auto reduction = dyn_cast<ReductionOpInterface>(op); reduction && trailingFold(reduction))
      return true;
  return false;
}

/// Folds the row at `outer` of `op`'s operand into a scalar.
static Value foldRow(StepBuilder &sb, ReductionOpInterface op, ArrayRef<Index> outer) {
  Value operand = op->getOperand(0);
  SmallVector<AffineExpr> dims = dimsOf(operand);
  size_t inner = trailingFold(op);
  ScalarBuilder s = sb.scalars(cast<RankedTensorType>(operand.getType()).getElementType());
  SmallVector<Index> at(outer);
  std::function<Value(size_t, Value)> fold = [&](size_t depth, Value accumulator) -> Value {
    if (depth + 1 == inner)
      return foldLanes(sb, dims.back(), op, s, accumulator, [&](Value total, Index i) {
        at.push_back(i);
        Value element = s.broadcastLike(sb.read(operand, at), total);
        at.pop_back();
        return op.combine(s, total, element);
      });
    return sb.loop(sb.constant(0), sb.dim(dims[outer.size() + depth]), ValueRange(accumulator),
                   [&](Index i, ValueRange carried) {
                     at.push_back(i);
                     Value next = fold(depth + 1, carried[0]);
                     at.pop_back();
                     return SmallVector<Value>{next};
                   })[0];
  };
  Value total = fold(0, op.initial(s));
  AffineExpr count = dimProduct(operand.getContext(), ArrayRef(dims).take_back(inner));
  Type element = cast<RankedTensorType>(operand.getType()).getElementType();
  return op.finish(s, total, sb.fromIndex(sb.dim(count), element));
}

LogicalResult buildRows(StepBuilder &sb) {
  Block &body = sb.group.getBody().front();
  ReductionOpInterface first;
  for (Operation &op : body)
    if (auto reduction = dyn_cast<ReductionOpInterface>(op); reduction && !first)
      first = reduction;
  SmallVector<AffineExpr> dims = dimsOf(first->getOperand(0));
  SmallVector<AffineExpr> row = dimsOf(first->getResult(0));
  size_t inner = trailingFold(first);
  SmallVector<unsigned> wholeResults, rowResults;
  for (unsigned i = 0; i < sb.group.getNumResults(); ++i)
    (dimsOf(sb.group.getResult(i)) == row ? rowResults : wholeResults).push_back(i);

  outerLoops(sb, dims, inner, [&](SmallVector<Index> &outer) {
    SmallVector<Index> atRow(outer);
    atRow.append(inner, sb.constant(0));
    {
      StepBuilder::WidthScope rowScope(sb, sb.lanes());
      for (Operation &op : body.without_terminator()) {
        if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
          sb.define(op.getResult(0), atRow, foldRow(sb, reduction, outer));
          continue;
        }
        // Built once a row here, rather than for each element that uses it.
        if (dimsOf(op.getResult(0)) == row && !isa<ConstantOp>(op))
          sb.read(op.getResult(0), atRow);
      }
    }
    {
      StepBuilder::WidthScope scope(sb, 1);
      sb.storeResults(rowResults, atRow, /*takeApart=*/false);
    }
    if (wholeResults.empty())
      return;
    SmallVector<Index> at(outer);
    std::function<void(size_t)> nest = [&](size_t depth) {
      if (depth + 1 == inner)
        return forLanes(sb, dims.back(), !sb.anyInPlace(), [&](Index i) {
          at.push_back(i);
          sb.storeResults(wholeResults, at, /*takeApart=*/false);
          at.pop_back();
        });
      sb.loop(sb.constant(0), sb.dim(dims[outer.size() + depth]), [&](Index i) {
        at.push_back(i);
        nest(depth + 1);
        at.pop_back();
      });
    };
    nest(0);
  });
  return failure(sb.vectorFailed());
}

} // namespace ingot
