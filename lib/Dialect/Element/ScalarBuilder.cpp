//===- ScalarBuilder.cpp - Arithmetic on elements ---------------------------------------------===//

#include "Dialect/Element/ScalarBuilder.h"
#include "Dialect/Element/VectorMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;

namespace ingot {

Type computeType(Type element) {
  if (isa<Float16Type, BFloat16Type>(element))
    return Float32Type::get(element.getContext());
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

//===----------------------------------------------------------------------------------------===//
// Constants and widths
//===----------------------------------------------------------------------------------------===//

Value ScalarBuilder::constant(double value) {
  Type type = computeType(element);
  if (isa<FloatType>(type))
    return b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, value));
  return integer(static_cast<int64_t>(value));
}

Value ScalarBuilder::integer(int64_t value) {
  Type type = computeType(element);
  if (isa<FloatType>(type))
    return constant(static_cast<double>(value));
  APInt bits(64, static_cast<uint64_t>(value), true);
  return b.create<arith::ConstantOp>(
      loc, b.getIntegerAttr(type, bits.trunc(type.getIntOrFloatBitWidth())));
}

Value ScalarBuilder::lowest() {
  Type type = computeType(element);
  if (auto f = dyn_cast<FloatType>(type))
    return b.create<arith::ConstantOp>(
        loc, b.getFloatAttr(type, APFloat::getInf(f.getFloatSemantics(), true)));
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value =
      isUnsigned() || isBool() ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, value));
}

Value ScalarBuilder::highest() {
  Type type = computeType(element);
  if (auto f = dyn_cast<FloatType>(type))
    return b.create<arith::ConstantOp>(
        loc, b.getFloatAttr(type, APFloat::getInf(f.getFloatSemantics())));
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value =
      isUnsigned() || isBool() ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, value));
}

Value ScalarBuilder::broadcastLike(Value x, Value like) {
  auto vector = dyn_cast<VectorType>(like.getType());
  if (!vector || isa<VectorType>(x.getType()))
    return x;
  return b.create<vector::BroadcastOp>(loc, VectorType::get(vector.getShape(), x.getType()), x);
}

void ScalarBuilder::unify(Value &x, Value &y) {
  Value wide = broadcastLike(x, y);
  y = broadcastLike(y, x);
  x = wide;
}

void ScalarBuilder::failIfVector(Value x) {
  if (isa<VectorType>(x.getType()) && vectorFailed)
    *vectorFailed = true;
}

//===----------------------------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------------------------===//

template <typename FloatOp, typename SignedOp, typename UnsignedOp>
Value ScalarBuilder::binary(Value x, Value y) {
  unify(x, y);
  if (isFloat())
    return b.createOrFold<FloatOp>(loc, x, y);
  if (isUnsigned() || isBool())
    return b.createOrFold<UnsignedOp>(loc, x, y);
  return b.createOrFold<SignedOp>(loc, x, y);
}

Value ScalarBuilder::add(Value x, Value y) { return binary<arith::AddFOp, arith::AddIOp>(x, y); }
Value ScalarBuilder::sub(Value x, Value y) { return binary<arith::SubFOp, arith::SubIOp>(x, y); }
Value ScalarBuilder::mul(Value x, Value y) { return binary<arith::MulFOp, arith::MulIOp>(x, y); }

/// A divisor that cannot trap: 1 in place of 0, and for signed types 1 in place of -1, in which
/// case `overflows` says so and the caller negates the dividend instead.
Value ScalarBuilder::safeDivisor(Value x, Value y, Value &overflows) {
  overflows = nullptr;
  APInt known;
  if (matchPattern(y, m_ConstantInt(&known)) && !known.isZero() &&
      (isUnsigned() || !known.isAllOnes()))
    return y;
  Value one = broadcastLike(integer(1), y), zero = broadcastLike(integer(0), y);
  Value bad = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, y, zero);
  if (!isUnsigned()) {
    Value minusOne = broadcastLike(integer(-1), y);
    overflows = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, y, minusOne);
    bad = b.create<arith::OrIOp>(loc, bad, overflows);
  }
  return b.create<arith::SelectOp>(loc, bad, one, y);
}

Value ScalarBuilder::div(Value x, Value y) {
  unify(x, y);
  if (isFloat())
    return b.createOrFold<arith::DivFOp>(loc, x, y);
  Value overflows;
  Value divisor = safeDivisor(x, y, overflows);
  if (isUnsigned())
    return b.createOrFold<arith::DivUIOp>(loc, x, divisor);
  Value quotient = b.createOrFold<arith::DivSIOp>(loc, x, divisor);
  return overflows ? b.create<arith::SelectOp>(loc, overflows, neg(x), quotient) : quotient;
}

Value ScalarBuilder::fmod(Value x, Value y) {
  unify(x, y);
  if (isFloat()) {
    failIfVector(x);
    return b.create<arith::RemFOp>(loc, x, y);
  }
  Value overflows;
  Value divisor = safeDivisor(x, y, overflows);
  if (isUnsigned())
    return b.createOrFold<arith::RemUIOp>(loc, x, divisor);
  // A remainder by -1 is 0, as by the 1 that stands in for it.
  return b.createOrFold<arith::RemSIOp>(loc, x, divisor);
}

Value ScalarBuilder::mod(Value x, Value y) {
  unify(x, y);
  Value r = fmod(x, y);
  if (isUnsigned())
    return r;
  Value zero = constant(0);
  Value differs = b.create<arith::XOrIOp>(loc, compare(Compare::Less, r, zero),
                                          compare(Compare::Less, y, zero));
  Value adjust = b.create<arith::AndIOp>(loc, compare(Compare::NotEqual, r, zero), differs);
  return select(adjust, add(r, y), r);
}

/// A comparison and a selection with the constant as first operand is what one maxps or minps does,
/// NaN included.
Value ScalarBuilder::extremum(bool isMax, Value x, Value y) {
  unify(x, y);
  if (!isFloat()) {
    if (isUnsigned() || isBool())
      return isMax ? b.createOrFold<arith::MaxUIOp>(loc, x, y)
                   : b.createOrFold<arith::MinUIOp>(loc, x, y);
    return isMax ? b.createOrFold<arith::MaxSIOp>(loc, x, y)
                 : b.createOrFold<arith::MinSIOp>(loc, x, y);
  }
  auto isNumber = [](Value v) {
    if (auto splat = v.getDefiningOp<vector::BroadcastOp>())
      v = splat.getSource();
    FloatAttr value;
    return matchPattern(v, m_Constant(&value)) && !value.getValue().isNaN();
  };
  if (isNumber(x))
    std::swap(x, y);
  if (isNumber(y)) {
    auto predicate = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    Value yWins = b.create<arith::CmpFOp>(loc, predicate, y, x);
    return b.create<arith::SelectOp>(loc, yWins, y, x);
  }
  return isMax ? b.createOrFold<arith::MaximumFOp>(loc, x, y)
               : b.createOrFold<arith::MinimumFOp>(loc, x, y);
}

Value ScalarBuilder::min(Value x, Value y) { return extremum(false, x, y); }
Value ScalarBuilder::max(Value x, Value y) { return extremum(true, x, y); }

Value ScalarBuilder::pow(Value x, Value y) {
  unify(x, y);
  failIfVector(x);
  if (isFloat())
    return b.create<math::PowFOp>(loc, x, y);
  // Integers by way of double: exact where the result has at most 53 bits.
  Type f64 = b.getF64Type();
  ScalarBuilder wide = as(f64);
  return wide.cast(b.create<math::PowFOp>(loc, cast(x, f64), cast(y, f64)), element);
}

Value ScalarBuilder::neg(Value x) {
  if (isFloat())
    return b.createOrFold<arith::NegFOp>(loc, x);
  return sub(integer(0), x);
}

Value ScalarBuilder::abs(Value x) {
  if (isFloat())
    return b.createOrFold<math::AbsFOp>(loc, x);
  if (isUnsigned() || isBool())
    return x;
  return select(compare(Compare::Less, x, integer(0)), neg(x), x);
}

Value ScalarBuilder::fma(Value x, Value y, Value z) {
  unify(x, y);
  unify(x, z);
  unify(y, z);
  if (!isFloat())
    return add(mul(x, y), z);
  return b.create<math::FmaOp>(loc, x, y, z);
}

Value ScalarBuilder::bitAnd(Value x, Value y) {
  unify(x, y);
  return b.createOrFold<arith::AndIOp>(loc, x, y);
}
Value ScalarBuilder::bitOr(Value x, Value y) {
  unify(x, y);
  return b.createOrFold<arith::OrIOp>(loc, x, y);
}
Value ScalarBuilder::bitXor(Value x, Value y) {
  unify(x, y);
  return b.createOrFold<arith::XOrIOp>(loc, x, y);
}
Value ScalarBuilder::bitNot(Value x) { return bitXor(x, integer(-1)); }

template <typename ShiftOp> static Value shift(ScalarBuilder &s, Value x, Value y) {
  s.unify(x, y);
  int64_t width = computeType(s.element).getIntOrFloatBitWidth();
  Value limit = s.broadcastLike(s.integer(width), y);
  Value inRange = s.b.create<arith::CmpIOp>(s.loc, arith::CmpIPredicate::ult, y, limit);
  Value amount = s.select(inRange, y, s.integer(0));
  return s.select(inRange, s.b.create<ShiftOp>(s.loc, x, amount), s.integer(0));
}
Value ScalarBuilder::shiftLeft(Value x, Value y) { return shift<arith::ShLIOp>(*this, x, y); }
Value ScalarBuilder::shiftRight(Value x, Value y) { return shift<arith::ShRUIOp>(*this, x, y); }

Value ScalarBuilder::sqrt(Value x) { return b.create<math::SqrtOp>(loc, x); }
Value ScalarBuilder::floor(Value x) { return b.create<math::FloorOp>(loc, x); }
Value ScalarBuilder::ceil(Value x) { return b.create<math::CeilOp>(loc, x); }
Value ScalarBuilder::trunc(Value x) { return b.create<math::TruncOp>(loc, x); }
Value ScalarBuilder::roundEven(Value x) { return b.create<math::RoundEvenOp>(loc, x); }

/// The vector form if `x` is a vector that has one, else the scalar operation.
template <typename MathOp>
static Value viaVectorMath(ScalarBuilder &s, Value x, Value (*expand)(ScalarBuilder &, Value)) {
  if (auto vector = dyn_cast<VectorType>(x.getType()); vector && vector.getElementType().isF32())
    return expand(s, x);
  return s.scalarMath<MathOp>(x);
}
Value ScalarBuilder::exp(Value x) { return viaVectorMath<math::ExpOp>(*this, x, vectorExp); }
Value ScalarBuilder::log(Value x) { return viaVectorMath<math::LogOp>(*this, x, vectorLog); }
Value ScalarBuilder::tanh(Value x) { return viaVectorMath<math::TanhOp>(*this, x, vectorTanh); }
Value ScalarBuilder::erf(Value x) { return viaVectorMath<math::ErfOp>(*this, x, vectorErf); }

Value ScalarBuilder::sigmoid(Value x) { return div(constant(1), add(constant(1), exp(neg(x)))); }

//===----------------------------------------------------------------------------------------===//
// Comparison, selection, conversion
//===----------------------------------------------------------------------------------------===//

Value ScalarBuilder::compare(Compare predicate, Value x, Value y) {
  unify(x, y);
  if (isFloat()) {
    static constexpr arith::CmpFPredicate ordered[] = {
        arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE, arith::CmpFPredicate::OLT,
        arith::CmpFPredicate::OLE, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return b.create<arith::CmpFOp>(loc, ordered[static_cast<int>(predicate)], x, y);
  }
  static constexpr arith::CmpIPredicate asSigned[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,  arith::CmpIPredicate::slt,
      arith::CmpIPredicate::sle, arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  static constexpr arith::CmpIPredicate asUnsigned[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,  arith::CmpIPredicate::ult,
      arith::CmpIPredicate::ule, arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  auto &table = isUnsigned() || isBool() ? asUnsigned : asSigned;
  return b.createOrFold<arith::CmpIOp>(loc, table[static_cast<int>(predicate)], x, y);
}

Value ScalarBuilder::isNaN(Value x) {
  return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, x, x);
}

Value ScalarBuilder::select(Value condition, Value x, Value y) {
  unify(x, y);
  if (isa<VectorType>(condition.getType())) {
    x = broadcastLike(x, condition);
    y = broadcastLike(y, condition);
  }
  return b.createOrFold<arith::SelectOp>(loc, condition, x, y);
}

/// `x` clamped to what an integer of `to` can hold; NaN becomes 0.
static Value saturate(ScalarBuilder &s, Value x, IntegerType to, bool isUnsigned) {
  unsigned width = to.getWidth();
  APInt lowest = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt highest = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto type = cast<FloatType>(computeType(s.element));
  auto bound = [&](const APInt &value) {
    APFloat f(type.getFloatSemantics());
    f.convertFromAPInt(value, !isUnsigned, APFloat::rmTowardZero);
    return s.broadcastLike(s.b.create<arith::ConstantOp>(s.loc, s.b.getFloatAttr(type, f)), x);
  };
  Value number = s.select(s.isNaN(x), s.constant(0), x);
  return s.min(s.max(number, bound(lowest)), bound(highest));
}

Value ScalarBuilder::cast(Value x, Type to) {
  Type from = computeType(element), target = computeType(to);
  if (element == to)
    return x;
  auto vector = dyn_cast<VectorType>(x.getType());
  auto shaped = [&](Type t) -> Type { return vector ? VectorType::get(vector.getShape(), t) : t; };
  if (to.isInteger(1))
    return compare(Compare::NotEqual, x, constant(0));
  if (from.getIntOrFloatBitWidth() != target.getIntOrFloatBitWidth())
    failIfVector(x);
  bool fromUnsigned = isUnsigned() || isBool();
  if (isa<FloatType>(from) && isa<FloatType>(target)) {
    if (from == target)
      return x;
    if (from.getIntOrFloatBitWidth() < target.getIntOrFloatBitWidth())
      return b.create<arith::ExtFOp>(loc, shaped(target), x);
    return b.create<arith::TruncFOp>(loc, shaped(target), x);
  }
  if (isa<FloatType>(from)) {
    x = saturate(*this, x, llvm::cast<IntegerType>(target), to.isUnsignedInteger());
    if (to.isUnsignedInteger())
      return b.create<arith::FPToUIOp>(loc, shaped(target), x);
    return b.create<arith::FPToSIOp>(loc, shaped(target), x);
  }
  if (isa<FloatType>(target)) {
    if (fromUnsigned)
      return b.create<arith::UIToFPOp>(loc, shaped(target), x);
    return b.create<arith::SIToFPOp>(loc, shaped(target), x);
  }
  if (from == target)
    return x;
  if (from.getIntOrFloatBitWidth() > target.getIntOrFloatBitWidth())
    return b.create<arith::TruncIOp>(loc, shaped(target), x);
  if (fromUnsigned)
    return b.create<arith::ExtUIOp>(loc, shaped(target), x);
  return b.create<arith::ExtSIOp>(loc, shaped(target), x);
}

} // namespace ingot
