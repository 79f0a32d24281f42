//===- ScalarBuilder.h - Arithmetic on elements -----------------------------------------------===//
//
// Builds arith and math operations on the elements of tensors, scalars or vectors alike: one source
// for the meaning of an operation in each element type. Half-precision elements are computed in
// float32, booleans in i1.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace ingot {

/// The type in which elements of the tensor element type `element` are computed: f32 for f16 and
/// bf16, the signless integer for signed and unsigned ones.
mlir::Type computeType(mlir::Type element);

enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

class ScalarBuilder {
public:
  /// `element` is the tensor element type the arithmetic is in; `*vectorFailed` is set when an
  /// operation has no vector form (the caller then builds again with scalars).
  ScalarBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element, bool *vectorFailed)
      : b(b), loc(loc), element(element), vectorFailed(vectorFailed) {}

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type element;

  /// The same builder for another tensor element type.
  ScalarBuilder as(mlir::Type other) const { return ScalarBuilder(b, loc, other, vectorFailed); }

  bool isFloat() const { return llvm::isa<mlir::FloatType>(element); }
  bool isUnsigned() const { return element.isUnsignedInteger(); }
  bool isBool() const { return element.isInteger(1); }

  mlir::Value constant(double value);
  mlir::Value integer(int64_t value);
  /// The least and the greatest value of the type (infinities for floats).
  mlir::Value lowest();
  mlir::Value highest();

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  /// Integers truncate towards zero; division by zero gives an unspecified value, never a trap.
  mlir::Value div(mlir::Value x, mlir::Value y);
  /// Sign of the result: `fmod` the dividend's, `mod` the divisor's (integers only).
  mlir::Value fmod(mlir::Value x, mlir::Value y);
  mlir::Value mod(mlir::Value x, mlir::Value y);
  /// NaN if either is NaN.
  mlir::Value min(mlir::Value x, mlir::Value y);
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value pow(mlir::Value x, mlir::Value y);
  mlir::Value neg(mlir::Value x);
  mlir::Value abs(mlir::Value x);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);

  mlir::Value bitAnd(mlir::Value x, mlir::Value y);
  mlir::Value bitOr(mlir::Value x, mlir::Value y);
  mlir::Value bitXor(mlir::Value x, mlir::Value y);
  mlir::Value bitNot(mlir::Value x);
  /// Shifts by the width or more give zero.
  mlir::Value shiftLeft(mlir::Value x, mlir::Value y);
  mlir::Value shiftRight(mlir::Value x, mlir::Value y);

  mlir::Value sqrt(mlir::Value x);
  mlir::Value floor(mlir::Value x);
  mlir::Value ceil(mlir::Value x);
  mlir::Value trunc(mlir::Value x);
  mlir::Value roundEven(mlir::Value x);
  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  mlir::Value sigmoid(mlir::Value x);

  /// An operation of the math dialect of one operand that has no vector form here.
  template <typename MathOp> mlir::Value scalarMath(mlir::Value x) {
    failIfVector(x);
    return b.create<MathOp>(loc, x);
  }

  /// Ordered comparison: false when either is NaN (NotEqual: true). The result is i1, or a vector
  /// of it.
  mlir::Value compare(Compare predicate, mlir::Value x, mlir::Value y);
  mlir::Value isNaN(mlir::Value x);
  /// `condition` may be a scalar beside vectors.
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);

  /// `x`, an element of this builder's type, converted to the tensor element type `to`: floats
  /// truncate towards zero and saturate, booleans are "not zero" (ONNX Cast).
  mlir::Value cast(mlir::Value x, mlir::Type to);

  /// Makes `x` and `y` both vectors if one is.
  void unify(mlir::Value &x, mlir::Value &y);
  /// A vector of the width of `like` if that is a vector and `x` is not.
  mlir::Value broadcastLike(mlir::Value x, mlir::Value like);
  void failIfVector(mlir::Value x);

private:
  template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
  mlir::Value binary(mlir::Value x, mlir::Value y);
  mlir::Value safeDivisor(mlir::Value x, mlir::Value y, mlir::Value &overflows);
  mlir::Value extremum(bool isMax, mlir::Value x, mlir::Value y);

  bool *vectorFailed;
};

} // namespace ingot
