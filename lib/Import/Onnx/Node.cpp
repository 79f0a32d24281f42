//===- Node.cpp - One node of an ONNX graph ---------------------------------------------------===//

#include "Import/Onnx/Node.h"
#include "Dialect/ModelInterface.h"
#include "Import/Onnx/Graph.h"

using namespace mlir;

namespace ingot::onnx_import {

Node::Node(Graph &graph, const onnx::NodeProto &proto, int64_t version, Location loc)
    : graph(graph), proto(proto), version(version), b(graph.b), loc(loc) {}

LogicalResult Node::refuse(const Twine &reason) {
  emitError(loc) << reason;
  return failure();
}

//===----------------------------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------------------------===//

bool Node::has(size_t i) const { return i < inputCount() && !proto.input(i).empty(); }
bool Node::hasOutput(size_t i) const { return i < outputCount() && !proto.output(i).empty(); }

Result Node::in(size_t i) {
  if (!has(i))
    return refuse("operand " + Twine(i + 1) + " is missing");
  const Binding *binding = graph.find(proto.input(i));
  if (!binding || !binding->value)
    return refuse("operand '" + proto.input(i) + "' is not defined");
  return binding->value;
}

FailureOr<SmallVector<Value>> Node::allInputs() {
  SmallVector<Value> values;
  for (size_t i = 0; i < inputCount(); ++i) {
    INGOT_TRY(value, in(i));
    values.push_back(value);
  }
  if (values.empty())
    return refuse("it has no operands");
  return values;
}

std::optional<Content> Node::content(size_t i) {
  const Binding *binding = has(i) ? graph.find(proto.input(i)) : nullptr;
  return binding ? binding->content : std::nullopt;
}

FailureOr<Content> Node::expressions(size_t i, StringRef what) {
  INGOT_TRY(value, in(i));
  (void)value;
  if (auto known = content(i))
    return *known;
  return refuse("its " + what +
                " must be constant or arithmetic on shapes; computed from data is not supported");
}

FailureOr<SmallVector<int64_t>> Node::integers(size_t i, StringRef what) {
  INGOT_TRY(list, expressions(i, what));
  SmallVector<int64_t> result;
  for (AffineExpr expr : list) {
    auto value = constantDim(expr);
    if (!value)
      return refuse("its " + what + " must be constant");
    result.push_back(*value);
  }
  return result;
}

FailureOr<SmallVector<double>> Node::numbers(size_t i, StringRef what) {
  INGOT_TRY(value, in(i));
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!dense || dense.getNumElements() > 4096 || !isa<FloatType>(dense.getElementType()))
    return refuse("its " + what + " must be constant");
  SmallVector<double> result;
  for (APFloat v : dense.getValues<APFloat>()) {
    bool isInexact;
    v.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
    result.push_back(v.convertToDouble());
  }
  return result;
}

//===----------------------------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------------------------===//

const onnx::AttributeProto *Node::attribute(StringRef name) const {
  for (const onnx::AttributeProto &attribute : proto.attribute())
    if (StringRef(attribute.name()) == name)
      return &attribute;
  return nullptr;
}

int64_t Node::integer(StringRef name, int64_t otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->i() : otherwise;
}

double Node::number(StringRef name, double otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->f() : otherwise;
}

std::string Node::text(StringRef name, StringRef otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->s() : otherwise.str();
}

SmallVector<int64_t> Node::integerList(StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? SmallVector<int64_t>(found->ints().begin(), found->ints().end())
               : SmallVector<int64_t>();
}

SmallVector<double> Node::numberList(StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? SmallVector<double>(found->floats().begin(), found->floats().end())
               : SmallVector<double>();
}

FailureOr<int64_t> Node::axis(int64_t axis, int64_t rank) {
  int64_t positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= rank)
    return refuse("axis " + Twine(axis) + " is outside rank " + Twine(rank));
  return positive;
}

FailureOr<SmallVector<int64_t>> Node::axes(ArrayRef<int64_t> list, int64_t rank) {
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

//===----------------------------------------------------------------------------------------===//
// Making operators
//===----------------------------------------------------------------------------------------===//

NamedAttribute Node::dims(StringRef name, ArrayRef<AffineExpr> values) {
  return attr(name, DimsAttr::get(b.getContext(), llvm::map_to_vector(values, simplifyDim)));
}

Value Node::scalar(double value, Type element) { return constant({}, value, element); }

Value Node::constant(ArrayRef<int64_t> shape, ArrayRef<double> values, Type element) {
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

Value Node::integerConstant(ArrayRef<int64_t> shape, ArrayRef<int64_t> values, Type element) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<APInt> bits;
  for (int64_t v : values)
    bits.push_back(APInt(64, static_cast<uint64_t>(v)).trunc(element.getIntOrFloatBitWidth()));
  return b.create<ConstantOp>(loc, DenseElementsAttr::get(type, bits));
}

Result Node::iota(ArrayRef<AffineExpr> shape, int64_t axis, Type element) {
  return make<IotaOp>({}, {dims("shape", shape), attr("axis", b.getI64IntegerAttr(axis)),
                           attr("element", TypeAttr::get(element))});
}

Result Node::dimsTensor(ArrayRef<AffineExpr> values) {
  return make<DimsTensorOp>(
      {}, {dims("values", values), attr("element", TypeAttr::get(b.getI64Type()))});
}

Result Node::reshape(Value x, ArrayRef<AffineExpr> shape) {
  return make<ReshapeOp>({x}, {dims("shape", shape)});
}

Result Node::transpose(Value x, ArrayRef<int64_t> permutation) {
  return make<TransposeOp>({x}, {list("permutation", permutation)});
}

Result Node::broadcast(Value x, ArrayRef<AffineExpr> shape) {
  return make<BroadcastOp>({x}, {dims("shape", shape)});
}

Result Node::cast(Value x, Type element) {
  if (elementType(x) == element)
    return x;
  return make<CastOp>({x}, {attr("to", TypeAttr::get(element))});
}

Result Node::reduce(Value x, StringRef kind, ArrayRef<int64_t> dims, bool keepDims) {
  return make<ReduceOp>({x}, {attr("kind", b.getStringAttr(kind)), list("dims", dims),
                              attr("keep_dims", b.getBoolAttr(keepDims))});
}

Result Node::mean(Value x, ArrayRef<int64_t> dims, bool keepDims) {
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

Result Node::perChannel(Value x, int64_t rank) {
  if (rankOf(x) != 1 || rank < 2)
    return refuse("expected one number for each channel");
  SmallVector<AffineExpr> shape(rank - 1, constantExpr(1));
  shape[0] = getDim(typeOf(x), 0);
  return reshape(x, shape);
}

Result Node::channelsLast(Value x) {
  SmallVector<int64_t> permutation{0};
  for (int64_t i = 2; i < rankOf(x); ++i)
    permutation.push_back(i);
  permutation.push_back(1);
  return transpose(x, permutation);
}

Result Node::channelsFirst(Value x) {
  int64_t rank = rankOf(x);
  SmallVector<int64_t> permutation{0, rank - 1};
  for (int64_t i = 1; i + 1 < rank; ++i)
    permutation.push_back(i);
  return transpose(x, permutation);
}

Result Node::clamp(Value x, Value low, Value high) {
  INGOT_TRY(atLeast, binary<MaxOp>(x, low));
  return binary<MinOp>(atLeast, high);
}

LogicalResult Node::set(size_t i, Result value, std::optional<Content> content) {
  if (failed(value))
    return failure();
  if (hasOutput(i))
    graph.bind(proto.output(i), {*value, std::move(content)});
  return success();
}

Type elementTypeOf(MLIRContext *context, int64_t dataType) {
  Builder b(context);
  switch (dataType) {
  case onnx::TensorProto::FLOAT:
    return b.getF32Type();
  case onnx::TensorProto::DOUBLE:
    return b.getF64Type();
  case onnx::TensorProto::FLOAT16:
    return b.getF16Type();
  case onnx::TensorProto::BFLOAT16:
    return b.getBF16Type();
  case onnx::TensorProto::BOOL:
    return b.getI1Type();
  case onnx::TensorProto::INT8:
    return b.getI8Type();
  case onnx::TensorProto::INT16:
    return b.getI16Type();
  case onnx::TensorProto::INT32:
    return b.getI32Type();
  case onnx::TensorProto::INT64:
    return b.getI64Type();
  case onnx::TensorProto::UINT8:
    return b.getIntegerType(8, false);
  case onnx::TensorProto::UINT16:
    return b.getIntegerType(16, false);
  case onnx::TensorProto::UINT32:
    return b.getIntegerType(32, false);
  case onnx::TensorProto::UINT64:
    return b.getIntegerType(64, false);
  default:
    return {};
  }
}

} // namespace ingot::onnx_import
