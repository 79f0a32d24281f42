//===- TensorBuilder.h - Making operators of the dialect from a file --------------------------===//
#pragma once

#include "Dialect/CreateChecked.h"
#include "Operators/AllFamilies.h"
#include "mlir/IR/Builders.h"

namespace ingot {

using Result = llvm::FailureOr<mlir::Value>;

/// What the importers of all formats make operators with. Functions that return failure have
/// reported why, at `loc`.
class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::OpBuilder &b;
  mlir::Location loc;

  /// Says why this operator cannot be imported; returns failure.
  llvm::LogicalResult refuse(const llvm::Twine &reason);

  template <typename Op>
  Result make(mlir::ValueRange operands, llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    auto op = createChecked<Op>(b, loc, operands, attributes);
    if (failed(op))
      return mlir::failure();
    return mlir::Value(op->getOperation()->getResult(0));
  }
  /// An element-wise operator on operands that must have one element type.
  template <typename Op> Result binary(mlir::Value x, mlir::Value y) {
    if (elementType(x) != elementType(y))
      return refuse("its operands differ in element type");
    return make<Op>({x, y});
  }
  Result add(mlir::Value x, mlir::Value y) { return binary<AddOp>(x, y); }
  Result sub(mlir::Value x, mlir::Value y) { return binary<SubOp>(x, y); }
  Result mul(mlir::Value x, mlir::Value y) { return binary<MulOp>(x, y); }
  Result div(mlir::Value x, mlir::Value y) { return binary<DivOp>(x, y); }

  mlir::NamedAttribute attr(llvm::StringRef name, mlir::Attribute value) {
    return b.getNamedAttr(name, value);
  }
  mlir::NamedAttribute list(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return attr(name, b.getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute dims(llvm::StringRef name, llvm::ArrayRef<mlir::AffineExpr> values);

  mlir::Value scalar(double value, mlir::Type element);
  /// A scalar of the element type of `like`.
  mlir::Value scalarLike(double value, mlir::Value like) {
    return scalar(value, elementType(like));
  }
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values,
                       mlir::Type element);
  mlir::Value integerConstant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> values,
                              mlir::Type element);
  /// The position along `axis`, as an element of type `element`, everywhere in a tensor of `shape`.
  Result iota(llvm::ArrayRef<mlir::AffineExpr> shape, int64_t axis, mlir::Type element);
  /// A list [values...] of i64.
  Result dimsTensor(llvm::ArrayRef<mlir::AffineExpr> values);
  Result reshape(mlir::Value x, llvm::ArrayRef<mlir::AffineExpr> shape);
  Result transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);
  Result broadcast(mlir::Value x, llvm::ArrayRef<mlir::AffineExpr> shape);
  Result cast(mlir::Value x, mlir::Type element);
  Result reduce(mlir::Value x, llvm::StringRef kind, llvm::ArrayRef<int64_t> dims, bool keepDims);
  /// The sum divided by the number of elements.
  Result mean(mlir::Value x, llvm::ArrayRef<int64_t> dims, bool keepDims);
  /// `x` [C] so that it lines up with dimension 1 of a tensor of `rank`: [C, 1, ...].
  Result perChannel(mlir::Value x, int64_t rank);
  /// [N, C, S...] to [N, S..., C] and back.
  Result channelsLast(mlir::Value x);
  Result channelsFirst(mlir::Value x);
  Result clamp(mlir::Value x, mlir::Value low, mlir::Value high);
  /// `x`, which holds floats, cast to the integer type `element`, whose range it is clamped to.
  Result saturate(mlir::Value x, mlir::Type element);
  mlir::AffineExpr constantExpr(int64_t value) { return dimConstant(b.getContext(), value); }

  /// `axis`, which may count from the end, within rank; reports if outside.
  llvm::FailureOr<int64_t> axis(int64_t axis, int64_t rank);
  /// The same for a list; ascending, each once.
  llvm::FailureOr<llvm::SmallVector<int64_t>> axes(llvm::ArrayRef<int64_t> list, int64_t rank);

  static mlir::RankedTensorType typeOf(mlir::Value v) {
    return llvm::cast<mlir::RankedTensorType>(v.getType());
  }
  static mlir::Type elementType(mlir::Value v) { return typeOf(v).getElementType(); }
  static int64_t rankOf(mlir::Value v) { return typeOf(v).getRank(); }
  static llvm::SmallVector<mlir::AffineExpr> dimsOf(mlir::Value v) { return getDims(typeOf(v)); }
};

/// Assigns or returns failure from the enclosing function.
#define INGOT_TRY(variable, expression)                                                            \
  auto variable##OrFailure = (expression);                                                         \
  if (failed(variable##OrFailure))                                                                 \
    return mlir::failure();                                                                        \
  auto variable = std::move(*variable##OrFailure)

} // namespace ingot
