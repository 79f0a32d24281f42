//===- Elaborate.cpp - Expressions to the ingot dialect ---------------------------------------===//

#include "Import/Relay/Elaborate/Elaborator.h"
#include "Import/Relay/Types/Infer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ingot::relay {

/// Evaluations nested deeper than this are refused.
static constexpr unsigned maxDepth = 1500;
/// Expressions evaluated, those of inlined functions each time.
static constexpr int64_t maxSpent = 4'000'000;

bool Elaborator::spend(Place place) {
  if (++spent <= maxSpent && depth <= maxDepth)
    return true;
  reporter.error(place, depth > maxDepth
                            ? "calls of functions known at compile time are nested too deeply"
                            : "the program becomes too large when its functions are put in place");
  return false;
}

Type *Elaborator::ground(Type *type, const Frame &frame, Place place) {
  Type *result = types.ground(type, *frame.types);
  if (!result)
    reporter.error(place, "this has a type that is too large");
  return result;
}

MaybeVal Elaborator::eval(Expr *expr, Frame &frame) {
  if (!spend(expr->place))
    return failure();
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  switch (expr->kind) {
  case ExprKind::Literal:
  case ExprKind::Meta:
    return evalConstant(expr);
  case ExprKind::Var: {
    auto *use = cast<VarExpr>(expr);
    auto it = frame.vars.find(use->var);
    if (it == frame.vars.end())
      return refuse(expr->place, "%" + use->var->name + " is used before it has a value");
    Val val = it->second;
    if (val.kind != Val::Function || use->typeArgs.empty())
      return val;
    // A function of several types, at those of this use.
    auto known = std::make_shared<Known>(*val.known);
    auto extended = std::make_shared<Substitution>(*known->types);
    for (auto [param, arg] : llvm::zip(use->var->generalised, use->typeArgs)) {
      Type *type = ground(arg, frame, expr->place);
      if (!type)
        return failure();
      (*extended)[resolve(param)] = type;
    }
    known->types = std::move(extended);
    known->made = {};
    val.known = std::move(known);
    val.type = ground(use->type, frame, expr->place);
    if (!val.type)
      return failure();
    return val;
  }
  case ExprKind::Name:
    return evalName(cast<NameExpr>(expr), frame);
  case ExprKind::Function:
    return evalFunction(cast<FunctionExpr>(expr), nullptr, frame);
  case ExprKind::Call:
    return evalCall(cast<CallExpr>(expr), frame);
  case ExprKind::Tuple: {
    std::vector<Val> parts;
    std::vector<Type *> partTypes;
    for (Expr *field : cast<TupleExpr>(expr)->fields) {
      INGOT_TRY(part, eval(field, frame));
      parts.push_back(part);
    }
    Type *type = ground(expr->type, frame, expr->place);
    if (!type)
      return failure();
    return tuple(std::move(parts), type);
  }
  case ExprKind::Project: {
    auto *project = cast<ProjectExpr>(expr);
    INGOT_TRY(whole, eval(project->tuple, frame));
    return whole.known->parts[project->index];
  }
  case ExprKind::If:
    return evalIf(cast<IfExpr>(expr), frame);
  case ExprKind::Match:
    return evalMatch(cast<MatchExpr>(expr), frame);
  case ExprKind::NewRef:
  case ExprKind::ReadRef:
  case ExprKind::WriteRef:
    return evalRef(expr, frame);
  case ExprKind::Block:
    return evalBlock(cast<BlockExpr>(expr), frame);
  }
  llvm_unreachable("all kinds are covered");
}

MaybeVal Elaborator::evalConstant(const Expr *expr) {
  Value constant = b.create<ConstantOp>(loc, constantOf(expr, &context));
  return runtime(constant, typeOf(constant));
}

MaybeVal Elaborator::evalName(NameExpr *name, Frame &frame) {
  Val val;
  val.type = ground(name->type, frame, name->place);
  if (!val.type)
    return failure();
  val.known = std::make_shared<Known>();
  auto substitution = std::make_shared<Substitution>();
  if (name->constructor) {
    val.known->constructor = name->constructor;
    val.known->types = std::move(substitution);
    val.kind = name->constructor->fields.empty() ? Val::Data : Val::Function;
    return val;
  }
  Definition *definition = name->definition;
  for (auto [i, param] : llvm::enumerate(definition->generalised)) {
    // Inside its own group a definition has the types it is being made for.
    Type *arg = i < name->typeArgs.size() ? name->typeArgs[i] : param;
    Type *type = ground(arg, frame, name->place);
    if (!type)
      return failure();
    (*substitution)[resolve(param)] = type;
  }
  val.kind = Val::Function;
  val.known->function = definition->function;
  val.known->types = std::move(substitution);
  return val;
}

MaybeVal Elaborator::evalFunction(FunctionExpr *function, Var *self, Frame &frame) {
  Val val;
  val.kind = Val::Function;
  val.type = ground(function->type, frame, function->place);
  if (!val.type)
    return failure();
  val.known = std::make_shared<Known>();
  val.known->function = function;
  val.known->self = self;
  val.known->types = frame.types;
  for (Var *captured : function->captures) {
    if (captured == self)
      continue;
    auto it = frame.vars.find(captured);
    if (it == frame.vars.end())
      return refuse(function->place, "%" + captured->name + " is used before it has a value");
    val.known->parts.push_back(it->second);
  }
  return val;
}

MaybeVal Elaborator::evalCall(CallExpr *expr, Frame &frame) {
  if (auto *name = dyn_cast<NameExpr>(expr->callee); name && name->isOperator)
    return evalOperator(expr, name->name, frame);
  INGOT_TRY(callee, eval(expr->callee, frame));
  // `Nil()` means Nil.
  if (callee.kind == Val::Data)
    return callee;
  std::vector<Val> args;
  for (Expr *arg : expr->args) {
    INGOT_TRY(val, eval(arg, frame));
    args.push_back(val);
  }
  Type *result = ground(expr->type, frame, expr->place);
  if (!result)
    return failure();
  return call(callee, std::move(args), result, expr->place);
}

MaybeVal Elaborator::evalOperator(CallExpr *expr, StringRef name, Frame &frame) {
  std::vector<Call::Argument> args;
  for (Expr *arg : expr->args) {
    INGOT_TRY(val, eval(arg, frame));
    Call::Argument argument;
    argument.isTuple = val.kind == Val::Tuple;
    if (failed(flatten(val, argument.values, arg->place)))
      return failure();
    args.push_back(std::move(argument));
  }
  Call attempt(b, location(name), name, expr->attrs, args);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (failed(importCall(attempt)))
    return refuse(expr->place, name + ": " + message);
  std::vector<Val> parts;
  std::vector<Type *> partTypes;
  for (Value value : attempt.results) {
    parts.push_back(runtime(value, typeOf(value)));
    partTypes.push_back(parts.back().type);
  }
  if (!attempt.isTuple)
    return parts.front();
  Type *type = types.ground(types.tuple(partTypes), Substitution());
  return tuple(std::move(parts), type);
}

MaybeVal Elaborator::evalIf(IfExpr *expr, Frame &frame) {
  INGOT_TRY(condition, eval(expr->condition, frame));
  if (auto constant = condition.value.getDefiningOp<ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      return eval(dense.getSplatValue<bool>() ? expr->then : expr->otherwise, frame);
  OperationState state(location("if"), IfOp::getOperationName());
  state.addOperands(condition.value);
  state.addRegion();
  state.addRegion();
  Operation *op = b.create(state);
  std::vector<Val> values;
  OpBuilder::InsertionGuard guard(b);
  for (auto [region, body] :
       {std::pair{&op->getRegion(0), expr->then}, std::pair{&op->getRegion(1), expr->otherwise}}) {
    b.createBlock(region);
    INGOT_TRY(value, eval(body, frame));
    values.push_back(value);
  }
  Type *result = ground(expr->type, frame, expr->place);
  if (!result)
    return failure();
  return join(op, values, result, expr->place);
}

MaybeVal Elaborator::evalBlock(BlockExpr *block, Frame &frame) {
  for (auto &[var, value] : block->bindings) {
    if (!var) {
      if (failed(eval(value, frame)))
        return failure();
      continue;
    }
    bool isSelf = var->function && var->function == value;
    MaybeVal val = isSelf ? evalFunction(var->function, var, frame) : eval(value, frame);
    if (failed(val))
      return failure();
    // Steps are named by what the program calls their results.
    if (Operation *op = val->value ? val->value.getDefiningOp() : nullptr;
        op && !isa<ConstantOp>(op) && val->kind == Val::Runtime && !llvm::isDigit(var->name[0]))
      op->setLoc(location(var->name));
    frame.vars[var] = std::move(*val);
  }
  return eval(block->result, frame);
}

MaybeVal Elaborator::evalRef(Expr *expr, Frame &frame) {
  Type *type = ground(expr->type, frame, expr->place);
  if (!type)
    return failure();
  SmallVector<Value> contents;
  SmallVector<mlir::Type> flat;
  if (auto *made = dyn_cast<NewRefExpr>(expr)) {
    INGOT_TRY(value, eval(made->value, frame));
    if (failed(flatten(type, flat, expr->place)) ||
        failed(flatten(value, contents, made->value->place)))
      return failure();
    return runtime(b.create<NewRefOp>(location("ref"), flat[0], contents), type);
  }
  if (auto *read = dyn_cast<ReadRefExpr>(expr)) {
    INGOT_TRY(ref, eval(read->ref, frame));
    if (failed(flatten(type, flat, expr->place)))
      return failure();
    ValueRange values = b.create<ReadRefOp>(location("ref_read"), flat, ref.value).getResults();
    return unflatten(type, values);
  }
  auto *write = cast<WriteRefExpr>(expr);
  INGOT_TRY(ref, eval(write->ref, frame));
  INGOT_TRY(value, eval(write->value, frame));
  if (failed(flatten(value, contents, write->value->place)))
    return failure();
  b.create<WriteRefOp>(location("ref_write"), ref.value, contents);
  return tuple({}, type);
}

//===----------------------------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------------------------===//

LogicalResult Elaborator::run() {
  Definition *definition = program.definitionOf.lookup("main");
  if (!definition || !definition->function)
    return refuse({}, "the program has no function @main");
  FunctionExpr *function = definition->function;
  if (!function->typeParams.empty())
    return refuse(function->place, "@main cannot have type parameters: nothing would choose them");
  Frame frame;
  auto substitution = std::make_shared<Substitution>();
  frame.types = substitution;
  b.setInsertionPointToEnd(module.getBody());
  auto main = b.create<func::FuncOp>(module.getLoc(), "main", b.getFunctionType({}, {}));
  symbols.insert("main");
  Block *body = main.addEntryBlock();
  SmallVector<mlir::Type> inputs;
  auto addInput = [&](Var *param, Type *type, StringRef name) -> Val {
    RankedTensorType tensor = tensorTypeOf(type, &context, [&](unsigned i) {
      std::string symbol = name.str() + "_" + std::to_string(i);
      if (auto it = options.dims.find(symbol); it != options.dims.end())
        return dimConstant(&context, it->second);
      if (!llvm::is_contained(interface.symbols, symbol))
        interface.symbols.push_back(symbol);
      return dimSymbol(&context, symbol);
    });
    inputs.push_back(tensor);
    interface.inputs.push_back({name.str(), tensor, ""});
    return runtime(body->addArgument(tensor, location(name)), typeOf(body->getArguments().back()));
  };
  for (Var *param : function->params) {
    Type *type = ground(param->type, frame, param->place);
    if (!type)
      return failure();
    if (type->kind == Type::Tensor) {
      frame.vars[param] = addInput(param, type, param->name);
      continue;
    }
    SmallVector<mlir::Type> flat;
    if (failed(flatten(type, flat, param->place)))
      return failure();
    SmallVector<Value> values;
    for (mlir::Type each : flat) {
      inputs.push_back(each);
      values.push_back(body->addArgument(each, location(param->name)));
    }
    ValueRange range = values;
    frame.vars[param] = unflatten(type, range);
  }
  b.setInsertionPointToStart(body);
  active[function] = 1;
  MaybeVal result = eval(function->body, frame);
  if (failed(result))
    return failure();
  SmallVector<Value> outputs;
  if (failed(flatten(*result, outputs, function->body->place)))
    return failure();
  b.create<func::ReturnOp>(module.getLoc(), outputs);
  main.setFunctionType(b.getFunctionType(inputs, ValueRange(outputs).getTypes()));
  for (auto [i, output] : llvm::enumerate(outputs)) {
    std::string name = outputs.size() == 1 ? "output" : "output_" + std::to_string(i);
    if (auto tensor = dyn_cast<RankedTensorType>(output.getType()))
      interface.outputs.push_back({name, tensor, ""});
  }
  return success();
}

LogicalResult elaborate(Program &program, TypeContext &types, Reporter &reporter,
                        const ElaborateOptions &options, ModuleOp module,
                        ModelInterface &interface) {
  return Elaborator(program, types, reporter, options, module, interface).run();
}

} // namespace ingot::relay
