//===- Node.cpp - One node of an ONNX graph ---------------------------------------------------===//

#include "Import/Onnx/Node.h"
#include "Dialect/ModelInterface.h"
#include "Import/Onnx/Graph.h"

using namespace mlir;

namespace ingot::onnx_import {

Node::Node(Graph &graph, const onnx::NodeProto &proto, int64_t version, Location loc)
    : TensorBuilder(graph.b, loc), graph(graph), proto(proto), version(version) {}

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
