//===- VectorMath.cpp - Elementary functions on float32 vectors -------------------------------===//
//
// Range reduction and polynomials after Moshier's Cephes library (single precision), Maclaurin's
// series and Abramowitz & Stegun 7.1.26 for erf. Errors, in units in the last place (measured by
// test/Accuracy over all exponents): exp 1.0, log 0.8, tanh 1.2, erf 3.0.
//
//===----------------------------------------------------------------------------------------===//

#include "Dialect/Element/VectorMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ingot {

namespace {
/// Shorthand for float32 and int32 vectors of the width of `like`.
struct Vectors {
  Vectors(ScalarBuilder &s, Value like)
      : b(s.b), loc(s.loc), f(s.as(b.getF32Type())), floats(llvm::cast<VectorType>(like.getType())),
        ints(VectorType::get(floats.getShape(), b.getI32Type())) {}

  Value real(double value) {
    return b.create<arith::ConstantOp>(loc,
                                       DenseElementsAttr::get(floats, b.getF32FloatAttr(value)));
  }
  Value integer(int32_t value) {
    return b.create<arith::ConstantOp>(loc,
                                       DenseElementsAttr::get(ints, b.getI32IntegerAttr(value)));
  }
  Value bits(Value x) { return b.create<arith::BitcastOp>(loc, ints, x); }
  Value fromBits(Value x) { return b.create<arith::BitcastOp>(loc, floats, x); }
  Value fma(Value x, Value y, Value z) { return b.create<math::FmaOp>(loc, x, y, z); }
  Value mul(Value x, Value y) { return b.create<arith::MulFOp>(loc, x, y); }
  Value add(Value x, Value y) { return b.create<arith::AddFOp>(loc, x, y); }
  Value sub(Value x, Value y) { return b.create<arith::SubFOp>(loc, x, y); }
  Value select(Value c, Value x, Value y) { return b.create<arith::SelectOp>(loc, c, x, y); }
  /// Horner's scheme, highest power first.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = real(coefficients[0]);
    for (double c : coefficients.drop_front())
      sum = fma(sum, x, real(c));
    return sum;
  }

  OpBuilder &b;
  Location loc;
  ScalarBuilder f;
  VectorType floats, ints;
};
} // namespace

Value vectorExp(ScalarBuilder &s, Value x) {
  Vectors v(s, x);
  // Beyond these bounds the result is 0 or infinite; the two-step scaling below reaches both.
  x = v.f.min(v.f.max(x, v.real(-104.0)), v.real(89.0));
  // Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits.
  Value magic = v.real(12582912.0);
  Value shifted = v.fma(x, v.real(1.44269504088896341), magic);
  Value n = v.sub(shifted, magic);
  Value exponent = v.b.create<arith::SubIOp>(v.loc, v.bits(shifted), v.bits(magic));
  Value r = v.fma(n, v.real(-0.693359375), x);
  r = v.fma(n, v.real(2.12194440e-4), r);
  Value p = v.polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                             1.6666665459e-1, 5.0000001201e-1});
  Value y = v.add(v.fma(v.mul(r, r), p, r), v.real(1.0));
  auto powerOfTwo = [&](Value e) {
    Value biased = v.b.create<arith::AddIOp>(v.loc, e, v.integer(127));
    return v.fromBits(v.b.create<arith::ShLIOp>(v.loc, biased, v.integer(23)));
  };
  Value half = v.b.create<arith::ShRSIOp>(v.loc, exponent, v.integer(1));
  Value rest = v.b.create<arith::SubIOp>(v.loc, exponent, half);
  return v.mul(v.mul(y, powerOfTwo(half)), powerOfTwo(rest));
}

Value vectorLog(ScalarBuilder &s, Value x) {
  Vectors v(s, x);
  Value isTiny = v.f.compare(Compare::Less, x, v.real(1.17549435e-38));
  Value scaled = v.select(isTiny, v.mul(x, v.real(8388608.0)), x);
  // The mantissa in [sqrt(1/2), sqrt(2)) and its exponent, by way of the bits.
  Value root = v.integer(0x3f3504f3);
  Value offset = v.b.create<arith::SubIOp>(v.loc, v.bits(scaled), root);
  Value exponent = v.b.create<arith::ShRSIOp>(v.loc, offset, v.integer(23));
  Value mantissaBits = v.b.create<arith::AndIOp>(v.loc, offset, v.integer(0x007fffff));
  Value f = v.sub(v.fromBits(v.b.create<arith::AddIOp>(v.loc, mantissaBits, root)), v.real(1.0));
  Value e = v.b.create<arith::SIToFPOp>(v.loc, v.floats, exponent);
  e = v.sub(e, v.select(isTiny, v.real(23.0), v.real(0.0)));
  Value z = v.mul(f, f);
  Value p = v.polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
                             1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
                             3.3333331174e-1});
  Value y = v.mul(v.mul(f, z), p);
  y = v.fma(e, v.real(-2.12194440e-4), y);
  y = v.fma(z, v.real(-0.5), y);
  Value result = v.fma(e, v.real(0.693359375), v.add(f, y));
  double infinity = std::numeric_limits<double>::infinity();
  result = v.select(v.f.compare(Compare::Equal, x, v.real(infinity)), x, result);
  result = v.select(v.f.compare(Compare::Equal, x, v.real(0.0)), v.real(-infinity), result);
  // Negative numbers and NaN: neither is at least zero.
  Value isValid = v.f.compare(Compare::GreaterOrEqual, x, v.real(0.0));
  return v.select(isValid, result, v.real(std::numeric_limits<double>::quiet_NaN()));
}

Value vectorTanh(ScalarBuilder &s, Value x) {
  Vectors v(s, x);
  Value magnitude = v.f.abs(x);
  Value z = v.mul(x, x);
  Value p = v.polynomial(z, {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                             1.33314422036e-1, -3.33332819422e-1});
  Value small = v.fma(v.mul(p, z), x, x);
  Value e = vectorExp(s, v.add(magnitude, magnitude));
  Value quotient = v.b.create<arith::DivFOp>(v.loc, v.real(2.0), v.add(e, v.real(1.0)));
  Value large = v.sub(v.real(1.0), quotient);
  large = v.select(v.f.compare(Compare::Less, x, v.real(0.0)), v.f.neg(large), large);
  return v.select(v.f.compare(Compare::Greater, magnitude, v.real(0.625)), large, small);
}

Value vectorErf(ScalarBuilder &s, Value x) {
  Vectors v(s, x);
  Value magnitude = v.f.abs(x);
  Value z = v.mul(x, x);
  // 2 / sqrt(pi) * sum of (-1)^n x^(2n+1) / (n! (2n+1))
  SmallVector<double> series;
  double factorial = 1;
  for (int n = 0; n <= 10; ++n) {
    factorial *= n ? n : 1;
    series.insert(series.begin(),
                  1.1283791670955126 * (n % 2 ? -1 : 1) / (factorial * (2 * n + 1)));
  }
  Value small = v.mul(v.polynomial(z, series), x);
  Value t = v.b.create<arith::DivFOp>(v.loc, v.real(1.0),
                                      v.fma(magnitude, v.real(0.3275911), v.real(1.0)));
  Value p = v.polynomial(t, {1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592});
  Value e = vectorExp(s, v.f.neg(z));
  Value large = v.sub(v.real(1.0), v.mul(v.mul(p, t), e));
  large = v.select(v.f.compare(Compare::Less, x, v.real(0.0)), v.f.neg(large), large);
  return v.select(v.f.compare(Compare::Greater, magnitude, v.real(1.0)), large, small);
}

} // namespace ingot
