//===- Pooling.cpp - Pooling windows, channels last -------------------------------------------===//

#include "Operators/Pooling.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Pooling.cpp.inc"

template <typename Adaptor>
static LogicalResult inferPool(std::optional<Location> loc, Adaptor adaptor, Type element,
                               SmallVectorImpl<Type> &types) {
  constexpr int64_t limit = int64_t(1) << 31;
  auto x = tensorType(adaptor.getX());
  int64_t spatial = x.getRank() - 2;
  if (spatial < 1)
    return emitOptionalError(loc, "expected a batch, spatial dimensions and channels");
  for (ArrayRef<int64_t> list : {adaptor.getKernel(), adaptor.getStrides(), adaptor.getDilations(),
                                 adaptor.getLow(), adaptor.getHigh()}) {
    if (static_cast<int64_t>(list.size()) != spatial)
      return emitOptionalError(loc, "expected ", spatial, " values for each list of the window");
    for (int64_t value : list)
      if (value < 0 || value > limit)
        return emitOptionalError(loc, "the window is out of range");
  }
  SmallVector<AffineExpr> dims = getDims(x);
  for (int64_t i = 0; i < spatial; ++i) {
    if (adaptor.getKernel()[i] < 1 || adaptor.getStrides()[i] < 1 || adaptor.getDilations()[i] < 1)
      return emitOptionalError(loc, "kernel, strides and dilations must be positive");
    dims[1 + i] = windowExtent(dims[1 + i], adaptor.getKernel()[i], adaptor.getStrides()[i],
                               adaptor.getDilations()[i], adaptor.getLow()[i], adaptor.getHigh()[i],
                               adaptor.getCeilMode());
    if (auto extent = constantDim(dims[1 + i]); extent && *extent < 0)
      return emitOptionalError(loc, "the window is larger than dimension ", i);
  }
  types.push_back(makeTensorType(dims, element));
  return success();
}

namespace {
/// The taps of the window of one result that lie inside the operand, or inside its padding.
struct Taps {
  Index lower, upper;
};

/// One window over the spatial dimensions of `x`.
struct Window {
  Value x;
  ArrayRef<int64_t> kernel, strides, dilations, low, high;

  Index origin(ElementBuilder &eb, ArrayRef<Index> at, int64_t i) const {
    return eb.sub(eb.mul(at[1 + i], strides[i]), eb.constant(low[i]));
  }
  /// Taps t with -before <= origin + t * dilation < extent + after.
  Taps taps(ElementBuilder &eb, Index origin, int64_t i, int64_t before, int64_t after) const {
    Index dilation = eb.constant(dilations[i]);
    Index lower = eb.constant(0), extent = eb.dim(getDim(tensorType(x), 1 + i));
    if (low[i] > before)
      lower = eb.div(eb.max(eb.sub(eb.constant(dilations[i] - 1 - before), origin), eb.constant(0)),
                     dilation);
    Index room = eb.add(eb.sub(eb.add(extent, after), origin), dilations[i] - 1);
    Index upper = eb.min(eb.constant(kernel[i]), eb.div(eb.max(room, eb.constant(0)), dilation));
    return {lower, upper};
  }
  /// Folds `step` over the elements of the window at `at`.
  Value fold(ElementBuilder &eb, ArrayRef<Index> at, Value initial,
             function_ref<Value(ArrayRef<Index>, Value)> step) const {
    SmallVector<Index> access(at);
    std::function<Value(size_t, Value)> nest = [&](size_t i, Value carried) -> Value {
      if (i == kernel.size())
        return step(access, carried);
      Index from = origin(eb, at, i);
      Taps inside = taps(eb, from, i, 0, 0);
      return eb.fold(inside.lower, inside.upper, carried, [&](Index tap, Value inner) {
        access[1 + i] = eb.add(from, eb.mul(tap, dilations[i]));
        return nest(i + 1, inner);
      });
    };
    return nest(0, initial);
  }
  /// The number of elements in the window, of those in the operand or in its padding too.
  Index count(ElementBuilder &eb, ArrayRef<Index> at, bool withPadding) const {
    Index product = eb.constant(1);
    for (size_t i = 0; i < kernel.size(); ++i) {
      Taps inside =
          taps(eb, origin(eb, at, i), i, withPadding ? low[i] : 0, withPadding ? high[i] : 0);
      product = eb.mul(product, eb.sub(inside.upper, inside.lower));
    }
    return product;
  }
};

template <typename Op> Window windowOf(Op op) {
  return {op.getX(), op.getKernel(), op.getStrides(), op.getDilations(), op.getLow(), op.getHigh()};
}
} // namespace

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                          Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return inferPool(loc, adaptor, tensorType(adaptor.getX()).getElementType(), types);
}

Value MaxPoolOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  ScalarBuilder s = eb.scalars(tensorType(getX()).getElementType());
  Value start = at.back().lanes ? eb.splat(s.lowest()) : s.lowest();
  return windowOf(*this).fold(eb, at, start, [&](ArrayRef<Index> access, Value best) {
    return s.max(best, s.broadcastLike(eb.read(getX(), access), best));
  });
}

LogicalResult MaxPoolIndicesOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                                 Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return inferPool(loc, adaptor, IntegerType::get(context, 64), types);
}

Value MaxPoolIndicesOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  if (at.back().lanes)
    eb.failVector();
  size_t spatial = getKernel().size();
  // The best element and its position are both carried: the position as the only value, the best
  // being read again, which no element type stands in the way of.
  auto access = [&](Index position) {
    // Position in [S...] order within the plane of this batch and channel.
    SmallVector<Index> indices(at);
    for (size_t i = spatial; i-- > 0;) {
      Index extent = eb.dim(getDim(type, 1 + i));
      indices[1 + i] = i == 0 ? position : eb.mod(position, extent);
      position = eb.div(position, extent);
    }
    return indices;
  };
  ScalarBuilder s = eb.scalars(type.getElementType());
  Index none = {eb.constantIndex(-1)};
  Value best = windowOf(*this).fold(eb, at, none.base, [&](ArrayRef<Index> here, Value bestSoFar) {
    Index position = here[1];
    for (size_t i = 1; i < spatial; ++i)
      position = eb.add(eb.mul(position, eb.dim(getDim(type, 1 + i))), here[1 + i]);
    Value isFirst = eb.less({bestSoFar}, eb.constant(0));
    Value isBetter = eb.guarded(
        isFirst, [&] { return isFirst; },
        [&] {
          Value now = eb.read(getX(), here), before = eb.read(getX(), access({bestSoFar}));
          return s.compare(Compare::Greater, now, before);
        });
    return eb.select(isBetter, position, {bestSoFar}).base;
  });
  SmallVector<Index> where = access({best});
  // Flat position in [N, C, S...].
  Index flat = eb.add(eb.mul(at[0], eb.dim(getDim(type, type.getRank() - 1))), at.back());
  SmallVector<size_t> order(spatial);
  for (size_t i = 0; i < spatial; ++i)
    order[i] = getStorageOrder() == 1 ? spatial - 1 - i : i;
  for (size_t i : order)
    flat = eb.add(eb.mul(flat, eb.dim(getDim(type, 1 + i))), where[1 + i]);
  return eb.fromIndex(flat, tensorType(getResult()).getElementType());
}

LogicalResult AveragePoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                              Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return inferPool(loc, adaptor, tensorType(adaptor.getX()).getElementType(), types);
}

Value AveragePoolOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  Type element = tensorType(getX()).getElementType();
  ScalarBuilder s = eb.scalars(element);
  Window window = windowOf(*this);
  Value start = at.back().lanes ? eb.splat(s.constant(0)) : s.constant(0);
  Value sum = window.fold(eb, at, start, [&](ArrayRef<Index> access, Value total) {
    return s.add(total, s.broadcastLike(eb.read(getX(), access), total));
  });
  // One division for a window, a product for each lane. A window wholly in the padding is 0.
  Index taps = window.count(eb, at, getCountIncludePad());
  Value count = eb.fromIndex(eb.max(taps, eb.constant(1)), element);
  return s.mul(sum, s.broadcastLike(s.div(s.constant(1), count), sum));
}

LogicalResult LpPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (static_cast<int64_t>(adaptor.getP()) < 1)
    return emitOptionalError(loc, "p must be at least 1");
  return inferPool(loc, adaptor, tensorType(adaptor.getX()).getElementType(), types);
}

Value LpPoolOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  ScalarBuilder s = eb.scalars(tensorType(getX()).getElementType());
  auto p = static_cast<int64_t>(getP());
  Value start = at.back().lanes ? eb.splat(s.constant(0)) : s.constant(0);
  Value sum = windowOf(*this).fold(eb, at, start, [&](ArrayRef<Index> access, Value total) {
    Value x = s.abs(s.broadcastLike(eb.read(getX(), access), total));
    Value term = p == 1 ? x : p == 2 ? s.mul(x, x) : s.pow(x, s.constant(p));
    return s.add(total, term);
  });
  return p == 1 ? sum : p == 2 ? s.sqrt(sum) : s.pow(sum, s.constant(1.0 / p));
}
