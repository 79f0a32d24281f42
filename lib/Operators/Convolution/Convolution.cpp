//===- Convolution.cpp - Convolutions, channels last ------------------------------------------===//

#include "Operators/Convolution.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Convolution.cpp.inc"

namespace {
/// What both convolutions check of their windows.
struct Windows {
  ArrayRef<int64_t> strides, dilations, low, high;
  int64_t groups;

  LogicalResult verify(std::optional<Location> loc, RankedTensorType x, RankedTensorType w) const {
    constexpr int64_t limit = int64_t(1) << 31;
    int64_t spatial = x.getRank() - 2;
    if (spatial < 1 || w.getRank() != x.getRank())
      return emitOptionalError(loc, "expected operands of one rank, at least 3");
    if (x.getElementType() != w.getElementType() || x.getElementType().isInteger(1))
      return emitOptionalError(loc, "operands must be of one numeric element type");
    for (ArrayRef<int64_t> list : {strides, dilations, low, high})
      if (static_cast<int64_t>(list.size()) != spatial)
        return emitOptionalError(loc, "expected ", spatial, " strides, dilations and paddings");
    for (int64_t i = 0; i < spatial; ++i)
      if (strides[i] < 1 || dilations[i] < 1 || low[i] < 0 || high[i] < 0 || strides[i] > limit ||
          dilations[i] > limit || low[i] > limit || high[i] > limit || w.isDynamicDim(i) ||
          w.getDimSize(i) < 1 || w.getDimSize(i) > limit)
        return emitOptionalError(
            loc, "strides, dilations and kernels must be positive, paddings not negative");
    if (groups < 1 || groups > limit)
      return emitOptionalError(loc, "groups must be positive, and not more than channels");
    return success();
  }
};
} // namespace

LogicalResult ConvOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), w = tensorType(adaptor.getW());
  auto groups = static_cast<int64_t>(adaptor.getGroups());
  Windows windows{adaptor.getStrides(), adaptor.getDilations(), adaptor.getLow(), adaptor.getHigh(),
                  groups};
  if (failed(windows.verify(loc, x, w)))
    return failure();
  int64_t rank = x.getRank();
  auto channels = constantDim(getDim(x, rank - 1)), outputs = constantDim(getDim(w, rank - 1)),
       taken = constantDim(getDim(w, rank - 2));
  if (!taken || (channels && *channels != *taken * groups) || (outputs && *outputs % groups != 0))
    return emitOptionalError(loc, "the channels do not fit the weights and ", groups, " groups");
  SmallVector<AffineExpr> dims = getDims(x);
  for (int64_t i = 0; i + 2 < rank; ++i) {
    dims[1 + i] = windowExtent(dims[1 + i], w.getDimSize(i), windows.strides[i],
                               windows.dilations[i], windows.low[i], windows.high[i], false);
    if (auto extent = constantDim(dims[1 + i]); extent && *extent < 0)
      return emitOptionalError(loc, "the kernel is larger than dimension ", i);
  }
  dims.back() = getDim(w, rank - 1);
  types.push_back(makeTensorType(dims, x.getElementType()));
  return success();
}

bool ConvOp::isDepthwise() {
  auto x = tensorType(getX()), w = tensorType(getW());
  auto groups = static_cast<int64_t>(getGroups());
  return groups > 1 && x.getShape().back() == groups && w.getShape().back() == groups;
}

Value ConvOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto x = tensorType(getX()), w = tensorType(getW());
  int64_t spatial = x.getRank() - 2;
  ScalarBuilder s = eb.scalars(x.getElementType());
  Index output = at.back();
  auto groups = static_cast<int64_t>(getGroups());
  AffineExpr taken = getDim(w, spatial);
  // The first input channel of the group.
  Index first = eb.constant(0);
  if (groups > 1) {
    AffineExpr perGroup = simplifyDim(getDim(w, spatial + 1).floorDiv(groups));
    first = isDepthwise() ? output : eb.mul(eb.div(output, eb.dim(perGroup)), eb.dim(taken));
  }
  Value start = output.lanes ? eb.splat(s.constant(0)) : s.constant(0);
  SmallVector<Index> input(at), weight(w.getRank());
  weight.back() = output;
  std::function<Value(int64_t, Value)> nest = [&](int64_t i, Value total) -> Value {
    if (i == spatial)
      return eb.fold(eb.constant(0), eb.dim(taken), total, [&](Index c, Value sum) {
        input.back() = eb.add(first, c);
        weight[spatial] = c;
        Value a = eb.read(getX(), input), b = eb.read(getW(), weight);
        return s.fma(s.broadcastLike(a, sum), s.broadcastLike(b, sum), sum);
      });
    // Taps inside the operand: 0 <= origin + tap * dilation < extent.
    int64_t dilation = getDilations()[i];
    Index origin = eb.sub(eb.mul(at[1 + i], getStrides()[i]), eb.constant(getLow()[i]));
    Index lower = eb.constant(0), upper = eb.constant(w.getDimSize(i));
    Index extent = eb.dim(getDim(x, 1 + i));
    if (getLow()[i] > 0)
      lower = eb.div(eb.max(eb.sub(eb.constant(dilation - 1), origin), eb.constant(0)),
                     eb.constant(dilation));
    if (getHigh()[i] > 0 || getLow()[i] > 0) {
      Index room = eb.max(eb.add(eb.sub(extent, origin), dilation - 1), eb.constant(0));
      upper = eb.min(upper, eb.div(room, eb.constant(dilation)));
    }
    return eb.fold(lower, upper, total, [&](Index tap, Value sum) {
      input[1 + i] = eb.add(origin, eb.mul(tap, dilation));
      weight[i] = tap;
      return nest(i + 1, sum);
    });
  };
  return nest(0, start);
}

LogicalResult ConvTransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                                Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), w = tensorType(adaptor.getW());
  auto groups = static_cast<int64_t>(adaptor.getGroups());
  Windows windows{adaptor.getStrides(), adaptor.getDilations(), adaptor.getLow(), adaptor.getHigh(),
                  groups};
  if (failed(windows.verify(loc, x, w)))
    return failure();
  int64_t rank = x.getRank();
  auto channels = constantDim(getDim(x, rank - 1)), taken = constantDim(getDim(w, rank - 2));
  if (!taken || *taken % groups != 0 || (channels && *channels != *taken))
    return emitOptionalError(loc, "the channels do not fit the weights and ", groups, " groups");
  if (static_cast<int64_t>(adaptor.getOutputPadding().size()) != rank - 2)
    return emitOptionalError(loc, "expected ", rank - 2, " output paddings");
  for (int64_t extra : adaptor.getOutputPadding())
    if (extra < 0 || extra > (int64_t(1) << 31))
      return emitOptionalError(loc, "an output padding is out of range");
  SmallVector<AffineExpr> dims = getDims(x);
  for (int64_t i = 0; i + 2 < rank; ++i) {
    int64_t reach = (w.getDimSize(i) - 1) * windows.dilations[i] + 1 +
                    adaptor.getOutputPadding()[i] - windows.low[i] - windows.high[i];
    dims[1 + i] = simplifyDim((dims[1 + i] - 1) * windows.strides[i] + reach);
    auto extent = constantDim(dims[1 + i]);
    if (extent && *extent < 0)
      return emitOptionalError(loc, "dimension ", i, " becomes negative");
  }
  dims.back() = simplifyDim(getDim(w, rank - 1) * groups);
  types.push_back(makeTensorType(dims, x.getElementType()));
  return success();
}

Value ConvTransposeOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto x = tensorType(getX()), w = tensorType(getW());
  int64_t spatial = x.getRank() - 2;
  ScalarBuilder s = eb.scalars(x.getElementType());
  auto groups = static_cast<int64_t>(getGroups());
  AffineExpr perGroup = getDim(w, spatial + 1);
  AffineExpr taken = simplifyDim(getDim(w, spatial).floorDiv(groups));
  Index output = at.back(), first = eb.constant(0);
  if (groups > 1) {
    first = eb.mul(eb.div(output, eb.dim(perGroup)), eb.dim(taken));
    output = eb.mod(output, eb.dim(perGroup));
  }
  Value start = output.lanes ? eb.splat(s.constant(0)) : s.constant(0);
  SmallVector<Index> input(at), weight(w.getRank());
  weight.back() = output;
  std::function<Value(int64_t, Value)> nest = [&](int64_t i, Value total) -> Value {
    if (i == spatial)
      return eb.fold(eb.constant(0), eb.dim(taken), total, [&](Index c, Value sum) {
        input.back() = weight[spatial] = eb.add(first, c);
        Value a = eb.read(getX(), input), b = eb.read(getW(), weight);
        return s.fma(s.broadcastLike(a, sum), s.broadcastLike(b, sum), sum);
      });
    // Taps whose input position (at + low - tap * dilation) / stride is whole and inside.
    Index stride = eb.constant(getStrides()[i]);
    Index shifted = eb.add(at[1 + i], getLow()[i]);
    return eb.fold(eb.constant(0), eb.constant(w.getDimSize(i)), total, [&](Index tap, Value sum) {
      Index reached = eb.sub(shifted, eb.mul(tap, getDilations()[i]));
      Index clamped = eb.max(reached, eb.constant(0));
      input[1 + i] = eb.div(clamped, stride);
      weight[i] = tap;
      Value isInside = eb.both(eb.both(eb.lessOrEqual(eb.constant(0), reached),
                                       eb.equal(eb.mod(clamped, stride), eb.constant(0))),
                               eb.less(input[1 + i], eb.dim(getDim(x, 1 + i))));
      return eb.guarded(isInside, [&] { return nest(i + 1, sum); }, [&] { return sum; });
    });
  };
  return nest(0, start);
}
