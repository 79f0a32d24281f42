//===- ElementBuilder.cpp - Building "the element at these indices" ---------------------------===//

#include "Dialect/Element/ElementBuilder.h"
#include "Dialect/Dims.h"
#include "Dialect/Element/LoopBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ingot {

static std::optional<int64_t> constantOf(Value v) {
  APInt value;
  if (matchPattern(v, m_ConstantInt(&value)))
    return value.getSExtValue();
  return std::nullopt;
}

Value ElementBuilder::constantIndex(int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

Index ElementBuilder::dim(AffineExpr expr) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return constant(c.getValue());
  if (auto s = dyn_cast<AffineSymbolExpr>(expr)) {
    auto definition = dimDefinition(expr);
    if (!definition)
      return {symbol(dimSymbolName(expr.getContext(), s.getPosition()))};
    Index x = dim(definition->a), y = dim(definition->b);
    return definition->isMax ? max(x, y) : min(x, y);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Index x = dim(binary.getLHS()), y = dim(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(x, y);
  case AffineExprKind::Mul:
    return mul(x, y);
  case AffineExprKind::Mod: {
    // Dividends such as `width - 1` are at least -1 for every legal dimension; adding the divisor
    // keeps mod exact.
    Index r = {b.createOrFold<arith::RemSIOp>(loc, x.base, y.base)};
    return mod(add(r, y), y);
  }
  case AffineExprKind::CeilDiv:
    x = add(x, sub(y, constant(1)));
    [[fallthrough]];
  default: {
    // floor(x / y) for x that may be negative: (x + y) / y - 1 is exact for x >= -y.
    Index shifted = {b.createOrFold<arith::DivSIOp>(loc, add(x, y).base, y.base)};
    return sub(shifted, constant(1));
  }
  }
}

Index ElementBuilder::add(Index x, Index y) {
  if (x.lanes && y.lanes)
    failVector();
  if (constantOf(x.base)) // Folding looks for constants on the right.
    std::swap(x, y);
  return {b.createOrFold<arith::AddIOp>(loc, x.base, y.base), x.lanes || y.lanes};
}

Index ElementBuilder::sub(Index x, Index y) {
  if (y.lanes)
    failVector();
  if (constantOf(y.base) == 0)
    return x;
  return {b.createOrFold<arith::SubIOp>(loc, x.base, y.base), x.lanes};
}

Index ElementBuilder::mul(Index x, Index y) {
  auto cx = constantOf(x.base), cy = constantOf(y.base);
  if ((cx == 0 && !x.lanes) || (cy == 0 && !y.lanes))
    return constant(0);
  bool lanes = x.lanes || y.lanes;
  // Lanes times anything but one are no longer neighbours.
  if ((x.lanes && cy != 1) || (y.lanes && cx != 1))
    failVector();
  if (cx == 1 && !x.lanes)
    return y;
  if (cy == 1 && !y.lanes)
    return x;
  return {b.createOrFold<arith::MulIOp>(loc, x.base, y.base), lanes};
}

Index ElementBuilder::div(Index x, Index y) {
  if (constantOf(y.base) == 1)
    return x;
  if (x.lanes || y.lanes)
    failVector();
  return {b.createOrFold<arith::DivUIOp>(loc, x.base, y.base)};
}

Index ElementBuilder::mod(Index x, Index y) {
  if (constantOf(y.base) == 1)
    return constant(0);
  if (x.lanes || y.lanes)
    failVector();
  return {b.createOrFold<arith::RemUIOp>(loc, x.base, y.base)};
}

Index ElementBuilder::min(Index x, Index y) {
  if (x.lanes || y.lanes)
    failVector();
  return {b.createOrFold<arith::MinSIOp>(loc, x.base, y.base)};
}

Index ElementBuilder::max(Index x, Index y) {
  if (x.lanes || y.lanes)
    failVector();
  return {b.createOrFold<arith::MaxSIOp>(loc, x.base, y.base)};
}

Index ElementBuilder::select(Value condition, Index x, Index y) {
  if (x.lanes != y.lanes)
    failVector();
  return {b.createOrFold<arith::SelectOp>(loc, condition, x.base, y.base), x.lanes};
}

static Value compareIndices(ElementBuilder &eb, arith::CmpIPredicate predicate, Index x, Index y) {
  if (x.lanes || y.lanes)
    eb.failVector();
  return eb.b.createOrFold<arith::CmpIOp>(eb.loc, predicate, x.base, y.base);
}

Value ElementBuilder::less(Index x, Index y) {
  return compareIndices(*this, arith::CmpIPredicate::slt, x, y);
}
Value ElementBuilder::lessOrEqual(Index x, Index y) {
  return compareIndices(*this, arith::CmpIPredicate::sle, x, y);
}
Value ElementBuilder::equal(Index x, Index y) {
  return compareIndices(*this, arith::CmpIPredicate::eq, x, y);
}
Value ElementBuilder::both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(loc, x, y); }

Value ElementBuilder::either(Value x, Value y) { return b.createOrFold<arith::OrIOp>(loc, x, y); }

Index ElementBuilder::toIndex(Value x, Type element) {
  if (isa<VectorType>(x.getType())) {
    failVector();
    return constant(0);
  }
  if (element.isUnsignedInteger() || element.isInteger(1))
    return {b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), x)};
  return {b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), x)};
}

Value ElementBuilder::fromIndex(Index x, Type element) {
  if (x.lanes)
    failVector();
  Type type = computeType(element);
  if (isa<FloatType>(type)) {
    Value wide = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), x.base);
    return b.createOrFold<arith::SIToFPOp>(loc, type, wide);
  }
  return b.createOrFold<arith::IndexCastOp>(loc, type, x.base);
}

Value ElementBuilder::guarded(Value condition, function_ref<Value()> inside,
                              function_ref<Value()> otherwise) {
  if (auto c = constantOf(condition))
    return *c ? inside() : otherwise();
  // The type of the result is known only once the branches are built: build them in an `if` without
  // results, then move them into one that has it.
  auto draft = b.create<scf::IfOp>(loc, TypeRange(), condition, /*withElseRegion=*/true);
  auto build = [&](Block *block, function_ref<Value()> body) {
    b.setInsertionPoint(block->getTerminator());
    return body();
  };
  Value x = build(draft.thenBlock(), inside);
  Value y = build(draft.elseBlock(), otherwise);
  b.setInsertionPoint(draft.thenBlock()->getTerminator());
  ScalarBuilder s(b, loc, getElementTypeOrSelf(x), &failed);
  Value widened = s.broadcastLike(x, y);
  b.setInsertionPoint(draft.elseBlock()->getTerminator());
  y = s.broadcastLike(y, x);
  x = widened;
  b.setInsertionPointAfter(draft);
  auto result =
      b.create<scf::IfOp>(loc, TypeRange(x.getType()), condition, /*withElseRegion=*/true);
  result.getThenRegion().takeBody(draft.getThenRegion());
  result.getElseRegion().takeBody(draft.getElseRegion());
  result.thenBlock()->getTerminator()->setOperands(x);
  result.elseBlock()->getTerminator()->setOperands(y);
  draft.erase();
  return result.getResult(0);
}

Value ElementBuilder::splat(Value scalar) {
  if (width == 1 || isa<VectorType>(scalar.getType()))
    return scalar;
  return b.create<vector::BroadcastOp>(loc, VectorType::get({width}, scalar.getType()), scalar);
}

Value ElementBuilder::fold(Index lower, Index upper, Value initial,
                           function_ref<Value(Index, Value)> step) {
  if (constantOf(lower.base) == 0 && constantOf(upper.base) == 1)
    return step(lower, initial);
  auto loop =
      b.create<scf::ForOp>(loc, lower.base, upper.base, constantIndex(1), ValueRange(initial));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  b.create<scf::YieldOp>(loc, step({loop.getInductionVar()}, loop.getRegionIterArgs()[0]));
  return loop.getResult(0);
}

Value ElementBuilder::fold(ArrayRef<AffineExpr> extents, Value initial,
                           function_ref<Value(ArrayRef<Index>, Value)> step) {
  SmallVector<Index> at;
  std::function<Value(Value)> nest = [&](Value carried) -> Value {
    if (at.size() == extents.size())
      return step(at, carried);
    Index extent = dim(extents[at.size()]);
    return fold(constant(0), extent, carried, [&](Index i, Value inner) {
      at.push_back(i);
      Value next = nest(inner);
      at.pop_back();
      return next;
    });
  };
  return nest(initial);
}

Index linearIndex(ElementBuilder &eb, RankedTensorType type, ArrayRef<Index> at) {
  // Horner's scheme would multiply an index with lanes, so strides are multiplied out instead.
  Index sum = eb.constant(0);
  SmallVector<AffineExpr> dims = getDims(type);
  for (size_t i = 0; i < at.size(); ++i) {
    AffineExpr stride = dimProduct(type.getContext(), ArrayRef(dims).drop_front(i + 1));
    sum = eb.add(sum, eb.mul(at[i], eb.dim(stride)));
  }
  return sum;
}

SmallVector<Index> delinearize(ElementBuilder &eb, RankedTensorType type, Index linear) {
  SmallVector<AffineExpr> dims = getDims(type);
  SmallVector<Index> at(dims.size());
  // Leading dimensions of extent 1 have index 0, and the first of the others needs no remainder.
  size_t first = 0;
  while (first < dims.size() && constantDim(dims[first]) == 1)
    at[first++] = eb.constant(0);
  for (size_t i = dims.size(); i-- > first;) {
    if (constantDim(dims[i]) == 1) {
      at[i] = eb.constant(0);
      continue;
    }
    Index extent = eb.dim(dims[i]);
    if (i == first) {
      at[i] = linear;
      break;
    }
    at[i] = eb.mod(linear, extent);
    linear = eb.div(linear, extent);
  }
  return at;
}

//===----------------------------------------------------------------------------------------===//
// LoopBuilder
//===----------------------------------------------------------------------------------------===//

SmallVector<Value> LoopBuilder::loop(Index lower, Index upper, ValueRange initial,
                                     function_ref<SmallVector<Value>(Index, ValueRange)> body) {
  auto forOp = b.create<scf::ForOp>(loc, lower.base, upper.base, constantIndex(1), initial);
  OpBuilder::InsertionGuard guard(b);
  Block *block = forOp.getBody();
  if (initial.empty())
    b.setInsertionPoint(block->getTerminator());
  else
    b.setInsertionPointToStart(block);
  SmallVector<Value> next = body({forOp.getInductionVar()}, forOp.getRegionIterArgs());
  if (!initial.empty())
    b.create<scf::YieldOp>(loc, next);
  return SmallVector<Value>(forOp.getResults());
}

void LoopBuilder::loop(Index lower, Index upper, function_ref<void(Index)> body) {
  loop(lower, upper, ValueRange(), [&](Index i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

void LoopBuilder::loops(ArrayRef<AffineExpr> dims, function_ref<void(ArrayRef<Index>)> body) {
  SmallVector<Index> at;
  std::function<void(size_t)> nest = [&](size_t depth) {
    if (depth == dims.size())
      return body(at);
    auto nested = [&](Index i) {
      at.push_back(i);
      nest(depth + 1);
      at.pop_back();
    };
    if (constantDim(dims[depth]) == 1)
      nested(constant(0));
    else
      loop(constant(0), dim(dims[depth]), nested);
  };
  nest(0);
}

void LoopBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto ifOp = b.create<scf::IfOp>(loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  then();
}

} // namespace ingot
