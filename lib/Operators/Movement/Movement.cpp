//===- Movement.cpp - Operators that move elements --------------------------------------------===//

#include "Operators/Movement.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Movement.cpp.inc"

//===----------------------------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                          Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  auto result = makeTensorType(adaptor.getShape().getExprs(), type.getElementType());
  auto from = constantDim(elementCount(type)), to = constantDim(elementCount(result));
  if (from && to && *from != *to)
    return emitOptionalError(loc, "cannot reshape ", *from, " elements to ", *to);
  types.push_back(result);
  return success();
}

Value ReshapeOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  RankedTensorType from = tensorType(getX()), to = tensorType(getResult());
  // Adding or dropping dimensions of extent 1 moves no index.
  SmallVector<AffineExpr> source = getDims(from), target = getDims(to);
  SmallVector<Index> kept, access(source.size(), eb.constant(0));
  SmallVector<AffineExpr> keptDims;
  for (auto [index, dim] : llvm::zip(at, target))
    if (constantDim(dim) != 1) {
      kept.push_back(index);
      keptDims.push_back(dim);
    }
  SmallVector<AffineExpr> sourceKept;
  for (AffineExpr dim : source)
    if (constantDim(dim) != 1)
      sourceKept.push_back(dim);
  if (sourceKept == keptDims) {
    size_t next = 0;
    for (auto [i, dim] : llvm::enumerate(source))
      if (constantDim(dim) != 1)
        access[i] = kept[next++];
    return eb.read(getX(), access);
  }
  return eb.read(getX(), delinearize(eb, from, linearIndex(eb, to, at)));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : OpFoldResult();
}

namespace {
/// reshape(reshape(x)) is one reshape.
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getX(), op.getShapeAttr());
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeReshapes>(context);
}

//===----------------------------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                            Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<bool> seen(type.getRank());
  for (int64_t p : permutation) {
    if (p < 0 || p >= type.getRank() || seen[p])
      return emitOptionalError(loc, "the permutation must name each of ", type.getRank(),
                               " dimensions once");
    seen[p] = true;
  }
  if (static_cast<int64_t>(permutation.size()) != type.getRank())
    return emitOptionalError(loc, "the permutation must name each of ", type.getRank(),
                             " dimensions once");
  SmallVector<AffineExpr> dims;
  for (int64_t p : permutation)
    dims.push_back(getDim(type, p));
  types.push_back(makeTensorType(dims, type.getElementType()));
  return success();
}

Value TransposeOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  SmallVector<Index> access(at.size());
  for (auto [i, p] : llvm::enumerate(getPermutation()))
    access[p] = at[i];
  return eb.read(getX(), access);
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  for (auto [i, p] : llvm::enumerate(getPermutation()))
    if (p != static_cast<int64_t>(i))
      return {};
  return getX();
}

namespace {
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<TransposeOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> permutation;
    for (int64_t p : op.getPermutation())
      permutation.push_back(inner.getPermutation()[p]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getX(), permutation);
    return success();
  }
};

/// A transposition that only moves dimensions of extent 1 keeps the row-major order: a reshape,
/// which is free.
struct TransposeOfUnits : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto type = tensorType(op.getX());
    int64_t last = -1;
    for (int64_t p : op.getPermutation()) {
      if (type.getDimSize(p) == 1)
        continue;
      if (p < last)
        return failure();
      last = p;
    }
    auto shape = DimsAttr::get(op.getContext(), getDims(tensorType(op.getResult())));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(), shape);
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeTransposes, TransposeOfUnits>(context);
}

//===----------------------------------------------------------------------------------------===//
// broadcast, tile
//===----------------------------------------------------------------------------------------===//

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                            Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  ArrayRef<AffineExpr> shape = adaptor.getShape().getExprs();
  if (static_cast<int64_t>(shape.size()) < type.getRank())
    return emitOptionalError(loc, "cannot broadcast rank ", type.getRank(), " to rank ",
                             shape.size());
  for (auto [from, to] : llvm::zip(getDims(type), shape.take_back(type.getRank()))) {
    auto a = constantDim(from), b = constantDim(to);
    if (a && b && *a != *b && *a != 1)
      return emitOptionalError(loc, "cannot broadcast extent ", *a, " to ", *b);
  }
  types.push_back(makeTensorType(shape, type.getElementType()));
  return success();
}

Value BroadcastOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  return eb.read(getX(), broadcastAccess(eb, tensorType(getX()), at));
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : OpFoldResult();
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  ArrayRef<AffineExpr> repeats = adaptor.getRepeats().getExprs();
  if (static_cast<int64_t>(repeats.size()) != type.getRank())
    return emitOptionalError(loc, "expected ", type.getRank(), " repeats, found ", repeats.size());
  SmallVector<AffineExpr> dims;
  for (auto [dim, count] : llvm::zip(getDims(type), repeats))
    dims.push_back(dim * count);
  types.push_back(makeTensorType(dims, type.getElementType()));
  return success();
}

Value TileOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  SmallVector<Index> access;
  for (auto [index, dim, count] :
       llvm::zip(at, getDims(tensorType(getX())), getRepeats().getExprs()))
    access.push_back(constantDim(count) == 1 ? index
                     : constantDim(dim) == 1 ? eb.constant(0)
                                             : eb.mod(index, eb.dim(dim)));
  return eb.read(getX(), access);
}

//===----------------------------------------------------------------------------------------===//
// slice, concat
//===----------------------------------------------------------------------------------------===//

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  size_t rank = type.getRank();
  if (adaptor.getStarts().getExprs().size() != rank || adaptor.getSteps().size() != rank ||
      adaptor.getSizes().getExprs().size() != rank)
    return emitOptionalError(loc, "starts, steps and sizes must have ", rank, " entries");
  for (size_t i = 0; i < rank; ++i) {
    int64_t step = adaptor.getSteps()[i];
    auto start = constantDim(adaptor.getStarts().getExprs()[i]),
         size = constantDim(adaptor.getSizes().getExprs()[i]);
    auto extent = constantDim(getDim(type, i));
    if (step == 0 || (size && *size < 0))
      return emitOptionalError(loc, "steps must not be 0 and sizes not negative");
    if (start && size && *size > 0) {
      int64_t last;
      if (llvm::MulOverflow(*size - 1, step, last) || llvm::AddOverflow(*start, last, last) ||
          *start < 0 || last < 0 || (extent && (*start >= *extent || last >= *extent)))
        return emitOptionalError(loc, "the slice reaches outside dimension ", i);
    }
  }
  types.push_back(makeTensorType(adaptor.getSizes().getExprs(), type.getElementType()));
  return success();
}

Value SliceOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  SmallVector<Index> access;
  for (auto [index, start, step] : llvm::zip(at, getStarts().getExprs(), getSteps()))
    access.push_back(eb.add(eb.mul(index, step), eb.dim(start)));
  return eb.read(getX(), access);
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  bool isWhole = llvm::all_of(getSteps(), [](int64_t s) { return s == 1; });
  return isWhole && getX().getType() == getType() ? getX() : OpFoldResult();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (adaptor.getX().empty())
    return emitOptionalError(loc, "nothing to concatenate");
  auto first = tensorType(adaptor.getX()[0]);
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= first.getRank())
    return emitOptionalError(loc, "axis ", axis, " is outside rank ", first.getRank());
  SmallVector<AffineExpr> dims = getDims(first);
  AffineExpr sum = dimConstant(context, 0);
  for (Value operand : adaptor.getX()) {
    auto type = tensorType(operand);
    if (type.getRank() != first.getRank() || type.getElementType() != first.getElementType())
      return emitOptionalError(loc, "operands differ in rank or element type");
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (i != axis && !type.isDynamicDim(i) && !first.isDynamicDim(i) &&
          type.getDimSize(i) != first.getDimSize(i))
        return emitOptionalError(loc, "operands differ in dimension ", i);
    sum = sum + getDim(type, axis);
  }
  dims[axis] = sum;
  types.push_back(makeTensorType(dims, first.getElementType()));
  return success();
}

Value ConcatOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  int64_t axis = getAxis();
  AffineExpr begin = dimConstant(getContext(), 0);
  std::optional<unsigned> known = eb.partOf(getOperation());
  // From the first operand on: inside it, or else in one of the rest.
  std::function<Value(size_t, AffineExpr)> from = [&](size_t i, AffineExpr offset) -> Value {
    auto readHere = [&] {
      SmallVector<Index> access(at);
      access[axis] = eb.sub(at[axis], eb.dim(offset));
      return eb.read(getX()[i], access);
    };
    if (i + 1 == getX().size())
      return readHere();
    AffineExpr end = simplifyDim(offset + getDim(tensorType(getX()[i]), axis));
    if (known)
      return *known == i ? readHere() : from(i + 1, end);
    return eb.guarded(eb.less(at[axis], eb.dim(end)), readHere, [&] { return from(i + 1, end); });
  };
  return from(0, begin);
}

OpFoldResult ConcatOp::fold(FoldAdaptor) { return getX().size() == 1 ? getX()[0] : OpFoldResult(); }

//===----------------------------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX()), value = tensorType(adaptor.getValue());
  size_t rank = type.getRank();
  if (adaptor.getLow().getExprs().size() != rank || adaptor.getHigh().getExprs().size() != rank)
    return emitOptionalError(loc, "low and high must have ", rank, " entries");
  if (value.getRank() != 0 || value.getElementType() != type.getElementType())
    return emitOptionalError(loc, "the value must be a scalar of the operand's element type");
  StringRef mode = adaptor.getMode();
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return emitOptionalError(loc, "unknown mode '", mode, "'");
  SmallVector<AffineExpr> dims;
  for (size_t i = 0; i < rank; ++i) {
    dims.push_back(simplifyDim(getDim(type, i) + adaptor.getLow().getExprs()[i] +
                               adaptor.getHigh().getExprs()[i]));
    auto extent = constantDim(dims.back());
    if (extent && *extent < 0)
      return emitOptionalError(loc, "dimension ", i, " becomes negative");
    auto source = constantDim(getDim(type, i));
    if (mode != "constant" && source && *source == 0 && extent && *extent > 0)
      return emitOptionalError(loc, "nothing to repeat in dimension ", i);
  }
  types.push_back(makeTensorType(dims, type.getElementType()));
  return success();
}

/// The position in `x` that `index`, counted from its first element, repeats.
static Index repeated(ElementBuilder &eb, StringRef mode, Index index, Index extent) {
  if (mode == "edge")
    return eb.max(eb.constant(0), eb.min(index, eb.sub(extent, eb.constant(1))));
  // Shifting by many periods makes the dividend positive.
  auto wrap = [&](Index i, Index period) {
    Index r = {eb.b.createOrFold<arith::RemSIOp>(eb.loc, i.base, period.base)};
    return eb.mod(eb.add(r, period), period);
  };
  if (mode == "wrap")
    return wrap(index, extent);
  // 0 1 2 1 0 1 2 ...: period 2 (n - 1), mirrored at the last element.
  Index last = eb.sub(extent, eb.constant(1));
  Index period = eb.max(eb.constant(1), eb.mul(last, 2));
  Index r = wrap(index, period);
  return eb.min(r, eb.sub(period, r));
}

Value PadOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  SmallVector<Index> access(at);
  Value inside;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    AffineExpr low = getLow().getExprs()[i], high = getHigh().getExprs()[i];
    auto constantLow = constantDim(low), constantHigh = constantDim(high);
    access[i] = eb.sub(at[i], eb.dim(low));
    bool mayBeBefore = !constantLow || *constantLow > 0,
         mayBeAfter = !constantHigh || *constantHigh > 0;
    if (!mayBeBefore && !mayBeAfter)
      continue;
    Index extent = eb.dim(getDim(type, i));
    if (access[i].lanes)
      eb.failVector();
    if (getMode() != "constant") {
      access[i] = repeated(eb, getMode(), access[i], extent);
      continue;
    }
    for (Value condition : {mayBeBefore ? eb.lessOrEqual(eb.constant(0), access[i]) : Value(),
                            mayBeAfter ? eb.less(access[i], extent) : Value()})
      if (condition)
        inside = inside ? eb.both(inside, condition) : condition;
  }
  if (!inside)
    return eb.read(getX(), access);
  return eb.guarded(
      inside, [&] { return eb.read(getX(), access); }, [&] { return eb.read(getValue(), {}); });
}

//===----------------------------------------------------------------------------------------===//
// iota, dims_tensor
//===----------------------------------------------------------------------------------------===//

LogicalResult IotaOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= static_cast<int64_t>(adaptor.getShape().getExprs().size()))
    return emitOptionalError(loc, "axis ", axis, " is outside the shape");
  types.push_back(makeTensorType(adaptor.getShape().getExprs(), adaptor.getElement()));
  return success();
}

Value IotaOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  return eb.fromIndex(at[getAxis()], getElement());
}

LogicalResult DimsTensorOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                             Adaptor adaptor, SmallVectorImpl<Type> &types) {
  int64_t count = adaptor.getValues().getExprs().size();
  types.push_back(RankedTensorType::get({count}, adaptor.getElement()));
  return success();
}

Value DimsTensorOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  Index value = eb.constant(0);
  for (auto [i, expr] : llvm::enumerate(getValues().getExprs()))
    value = i == 0 ? eb.dim(expr) : eb.select(eb.equal(at[0], eb.constant(i)), eb.dim(expr), value);
  return eb.fromIndex(value, getElement());
}
