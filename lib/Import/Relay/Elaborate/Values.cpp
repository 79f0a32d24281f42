//===- Values.cpp - Values at run time --------------------------------------------------------===//

#include "Import/Relay/Elaborate/Elaborator.h"
#include "Import/Relay/Types/Infer.h"

using namespace mlir;

namespace ingot::relay {

Val Elaborator::tuple(std::vector<Val> parts, Type *type) {
  Val val;
  val.kind = Val::Tuple;
  val.type = type;
  val.known = std::make_shared<Known>();
  val.known->parts = std::move(parts);
  return val;
}

Type *Elaborator::typeOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> dims;
  for (AffineExpr dim : getDims(type))
    dims.push_back(constantDim(dim).value_or(-1));
  return types.tensor(dims, type.getElementType());
}

std::string sanitise(StringRef text) {
  std::string result;
  for (char c : text) {
    if (llvm::isAlnum(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  return result.empty() || llvm::isDigit(result[0]) ? "x" + result : result;
}

FailureOr<std::string> Elaborator::dataSymbol(Type *type, Place place) {
  if (auto it = dataSymbols.find(type); it != dataSymbols.end())
    return it->second;
  if (dataSymbols.size() > 10'000)
    return refuse(place, "the program uses its data types at too many types");
  TypeDefinition *definition = type->definition;
  std::string base = sanitise(types.print(type)).substr(0, 60), symbol = base;
  for (unsigned i = 2; !symbols.insert(symbol).second; ++i)
    symbol = base + "_" + std::to_string(i);
  // Before its fields, which may be of the same type.
  dataSymbols[type] = symbol;
  Substitution arguments;
  for (auto [param, arg] : llvm::zip(definition->rigid, type->args))
    arguments[param] = arg;
  SmallVector<Attribute> fields;
  SmallVector<StringRef> names;
  for (auto &constructor : definition->constructors) {
    SmallVector<mlir::Type> flat;
    for (Type *field : constructor->fields) {
      Type *known = types.ground(field, arguments);
      if (!known)
        return refuse(constructor->place, "this has a type that is too large");
      if (failed(flatten(known, flat, constructor->place)))
        return failure();
    }
    names.push_back(constructor->name);
    fields.push_back(b.getTypeArrayAttr(flat));
  }
  OpBuilder top(module.getBody(), module.getBody()->begin());
  top.create<DataTypeOp>(location(definition->name), symbol, b.getStrArrayAttr(names),
                         b.getArrayAttr(fields));
  return symbol;
}

LogicalResult Elaborator::flatten(Type *type, SmallVectorImpl<mlir::Type> &flat, Place place) {
  if (flat.size() > maxLeaves)
    return refuse(place, "this type has more than " + Twine(maxLeaves) + " members");
  switch (type->kind) {
  case Type::Tensor:
    if (llvm::is_contained(type->dims, -1))
      return refuse(place, "a tensor whose extents are not known at compile time (" +
                               types.print(type) +
                               ") cannot yet be in data, in references, or be passed between "
                               "functions that stay functions");
    flat.push_back(RankedTensorType::get(type->dims, type->element));
    return success();
  case Type::Tuple:
    for (Type *arg : type->args)
      if (failed(flatten(arg, flat, place)))
        return failure();
    return success();
  case Type::Data: {
    auto symbol = dataSymbol(type, place);
    if (failed(symbol))
      return failure();
    flat.push_back(DataType::get(&context, *symbol));
    return success();
  }
  case Type::Reference: {
    SmallVector<mlir::Type> contents;
    if (failed(flatten(type->args[0], contents, place)))
      return failure();
    flat.push_back(RefType::get(&context, contents));
    return success();
  }
  case Type::Function: {
    SmallVector<mlir::Type> params, results;
    for (size_t i = 0; i < type->paramCount(); ++i)
      if (failed(flatten(type->args[i], params, place)))
        return failure();
    if (failed(flatten(type->result(), results, place)))
      return failure();
    flat.push_back(ClosureType::get(&context, FunctionType::get(&context, params, results)));
    return success();
  }
  case Type::Unknown:
  case Type::Rigid:
    break;
  }
  return refuse(place, "the type of this is not known");
}

Val Elaborator::unflatten(Type *type, ValueRange &values) {
  if (type->kind == Type::Tuple) {
    std::vector<Val> parts;
    for (Type *arg : type->args)
      parts.push_back(unflatten(arg, values));
    return tuple(std::move(parts), type);
  }
  Value value = values.front();
  values = values.drop_front();
  return runtime(value, type->kind == Type::Tensor ? typeOf(value) : type);
}

LogicalResult Elaborator::flatten(const Val &val, SmallVectorImpl<Value> &flat, Place place) {
  if (val.kind == Val::Tuple) {
    for (const Val &part : val.known->parts)
      if (failed(flatten(part, flat, place)))
        return failure();
    if (flat.size() > maxLeaves)
      return refuse(place, "this has more than " + Twine(maxLeaves) + " members");
    return success();
  }
  auto value = materialise(val, place);
  if (failed(value))
    return failure();
  flat.push_back(*value);
  return success();
}

FailureOr<Value> Elaborator::materialise(const Val &val, Place place) {
  if (val.kind == Val::Runtime)
    return val.value;
  Value &made = val.known->made;
  // Made before in a place that this one can see.
  if (made && made.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent()))
    return made;
  if (val.kind == Val::Function) {
    auto closure = makeClosure(val, place);
    if (succeeded(closure))
      made = *closure;
    return closure;
  }
  // The tail of a long list is another constructor: without recursion.
  std::vector<const Val *> work{&val};
  while (!work.empty()) {
    const Val &next = *work.back();
    Value &slot = next.known->made;
    auto isDone = [&](const Val &part) {
      return part.kind != Val::Data ||
             (part.known->made &&
              part.known->made.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent()));
    };
    bool waits = false;
    for (const Val &part : next.known->parts)
      if (!isDone(part)) {
        work.push_back(&part);
        waits = true;
      }
    if (waits)
      continue;
    work.pop_back();
    if (slot && isDone(next))
      continue;
    SmallVector<Value> fields;
    for (const Val &part : next.known->parts) {
      if (part.kind == Val::Data)
        fields.push_back(part.known->made);
      else if (failed(flatten(part, fields, place)))
        return failure();
    }
    auto symbol = dataSymbol(next.type, place);
    if (failed(symbol))
      return failure();
    slot = b.create<ConstructOp>(location(next.known->constructor->name),
                                 DataType::get(&context, *symbol),
                                 b.getI64IntegerAttr(next.known->constructor->tag), fields);
  }
  return made;
}

MaybeVal Elaborator::join(Operation *op, ArrayRef<Val> values, Type *result, Place place) {
  SmallVector<mlir::Type> resultTypes;
  for (auto [region, value] : llvm::zip(op->getRegions(), values)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&region.front());
    SmallVector<Value> flat;
    if (failed(flatten(value, flat, place)))
      return failure();
    b.create<YieldOp>(op->getLoc(), flat);
    SmallVector<mlir::Type> own(ValueRange(flat).getTypes());
    if (&region == &op->getRegion(0))
      resultTypes = own;
    else if (resultTypes != own)
      return refuse(place, "the branches give tensors of different shapes: " +
                               types.print(values[0].type) + " and " + types.print(value.type));
  }
  b.setInsertionPointAfter(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(resultTypes);
  state.addAttributes(op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion()->takeBody(op->getRegion(i));
  Operation *whole = b.create(state);
  op->erase();
  ValueRange range = whole->getResults();
  return unflatten(result, range);
}

} // namespace ingot::relay
