//===- Elementwise.cpp - Element-wise operators of Relay --------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// An operator of the dialect that means the same.
template <typename Op> static LogicalResult importUnary(Call &call) {
  INGOT_TRY(x, call.in(0));
  return call.set(call.make<Op>({x}));
}

template <typename Op> static LogicalResult importBinary(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  return call.set(call.binary<Op>(x, y));
}

static bool isFloat(Value x) { return isa<FloatType>(Call::elementType(x)); }

static LogicalResult importNotEqual(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  INGOT_TRY(equal, call.binary<EqualOp>(x, y));
  return call.set(call.make<NotOp>({equal}));
}

//===----------------------------------------------------------------------------------------===//
// Division and its remainders
//===----------------------------------------------------------------------------------------===//

/// Towards zero.
static Result truncate(Call &call, Value x) {
  if (!isFloat(x))
    return x;
  INGOT_TRY(below, call.make<FloorOp>({x}));
  INGOT_TRY(above, call.make<CeilOp>({x}));
  INGOT_TRY(isNegative, call.binary<LessOp>(x, call.scalarLike(0, x)));
  return call.make<SelectOp>({isNegative, above, below});
}

static LogicalResult importTrunc(Call &call) {
  INGOT_TRY(x, call.in(0));
  return call.set(truncate(call, x));
}

static LogicalResult importTruncDivide(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  INGOT_TRY(quotient, call.div(x, y));
  return call.set(truncate(call, quotient));
}

/// The quotient rounded down; of integers exactly, by the remainder.
static Result floorDivide(Call &call, Value x, Value y) {
  if (isFloat(x)) {
    INGOT_TRY(quotient, call.div(x, y));
    return call.make<FloorOp>({quotient});
  }
  INGOT_TRY(rest, call.binary<ModOp>(x, y));
  INGOT_TRY(whole, call.sub(x, rest));
  return call.div(whole, y);
}

static LogicalResult importFloorDivide(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  return call.set(floorDivide(call, x, y));
}

static LogicalResult importFloorMod(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  if (!isFloat(x))
    return call.set(call.binary<ModOp>(x, y));
  INGOT_TRY(quotient, floorDivide(call, x, y));
  INGOT_TRY(whole, call.mul(quotient, y));
  return call.set(call.sub(x, whole));
}

//===----------------------------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------------------------===//

/// log(x) to another base.
static Result logarithm(Call &call, double base) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(log, call.make<LogOp>({x}));
  return call.mul(log, call.scalarLike(1 / std::log(base), log));
}
static LogicalResult importLog2(Call &call) { return call.set(logarithm(call, 2)); }
static LogicalResult importLog10(Call &call) { return call.set(logarithm(call, 10)); }

static LogicalResult importRsqrt(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(root, call.make<SqrtOp>({x}));
  return call.set(call.make<ReciprocalOp>({root}));
}

/// To the nearest integer, halves away from zero.
static LogicalResult importRound(Call &call) {
  INGOT_TRY(x, call.in(0));
  if (!isFloat(x))
    return call.set(x);
  INGOT_TRY(size, call.make<AbsOp>({x}));
  INGOT_TRY(below, call.make<FloorOp>({size}));
  INGOT_TRY(part, call.sub(size, below));
  INGOT_TRY(isUp, call.binary<GreaterOrEqualOp>(part, call.scalarLike(0.5, x)));
  INGOT_TRY(above, call.add(below, call.scalarLike(1, x)));
  INGOT_TRY(rounded, call.make<SelectOp>({isUp, above, below}));
  INGOT_TRY(isNegative, call.binary<LessOp>(x, call.scalarLike(0, x)));
  INGOT_TRY(opposite, call.make<NegOp>({rounded}));
  return call.set(call.make<SelectOp>({isNegative, opposite, rounded}));
}

static LogicalResult importIsInf(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(size, call.make<AbsOp>({x}));
  return call.set(
      call.binary<EqualOp>(size, call.scalarLike(std::numeric_limits<double>::infinity(), x)));
}

static LogicalResult importIsFinite(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(size, call.make<AbsOp>({x}));
  return call.set(
      call.binary<LessOp>(size, call.scalarLike(std::numeric_limits<double>::infinity(), x)));
}

static LogicalResult importClip(Call &call) {
  INGOT_TRY(x, call.in(0));
  double low = call.number("a_min", -std::numeric_limits<double>::infinity());
  double high = call.number("a_max", std::numeric_limits<double>::infinity());
  mlir::Type element = Call::elementType(x);
  if (auto integer = dyn_cast<IntegerType>(element)) {
    // Bounds outside the type bound nothing.
    unsigned bits = integer.getWidth();
    double least = integer.isUnsigned() ? 0 : -std::ldexp(1.0, static_cast<int>(bits) - 1);
    double greatest = std::ldexp(1.0, static_cast<int>(bits) - (integer.isUnsigned() ? 0 : 1)) - 1;
    if (bits == 64)
      greatest = 9223372036854774784.0;
    low = std::clamp(low, least, greatest);
    high = std::clamp(high, least, greatest);
  }
  return call.set(call.clamp(x, call.scalar(low, element), call.scalar(high, element)));
}

static LogicalResult importLeakyRelu(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(scaled, call.mul(x, call.scalarLike(call.number("alpha", 0.01), x)));
  INGOT_TRY(isPositive, call.binary<GreaterOp>(x, call.scalarLike(0, x)));
  return call.set(call.make<SelectOp>({isPositive, x, scaled}));
}

static LogicalResult importPRelu(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(slope, call.in(1));
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), Call::rankOf(x)));
  if (Call::rankOf(slope) != 1)
    return call.refuse("its slopes must be a vector");
  SmallVector<AffineExpr> shape(Call::rankOf(x), call.constantExpr(1));
  shape[axis] = Call::dimsOf(slope)[0];
  INGOT_TRY(lined, call.reshape(slope, shape));
  INGOT_TRY(scaled, call.mul(x, lined));
  INGOT_TRY(isPositive, call.binary<GreaterOp>(x, call.scalarLike(0, x)));
  return call.set(call.make<SelectOp>({isPositive, x, scaled}));
}

//===----------------------------------------------------------------------------------------===//
// Types, bits, choice
//===----------------------------------------------------------------------------------------===//

static LogicalResult importCast(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(element, call.element("dtype", {}));
  if (!element)
    return call.refuse("it needs the attribute dtype");
  return call.set(call.cast(x, element));
}

static LogicalResult importCastLike(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(like, call.in(1));
  return call.set(call.cast(x, Call::elementType(like)));
}

static LogicalResult importCopy(Call &call) {
  INGOT_TRY(x, call.in(0));
  return call.set(x);
}

static LogicalResult importWhere(Call &call) {
  INGOT_TRY(condition, call.in(0));
  INGOT_TRY(x, call.in(1));
  INGOT_TRY(y, call.in(2));
  if (Call::elementType(x) != Call::elementType(y))
    return call.refuse("its operands differ in element type");
  INGOT_TRY(isTrue, call.cast(condition, call.b.getI1Type()));
  return call.set(call.make<SelectOp>({isTrue, x, y}));
}

/// The operand, and where nothing was dropped.
static LogicalResult importDropout(Call &call) {
  INGOT_TRY(x, call.in(0));
  call.number("rate", 0.5);
  INGOT_TRY(kept, call.broadcast(call.scalarLike(1, x), Call::dimsOf(x)));
  return call.setTuple({x, kept});
}

/// Copies of the sign bit come in from the left.
static Result shiftRight(Call &call, Value x, Value y) {
  if (isFloat(x))
    return call.refuse("only integers have bits to shift");
  if (Call::elementType(x).isUnsignedInteger())
    return call.binary<ShiftRightOp>(x, y);
  // Of a negative number the complement is shifted, and complemented again.
  INGOT_TRY(isNegative, call.binary<LessOp>(x, call.scalarLike(0, x)));
  INGOT_TRY(inverted, call.make<BitNotOp>({x}));
  INGOT_TRY(positive, call.make<SelectOp>({isNegative, inverted, x}));
  INGOT_TRY(shifted, call.binary<ShiftRightOp>(positive, y));
  INGOT_TRY(back, call.make<BitNotOp>({shifted}));
  return call.make<SelectOp>({isNegative, back, shifted});
}

static LogicalResult importShiftRight(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  return call.set(shiftRight(call, x, y));
}

/// x times a multiplier of 31 fractional bits, times 2^shift, rounded to the nearest; halves up.
static LogicalResult importFixedPointMultiply(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t multiplier = call.integer("multiplier", 0), shift = call.integer("shift", 0);
  if (!Call::elementType(x).isSignlessInteger(32))
    return call.refuse("its operand must be int32");
  if (multiplier != static_cast<int32_t>(multiplier) || shift < -31 || shift > 31)
    return call.refuse("its multiplier and its shift must fit into 32 bits");
  mlir::Type wide = call.b.getI64Type();
  auto number = [&](int64_t value) { return call.integerConstant({}, {value}, wide); };
  int64_t left = std::max<int64_t>(shift, 0), right = 31 + std::max<int64_t>(-shift, 0);
  INGOT_TRY(x64, call.cast(x, wide));
  INGOT_TRY(raised, call.mul(x64, number(int64_t(1) << left)));
  INGOT_TRY(product, call.mul(raised, number(multiplier)));
  INGOT_TRY(rounded, call.add(product, number(int64_t(1) << (right - 1))));
  INGOT_TRY(result, shiftRight(call, rounded, number(right)));
  return call.set(call.cast(result, Call::elementType(x)));
}

/// The same with a multiplier and shifts (int32) for each position of `axes`: first to the left,
/// then, with the 31 bits, to the right.
static LogicalResult importFixedPointMultiplyPerAxis(Call &call) {
  INGOT_TRY(x, call.in(0));
  mlir::Type wide = call.b.getI64Type();
  SmallVector<int64_t> given = call.integerList("axes", {});
  INGOT_TRY(axes, call.axes(given, Call::rankOf(x)));
  bool isLeft = call.flag("is_lshift_required", false),
       isRight = call.flag("is_rshift_required", false);
  if (!Call::elementType(x).isSignlessInteger(32))
    return call.refuse("its operand must be int32");
  SmallVector<Value> factors;
  for (size_t i = 1; i < 4; ++i) {
    INGOT_TRY(factor, call.in(i));
    if (Call::rankOf(factor) != static_cast<int64_t>(axes.size()) ||
        !isa<IntegerType>(Call::elementType(factor)))
      return call.refuse("its multiplier and shifts must be integers with a dimension for each of "
                         "its axes");
    SmallVector<AffineExpr> shape(Call::rankOf(x), call.constantExpr(1));
    for (auto [axis, dim] : llvm::zip(axes, Call::dimsOf(factor)))
      shape[axis] = dim;
    INGOT_TRY(apart, call.reshape(factor, shape));
    INGOT_TRY(value, call.cast(apart, wide));
    factors.push_back(value);
  }
  auto number = [&](int64_t value) { return call.integerConstant({}, {value}, wide); };
  INGOT_TRY(value, call.cast(x, wide));
  if (isLeft) {
    INGOT_TRY(raised, call.binary<ShiftLeftOp>(value, factors[1]));
    value = raised;
  }
  INGOT_TRY(product, call.mul(value, factors[0]));
  Value right = number(31), half = number(int64_t(1) << 30);
  if (isRight) {
    INGOT_TRY(both, call.add(right, factors[2]));
    INGOT_TRY(less, call.sub(both, number(1)));
    INGOT_TRY(bit, call.binary<ShiftLeftOp>(number(1), less));
    right = both;
    half = bit;
  }
  INGOT_TRY(rounded, call.add(product, half));
  INGOT_TRY(result, shiftRight(call, rounded, right));
  return call.set(call.cast(result, Call::elementType(x)));
}

void registerElementwise(OperatorTable &table) {
  table["add"] = importBinary<AddOp>;
  table["subtract"] = importBinary<SubOp>;
  table["multiply"] = importBinary<MulOp>;
  table["divide"] = importBinary<DivOp>;
  table["trunc_divide"] = importTruncDivide;
  table["floor_divide"] = importFloorDivide;
  table["mod"] = importBinary<FmodOp>;
  table["trunc_mod"] = importBinary<FmodOp>;
  table["floor_mod"] = importFloorMod;
  table["maximum"] = importBinary<MaxOp>;
  table["minimum"] = importBinary<MinOp>;
  table["power"] = importBinary<PowOp>;
  table["equal"] = importBinary<EqualOp>;
  table["not_equal"] = importNotEqual;
  table["less"] = importBinary<LessOp>;
  table["less_equal"] = importBinary<LessOrEqualOp>;
  table["greater"] = importBinary<GreaterOp>;
  table["greater_equal"] = importBinary<GreaterOrEqualOp>;
  table["logical_and"] = importBinary<AndOp>;
  table["logical_or"] = importBinary<OrOp>;
  table["logical_xor"] = importBinary<XorOp>;
  table["logical_not"] = importUnary<NotOp>;
  table["bitwise_and"] = importBinary<BitAndOp>;
  table["bitwise_or"] = importBinary<BitOrOp>;
  table["bitwise_xor"] = importBinary<BitXorOp>;
  table["bitwise_not"] = importUnary<BitNotOp>;
  table["left_shift"] = importBinary<ShiftLeftOp>;
  table["right_shift"] = importShiftRight;
  table["fixed_point_multiply"] = importFixedPointMultiply;
  table["fixed_point_multiply_per_axis"] = importFixedPointMultiplyPerAxis;
  table["negative"] = importUnary<NegOp>;
  table["abs"] = importUnary<AbsOp>;
  table["sign"] = importUnary<SignOp>;
  table["floor"] = importUnary<FloorOp>;
  table["ceil"] = importUnary<CeilOp>;
  table["trunc"] = importTrunc;
  table["round"] = importRound;
  table["sqrt"] = importUnary<SqrtOp>;
  table["rsqrt"] = importRsqrt;
  table["exp"] = importUnary<ExpOp>;
  table["fast_exp"] = importUnary<ExpOp>;
  table["log"] = importUnary<LogOp>;
  table["log2"] = importLog2;
  table["log10"] = importLog10;
  table["sin"] = importUnary<SinOp>;
  table["cos"] = importUnary<CosOp>;
  table["tan"] = importUnary<TanOp>;
  table["asin"] = importUnary<AsinOp>;
  table["acos"] = importUnary<AcosOp>;
  table["atan"] = importUnary<AtanOp>;
  table["sinh"] = importUnary<SinhOp>;
  table["cosh"] = importUnary<CoshOp>;
  table["tanh"] = importUnary<TanhOp>;
  table["fast_tanh"] = importUnary<TanhOp>;
  table["asinh"] = importUnary<AsinhOp>;
  table["acosh"] = importUnary<AcoshOp>;
  table["atanh"] = importUnary<AtanhOp>;
  table["erf"] = importUnary<ErfOp>;
  table["fast_erf"] = importUnary<ErfOp>;
  table["sigmoid"] = importUnary<SigmoidOp>;
  table["isnan"] = importUnary<IsNaNOp>;
  table["isinf"] = importIsInf;
  table["isfinite"] = importIsFinite;
  table["clip"] = importClip;
  table["nn.relu"] = importUnary<ReluOp>;
  table["nn.leaky_relu"] = importLeakyRelu;
  table["nn.prelu"] = importPRelu;
  table["nn.dropout"] = importDropout;
  table["cast"] = importCast;
  table["cast_like"] = importCastLike;
  table["copy"] = importCopy;
  table["where"] = importWhere;
}

} // namespace ingot::relay
