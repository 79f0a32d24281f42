//===- Infer.cpp - Types of a Relay program ---------------------------------------------------===//

#include "Import/Relay/Types/Infer.h"
#include "Dialect/Dims.h"
#include "Import/Relay/Operators/Call.h"
#include "Import/Relay/Syntax/Metadata.h"
#include "Import/Relay/Types/Exhaustive.h"
#include "Support/Components.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ingot::relay {

ElementsAttr constantOf(const Expr *expr, MLIRContext *context) {
  if (auto *meta = dyn_cast<MetaExpr>(expr))
    return meta->value;
  auto *literal = dyn_cast<LiteralExpr>(expr);
  if (!literal)
    return {};
  mlir::Type element = elementTypeNamed(context, literal->element);
  auto type = RankedTensorType::get({}, element);
  if (auto real = dyn_cast<FloatType>(element)) {
    APFloat number(literal->number);
    bool isInexact;
    number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
    return DenseElementsAttr::get(type, number);
  }
  return DenseElementsAttr::get(
      type,
      APInt(64, static_cast<uint64_t>(literal->integer)).trunc(element.getIntOrFloatBitWidth()));
}

RankedTensorType tensorTypeOf(Type *type, MLIRContext *context,
                              llvm::function_ref<AffineExpr(unsigned)> symbol) {
  SmallVector<AffineExpr> dims;
  for (auto [i, dim] : llvm::enumerate(type->dims))
    dims.push_back(dim < 0 ? symbol(i) : dimConstant(context, dim));
  return makeTensorType(dims, type->element);
}

namespace {

/// What waits until more is known.
struct Pending {
  Expr *expr; ///< the call of an operator, or the projection
  llvm::StringRef op;
  const Attrs *attrs;
  std::vector<Type *> args;
  Type *result;
};

class Inference {
public:
  Inference(Program &program, TypeContext &types, Reporter &reporter, MLIRContext &context)
      : program(program), types(types), reporter(reporter), context(context),
        scratch(ModuleOp::create(UnknownLoc::get(&context))), b(&context) {}

  void run();

private:
  using Names = llvm::StringMap<Type *>;

  //===--- Declarations ---===//
  void declareTypes();
  void orderDefinitions();
  bool isAnnotated(Definition &definition) const;
  void inferGroup(ArrayRef<Definition *> group);
  Type *convert(const TypeExpr *type, const Names &names, bool holesAllowed = true);

  //===--- Expressions ---===//
  Type *infer(Expr *expr);
  Type *inferLiteral(LiteralExpr *literal);
  Type *inferVar(VarExpr *var);
  Type *inferName(NameExpr *name);
  Type *inferFunction(FunctionExpr *function);
  Type *inferCall(CallExpr *call);
  Type *inferMatch(MatchExpr *match);
  Type *inferBlock(BlockExpr *block);
  void inferPattern(Pattern *pattern, Type *type);
  void inferLet(Var *var, Expr *value);
  void bindParams(FunctionExpr *function, const Names &outer);
  Type *operatorAsFunction(NameExpr *name);

  void unify(Type *expected, Type *found, Place place, const Twine &what);
  Type *unknown() { return types.unknown(level); }
  Type *failed(Place place, const Twine &message) {
    reporter.error(place, message);
    return unknown();
  }

  //===--- Constraints ---===//
  /// Goes through what waits until nothing more can be found; `isLast` reports what is left.
  void solve(bool isLast);
  enum class Progress { Waits, Done };
  Progress solve(Pending &pending);
  Type *resultOf(Pending &pending);
  /// The value of a constant, or of the operators that put a small tensor together from constants,
  /// at most `depth` of them in one another; null for any other expression. Errors in those are
  /// reported where they are solved themselves.
  Value constantValue(const Expr *expr, unsigned depth = 4);

  Program &program;
  TypeContext &types;
  Reporter &reporter;
  MLIRContext &context;
  OwningOpRef<ModuleOp> scratch;
  OpBuilder b;
  unsigned level = 1;
  std::vector<Pending> pending;
  /// Type parameters in scope.
  Names typeNames;
  std::vector<std::vector<Definition *>> groups;
  llvm::DenseSet<Definition *> done;
  std::vector<MatchExpr *> matches;
  llvm::DenseMap<Definition *, Type *> definitionTypes;
};

} // namespace

//===----------------------------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------------------------===//

Type *Inference::convert(const TypeExpr *type, const Names &names, bool holesAllowed) {
  switch (type->kind) {
  case TypeExpr::Hole:
    if (!holesAllowed)
      return failed(type->place, "the type must be written out here");
    return unknown();
  case TypeExpr::Tensor:
    if (mlir::Type element = elementTypeNamed(&context, type->element)) {
      int64_t count = 1;
      for (int64_t dim : type->dims)
        if (dim > 0 && llvm::MulOverflow(count, dim, count))
          count = INT64_MAX;
      if (count > (int64_t(1) << 40) || type->dims.size() > 64)
        return failed(type->place, "no tensor can be so large");
      return types.tensor(type->dims, element);
    }
    return unknown();
  case TypeExpr::Tuple:
  case TypeExpr::Function: {
    std::vector<Type *> args;
    for (const TypeExpr *arg : type->args)
      args.push_back(convert(arg, names, holesAllowed));
    return type->kind == TypeExpr::Tuple ? types.tuple(args) : types.function(args);
  }
  case TypeExpr::Named:
    break;
  }
  if (Type *param = names.lookup(type->name)) {
    if (!type->args.empty())
      return failed(type->place, "the type parameter " + type->name + " takes no arguments");
    return param;
  }
  if (type->name == "ref" && type->args.size() == 1)
    return types.reference(convert(type->args[0], names, holesAllowed));
  if (TypeDefinition *definition = program.typeOf.lookup(type->name)) {
    if (definition->params.size() != type->args.size())
      return failed(type->place, "the type " + type->name + " takes " +
                                     Twine(definition->params.size()) + " arguments, not " +
                                     Twine(type->args.size()));
    std::vector<Type *> args;
    for (const TypeExpr *arg : type->args)
      args.push_back(convert(arg, names, holesAllowed));
    return types.data(definition, args);
  }
  if (mlir::Type element = elementTypeNamed(&context, type->name); element && type->args.empty())
    return types.tensor({}, element);
  return failed(type->place, "there is no type " + type->name);
}

void Inference::declareTypes() {
  std::vector<Names> names(program.types.size());
  for (auto [i, definition] : llvm::enumerate(program.types))
    for (const std::string &param : definition->params) {
      definition->rigid.push_back(types.rigid(param));
      names[i][param] = definition->rigid.back();
    }
  for (auto [i, definition] : llvm::enumerate(program.types))
    for (auto &constructor : definition->constructors)
      for (const TypeExpr *field : constructor->fieldTypes)
        constructor->fields.push_back(convert(field, names[i], /*holesAllowed=*/false));
}

/// Calls `each` for every expression in `expr`, outer ones first.
static void walk(Expr *expr, llvm::function_ref<void(Expr *)> each) {
  std::vector<Expr *> work{expr};
  while (!work.empty()) {
    Expr *next = work.back();
    work.pop_back();
    if (!next)
      continue;
    each(next);
    auto add = [&](Expr *child) { work.push_back(child); };
    switch (next->kind) {
    case ExprKind::Literal:
    case ExprKind::Meta:
    case ExprKind::Var:
    case ExprKind::Name:
      break;
    case ExprKind::Function:
      add(cast<FunctionExpr>(next)->body);
      break;
    case ExprKind::Call:
      add(cast<CallExpr>(next)->callee);
      llvm::for_each(cast<CallExpr>(next)->args, add);
      break;
    case ExprKind::Tuple:
      llvm::for_each(cast<TupleExpr>(next)->fields, add);
      break;
    case ExprKind::Project:
      add(cast<ProjectExpr>(next)->tuple);
      break;
    case ExprKind::If:
      add(cast<IfExpr>(next)->condition);
      add(cast<IfExpr>(next)->then);
      add(cast<IfExpr>(next)->otherwise);
      break;
    case ExprKind::Match:
      add(cast<MatchExpr>(next)->value);
      for (Clause &clause : cast<MatchExpr>(next)->clauses)
        add(clause.body);
      break;
    case ExprKind::NewRef:
      add(cast<NewRefExpr>(next)->value);
      break;
    case ExprKind::ReadRef:
      add(cast<ReadRefExpr>(next)->ref);
      break;
    case ExprKind::WriteRef:
      add(cast<WriteRefExpr>(next)->ref);
      add(cast<WriteRefExpr>(next)->value);
      break;
    case ExprKind::Block:
      for (auto &binding : cast<BlockExpr>(next)->bindings)
        add(binding.value);
      add(cast<BlockExpr>(next)->result);
      break;
    }
  }
}

bool Inference::isAnnotated(Definition &definition) const {
  FunctionExpr *function = definition.function;
  auto isFull = [](const TypeExpr *type) {
    std::vector<const TypeExpr *> work{type};
    while (!work.empty()) {
      const TypeExpr *next = work.back();
      work.pop_back();
      if (!next || next->kind == TypeExpr::Hole)
        return false;
      work.insert(work.end(), next->args.begin(), next->args.end());
    }
    return true;
  };
  return isFull(function->resultType) &&
         llvm::all_of(function->params, [&](Var *param) { return isFull(param->annotation); });
}

/// Definitions in groups that refer to each other, those that a group needs before it.
void Inference::orderDefinitions() {
  size_t count = program.definitions.size();
  llvm::DenseMap<Definition *, size_t> indexOf;
  for (auto [i, definition] : llvm::enumerate(program.definitions))
    indexOf[definition.get()] = i;
  std::vector<std::vector<size_t>> uses(count);
  std::vector<bool> usesItself(count);
  for (size_t i = 0; i < count; ++i) {
    Definition *definition = program.definitions[i].get();
    if (!definition->function)
      continue;
    walk(definition->function->body, [&](Expr *expr) {
      auto *name = dyn_cast<NameExpr>(expr);
      if (!name || !name->isGlobal)
        return;
      name->definition = program.definitionOf.lookup(name->name);
      if (!name->definition)
        return;
      size_t used = indexOf[name->definition];
      usesItself[i] = usesItself[i] || used == i;
      uses[i].push_back(used);
    });
  }
  for (const std::vector<size_t> &component : stronglyConnectedComponents(uses)) {
    std::vector<Definition *> group;
    for (size_t member : component)
      if (FunctionExpr *function = program.definitions[member]->function) {
        group.push_back(program.definitions[member].get());
        function->isRecursive = component.size() > 1 || usesItself[member];
      }
    groups.push_back(std::move(group));
  }
}

void Inference::bindParams(FunctionExpr *function, const Names &outer) {
  for (const std::string &param : function->typeParams) {
    function->rigid.push_back(types.rigid(param));
    typeNames[param] = function->rigid.back();
  }
  std::vector<Type *> args;
  for (Var *param : function->params) {
    param->type = param->annotation ? convert(param->annotation, typeNames) : unknown();
    args.push_back(param->type);
  }
  args.push_back(function->resultType ? convert(function->resultType, typeNames) : unknown());
  function->type = types.function(args);
}

void Inference::inferGroup(ArrayRef<Definition *> group) {
  ++level;
  for (Definition *definition : group) {
    typeNames.clear();
    bindParams(definition->function, {});
    definitionTypes[definition] = definition->function->type;
    // Annotated in full, it may be used at several types even by those it uses itself.
    if (isAnnotated(*definition))
      definition->generalised = definition->function->rigid;
  }
  for (Definition *definition : group) {
    typeNames.clear();
    for (auto [name, type] :
         llvm::zip(definition->function->typeParams, definition->function->rigid))
      typeNames[name] = type;
    FunctionExpr *function = definition->function;
    Type *body = infer(function->body);
    unify(function->type->result(), body, function->body->place,
          "the body of @" + definition->name);
  }
  --level;
  solve(false);
  // What still waits keeps its unknowns from being chosen anew by each use.
  for (Pending &each : pending) {
    for (Type *arg : each.args)
      types.limitLevel(arg, level);
    types.limitLevel(each.result, level);
  }
  std::vector<Type *> unknowns;
  for (Definition *definition : group)
    types.collectUnknowns(definition->function->type, level, unknowns);
  for (Definition *definition : group) {
    std::vector<Type *> generalised = definition->function->rigid;
    generalised.insert(generalised.end(), unknowns.begin(), unknowns.end());
    definition->generalised = generalised;
    done.insert(definition);
  }
}

//===----------------------------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------------------------===//

void Inference::unify(Type *expected, Type *found, Place place, const Twine &what) {
  std::string expectedText = types.print(expected), foundText = types.print(found);
  switch (types.unify(expected, found)) {
  case TypeContext::Unified::Yes:
    return;
  case TypeContext::Unified::No:
    reporter.error(place, what + " has the type " + foundText + ", but " + expectedText +
                              " is needed here");
    return;
  case TypeContext::Unified::Infinite:
    reporter.error(place, what + " would need an infinite type: " + foundText +
                              " would have to be " + expectedText);
    return;
  case TypeContext::Unified::TooLarge:
    reporter.error(place, what + " has a type that is too large");
    return;
  }
}

Type *Inference::infer(Expr *expr) {
  auto compute = [&]() -> Type * {
    switch (expr->kind) {
    case ExprKind::Literal:
      return inferLiteral(cast<LiteralExpr>(expr));
    case ExprKind::Meta: {
      auto type = cast<RankedTensorType>(cast<MetaExpr>(expr)->value.getShapedType());
      return types.tensor(type.getShape(), type.getElementType());
    }
    case ExprKind::Var:
      return inferVar(cast<VarExpr>(expr));
    case ExprKind::Name: {
      auto *name = cast<NameExpr>(expr);
      Type *type = inferName(name);
      return name->isOperator ? operatorAsFunction(name) : type;
    }
    case ExprKind::Function:
      return inferFunction(cast<FunctionExpr>(expr));
    case ExprKind::Call:
      return inferCall(cast<CallExpr>(expr));
    case ExprKind::Tuple: {
      std::vector<Type *> fields;
      for (Expr *field : cast<TupleExpr>(expr)->fields)
        fields.push_back(infer(field));
      return types.tuple(fields);
    }
    case ExprKind::Project: {
      auto *project = cast<ProjectExpr>(expr);
      Type *tuple = infer(project->tuple), *result = unknown();
      Pending waiting{project, {}, nullptr, {tuple}, result};
      if (solve(waiting) == Progress::Waits)
        pending.push_back(waiting);
      return result;
    }
    case ExprKind::If: {
      auto *branch = cast<IfExpr>(expr);
      Type *condition = infer(branch->condition);
      unify(types.tensor({}, b.getI1Type()), condition, branch->condition->place,
            "the condition of an if");
      Type *then = infer(branch->then), *otherwise = infer(branch->otherwise);
      unify(then, otherwise, branch->otherwise->place, "the second branch of an if");
      return then;
    }
    case ExprKind::Match:
      return inferMatch(cast<MatchExpr>(expr));
    case ExprKind::NewRef:
      return types.reference(infer(cast<NewRefExpr>(expr)->value));
    case ExprKind::ReadRef: {
      auto *read = cast<ReadRefExpr>(expr);
      Type *content = unknown();
      unify(types.reference(content), infer(read->ref), read->ref->place,
            "the argument of ref_read");
      return content;
    }
    case ExprKind::WriteRef: {
      auto *write = cast<WriteRefExpr>(expr);
      Type *content = unknown();
      unify(types.reference(content), infer(write->ref), write->ref->place,
            "the argument of ref_write");
      unify(content, infer(write->value), write->value->place, "the value written");
      return types.tuple({});
    }
    case ExprKind::Block:
      return inferBlock(cast<BlockExpr>(expr));
    }
    llvm_unreachable("all kinds are covered");
  };
  expr->type = compute();
  return expr->type;
}

Type *Inference::inferLiteral(LiteralExpr *literal) {
  return types.tensor({}, elementTypeNamed(&context, literal->element));
}

Type *Inference::inferVar(VarExpr *expr) {
  Var *var = expr->var;
  if (!var->type)
    return unknown();
  if (var->generalised.empty())
    return var->type;
  Substitution fresh;
  for (Type *type : var->generalised) {
    expr->typeArgs.push_back(unknown());
    fresh[type] = expr->typeArgs.back();
  }
  Type *result = types.substitute(var->type, fresh);
  return result ? result : failed(expr->place, "this has a type that is too large");
}

Type *Inference::inferName(NameExpr *expr) {
  auto instantiate = [&](ArrayRef<Type *> generalised, Type *type) {
    Substitution fresh;
    for (Type *each : generalised) {
      expr->typeArgs.push_back(unknown());
      fresh[each] = expr->typeArgs.back();
    }
    Type *result = types.substitute(type, fresh);
    return result ? result : failed(expr->place, "this has a type that is too large");
  };
  if (expr->isGlobal) {
    if (!expr->definition)
      return failed(expr->place,
                    "@" + expr->name + " is not defined" +
                        (program.imported.empty() ? "; if it is of the prelude, write import "
                                                    "\"prelude.relay\" at the top"
                                                  : ""));
    if (!expr->definition->function)
      return unknown();
    Type *type = definitionTypes.lookup(expr->definition);
    return type ? instantiate(expr->definition->generalised, type) : unknown();
  }
  if (Constructor *constructor = program.constructorOf.lookup(expr->name)) {
    expr->constructor = constructor;
    Type *data = types.data(constructor->owner, constructor->owner->rigid);
    if (constructor->fields.empty())
      return instantiate(constructor->owner->rigid, data);
    std::vector<Type *> args = constructor->fields;
    args.push_back(data);
    return instantiate(constructor->owner->rigid, types.function(args));
  }
  if (operatorTable().contains(expr->name)) {
    expr->isOperator = true;
    return nullptr;
  }
  bool looksLikeConstructor = !expr->name.empty() && llvm::isUpper(expr->name[0]);
  return failed(expr->place, looksLikeConstructor
                                 ? "there is no constructor " + expr->name
                                 : "the operator " + expr->name + " is not supported");
}

/// An operator as a value: a function of as many tensors as the place needs.
Type *Inference::operatorAsFunction(NameExpr *name) {
  return failed(name->place, "the operator " + name->name + " is not a value: write fn (%x) { " +
                                 name->name + "(%x) }");
}

Type *Inference::inferFunction(FunctionExpr *function) {
  Names before = typeNames;
  bindParams(function, before);
  Type *body = infer(function->body);
  unify(function->type->result(), body, function->body->place, "the body of the function");
  typeNames = std::move(before);
  return function->type;
}

Type *Inference::inferCall(CallExpr *call) {
  if (auto *name = dyn_cast<NameExpr>(call->callee)) {
    Type *type = inferName(name);
    name->type = type;
    if (name->isOperator) {
      Pending waiting{call, name->name, &call->attrs, {}, unknown()};
      for (Expr *arg : call->args)
        waiting.args.push_back(infer(arg));
      if (solve(waiting) == Progress::Waits)
        pending.push_back(waiting);
      return waiting.result;
    }
    if (name->constructor && name->constructor->fields.empty() && call->args.empty())
      return type;
    if (!name->isGlobal && !name->constructor) {
      for (Expr *arg : call->args)
        infer(arg);
      return type;
    }
  } else {
    infer(call->callee);
  }
  Type *callee = resolve(call->callee->type);
  std::vector<Type *> args;
  for (Expr *arg : call->args)
    args.push_back(infer(arg));
  for (const Attr &attr : call->attrs)
    if (attr.name != "attrs_type_key" && attr.name != "virtual_device")
      reporter.error(attr.place, "only operators have attributes");
  std::string what = "the function";
  if (auto *name = dyn_cast<NameExpr>(call->callee))
    what = (name->isGlobal ? "@" : "") + name->name;
  else if (auto *var = dyn_cast<VarExpr>(call->callee))
    what = "%" + var->var->name;
  callee = resolve(callee);
  if (callee->kind == Type::Unknown) {
    Type *result = unknown();
    args.push_back(result);
    unify(callee, types.function(args), call->place, what);
    return result;
  }
  if (callee->kind != Type::Function)
    return failed(call->place,
                  what + " has the type " + types.print(callee) + " and cannot be called");
  if (callee->paramCount() != args.size())
    return failed(call->place, what + " takes " + Twine(callee->paramCount()) +
                                   (callee->paramCount() == 1 ? " argument" : " arguments") +
                                   ", not " + Twine(args.size()));
  for (auto [i, arg] : llvm::enumerate(args))
    unify(callee->args[i], arg, call->args[i]->place, "argument " + Twine(i + 1) + " of " + what);
  return callee->result();
}

void Inference::inferLet(Var *var, Expr *value) {
  bool isFunction = var->function && var->function == value;
  Type *annotated = var->annotation ? convert(var->annotation, typeNames) : nullptr;
  if (!isFunction) {
    Type *type = infer(value);
    if (annotated)
      unify(annotated, type, value->place, "the value of %" + var->name);
    var->type = annotated ? annotated : type;
    return;
  }
  ++level;
  // Inside itself a function has one type.
  var->type = annotated ? annotated : unknown();
  Type *type = infer(value);
  unify(var->type, type, value->place, "the function %" + var->name);
  --level;
  solve(false);
  for (Pending &each : pending) {
    for (Type *arg : each.args)
      types.limitLevel(arg, level);
    types.limitLevel(each.result, level);
  }
  std::vector<Type *> generalised = var->function->rigid;
  types.collectUnknowns(var->type, level, generalised);
  var->generalised = generalised;
}

Type *Inference::inferBlock(BlockExpr *block) {
  for (auto &binding : block->bindings) {
    if (binding.var)
      inferLet(binding.var, binding.value);
    else
      infer(binding.value);
  }
  return infer(block->result);
}

void Inference::inferPattern(Pattern *pattern, Type *type) {
  pattern->type = type;
  switch (pattern->kind) {
  case Pattern::Wildcard:
    return;
  case Pattern::Variable:
    pattern->var->type = type;
    if (pattern->var->annotation)
      unify(convert(pattern->var->annotation, typeNames), type, pattern->place,
            "%" + pattern->var->name);
    return;
  case Pattern::Literal:
    unify(type, infer(pattern->literal), pattern->place, "the literal");
    return;
  case Pattern::Tuple: {
    std::vector<Type *> fields;
    for (size_t i = 0; i < pattern->fields.size(); ++i)
      fields.push_back(unknown());
    unify(type, types.tuple(fields), pattern->place, "the pattern");
    for (auto [field, fieldType] : llvm::zip(pattern->fields, fields))
      inferPattern(field, fieldType);
    return;
  }
  case Pattern::Construct:
    break;
  }
  Constructor *constructor = program.constructorOf.lookup(pattern->name);
  if (!constructor) {
    reporter.error(pattern->place, "there is no constructor " + pattern->name);
    for (Pattern *field : pattern->fields)
      inferPattern(field, unknown());
    return;
  }
  pattern->constructor = constructor;
  Substitution fresh;
  std::vector<Type *> args;
  for (Type *param : constructor->owner->rigid) {
    args.push_back(unknown());
    fresh[param] = args.back();
  }
  unify(type, types.data(constructor->owner, args), pattern->place, "the pattern " + pattern->name);
  if (constructor->fields.size() != pattern->fields.size()) {
    reporter.error(pattern->place, "the constructor " + pattern->name + " has " +
                                       Twine(constructor->fields.size()) + " fields, not " +
                                       Twine(pattern->fields.size()));
  }
  for (auto [i, field] : llvm::enumerate(pattern->fields)) {
    Type *fieldType = i < constructor->fields.size()
                          ? types.substitute(constructor->fields[i], fresh)
                          : unknown();
    inferPattern(field, fieldType ? fieldType : unknown());
  }
}

Type *Inference::inferMatch(MatchExpr *match) {
  Type *type = infer(match->value), *result = unknown();
  for (Clause &clause : match->clauses) {
    inferPattern(clause.pattern, type);
    unify(result, infer(clause.body), clause.body->place, "this clause of the match");
  }
  if (match->clauses.empty())
    reporter.error(match->place, "this match has no clause");
  matches.push_back(match);
  return result;
}

//===----------------------------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------------------------===//

Inference::Progress Inference::solve(Pending &waiting) {
  if (waiting.op.empty()) {
    auto *project = cast<ProjectExpr>(waiting.expr);
    Type *tuple = resolve(waiting.args[0]);
    if (tuple->kind == Type::Unknown)
      return Progress::Waits;
    if (tuple->kind != Type::Tuple)
      reporter.error(project->place, "only tuples have members, and this is " + types.print(tuple));
    else if (static_cast<size_t>(project->index) >= tuple->args.size())
      reporter.error(project->place,
                     "the tuple " + types.print(tuple) + " has no member " + Twine(project->index));
    else
      unify(tuple->args[project->index], waiting.result, project->place, "the member");
    return Progress::Done;
  }
  for (Type *arg : waiting.args)
    if (!types.isKnown(arg))
      return Progress::Waits;
  if (Type *result = resultOf(waiting))
    unify(waiting.result, result, waiting.expr->place, "the result of " + waiting.op);
  return Progress::Done;
}

Value Inference::constantValue(const Expr *expr, unsigned depth) {
  Location loc = UnknownLoc::get(&context);
  if (ElementsAttr value = constantOf(expr, &context))
    return b.create<ConstantOp>(loc, value);
  auto *call = dyn_cast<CallExpr>(expr);
  auto *name = call ? dyn_cast<NameExpr>(call->callee) : nullptr;
  if (!name || !name->isOperator || call->args.empty() || depth == 0 ||
      !llvm::is_contained({"stack", "concatenate", "reshape", "cast"}, name->name))
    return nullptr;
  constexpr size_t limit = 64;
  std::vector<Call::Argument> args;
  for (const Expr *arg : call->args) {
    auto *tuple = dyn_cast<TupleExpr>(arg);
    Call::Argument argument;
    argument.isTuple = tuple != nullptr;
    SmallVector<const Expr *> parts{arg};
    if (tuple)
      parts.assign(tuple->fields.begin(), tuple->fields.end());
    if (parts.size() > limit)
      return nullptr;
    for (const Expr *part : parts) {
      argument.values.push_back(constantValue(part, depth - 1));
      if (!argument.values.back())
        return nullptr;
    }
    args.push_back(std::move(argument));
  }
  ScopedDiagnosticHandler silent(&context, [](mlir::Diagnostic &) { return success(); });
  Call attempt(b, loc, name->name, call->attrs, args);
  if (mlir::failed(importCall(attempt)))
    return nullptr;
  return attempt.results.front();
}

Type *Inference::resultOf(Pending &waiting) {
  Location loc = UnknownLoc::get(&context);
  // Operands stand for themselves as arguments of a block; constants stay constants.
  auto *block = new Block;
  scratch->getBodyRegion().push_back(block);
  b.setInsertionPointToStart(block);
  unsigned symbols = 0;
  std::vector<Call::Argument> args;
  bool isBad = false;
  auto *call = cast<CallExpr>(waiting.expr);
  for (auto [i, arg] : llvm::enumerate(waiting.args)) {
    Type *type = resolve(arg);
    Call::Argument argument;
    argument.isTuple = type->kind == Type::Tuple;
    std::vector<Type *> leaves = argument.isTuple ? type->args : std::vector{type};
    for (Type *leaf : leaves) {
      leaf = resolve(leaf);
      if (leaf->kind != Type::Tensor) {
        if (!isBad)
          reporter.error(call->args[i]->place,
                         waiting.op + " takes tensors, and this is " + types.print(leaf));
        isBad = true;
        continue;
      }
      if (Value value = argument.isTuple ? nullptr : constantValue(call->args[i])) {
        argument.values.push_back(value);
        continue;
      }
      argument.values.push_back(block->addArgument(
          tensorTypeOf(
              leaf, &context,
              [&](unsigned) { return dimSymbol(&context, "?" + std::to_string(symbols++)); }),
          loc));
    }
    args.push_back(std::move(argument));
  }
  Type *result = nullptr;
  if (!isBad) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return success();
    });
    Call attempt(b, loc, waiting.op, *waiting.attrs, args);
    if (mlir::failed(importCall(attempt))) {
      StringRef text = message.empty() ? StringRef("it could not be imported") : message;
      text.consume_front("'ingot.");
      reporter.error(call->place, waiting.op + ": " + text);
    } else {
      std::vector<Type *> fields;
      for (Value value : attempt.results) {
        auto type = cast<RankedTensorType>(value.getType());
        std::vector<int64_t> dims;
        for (AffineExpr dim : getDims(type))
          dims.push_back(constantDim(dim).value_or(-1));
        fields.push_back(types.tensor(dims, type.getElementType()));
      }
      result = attempt.isTuple ? types.tuple(fields) : fields.front();
    }
  }
  block->dropAllReferences();
  block->dropAllDefinedValueUses();
  block->erase();
  return result;
}

void Inference::solve(bool isLast) {
  bool changed = true;
  while (changed && !pending.empty()) {
    changed = false;
    std::vector<Pending> left;
    for (Pending &each : std::exchange(pending, {})) {
      if (solve(each) == Progress::Done)
        changed = true;
      else
        left.push_back(std::move(each));
    }
    // Solving adds nothing: what was there before stays.
    pending.insert(pending.begin(), left.begin(), left.end());
  }
  if (!isLast || reporter.hasErrors())
    return;
  for (Pending &each : pending) {
    for (Type *arg : each.args)
      if (!types.isKnown(arg)) {
        reporter.error(each.expr->place,
                       (each.op.empty() ? "the tuple" : "an argument of " + each.op.str()) +
                           " has a type that the program does not determine (" + types.print(arg) +
                           "): annotate it");
        break;
      }
  }
}

void Inference::run() {
  declareTypes();
  orderDefinitions();
  for (auto &group : groups)
    if (!group.empty())
      inferGroup(group);
  solve(true);
  if (!reporter.hasErrors())
    for (MatchExpr *match : matches)
      checkExhaustive(*match, types, reporter);
}

void inferTypes(Program &program, TypeContext &types, Reporter &reporter, MLIRContext &context) {
  context.loadDialect<IngotDialect>();
  Inference(program, types, reporter, context).run();
}

} // namespace ingot::relay
