//===- Resize.cpp - Sampling anew -------------------------------------------------------------===//
//
// ONNX Resize, version 19. Coordinates are computed in float32, as the reference does.
//
//===----------------------------------------------------------------------------------------===//

#include "Operators/Elementwise/Elementwise.h"
#include "Operators/Image.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Image.cpp.inc"

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  size_t rank = type.getRank();
  ArrayRef<AffineExpr> sizes = adaptor.getSizes().getExprs();
  if (sizes.size() != rank || adaptor.getScales().size() != rank)
    return emitOptionalError(loc, "expected ", rank, " sizes and scales");
  auto isOneOf = [](StringRef value, std::initializer_list<StringRef> list) {
    return llvm::is_contained(list, value);
  };
  if (!isOneOf(adaptor.getMode(), {"nearest", "linear", "cubic"}))
    return emitOptionalError(loc, "unknown mode '", adaptor.getMode(), "'");
  StringRef coordinates = adaptor.getCoordinateMode();
  if (!isOneOf(coordinates, {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                             "align_corners", "asymmetric", "tf_crop_and_resize"}))
    return emitOptionalError(loc, "unknown coordinate mode '", coordinates, "'");
  if (coordinates == "tf_crop_and_resize" && adaptor.getRoi().size() != 2 * rank)
    return emitOptionalError(loc, "a region needs ", 2 * rank, " numbers");
  if (!isOneOf(adaptor.getNearestMode(),
               {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))
    return emitOptionalError(loc, "unknown nearest mode '", adaptor.getNearestMode(), "'");
  if (!isa<FloatType>(type.getElementType()) && adaptor.getMode() != "nearest")
    return emitOptionalError(loc, "only floats can be interpolated");
  // Taps are written out: their number must stay small.
  constexpr double maxTaps = 256;
  double taps = 1;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    auto to = constantDim(size), from = constantDim(getDim(type, i));
    if ((to && *to < 0) || (from && to && *from == 0 && *to > 0))
      return emitOptionalError(loc, "dimension ", i, " cannot be resized so");
    double scale = adaptor.getScales()[i];
    if (!(scale >= 0) || scale > 1e9)
      return emitOptionalError(loc, "a scale is out of range");
    bool isSampled = getDim(type, i) != size || (scale != 0 && scale != 1);
    if (adaptor.getMode() == "nearest" || !isSampled)
      continue;
    if (scale == 0 && from && to && *from > 0)
      scale = double(*to) / double(*from);
    else if (scale == 0 && adaptor.getAntialias())
      return emitOptionalError(loc, "antialiasing needs constant extents or scales");
    double reach = adaptor.getMode() == "cubic" ? 4 : 2;
    taps *= adaptor.getAntialias() && scale < 1 ? std::ceil(reach / std::max(scale, 1e-9)) : reach;
    if (taps > maxTaps)
      return emitOptionalError(loc, "more than ", static_cast<int64_t>(maxTaps),
                               " elements would be blended into one");
  }
  types.push_back(makeTensorType(sizes, type.getElementType()));
  return success();
}

namespace {

/// One dimension that is really sampled.
class Axis {
public:
  Axis(ResizeOp op, ElementBuilder &eb, size_t index)
      : op(op), eb(eb), s(eb.scalars(eb.b.getF32Type())), index(index),
        from(getDim(tensorType(op.getX()), index)), to(op.getSizes().getExprs()[index]),
        scale(op.getScales()[index]) {}

  /// The coordinate in the operand, in float32, of result position `at`.
  Value coordinate(Index at) {
    Value position = real(at);
    StringRef mode = op.getCoordinateMode();
    if (mode == "asymmetric")
      return divideByScale(position);
    Value half = s.constant(0.5);
    if (mode == "align_corners") {
      if (constantDim(to) == 1)
        return s.constant(0);
      Value spans = real(eb.sub(eb.dim(from), eb.constant(1)));
      Value steps = real(eb.max(eb.sub(eb.dim(to), eb.constant(1)), eb.constant(1)));
      return s.div(s.mul(position, spans), steps);
    }
    if (mode == "tf_crop_and_resize") {
      double start = op.getRoi()[index], end = op.getRoi()[op.getRoi().size() / 2 + index];
      Value spans = real(eb.sub(eb.dim(from), eb.constant(1)));
      if (constantDim(to) == 1)
        return s.mul(s.constant(0.5 * (start + end)), spans);
      Value steps = real(eb.sub(eb.dim(to), eb.constant(1)));
      return s.add(s.mul(s.constant(start), spans),
                   s.div(s.mul(s.mul(position, s.constant(end - start)), spans), steps));
    }
    Value centred = s.sub(divideByScale(s.add(position, half)), half);
    if (mode == "pytorch_half_pixel")
      return s.select(isOne(), s.constant(0), centred);
    if (mode == "half_pixel_symmetric") {
      // The result's extent as the scale has it, before rounding down.
      Value scaled = s.mul(scaleValue(), real(eb.dim(from)));
      Value adjustment = s.div(real(eb.dim(to)), scaled);
      Value centre = s.mul(real(eb.dim(from)), half);
      Value offset = s.mul(centre, s.sub(s.constant(1), adjustment));
      return s.add(offset, centred);
    }
    return centred;
  }

  /// The position that mode `nearest` takes for result position `at`.
  Index nearest(Index at) {
    // A whole factor with coordinates that round down is a division.
    if (auto factor = wholeFactor())
      return *factor == 1 ? at : eb.div(at, eb.constant(*factor));
    Value x = coordinate(at);
    StringRef mode = op.getNearestMode();
    Value half = s.constant(0.5), rounded;
    if (mode == "floor")
      rounded = s.floor(x);
    else if (mode == "ceil")
      rounded = s.ceil(x);
    else if (mode == "round_prefer_floor")
      rounded = s.ceil(s.sub(x, half));
    else
      rounded = s.floor(s.add(x, half));
    return clamp(position(rounded));
  }

  Index clamp(Index i) {
    return eb.max(eb.constant(0), eb.min(i, eb.sub(eb.dim(from), eb.constant(1))));
  }
  Value isOutside(Value coordinate) {
    Value last = real(eb.sub(eb.dim(from), eb.constant(1)));
    return eb.either(s.compare(Compare::Less, coordinate, s.constant(0)),
                     s.compare(Compare::Greater, coordinate, last));
  }
  /// `x`, a whole number in float32, as a position; clamped to what an index can hold.
  Index position(Value x) { return eb.toIndex(s.cast(x, eb.b.getI64Type()), eb.b.getI64Type()); }
  Value real(Index i) { return eb.fromIndex(i, eb.b.getF32Type()); }
  /// Taps on either side of the coordinate, and the factor by which windows widen.
  std::pair<int64_t, double> reach() {
    int64_t taps = op.getMode() == "cubic" ? 2 : 1;
    double known = scale;
    auto a = constantDim(from), c = constantDim(to);
    if (known == 0)
      known = a && c && *a > 0 ? double(*c) / double(*a) : 1;
    if (!op.getAntialias() || known >= 1)
      return {taps, 1};
    return {static_cast<int64_t>(std::ceil(double(taps) / known)), known};
  }
  bool isSampled() {
    bool isIdentity =
        from == to && (scale == 0 || scale == 1) && op.getCoordinateMode() != "tf_crop_and_resize";
    return !isIdentity;
  }

  ResizeOp op;
  ElementBuilder &eb;
  ScalarBuilder s;
  size_t index;
  AffineExpr from, to;
  double scale;

private:
  Value isOne() { return eb.equal(eb.dim(to), eb.constant(1)); }
  Value scaleValue() {
    return scale != 0 ? s.constant(scale) : s.div(real(eb.dim(to)), real(eb.dim(from)));
  }
  Value divideByScale(Value x) {
    // Multiplying by the inverse quotient where the scale is that of the extents loses less.
    return scale != 0 ? s.div(x, s.constant(scale))
                      : s.div(s.mul(x, real(eb.dim(from))), real(eb.dim(to)));
  }
  std::optional<int64_t> wholeFactor() {
    double known = scale;
    auto a = constantDim(from), c = constantDim(to);
    if (known == 0 && a && c && *a > 0 && *c % *a == 0)
      known = double(*c / *a);
    if (known == 0 && !a)
      for (int64_t f : {2, 4, 8, 16, 32})
        if (simplifyDim(from * f) == to)
          known = double(f);
    // Every position must lie inside, which the result's extent tells.
    if (known < 1 || known != std::floor(known) || known > 1 << 20 ||
        simplifyDim(from * static_cast<int64_t>(known)) != to)
      return std::nullopt;
    StringRef mode = op.getCoordinateMode(), rounding = op.getNearestMode();
    auto factor = static_cast<int64_t>(known);
    if (mode == "asymmetric" && rounding == "floor")
      return factor;
    // (at + 1/2) / f - 1/2 rounds to floor(at / f) unless it lies halfway.
    bool isCentred = mode == "half_pixel" || mode == "half_pixel_symmetric";
    bool isRounded = rounding == "round_prefer_floor" || rounding == "round_prefer_ceil";
    if (isCentred && isRounded)
      return factor;
    return std::nullopt;
  }
};

} // namespace

/// Weight of a tap at distance `x` (float32, at least 0) from the coordinate.
static Value tapWeight(ResizeOp op, ScalarBuilder &s, Value x) {
  Value zero = s.constant(0), one = s.constant(1);
  if (op.getMode() == "linear")
    return s.max(zero, s.sub(one, x));
  double a = op.getCubicCoefficient().convertToDouble();
  // Keys' kernel with coefficient a.
  Value near =
      s.add(s.mul(s.mul(s.sub(s.mul(s.constant(a + 2), x), s.constant(a + 3)), x), x), one);
  Value far = s.sub(
      s.mul(s.add(s.mul(s.sub(s.mul(s.constant(a), x), s.constant(5 * a)), x), s.constant(8 * a)),
            x),
      s.constant(4 * a));
  Value isNear = s.compare(Compare::LessOrEqual, x, one);
  Value isFar = s.compare(Compare::Less, x, s.constant(2));
  return s.select(isNear, near, s.select(isFar, far, zero));
}

Value ResizeOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  Type element = tensorType(getX()).getElementType();
  ScalarBuilder s = eb.scalars(element);
  SmallVector<Index> access(at);
  SmallVector<Axis> sampled;
  for (size_t i = 0; i < at.size(); ++i)
    if (Axis axis(*this, eb, i); axis.isSampled()) {
      sampled.push_back(axis);
      if (at[i].lanes)
        eb.failVector();
    }
  bool extrapolates = getCoordinateMode() == "tf_crop_and_resize";
  Value outside;
  auto noteOutside = [&](Axis &axis, Value coordinate) {
    if (!extrapolates)
      return;
    Value here = axis.isOutside(coordinate);
    outside = outside ? eb.either(outside, here) : here;
  };
  auto finish = [&](Value value) {
    if (!outside)
      return value;
    return s.select(outside, s.constant(getExtrapolationValue().convertToDouble()), value);
  };
  if (getMode() == "nearest") {
    for (Axis &axis : sampled) {
      if (extrapolates)
        noteOutside(axis, axis.coordinate(at[axis.index]));
      access[axis.index] = axis.nearest(at[axis.index]);
    }
    return finish(eb.read(getX(), access));
  }

  // Per axis: a first tap, and weights that sum to 1.
  struct Plan {
    Axis *axis;
    Index first;
    int64_t taps;
    SmallVector<Value> weights;
  };
  std::vector<Plan> plans;
  ScalarBuilder f = eb.scalars(eb.b.getF32Type());
  for (Axis &axis : sampled) {
    auto [reach, widening] = axis.reach();
    Value x = axis.coordinate(at[axis.index]);
    noteOutside(axis, x);
    Value floor = f.floor(x);
    Index first = eb.sub(axis.position(floor), eb.constant(reach - 1));
    Plan plan{&axis, first, 2 * reach, {}};
    Value sum;
    for (int64_t tap = 0; tap < plan.taps; ++tap) {
      Value distance = f.abs(f.sub(f.add(floor, f.constant(tap - reach + 1)), x));
      if (widening != 1)
        distance = f.mul(distance, f.constant(widening));
      Value weight = tapWeight(*this, f, distance);
      if (getExcludeOutside()) {
        Index where = eb.add(first, tap);
        Value inside =
            eb.both(eb.lessOrEqual(eb.constant(0), where), eb.less(where, eb.dim(axis.from)));
        weight = f.select(inside, weight, f.constant(0));
      }
      sum = sum ? f.add(sum, weight) : weight;
      plan.weights.push_back(weight);
    }
    if (getExcludeOutside() || widening != 1)
      for (Value &weight : plan.weights)
        weight = f.div(weight, sum);
    plans.push_back(std::move(plan));
  }
  std::function<Value(size_t)> blend = [&](size_t depth) -> Value {
    if (depth == plans.size())
      return eb.read(getX(), access);
    Plan &plan = plans[depth];
    Value total;
    for (int64_t tap = 0; tap < plan.taps; ++tap) {
      access[plan.axis->index] = plan.axis->clamp(eb.add(plan.first, tap));
      Value weight = f.cast(plan.weights[tap], element);
      Value term = s.mul(weight, blend(depth + 1));
      total = total ? s.add(total, term) : term;
    }
    return total;
  };
  return finish(blend(0));
}
