//===- TensorBuilder.cpp - Making operators of the dialect from a file ------------------------===//

#include "Import/TensorBuilder.h"

using namespace mlir;

namespace ingot {

LogicalResult TensorBuilder::refuse(const Twine &reason) {
  emitError(loc) << reason;
  return failure();
}

FailureOr<int64_t> TensorBuilder::axis(int64_t axis, int64_t rank) {
  int64_t positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= rank)
    return refuse("axis " + Twine(axis) + " is outside rank " + Twine(rank));
  return positive;
}

FailureOr<SmallVector<int64_t>> TensorBuilder::axes(ArrayRef<int64_t> list, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t each : list) {
    INGOT_TRY(positive, axis(each, rank));
    result.push_back(positive);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    return refuse("its axes name a dimension twice");
  return result;
}

NamedAttribute TensorBuilder::dims(StringRef name, ArrayRef<AffineExpr> values) {
  return attr(name, DimsAttr::get(b.getContext(), llvm::map_to_vector(values, simplifyDim)));
}

Value TensorBuilder::scalar(double value, Type element) { return constant({}, value, element); }

Value TensorBuilder::constant(ArrayRef<int64_t> shape, ArrayRef<double> values, Type element) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> attributes;
  for (double v : values)
    attributes.push_back(
        isa<FloatType>(element)
            ? Attribute(b.getFloatAttr(element, v))
            : Attribute(IntegerAttr::get(element,
                                         APInt(64, static_cast<uint64_t>(static_cast<int64_t>(v)))
                                             .trunc(element.getIntOrFloatBitWidth()))));
  return b.create<ConstantOp>(loc, DenseElementsAttr::get(type, attributes));
}

Value TensorBuilder::integerConstant(ArrayRef<int64_t> shape, ArrayRef<int64_t> values,
                                     Type element) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<APInt> bits;
  for (int64_t v : values)
    bits.push_back(APInt(64, static_cast<uint64_t>(v)).trunc(element.getIntOrFloatBitWidth()));
  return b.create<ConstantOp>(loc, DenseElementsAttr::get(type, bits));
}

Result TensorBuilder::iota(ArrayRef<AffineExpr> shape, int64_t axis, Type element) {
  return make<IotaOp>({}, {dims("shape", shape), attr("axis", b.getI64IntegerAttr(axis)),
                           attr("element", TypeAttr::get(element))});
}

Result TensorBuilder::dimsTensor(ArrayRef<AffineExpr> values) {
  return make<DimsTensorOp>(
      {}, {dims("values", values), attr("element", TypeAttr::get(b.getI64Type()))});
}

Result TensorBuilder::reshape(Value x, ArrayRef<AffineExpr> shape) {
  return make<ReshapeOp>({x}, {dims("shape", shape)});
}

Result TensorBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  return make<TransposeOp>({x}, {list("permutation", permutation)});
}

Result TensorBuilder::broadcast(Value x, ArrayRef<AffineExpr> shape) {
  return make<BroadcastOp>({x}, {dims("shape", shape)});
}

Result TensorBuilder::cast(Value x, Type element) {
  if (elementType(x) == element)
    return x;
  return make<CastOp>({x}, {attr("to", TypeAttr::get(element))});
}

Result TensorBuilder::reduce(Value x, StringRef kind, ArrayRef<int64_t> dims, bool keepDims) {
  return make<ReduceOp>({x}, {attr("kind", b.getStringAttr(kind)), list("dims", dims),
                              attr("keep_dims", b.getBoolAttr(keepDims))});
}

Result TensorBuilder::mean(Value x, ArrayRef<int64_t> dims, bool keepDims) {
  SmallVector<AffineExpr> extents;
  for (int64_t dim : dims)
    extents.push_back(getDim(typeOf(x), dim));
  AffineExpr count = dimProduct(b.getContext(), extents);
  INGOT_TRY(sum, reduce(x, "sum", dims, keepDims));
  Type element = elementType(x);
  if (auto fixed = constantDim(count)) {
    if (isa<FloatType>(element))
      return mul(sum, scalar(*fixed ? 1.0 / double(*fixed) : 0.0, element));
    return div(sum, scalar(double(*fixed), element));
  }
  INGOT_TRY(number, dimsTensor({count}));
  INGOT_TRY(flat, reshape(number, {}));
  INGOT_TRY(divisor, cast(flat, element));
  return div(sum, divisor);
}

Result TensorBuilder::perChannel(Value x, int64_t rank) {
  if (rankOf(x) != 1 || rank < 2)
    return refuse("expected one number for each channel");
  SmallVector<AffineExpr> shape(rank - 1, constantExpr(1));
  shape[0] = getDim(typeOf(x), 0);
  return reshape(x, shape);
}

Result TensorBuilder::channelsLast(Value x) {
  SmallVector<int64_t> permutation{0};
  for (int64_t i = 2; i < rankOf(x); ++i)
    permutation.push_back(i);
  permutation.push_back(1);
  return transpose(x, permutation);
}

Result TensorBuilder::channelsFirst(Value x) {
  int64_t rank = rankOf(x);
  SmallVector<int64_t> permutation{0, rank - 1};
  for (int64_t i = 1; i + 1 < rank; ++i)
    permutation.push_back(i);
  return transpose(x, permutation);
}

Result TensorBuilder::clamp(Value x, Value low, Value high) {
  INGOT_TRY(atLeast, binary<MaxOp>(x, low));
  return binary<MinOp>(atLeast, high);
}

Result TensorBuilder::saturate(Value x, Type element) {
  int bits = static_cast<int>(element.getIntOrFloatBitWidth());
  bool isUnsigned = element.isUnsignedInteger();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, bits - 1);
  double high = std::ldexp(1.0, bits - (isUnsigned ? 0 : 1)) - 1;
  INGOT_TRY(clamped, clamp(x, scalarLike(low, x), scalarLike(high, x)));
  return cast(clamped, element);
}

} // namespace ingot
