//===- Instances.cpp - Calls, and the functions they call -------------------------------------===//

#include "Import/Relay/Elaborate/Elaborator.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ingot::relay {

/// Functions among the arguments of an instance are part of what it is made for, unless nested
/// deeper than this in what other functions capture.
static constexpr unsigned maxKnownDepth = 2;
/// Functions known at compile time that are put in place of themselves, before they become calls.
static constexpr unsigned maxUnrolling = 4;
/// Instances of a function that are made while its first one is: as many types as a function may
/// need itself at, each for the sake of the one before.
static constexpr unsigned maxMaking = 64;
/// Small functions are put in place of their calls even in large programs, up to a point.
static constexpr unsigned smallSize = 24;
static constexpr int64_t largeProgram = 60'000, hugeProgram = 500'000;

MaybeVal Elaborator::call(const Val &callee, std::vector<Val> args, Type *result, Place place) {
  if (callee.kind == Val::Function && callee.known->constructor) {
    Val val;
    val.kind = Val::Data;
    val.type = result;
    val.known = std::make_shared<Known>();
    val.known->constructor = callee.known->constructor;
    val.known->parts = std::move(args);
    return val;
  }
  if (callee.kind == Val::Function) {
    FunctionExpr *function = callee.known->function;
    bool fits = spent < (function->size <= smallSize ? hugeProgram : largeProgram);
    if (!function->isRecursive && fits && active.lookup(function) < maxUnrolling)
      return callInline(callee, args);
    return callInstance(callee, args, result, place);
  }
  SmallVector<Value> operands;
  for (const Val &arg : args)
    if (failed(flatten(arg, operands, place)))
      return failure();
  FunctionType type = cast<ClosureType>(callee.value.getType()).getSignature();
  for (auto [operand, expected] : llvm::zip(operands, type.getInputs()))
    if (operand.getType() != expected)
      return refuse(place, "an argument has another shape than the function takes");
  ValueRange values =
      b.create<ApplyOp>(location("apply"), type.getResults(), callee.value, operands).getResults();
  return unflatten(result, values);
}

/// The value of the body, with parameters and captured variables bound.
MaybeVal Elaborator::enter(const Val &callee, ArrayRef<Val> args) {
  const Known &known = *callee.known;
  FunctionExpr *function = known.function;
  Frame frame;
  frame.types = known.types;
  size_t next = 0;
  for (Var *captured : function->captures)
    frame.vars[captured] = captured == known.self ? callee : known.parts[next++];
  for (auto [param, arg] : llvm::zip(function->params, args))
    frame.vars[param] = arg;
  ++active[function];
  auto leave = llvm::make_scope_exit([&] { --active[function]; });
  return eval(function->body, frame);
}

MaybeVal Elaborator::callInline(const Val &callee, ArrayRef<Val> args) {
  return enter(callee, args);
}

MaybeVal Elaborator::abstract(const Val &val, SmallVectorImpl<Value> &operands, std::string &key,
                              unsigned depth, Place place) {
  llvm::raw_string_ostream os(key);
  if (val.kind == Val::Tuple) {
    os << '(';
    std::vector<Val> parts;
    for (const Val &part : val.known->parts) {
      INGOT_TRY(form, abstract(part, operands, key, depth, place));
      parts.push_back(form);
    }
    os << ')';
    return tuple(std::move(parts), val.type);
  }
  if (val.kind == Val::Function && depth > 0) {
    os << 'f' << val.known->function << ' ' << val.known->constructor << '[';
    std::vector<std::pair<Type *, Type *>> known(val.known->types->begin(),
                                                 val.known->types->end());
    llvm::sort(known);
    for (auto [param, type] : known)
      os << param << '=' << type << ' ';
    os << ']';
    Val form = val;
    form.known = std::make_shared<Known>(*val.known);
    form.known->made = {};
    for (Val &part : form.known->parts) {
      INGOT_TRY(inner, abstract(part, operands, key, depth - 1, place));
      part = inner;
    }
    return form;
  }
  auto value = materialise(val, place);
  if (failed(value))
    return failure();
  operands.push_back(*value);
  if (operands.size() > maxLeaves)
    return refuse(place, "the arguments have more than " + Twine(maxLeaves) + " members");
  os << 'v' << value->getType().getAsOpaquePointer() << ' ';
  return runtime(*value, val.type);
}

/// `form` with the next of `values` at each place.
Val Elaborator::fill(const Val &form, ArrayRef<Value> &values) {
  Val val = form;
  if (form.kind == Val::Runtime) {
    val.value = values.front();
    values = values.drop_front();
    return val;
  }
  val.known = std::make_shared<Known>(*form.known);
  for (Val &part : val.known->parts)
    part = fill(part, values);
  return val;
}

FailureOr<Elaborator::Instance *> Elaborator::instanceOf(const Val &callee, ArrayRef<Val> args,
                                                         Type *result, Place place,
                                                         SmallVectorImpl<Value> &operands) {
  std::string key;
  INGOT_TRY(form, abstract(callee, operands, key, maxKnownDepth + 1, place));
  std::vector<Val> forms;
  for (const Val &arg : args) {
    key += ';';
    INGOT_TRY(argForm, abstract(arg, operands, key, maxKnownDepth, place));
    forms.push_back(argForm);
  }
  std::unique_ptr<Instance> &instance = instances[key];
  if (instance)
    return instance.get();
  FunctionExpr *function = callee.known->function;
  unsigned nested = ++making[function];
  auto leave = llvm::make_scope_exit([&] { --making[function]; });
  if (nested > maxMaking)
    return refuse(place, "to compile this function calls for it at ever new types, without end");
  if (instances.size() > 20'000)
    return refuse(place, "the program makes too many functions of this one");
  instance = std::make_unique<Instance>();
  Instance *made = instance.get();
  made->result = result;
  SmallVector<mlir::Type> resultTypes;
  if (failed(flatten(result, resultTypes, place)))
    return failure();
  for (Value operand : operands)
    if (auto tensor = dyn_cast<RankedTensorType>(operand.getType());
        tensor && !tensor.hasStaticShape())
      return refuse(place, "a tensor whose extents are not known at compile time cannot yet be "
                           "passed to a function that stays a function");
  std::string base = function && !function->name.empty() ? function->name : "lambda";
  if (!function)
    base = callee.known->constructor->name;
  base = sanitise(base);
  std::string symbol = base;
  for (unsigned i = 2; !symbols.insert(symbol).second; ++i)
    symbol = base + "_" + std::to_string(i);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<mlir::Type> inputs(ValueRange(operands).getTypes());
  made->function =
      b.create<func::FuncOp>(location(base), symbol, b.getFunctionType(inputs, resultTypes));
  made->function.setPrivate();
  Block *body = made->function.addEntryBlock();
  b.setInsertionPointToStart(body);
  SmallVector<Value> arguments(body->getArguments());
  ArrayRef<Value> left = arguments;
  Val inside = fill(form, left);
  std::vector<Val> params;
  for (const Val &each : forms)
    params.push_back(fill(each, left));
  MaybeVal value = function ? enter(inside, params) : call(inside, params, result, place);
  if (failed(value))
    return failure();
  SmallVector<Value> results;
  if (failed(flatten(*value, results, place)))
    return failure();
  if (SmallVector<mlir::Type>(ValueRange(results).getTypes()) != resultTypes)
    return refuse(place, "the function gives tensors of other shapes than its type says");
  b.create<func::ReturnOp>(loc, results);
  return made;
}

MaybeVal Elaborator::callInstance(const Val &callee, ArrayRef<Val> args, Type *result,
                                  Place place) {
  SmallVector<Value> operands;
  INGOT_TRY(instance, instanceOf(callee, args, result, place, operands));
  ValueRange values =
      b.create<CallOp>(location(instance->function.getName()), instance->function.getResultTypes(),
                       instance->function.getName(), operands)
          .getResults();
  return unflatten(result, values);
}

FailureOr<Value> Elaborator::makeClosure(const Val &val, Place place) {
  SmallVector<mlir::Type> flat;
  if (failed(flatten(val.type, flat, place)))
    return failure();
  FunctionType type = cast<ClosureType>(flat[0]).getSignature();
  // Parameters that stand for themselves, to make the instance with; they go again.
  Block scratch;
  SmallVector<Value> stand;
  for (mlir::Type param : type.getInputs())
    stand.push_back(scratch.addArgument(param, loc));
  ValueRange range = stand;
  std::vector<Val> args;
  for (size_t i = 0; i < val.type->paramCount(); ++i)
    args.push_back(unflatten(val.type->args[i], range));
  SmallVector<Value> operands;
  auto instance = instanceOf(val, args, val.type->result(), place, operands);
  if (failed(instance))
    return failure();
  operands.truncate(operands.size() - stand.size());
  return Value(b.create<ClosureOp>(location((*instance)->function.getName()), flat[0],
                                   (*instance)->function.getName(), operands));
}

} // namespace ingot::relay
