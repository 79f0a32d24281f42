//===- Quantized.cpp - Relay's operators on quantised tensors (qnn) ---------------------------===//
//
// A quantised tensor holds integers q that stand for scale * (q - zero point). Where TVM computes
// with multipliers of 31 bits and tables, these are computed in real numbers.
//
//===----------------------------------------------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

namespace {
/// What the integers of a tensor stand for: one scale (float32) and one zero point (int32), or one
/// for each position along `axis`.
struct Quantisation {
  Value scale, zero;
  int64_t axis;
};
} // namespace

/// The quantisation of `x` whose scale is operand `i`, and the zero point the next one.
static FailureOr<Quantisation> quantisation(Call &call, size_t i, Value x, StringRef axisName) {
  INGOT_TRY(scale, call.in(i));
  INGOT_TRY(zero, call.in(i + 1));
  int64_t axis = axisName.empty() ? -1 : call.integer(axisName, -1);
  if (Call::rankOf(scale) > 1 || Call::rankOf(zero) > 1)
    return call.refuse("a scale or a zero point has more than one dimension");
  if (!isa<FloatType>(Call::elementType(scale)) || !isa<IntegerType>(Call::elementType(zero)))
    return call.refuse("a scale must be a float, a zero point an integer");
  if (Call::rankOf(scale) == 0 && Call::rankOf(zero) == 0)
    return Quantisation{scale, zero, 0};
  INGOT_TRY(position, call.axis(axis, Call::rankOf(x)));
  return Quantisation{scale, zero, position};
}

/// `v`, of one number or of one for each position of `axis`, so that it lines up with `x`.
static Result lined(Call &call, Value v, int64_t axis, Value x) {
  if (Call::rankOf(v) == 0)
    return v;
  AffineExpr extent = Call::dimsOf(v).front();
  if (constantDim(extent) == 1)
    return call.reshape(v, {});
  SmallVector<AffineExpr> shape(Call::rankOf(x) - axis, call.constantExpr(1));
  shape.front() = extent;
  if (extent != Call::dimsOf(x)[axis])
    return call.refuse("it has a scale or a zero point for each position of dimension " +
                       Twine(axis) + ", but another number of them");
  return call.reshape(v, shape);
}

/// x - zero point, in int32.
static Result centred(Call &call, Value x, Value zero, int64_t axis) {
  mlir::Type wide = call.b.getI32Type();
  INGOT_TRY(value, call.cast(x, wide));
  INGOT_TRY(offset, call.cast(zero, wide));
  INGOT_TRY(apart, lined(call, offset, axis, x));
  return call.sub(value, apart);
}

/// `rounded` (float64) plus a zero point, saturated.
static Result withZeroPoint(Call &call, Value rounded, Value zero, int64_t axis,
                            mlir::Type element) {
  INGOT_TRY(offset, call.cast(zero, Call::elementType(rounded)));
  INGOT_TRY(apart, lined(call, offset, axis, rounded));
  INGOT_TRY(shifted, call.add(rounded, apart));
  return call.saturate(shifted, element);
}

/// The element type of a quantised result.
static FailureOr<mlir::Type> quantisedType(Call &call) {
  INGOT_TRY(element, call.element("out_dtype", call.b.getI8Type()));
  if (!isa<IntegerType>(element) || element.getIntOrFloatBitWidth() > 32)
    return call.refuse("out_dtype must be an integer of at most 32 bits");
  return element;
}

static Result dequantise(Call &call, Value x, const Quantisation &from) {
  INGOT_TRY(value, centred(call, x, from.zero, from.axis));
  INGOT_TRY(real, call.cast(value, Call::elementType(from.scale)));
  INGOT_TRY(scale, lined(call, from.scale, from.axis, x));
  return call.mul(real, scale);
}

static Result quantise(Call &call, Value x, const Quantisation &to, mlir::Type element) {
  INGOT_TRY(scale, lined(call, to.scale, to.axis, x));
  INGOT_TRY(scaled, call.div(x, scale));
  INGOT_TRY(rounded, call.apply("round", {scaled}));
  INGOT_TRY(wide, call.cast(rounded, call.b.getF64Type()));
  return withZeroPoint(call, wide, to.zero, to.axis, element);
}

/// `x` (int32, less its zero point) of another scale: from.scale / to.scale times as much, rounded;
/// halves upwards, or away from zero. As an integer with its zero point.
static Result rescale(Call &call, Value x, Value fromScale, int64_t axis, const Quantisation &to,
                      mlir::Type element, bool isUpward = true, bool isSingle = false) {
  mlir::Type real = isSingle ? call.b.getF32Type() : call.b.getF64Type();
  INGOT_TRY(from, call.cast(fromScale, real));
  INGOT_TRY(scale, call.cast(to.scale, real));
  if (Call::rankOf(scale) != 0 && constantDim(Call::dimsOf(scale).front()) != 1)
    return call.refuse("the scale of the result must be one number");
  INGOT_TRY(one, call.reshape(scale, {}));
  INGOT_TRY(factor, call.div(from, one));
  INGOT_TRY(apart, lined(call, factor, axis, x));
  INGOT_TRY(value, call.cast(x, real));
  INGOT_TRY(scaled, call.mul(value, apart));
  Value rounded;
  if (isUpward) {
    INGOT_TRY(raised, call.add(scaled, call.scalarLike(0.5, scaled)));
    INGOT_TRY(floor, call.make<FloorOp>({raised}));
    rounded = floor;
  } else {
    INGOT_TRY(nearest, call.apply("round", {scaled}));
    rounded = nearest;
  }
  INGOT_TRY(wide, call.cast(rounded, call.b.getF64Type()));
  return withZeroPoint(call, wide, to.zero, to.axis, element);
}

static Result requantise(Call &call, Value x, const Quantisation &from, const Quantisation &to,
                         mlir::Type element) {
  INGOT_TRY(value, centred(call, x, from.zero, from.axis));
  return rescale(call, value, from.scale, from.axis, to, element);
}

//===----------------------------------------------------------------------------------------===//
// To integers, from them, and between them
//===----------------------------------------------------------------------------------------===//

static LogicalResult importQuantize(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(to, quantisation(call, 1, x, "axis"));
  INGOT_TRY(element, quantisedType(call));
  return call.set(quantise(call, x, to, element));
}

static LogicalResult importDequantize(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(from, quantisation(call, 1, x, "axis"));
  INGOT_TRY(element, call.element("out_dtype", call.b.getF32Type()));
  INGOT_TRY(real, dequantise(call, x, from));
  return call.set(call.cast(real, element));
}

static LogicalResult importRequantize(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(from, quantisation(call, 1, x, "axis"));
  INGOT_TRY(to, quantisation(call, 3, x, ""));
  INGOT_TRY(element, quantisedType(call));
  std::string rounding = call.text("rounding", "None"), type = call.text("compute_dtype", "None");
  if (rounding != "None" && rounding != "UPWARD" && rounding != "TONEAREST")
    return call.refuse("rounding must be UPWARD or TONEAREST");
  if (type != "None" && type != "int64" && type != "float32" && type != "float64")
    return call.refuse("compute_dtype must be int64, float32 or float64");
  INGOT_TRY(value, centred(call, x, from.zero, from.axis));
  return call.set(rescale(call, value, from.scale, from.axis, to, element, rounding != "TONEAREST",
                          type == "float32"));
}

//===----------------------------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------------------------===//

/// Both operands in the scale of the result, then their sum or difference.
template <bool isSum> static LogicalResult importSum(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  INGOT_TRY(ofX, quantisation(call, 2, x, "lhs_axis"));
  INGOT_TRY(ofY, quantisation(call, 4, y, "rhs_axis"));
  INGOT_TRY(to, quantisation(call, 6, x, ""));
  mlir::Type wide = call.b.getI32Type();
  Quantisation offsetFree{to.scale, call.scalar(0, wide), 0};
  INGOT_TRY(left, requantise(call, x, ofX, offsetFree, wide));
  INGOT_TRY(right, requantise(call, y, ofY, offsetFree, wide));
  Result sum = isSum ? call.add(left, right) : call.sub(left, right);
  if (failed(sum))
    return failure();
  INGOT_TRY(real, call.cast(*sum, call.b.getF64Type()));
  return call.set(withZeroPoint(call, real, to.zero, to.axis, Call::elementType(x)));
}

static LogicalResult importMul(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  INGOT_TRY(ofX, quantisation(call, 2, x, "lhs_axis"));
  INGOT_TRY(ofY, quantisation(call, 4, y, "rhs_axis"));
  INGOT_TRY(to, quantisation(call, 6, x, ""));
  INGOT_TRY(left, centred(call, x, ofX.zero, ofX.axis));
  INGOT_TRY(right, centred(call, y, ofY.zero, ofY.axis));
  INGOT_TRY(product, call.mul(left, right));
  INGOT_TRY(scaleX, lined(call, ofX.scale, ofX.axis, x));
  INGOT_TRY(scaleY, lined(call, ofY.scale, ofY.axis, y));
  if (Call::rankOf(scaleX) != 0 || Call::rankOf(scaleY) != 0)
    return call.refuse("each operand must have one scale");
  INGOT_TRY(scale, call.mul(scaleX, scaleY));
  return call.set(rescale(call, product, scale, 0, to, Call::elementType(x)));
}

/// The function `of` of the numbers that the integers stand for.
static LogicalResult throughReals(Call &call, llvm::function_ref<Result(Value)> of) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(from, quantisation(call, 1, x, ""));
  INGOT_TRY(to, quantisation(call, 3, x, ""));
  INGOT_TRY(real, dequantise(call, x, from));
  INGOT_TRY(result, of(real));
  return call.set(quantise(call, result, to, Call::elementType(x)));
}

/// `qnn.f` for an operator `f` of one operand.
static LogicalResult importUnary(Call &call) {
  Attrs attrs = call.takeAttributes();
  StringRef plain = call.name.drop_front(StringRef("qnn.").size());
  return throughReals(call, [&](Value x) { return call.apply(plain, {x}, attrs); });
}

static LogicalResult importSoftmax(Call &call) {
  Attrs attrs = call.takeAttributes();
  return throughReals(call, [&](Value x) { return call.apply("nn.softmax", {x}, attrs); });
}

/// x * clip(x + 3, 0, 6) / 6.
static LogicalResult importHardswish(Call &call) {
  return throughReals(call, [&](Value x) -> Result {
    INGOT_TRY(raised, call.add(x, call.scalarLike(3, x)));
    INGOT_TRY(clipped, call.clamp(raised, call.scalarLike(0, x), call.scalarLike(6, x)));
    INGOT_TRY(product, call.mul(x, clipped));
    return call.div(product, call.scalarLike(6, x));
  });
}

static LogicalResult importLeakyRelu(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(from, quantisation(call, 1, x, ""));
  INGOT_TRY(to, quantisation(call, 3, x, ""));
  Attrs attrs = call.takeAttributes();
  INGOT_TRY(value, centred(call, x, from.zero, from.axis));
  INGOT_TRY(real, call.cast(value, call.b.getF64Type()));
  INGOT_TRY(result, call.apply("nn.leaky_relu", {real}, attrs));
  return call.set(rescale(call, result, from.scale, from.axis, to, Call::elementType(x)));
}

//===----------------------------------------------------------------------------------------===//
// Products, in int32; their scale is the product of the scales
//===----------------------------------------------------------------------------------------===//

/// The operator `plain` of both operands less their zero points.
static LogicalResult importProduct(Call &call, StringRef plain, int64_t weightAxis) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(w, call.in(1));
  INGOT_TRY(zeroX, call.in(2));
  INGOT_TRY(zeroW, call.in(3));
  if (Call::rankOf(zeroX) > 1 || Call::rankOf(zeroW) > 1 || weightAxis >= Call::rankOf(w))
    return call.refuse("its operands or zero points are not of the right rank");
  if (Call::rankOf(zeroX) == 1 && constantDim(Call::dimsOf(zeroX).front()) != 1)
    return call.refuse("the zero point of its first operand must be one number");
  INGOT_TRY(left, centred(call, x, zeroX, 0));
  INGOT_TRY(right, centred(call, w, zeroW, weightAxis));
  Attrs attrs = call.takeAttributes();
  return call.become(plain, {{{left}}, {{right}}}, attrs);
}

static LogicalResult importDense(Call &call) { return importProduct(call, "nn.dense", 0); }

static LogicalResult importBatchMatmul(Call &call) {
  return importProduct(call, "nn.batch_matmul", 1);
}

static LogicalResult importConv2d(Call &call) {
  size_t axis = StringRef(call.text("kernel_layout", "OIHW")).find('O');
  return importProduct(call, "nn.conv2d", axis == StringRef::npos ? 0 : static_cast<int64_t>(axis));
}

static LogicalResult importConv2dTranspose(Call &call) {
  size_t axis = StringRef(call.text("kernel_layout", "IOHW")).find('O');
  return importProduct(call, "nn.conv2d_transpose",
                       axis == StringRef::npos ? 0 : static_cast<int64_t>(axis));
}

//===----------------------------------------------------------------------------------------===//
// Windows and parts
//===----------------------------------------------------------------------------------------===//

/// The mean of the integers in the scale of the result, cut to an integer; padding counts as 0.
static LogicalResult importAvgPool2d(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(from, quantisation(call, 1, x, ""));
  INGOT_TRY(to, quantisation(call, 3, x, ""));
  INGOT_TRY(value, requantise(call, x, from, to, call.b.getI32Type()));
  INGOT_TRY(real, call.cast(value, call.b.getF64Type()));
  Attrs attrs = call.takeAttributes();
  INGOT_TRY(mean, call.apply("nn.avg_pool2d", {real}, attrs));
  INGOT_TRY(cut, call.apply("trunc", {mean}));
  return call.set(
      withZeroPoint(call, cut, call.scalar(0, call.b.getI32Type()), 0, Call::elementType(x)));
}

static LogicalResult importConcatenate(Call &call) {
  INGOT_TRY(parts, call.tuple(0));
  INGOT_TRY(scales, call.tuple(1));
  INGOT_TRY(zeros, call.tuple(2));
  INGOT_TRY(to, quantisation(call, 3, parts.front(), ""));
  if (scales.size() != parts.size() || zeros.size() != parts.size())
    return call.refuse("it needs a scale and a zero point for each part");
  Call::Argument joined{{}, true};
  for (auto [part, scale, zero] : llvm::zip(parts, scales, zeros)) {
    if (Call::rankOf(scale) != 0 || Call::rankOf(zero) != 0)
      return call.refuse("each part must have one scale and one zero point");
    INGOT_TRY(value, requantise(call, part, {scale, zero, 0}, to, Call::elementType(part)));
    joined.values.push_back(value);
  }
  Attrs attrs = call.takeAttributes();
  return call.become("concatenate", {joined}, attrs);
}

void registerQuantized(OperatorTable &table) {
  table["qnn.quantize"] = importQuantize;
  table["qnn.dequantize"] = importDequantize;
  table["qnn.requantize"] = importRequantize;
  table["qnn.add"] = importSum<true>;
  table["qnn.subtract"] = importSum<false>;
  table["qnn.mul"] = importMul;
  for (StringRef name : {"abs", "erf", "exp", "log", "rsqrt", "sigmoid", "sqrt", "tanh"})
    table[("qnn." + name).str()] = importUnary;
  table["qnn.hardswish"] = importHardswish;
  table["qnn.leaky_relu"] = importLeakyRelu;
  table["qnn.softmax"] = importSoftmax;
  table["qnn.dense"] = importDense;
  table["qnn.batch_matmul"] = importBatchMatmul;
  table["qnn.conv2d"] = importConv2d;
  table["qnn.conv2d_transpose"] = importConv2dTranspose;
  table["qnn.avg_pool2d"] = importAvgPool2d;
  table["qnn.concatenate"] = importConcatenate;
}

} // namespace ingot::relay
