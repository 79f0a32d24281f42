//===- Call.cpp - One call of a Relay operator ------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"
#include "Import/Relay/Syntax/Metadata.h"

using namespace mlir;

namespace ingot::relay {

Result Call::in(size_t i) {
  if (i >= args.size())
    return refuse("argument " + Twine(i + 1) + " is missing");
  if (args[i].isTuple)
    return refuse("argument " + Twine(i + 1) + " is a tuple, not a tensor");
  return args[i].values.front();
}

FailureOr<SmallVector<Value>> Call::tuple(size_t i) {
  if (i >= args.size())
    return refuse("argument " + Twine(i + 1) + " is missing");
  if (!args[i].isTuple)
    return refuse("argument " + Twine(i + 1) + " is a tensor, not a tuple");
  if (args[i].values.empty())
    return refuse("argument " + Twine(i + 1) + " is an empty tuple");
  return args[i].values;
}

/// The elements of `value`, at most 64, if `depth` operators suffice to know them.
static std::optional<SmallVector<Attribute>> elementsOf(Value value, unsigned depth = 16) {
  constexpr int64_t limit = 64;
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape() || type.getNumElements() > limit || depth-- == 0)
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_if_present<ConstantOp>(op)) {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    return dense ? std::optional(llvm::to_vector(dense.getValues<Attribute>())) : std::nullopt;
  }
  if (auto reshape = dyn_cast_if_present<ReshapeOp>(op))
    return elementsOf(reshape.getX(), depth);
  if (auto cast = dyn_cast_if_present<CastOp>(op); cast && type.getElementType().isInteger(64))
    return isa<IntegerType>(TensorBuilder::elementType(cast.getX()))
               ? elementsOf(cast.getX(), depth)
               : std::nullopt;
  SmallVector<Attribute> elements;
  if (auto dims = dyn_cast_if_present<DimsTensorOp>(op)) {
    for (AffineExpr dim : dims.getValues().getExprs()) {
      auto known = constantDim(dim);
      if (!known)
        return std::nullopt;
      elements.push_back(Builder(op).getI64IntegerAttr(*known));
    }
    return elements;
  }
  auto concat = dyn_cast_if_present<ConcatOp>(op);
  if (!concat || type.getRank() != 1)
    return std::nullopt;
  for (Value part : concat.getX()) {
    auto some = elementsOf(part, depth);
    if (!some)
      return std::nullopt;
    llvm::append_range(elements, *some);
  }
  return elements;
}

FailureOr<SmallVector<int64_t>> Call::integers(size_t i, StringRef what) {
  INGOT_TRY(value, in(i));
  auto elements = elementsOf(value);
  if (!elements || !isa<IntegerType>(elementType(value)))
    return refuse("its " + what + " must be integers known at compile time");
  return llvm::map_to_vector(*elements, [](Attribute element) -> int64_t {
    auto integer = cast<IntegerAttr>(element);
    mlir::Type type = integer.getType();
    bool isSigned = !type.isUnsignedInteger() && !type.isInteger(1);
    return isSigned ? integer.getValue().getSExtValue() : integer.getValue().getZExtValue();
  });
}

FailureOr<SmallVector<double>> Call::numbers(size_t i, StringRef what) {
  INGOT_TRY(value, in(i));
  auto elements = elementsOf(value);
  if (!elements || !isa<FloatType>(elementType(value)))
    return refuse("its " + what + " must be floats known at compile time");
  return llvm::map_to_vector(
      *elements, [](Attribute element) { return cast<FloatAttr>(element).getValueAsDouble(); });
}

const AttrValue *Call::attribute(StringRef name) {
  asked.insert(name);
  for (const Attr &attr : attrs)
    if (attr.name == name && attr.value.kind != AttrValue::None)
      return &attr.value;
  return nullptr;
}

int64_t Call::integer(StringRef name, int64_t otherwise) {
  const AttrValue *value = attribute(name);
  if (!value)
    return otherwise;
  if (value->kind == AttrValue::Integer || value->kind == AttrValue::Bool)
    return value->integer;
  int64_t parsed;
  if (value->kind == AttrValue::String && !StringRef(value->text).getAsInteger(10, parsed))
    return parsed;
  if (value->kind == AttrValue::List && value->list.size() == 1 &&
      value->list[0].kind == AttrValue::Integer)
    return value->list[0].integer;
  wrong = ("the attribute " + name + " must be an integer").str();
  return otherwise;
}

double Call::number(StringRef name, double otherwise) {
  const AttrValue *value = attribute(name);
  if (!value)
    return otherwise;
  if (value->kind == AttrValue::Integer || value->kind == AttrValue::Float)
    return value->number;
  double parsed;
  if (value->kind == AttrValue::String && !StringRef(value->text).getAsDouble(parsed))
    return parsed;
  wrong = ("the attribute " + name + " must be a number").str();
  return otherwise;
}

bool Call::flag(StringRef name, bool otherwise) { return integer(name, otherwise) != 0; }

std::string Call::text(StringRef name, StringRef otherwise) {
  const AttrValue *value = attribute(name);
  if (!value)
    return otherwise.str();
  if (value->kind != AttrValue::String)
    wrong = ("the attribute " + name + " must be a string").str();
  return value->text;
}

SmallVector<int64_t> Call::integerList(StringRef name, ArrayRef<int64_t> otherwise) {
  const AttrValue *value = attribute(name);
  if (!value)
    return SmallVector<int64_t>(otherwise);
  if (value->kind != AttrValue::List)
    return {integer(name, 0)};
  SmallVector<int64_t> result;
  for (const AttrValue &each : value->list) {
    if (each.kind != AttrValue::Integer && each.kind != AttrValue::Bool)
      wrong = ("the attribute " + name + " must be a list of integers").str();
    result.push_back(each.integer);
  }
  return result;
}

FailureOr<SmallVector<int64_t>> Call::listOf(StringRef name, size_t count, int64_t otherwise) {
  SmallVector<int64_t> result = integerList(name, SmallVector<int64_t>(count, otherwise));
  if (result.size() == 1)
    result.resize(count, result[0]);
  if (result.size() != count)
    return refuse("the attribute " + name + " must hold " + Twine(count) + " integers");
  return result;
}

FailureOr<mlir::Type> Call::element(StringRef name, mlir::Type otherwise) {
  std::string given = text(name, "");
  if (given.empty())
    return otherwise;
  mlir::Type type = elementTypeNamed(b.getContext(), given);
  if (!type)
    return refuse("the attribute " + name + ": there are no tensors of '" + given + "'");
  return type;
}

LogicalResult Call::checkAttributes() {
  if (!wrong.empty())
    return refuse(wrong);
  for (const Attr &attr : attrs)
    if (!asked.contains(attr.name) && attr.name != "virtual_device" && attr.name != "span")
      return refuse("it has no attribute " + attr.name);
  return success();
}

Result Call::apply(StringRef name, ValueRange operands, const Attrs &attrs) {
  SmallVector<Argument> arguments;
  for (Value operand : operands)
    arguments.push_back({{operand}, false});
  Call other(b, loc, name, attrs, arguments);
  if (failed(importCall(other)))
    return failure();
  return other.results.front();
}

LogicalResult Call::become(StringRef name, ArrayRef<Argument> operands, const Attrs &attrs) {
  Call other(b, loc, name, attrs, operands);
  if (failed(importCall(other)))
    return failure();
  results = other.results;
  isTuple = other.isTuple;
  return success();
}

const OperatorTable &operatorTable() {
  static const OperatorTable table = [] {
    OperatorTable made;
#define INGOT_FAMILY(name) register##name(made);
#include "Import/Relay/Families.inc"
#undef INGOT_FAMILY
    return made;
  }();
  return table;
}

LogicalResult importCall(Call &call) {
  if (failed(operatorTable().lookup(call.name)(call)))
    return failure();
  return call.checkAttributes();
}

} // namespace ingot::relay
