//===- Scan.cpp - Operators that write their own loops ----------------------------------------===//

#include "Operators/Scan.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Scan.cpp.inc"

static bool areIndices(Value v) {
  Type element = tensorType(v).getElementType();
  return isa<IntegerType>(element) && !element.isInteger(1);
}

/// `raw`, an element of `indices`, as a position within `extent`.
static Index inside(ElementBuilder &eb, Value raw, Value indices, Index extent) {
  Index i = eb.toIndex(raw, tensorType(indices).getElementType());
  i = eb.select(eb.less(i, eb.constant(0)), eb.add(i, extent), i);
  return eb.max(eb.constant(0), eb.min(i, eb.sub(extent, eb.constant(1))));
}

static Value combine(ScalarBuilder &s, StringRef reduction, Value before, Value update) {
  if (reduction == "add")
    return s.isBool() ? s.bitOr(before, update) : s.add(before, update);
  if (reduction == "mul")
    return s.mul(before, update);
  if (reduction == "max")
    return s.max(before, update);
  return s.min(before, update);
}

static LogicalResult checkReduction(std::optional<Location> loc, StringRef reduction) {
  if (!llvm::is_contained({"none", "add", "mul", "max", "min"}, reduction))
    return emitOptionalError(loc, "unknown reduction '", reduction, "'");
  return success();
}

/// Copies `x` into result 0.
static void copyOperand(LoopBuilder &lb, Value x) {
  lb.loops(getDims(tensorType(x)), [&](ArrayRef<Index> at) { lb.write(0, at, lb.read(x, at)); });
}

//===----------------------------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------------------------===//

LogicalResult CumsumOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  if (static_cast<int64_t>(adaptor.getAxis()) >= type.getRank() ||
      static_cast<int64_t>(adaptor.getAxis()) < 0 || type.getElementType().isInteger(1))
    return emitOptionalError(loc, "expected numbers and an axis within rank ", type.getRank());
  types.push_back(type);
  return success();
}

void CumsumOp::loops(LoopBuilder &lb) {
  auto type = tensorType(getX());
  ScalarBuilder s = lb.scalars(type.getElementType());
  size_t axis = getAxis();
  SmallVector<AffineExpr> outer = getDims(type);
  AffineExpr extent = outer[axis];
  outer.erase(outer.begin() + axis);
  lb.loops(outer, [&](ArrayRef<Index> rest) {
    Value zero = s.constant(0);
    lb.loop(lb.constant(0), lb.dim(extent), ValueRange(zero), [&](Index i, ValueRange carried) {
      Index position = i;
      if (getReverse())
        position = lb.sub(lb.sub(lb.dim(extent), lb.constant(1)), i);
      SmallVector<Index> at(rest);
      at.insert(at.begin() + axis, position);
      Value sum = s.add(carried[0], lb.read(getX(), at));
      lb.write(0, at, getExclusive() ? Value(carried[0]) : sum);
      return SmallVector<Value>{sum};
    });
  });
}

//===----------------------------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                          Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices()),
       updates = tensorType(adaptor.getUpdates());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  if (axis < 0 || axis >= x.getRank() || indices.getRank() != x.getRank() ||
      !areIndices(adaptor.getIndices()) || getDims(indices) != getDims(updates) ||
      updates.getElementType() != x.getElementType())
    return emitOptionalError(loc, "indices and updates must have one shape of rank ", x.getRank());
  for (int64_t i = 0; i < x.getRank(); ++i) {
    auto have = constantDim(getDim(x, i)), want = constantDim(getDim(indices, i));
    if (have && want && (i == axis ? *have == 0 && *want > 0 : *want > *have))
      return emitOptionalError(loc, "the indices reach beyond dimension ", i);
  }
  types.push_back(x);
  return checkReduction(loc, adaptor.getReduction());
}

void ScatterOp::loops(LoopBuilder &lb) {
  auto x = tensorType(getX());
  copyOperand(lb, getX());
  ScalarBuilder s = lb.scalars(x.getElementType());
  lb.loops(getDims(tensorType(getIndices())), [&](ArrayRef<Index> at) {
    SmallVector<Index> where(at);
    where[getAxis()] =
        inside(lb, lb.read(getIndices(), at), getIndices(), lb.dim(getDim(x, getAxis())));
    Value update = lb.read(getUpdates(), at);
    if (getReduction() != "none")
      update = combine(s, getReduction(), lb.readBack(0, where), update);
    lb.write(0, where, update);
  });
}

LogicalResult ScatterNDOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                            Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices()),
       updates = tensorType(adaptor.getUpdates());
  auto tuple =
      indices.getRank() ? constantDim(getDim(indices, indices.getRank() - 1)) : std::nullopt;
  if (!tuple || *tuple < 1 || *tuple > x.getRank() || !areIndices(adaptor.getIndices()) ||
      updates.getElementType() != x.getElementType())
    return emitOptionalError(loc, "the index tuples do not fit the operand");
  SmallVector<AffineExpr> expected = getDims(indices), dims = getDims(x);
  expected.pop_back();
  expected.append(dims.begin() + *tuple, dims.end());
  for (int64_t i = 0; i < *tuple; ++i)
    if (constantDim(dims[i]) == 0)
      return emitOptionalError(loc, "nothing to replace in dimension ", i);
  if (expected != getDims(updates))
    return emitOptionalError(loc, "the updates do not have the shape that indices and operand ask "
                                  "for");
  types.push_back(x);
  return checkReduction(loc, adaptor.getReduction());
}

void ScatterNDOp::loops(LoopBuilder &lb) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  copyOperand(lb, getX());
  ScalarBuilder s = lb.scalars(x.getElementType());
  size_t count = indices.getRank() - 1;
  int64_t tuple = indices.getShape().back();
  lb.loops(getDims(tensorType(getUpdates())), [&](ArrayRef<Index> at) {
    SmallVector<Index> where;
    for (int64_t i = 0; i < tuple; ++i) {
      SmallVector<Index> from(at.take_front(count));
      from.push_back(lb.constant(i));
      where.push_back(inside(lb, lb.read(getIndices(), from), getIndices(), lb.dim(getDim(x, i))));
    }
    where.append(at.begin() + count, at.end());
    Value update = lb.read(getUpdates(), at);
    if (getReduction() != "none")
      update = combine(s, getReduction(), lb.readBack(0, where), update);
    lb.write(0, where, update);
  });
}

//===----------------------------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------------------------===//

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                       Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  if (axis < 0 || axis >= type.getRank() || adaptor.getK().getExprs().size() != 1 ||
      type.getElementType().isInteger(1))
    return emitOptionalError(loc, "expected numbers, an axis within rank ", type.getRank(),
                             " and one k");
  SmallVector<AffineExpr> dims = getDims(type);
  auto k = constantDim(adaptor.getK().getExprs()[0]), extent = constantDim(dims[axis]);
  if ((k && *k < 0) || (k && extent && *k > *extent))
    return emitOptionalError(loc, "k is not within the extent");
  dims[axis] = adaptor.getK().getExprs()[0];
  types.push_back(makeTensorType(dims, type.getElementType()));
  types.push_back(makeTensorType(dims, IntegerType::get(context, 64)));
  return success();
}

void TopKOp::loops(LoopBuilder &lb) {
  // Each place in turn goes to the first of the best elements that come after the one before it, in
  // the order of value and then index.
  auto type = tensorType(getX());
  ScalarBuilder s = lb.scalars(type.getElementType());
  size_t axis = getAxis();
  SmallVector<AffineExpr> outer = getDims(type);
  Index extent = lb.dim(outer[axis]);
  outer.erase(outer.begin() + axis);
  Compare better = getLargest() ? Compare::Greater : Compare::Less;
  lb.loops(outer, [&](ArrayRef<Index> rest) {
    auto element = [&](Index i) {
      SmallVector<Index> at(rest);
      at.insert(at.begin() + axis, i);
      return lb.read(getX(), at);
    };
    Value none = lb.constantIndex(-1);
    lb.loop(lb.constant(0), lb.dim(getK().getExprs()[0]), ValueRange(none),
            [&](Index place, ValueRange carried) {
              Index before{carried[0]};
              Value isFirst = lb.less(before, lb.constant(0));
              Index clamped = lb.max(before, lb.constant(0));
              Value last = element(clamped);
              Value best = lb.fold(lb.constant(0), extent, none, [&](Index i, Value bestSoFar) {
                Value x = element(i);
                Value isEqual = s.compare(Compare::Equal, x, last);
                Value follows = lb.either(isFirst, lb.either(s.compare(better, last, x),
                                                             lb.both(isEqual, lb.less(before, i))));
                Index held = lb.max({bestSoFar}, lb.constant(0));
                Value wins = lb.either(lb.less({bestSoFar}, lb.constant(0)),
                                       s.compare(better, x, element(held)));
                return lb.select(lb.both(follows, wins), i, {bestSoFar}).base;
              });
              // Elements that compare with none (NaN) leave no best; the place then goes to the
              // first element.
              Index chosen = lb.max({best}, lb.constant(0));
              SmallVector<Index> at(rest);
              at.insert(at.begin() + axis, place);
              lb.write(0, at, element(chosen));
              lb.write(1, at, lb.fromIndex(chosen, tensorType(getIndices()).getElementType()));
              return SmallVector<Value>{chosen.base};
            });
  });
}
