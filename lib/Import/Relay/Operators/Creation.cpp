//===- Creation.cpp - Tensors of one value, and what shapes say ------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// The attribute `shape`.
static SmallVector<AffineExpr> shapeOf(Call &call) {
  SmallVector<AffineExpr> shape;
  for (int64_t extent : call.integerList("shape", ArrayRef<int64_t>()))
    shape.push_back(call.constantExpr(extent));
  return shape;
}

static LogicalResult importFull(Call &call) {
  INGOT_TRY(value, call.in(0));
  INGOT_TRY(element, call.element("dtype", Call::elementType(value)));
  INGOT_TRY(scalar, call.reshape(value, {}));
  INGOT_TRY(same, call.cast(scalar, element));
  return call.set(call.broadcast(same, shapeOf(call)));
}

static LogicalResult importFullLike(Call &call) {
  INGOT_TRY(like, call.in(0));
  INGOT_TRY(value, call.in(1));
  INGOT_TRY(scalar, call.reshape(value, {}));
  INGOT_TRY(same, call.cast(scalar, Call::elementType(like)));
  return call.set(call.broadcast(same, Call::dimsOf(like)));
}

template <int value> static LogicalResult importConstant(Call &call) {
  INGOT_TRY(element, call.element("dtype", call.b.getF32Type()));
  return call.set(call.broadcast(call.scalar(value, element), shapeOf(call)));
}

template <int value> static LogicalResult importConstantLike(Call &call) {
  INGOT_TRY(like, call.in(0));
  return call.set(call.broadcast(call.scalarLike(value, like), Call::dimsOf(like)));
}

/// The only element of a constant.
static std::optional<double> constantNumber(Value v) {
  auto constant = v.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!dense || dense.getNumElements() != 1)
    return std::nullopt;
  Attribute value = *dense.getValues<Attribute>().begin();
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValueAsDouble();
  return static_cast<double>(cast<IntegerAttr>(value).getValue().getSExtValue());
}

static LogicalResult importArange(Call &call) {
  INGOT_TRY(startValue, call.in(0));
  INGOT_TRY(stopValue, call.in(1));
  INGOT_TRY(stepValue, call.in(2));
  INGOT_TRY(element, call.element("dtype", Call::elementType(startValue)));
  for (const char *given : {"start", "stop", "step"})
    call.attribute(given);
  auto start = constantNumber(startValue), stop = constantNumber(stopValue),
       step = constantNumber(stepValue);
  if (!start || !stop || !step || *step == 0)
    return call.refuse("its bounds must be constant and its step not 0");
  double count = std::ceil((*stop - *start) / *step);
  if (!(count < 1e12))
    return call.refuse("it has too many elements");
  INGOT_TRY(position, call.iota({call.constantExpr(std::max<int64_t>(0, int64_t(count)))}, 0,
                                element.isInteger(1) ? mlir::Type(call.b.getI32Type()) : element));
  INGOT_TRY(scaled, call.mul(position, call.scalarLike(*step, position)));
  INGOT_TRY(moved, call.add(scaled, call.scalarLike(*start, position)));
  return call.set(call.cast(moved, element));
}

static LogicalResult importShapeOf(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(element, call.element("dtype", call.b.getI32Type()));
  INGOT_TRY(dims, call.dimsTensor(Call::dimsOf(x)));
  return call.set(call.cast(dims, element));
}

static LogicalResult importNdarraySize(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(element, call.element("dtype", call.b.getI32Type()));
  INGOT_TRY(dims, call.dimsTensor({elementCount(Call::typeOf(x))}));
  INGOT_TRY(scalar, call.reshape(dims, {}));
  return call.set(call.cast(scalar, element));
}

/// Keeps the triangle of each matrix above or below its diagonal `k`.
static LogicalResult importTrilu(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(k, call.in(1));
  if (Call::rankOf(x) < 2)
    return call.refuse("expected matrices");
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  ArrayRef<AffineExpr> shape = ArrayRef(dims).take_back(2);
  mlir::Type wide = call.b.getI64Type();
  INGOT_TRY(row, call.iota(shape, 0, wide));
  INGOT_TRY(column, call.iota(shape, 1, wide));
  INGOT_TRY(offset, call.cast(k, wide));
  INGOT_TRY(scalar, call.reshape(offset, {}));
  INGOT_TRY(diagonal, call.add(row, scalar));
  Result keeps = call.flag("upper", true) ? call.binary<GreaterOrEqualOp>(column, diagonal)
                                          : call.binary<LessOrEqualOp>(column, diagonal);
  if (failed(keeps))
    return failure();
  return call.set(call.make<SelectOp>({*keeps, x, call.scalarLike(0, x)}));
}

void registerCreation(OperatorTable &table) {
  table["full"] = importFull;
  table["full_like"] = importFullLike;
  table["zeros"] = importConstant<0>;
  table["ones"] = importConstant<1>;
  table["zeros_like"] = importConstantLike<0>;
  table["ones_like"] = importConstantLike<1>;
  table["arange"] = importArange;
  table["shape_of"] = importShapeOf;
  table["ndarray_size"] = importNdarraySize;
  table["trilu"] = importTrilu;
}

} // namespace ingot::relay
