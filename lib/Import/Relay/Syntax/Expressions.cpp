//===- Expressions.cpp - Expressions of the Relay text format --------------------------------===//

#include "Import/Relay/Syntax/Grammar.h"
#include "llvm/Support/Error.h"

namespace ingot::relay {

namespace {

struct Operator {
  const char *symbol, *name;
  int level;
};
constexpr Operator operators[] = {
    {"*", "multiply", 12}, {"/", "divide", 12},     {"+", "add", 10},    {"-", "subtract", 10},
    {"<", "less", 8},      {"<=", "less_equal", 8}, {">", "greater", 8}, {">=", "greater_equal", 8},
    {"==", "equal", 7},    {"!=", "not_equal", 7},
};

} // namespace

/// Items up to `close`, which is consumed; up to the end of the text if it is empty.
Expr *Parser::parseBlock(llvm::StringRef close) {
  Place at = place();
  scopes.push_back({{}, nullptr});
  auto leave = llvm::make_scope_exit([&] { scopes.pop_back(); });
  auto *block = program.make<BlockExpr>(at);
  bool isBad = false;
  while (true) {
    bool isBinding =
        isWord("let") || isWord("free_var") || (peek().word == Word::Graph && is("=", 1));
    if (isBinding) {
      if (parseBinding(block->bindings))
        continue;
      isBad = true;
      skipItem();
      if (accept(";"))
        continue;
    } else {
      Expr *value = parseBinary(0);
      isBad |= !value;
      if (!value)
        skipItem();
      if (accept(";")) {
        block->bindings.push_back({nullptr, value});
        continue;
      }
      block->result = value;
    }
    break;
  }
  if (!close.empty() && !expect(close, "at the end of a block"))
    return nullptr;
  if (isBad || !block->result)
    return isBad ? nullptr : error(at, "this block has no result");
  std::vector<Expr *> children{block->result};
  for (auto &binding : block->bindings)
    children.push_back(binding.value);
  if (block->bindings.empty())
    return block->result;
  return finish(block, children);
}

bool Parser::parseBinding(std::vector<BlockExpr::Binding> &bindings) {
  if (acceptWord("free_var")) {
    if (!expression) {
      error(place(), "free_var stands only in a text that is one expression");
      return false;
    }
    if (peek().word != Word::Local) {
      error(place(), "expected a variable such as %x, found " + found());
      return false;
    }
    Var *var = program.makeVar(text(peek()), place());
    next();
    if (accept(":") && !(var->annotation = parseType()))
      return false;
    scopes[1].vars[var->name] = var;
    expression->params.push_back(var);
    return expect(";", "after a free variable");
  }
  bool isLet = acceptWord("let");
  if (isLet && peek().word != Word::Local && !isWord("_")) {
    error(place(), "expected a variable such as %x after let, found " + found());
    return false;
  }
  Var *var = program.makeVar(text(peek()), place());
  next();
  if (isLet && accept(":") && !(var->annotation = parseType()))
    return false;
  if (!expect("=", "before the value"))
    return false;
  // A function may refer to itself; anything else may refer to an earlier variable of its name.
  bool isFunction = isWord("fn");
  if (isFunction)
    declare(var);
  Expr *value = parseBinary(0);
  if (auto *function = llvm::dyn_cast_or_null<FunctionExpr>(value)) {
    if (isFunction) {
      var->function = function;
      function->name = var->name;
      function->isRecursive = llvm::is_contained(function->captures, var);
    }
  }
  declare(var);
  bindings.push_back({var, value});
  if (!value)
    return false;
  return expect(";", "after the value of %" + var->name);
}

Expr *Parser::parseBinary(int level) {
  if (nesting > maxNesting) {
    error(place(),
          "this is nested more than " + llvm::Twine(maxNesting) + " deep: bind parts of it by let");
    return nullptr;
  }
  ++nesting;
  auto leave = llvm::make_scope_exit([&] { --nesting; });
  Expr *left = parseCall();
  while (left) {
    const Operator *op = nullptr;
    for (const Operator &each : operators)
      if (is(each.symbol) && each.level > level)
        op = &each;
    if (!op) {
      const Token &t = peek();
      if ((t.word == Word::Integer || t.word == Word::Float) && text(t).starts_with("-"))
        return error(place(), "a minus right before a digit belongs to the number: put a space "
                              "between them to subtract");
      return left;
    }
    Place at = place();
    next();
    Expr *right = parseBinary(op->level);
    auto *name = program.make<NameExpr>(at);
    name->name = op->name;
    auto *call = program.make<CallExpr>(at);
    call->callee = name;
    call->args = {left, right};
    left = finish(call, {left, right});
  }
  return nullptr;
}

Expr *Parser::parseCall() {
  Expr *expr = parseAtom();
  while (expr && is("(")) {
    Place at = place();
    next();
    auto *call = program.make<CallExpr>(expr->kind == ExprKind::Name ? expr->place : at);
    call->callee = expr;
    if (!parseArguments(call))
      return nullptr;
    std::vector<Expr *> children = call->args;
    children.push_back(expr);
    expr = finish(call, children);
    while (expr && is(".")) {
      Place dot = place();
      next();
      auto index = parseCount("the position of a member of a tuple");
      if (!index)
        return nullptr;
      auto *project = program.make<ProjectExpr>(dot);
      project->tuple = expr;
      project->index = *index;
      expr = finish(project, {expr});
    }
  }
  return expr;
}

bool Parser::isAttr() const {
  size_t i = 0;
  if (peek().word != Word::Name)
    return false;
  while (is(".", i + 1) && peek(i + 2).word == Word::Name)
    i += 2;
  return is("=", i + 1);
}

bool Parser::parseAttr(Attrs &attrs) {
  Attr attr;
  attr.place = place();
  attr.name = parseHierarchicalName();
  if (!expect("=", "after the name of an attribute") || !parseAttrValue(attr.value))
    return false;
  for (const Attr &other : attrs)
    if (other.name == attr.name)
      reporter.error(attr.place, "the attribute " + attr.name + " stands twice in the list");
  attrs.push_back(std::move(attr));
  return true;
}

bool Parser::parseAttrValue(AttrValue &value) {
  if (nesting > maxNesting) {
    error(place(), "this is nested more than " + llvm::Twine(maxNesting) + " deep");
    return false;
  }
  ++nesting;
  auto leave = llvm::make_scope_exit([&] { --nesting; });
  value.place = place();
  const Token &t = peek();
  if (t.word == Word::String) {
    value.kind = AttrValue::String;
    value.text = text(t).str();
    next();
    return true;
  }
  if (t.word == Word::Integer || t.word == Word::Float) {
    auto *literal = llvm::dyn_cast_or_null<LiteralExpr>(parseNumber());
    if (!literal)
      return false;
    bool isFloat = llvm::StringRef(literal->element).starts_with("float");
    value.kind = isFloat ? AttrValue::Float : AttrValue::Integer;
    value.integer = literal->integer;
    value.number = isFloat ? literal->number : static_cast<double>(literal->integer);
    return true;
  }
  if (is("[") || is("(")) {
    llvm::StringRef close = is("[") ? "]" : ")";
    value.kind = AttrValue::List;
    next();
    while (!is(close) && !atEnd()) {
      AttrValue member;
      if (!parseAttrValue(member))
        return false;
      value.list.push_back(std::move(member));
      if (!accept(","))
        break;
    }
    return expect(close, "after a list");
  }
  if (acceptWord("True") || acceptWord("False")) {
    value.kind = AttrValue::Bool;
    value.integer = text(tokens[position - 1]) == "True";
    return true;
  }
  if (acceptWord("None") || acceptWord("nullptr"))
    return true;
  if (isWord("meta")) {
    next();
    value.kind = AttrValue::Meta;
    if (!expect("[", "after meta"))
      return false;
    value.text = parseHierarchicalName();
    if (!expect("]", "after the type of a metadata reference") ||
        !expect("[", "before the index of a metadata reference"))
      return false;
    auto index = parseCount("an index");
    if (!index || !expect("]", "after the index of a metadata reference"))
      return false;
    value.integer = *index;
    return true;
  }
  if (t.word == Word::Name) {
    value.kind = AttrValue::String;
    value.text = parseHierarchicalName();
    return true;
  }
  error(place(), "expected the value of an attribute, found " + found());
  return false;
}

bool Parser::parseArguments(CallExpr *call) {
  while (!is(")") && !atEnd()) {
    if (isAttr()) {
      if (!parseAttr(call->attrs))
        return false;
    } else if (isWord("meta") && !call->args.empty()) {
      // The last argument may be the attributes, from the metadata section.
      Place at = place();
      size_t before = position;
      AttrValue value;
      if (!parseAttrValue(value))
        return false;
      if (const Attrs *attrs = metadata.attributes(value.text, value.integer);
          attrs && !metadata.constant(value.text, value.integer) && is(")")) {
        call->attrs.insert(call->attrs.end(), attrs->begin(), attrs->end());
      } else {
        position = before;
        Expr *arg = parseBinary(0);
        if (!arg)
          return false;
        call->args.push_back(arg);
      }
      (void)at;
    } else {
      Expr *arg = parseBinary(0);
      if (!arg)
        return false;
      call->args.push_back(arg);
    }
    if (!accept(","))
      break;
  }
  return expect(")", "after the arguments");
}

std::string Parser::parseHierarchicalName() {
  if (peek().word != Word::Name) {
    error(place(), "expected a name, found " + found());
    return "";
  }
  std::string name = text(peek()).str();
  next();
  while (is(".") && peek(1).word == Word::Name) {
    next();
    name += "." + text(peek()).str();
    next();
  }
  return name;
}

Expr *Parser::parseAtom() {
  Expr *expr = parsePrimary();
  while (expr && is(".")) {
    Place at = place();
    next();
    auto index = parseCount("the position of a member of a tuple");
    if (!index)
      return nullptr;
    auto *project = program.make<ProjectExpr>(at);
    project->tuple = expr;
    project->index = *index;
    expr = finish(project, {expr});
  }
  return expr;
}

Expr *Parser::parseNumber() {
  const Token &t = peek();
  Place at = place();
  llvm::StringRef whole = text(t), digits = whole;
  next();
  bool isNegative = false;
  while (digits.consume_front("-"))
    isNegative = !isNegative;
  if (digits.size() > 400)
    return error(at, "this number has too many digits");
  auto *literal = program.make<LiteralExpr>(at);
  size_t suffix = digits.starts_with("inf") ? 3 : digits.find_first_of("fiu");
  llvm::StringRef number = digits.take_front(suffix), type = digits.drop_front(number.size());
  if (t.word == Word::Float) {
    literal->element = type == "f" ? "float32" : "float" + type.drop_front().str();
    if (literal->element != "float32" && literal->element != "float64" &&
        literal->element != "float16")
      return error(at, "there is no type " + literal->element);
    if (number == "inf") {
      literal->number = std::numeric_limits<double>::infinity();
    } else {
      // Rounded once, to the type of the literal.
      llvm::APFloat value(literal->element == "float64"   ? llvm::APFloat::IEEEdouble()
                          : literal->element == "float32" ? llvm::APFloat::IEEEsingle()
                                                          : llvm::APFloat::IEEEhalf());
      auto status = value.convertFromString(number, llvm::APFloat::rmNearestTiesToEven);
      if (!status) {
        llvm::consumeError(status.takeError());
        return error(at, "'" + whole + "' is no number");
      }
      if (*status & llvm::APFloat::opOverflow)
        return error(at, "'" + whole + "' is too large for " + literal->element);
      bool isInexact;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
      literal->number = value.convertToDouble();
    }
    if (isNegative)
      literal->number = -literal->number;
    return finish(literal, {});
  }
  llvm::APInt value(1536, 0);
  if (number.getAsInteger(10, value))
    return error(at, "'" + whole + "' is no number");
  value = value.zextOrTrunc(1536);
  if (isNegative)
    value = -value;
  bool isUnsigned = type.starts_with("u");
  unsigned bits = 32;
  if (type.empty())
    bits = value.isSignedIntN(32) ? 32 : 64;
  else if (type.size() > 1 && type.drop_front().getAsInteger(10, bits))
    return error(at, "there is no type " + type);
  literal->element = (isUnsigned ? "uint" : "int") + std::to_string(bits);
  if (!elementTypeNamed(&context, literal->element))
    return error(at, "there is no type " + literal->element);
  if (isUnsigned ? value.isNegative() || !value.isIntN(bits) : !value.isSignedIntN(bits))
    return error(at, "'" + whole + "' does not fit " + literal->element);
  literal->integer = isUnsigned ? static_cast<int64_t>(value.trunc(64).getZExtValue())
                                : value.trunc(64).getSExtValue();
  return finish(literal, {});
}

Expr *Parser::parsePrimary() {
  Place at = place();
  const Token &t = peek();
  switch (t.word) {
  case Word::Invalid:
    // Reported already.
    next();
    return nullptr;
  case Word::Integer:
  case Word::Float:
    return parseNumber();
  case Word::Local:
  case Word::Graph: {
    auto *expr = program.make<VarExpr>(at);
    std::string name = text(t).str();
    next();
    expr->var = find(name, at);
    return expr->var ? finish(expr, {}) : nullptr;
  }
  case Word::Global: {
    auto *expr = program.make<NameExpr>(at);
    expr->name = text(t).str();
    expr->isGlobal = true;
    next();
    return finish(expr, {});
  }
  case Word::Name:
    return parseName();
  default:
    break;
  }
  if (is("("))
    return parseParenthesis();
  if (accept("{"))
    return parseBlock("}");
  return error(at, "expected an expression, found " + found());
}

Expr *Parser::parseName() {
  Place at = place();
  if (acceptWord("True") || acceptWord("False")) {
    auto *literal = program.make<LiteralExpr>(at);
    literal->element = "bool";
    literal->integer = text(tokens[position - 1]) == "True";
    return finish(literal, {});
  }
  if (acceptWord("fn"))
    return parseFunction("", at);
  if (isWord("if"))
    return parseIf();
  if (isWord("match") || isWord("match?"))
    return parseMatch();
  if (isWord("meta") && is("[", 1))
    return parseMeta();
  if (isWord("ref") && is("(", 1)) {
    next();
    next();
    auto *expr = program.make<NewRefExpr>(at);
    expr->value = parseBinary(0);
    if (!expr->value || !expect(")", "after the value of a reference"))
      return nullptr;
    return finish(expr, {expr->value});
  }
  if (isWord("ref_read") && is("(", 1)) {
    next();
    next();
    auto *expr = program.make<ReadRefExpr>(at);
    expr->ref = parseBinary(0);
    if (!expr->ref || !expect(")", "after the reference"))
      return nullptr;
    return finish(expr, {expr->ref});
  }
  if (isWord("ref_write") && is("(", 1)) {
    next();
    next();
    auto *expr = program.make<WriteRefExpr>(at);
    expr->ref = parseBinary(0);
    if (!expr->ref || !expect(",", "after the reference"))
      return nullptr;
    expr->value = parseBinary(0);
    if (!expr->value || !expect(")", "after the value to write"))
      return nullptr;
    return finish(expr, {expr->ref, expr->value});
  }
  if (isWord("let") || isWord("def") || isWord("else") || isWord("type"))
    return error(at, "expected an expression, found " + found() +
                         (isWord("let") ? ": put the let in braces" : ""));
  auto *expr = program.make<NameExpr>(at);
  expr->name = parseHierarchicalName();
  return finish(expr, {});
}

Expr *Parser::parseIf() {
  auto *expr = program.make<IfExpr>(place());
  next();
  if (!expect("(", "after if"))
    return nullptr;
  expr->condition = parseBinary(0);
  if (!expr->condition || !expect(")", "after the condition") ||
      !expect("{", "before the first branch"))
    return nullptr;
  expr->then = parseBlock("}");
  if (!expr->then)
    return nullptr;
  if (!acceptWord("else"))
    return error(place(), "expected else, found " + found() + ": an if has two branches");
  if (isWord("if"))
    expr->otherwise = parseIf();
  else if (expect("{", "before the second branch"))
    expr->otherwise = parseBlock("}");
  return finish(expr, {expr->condition, expr->then, expr->otherwise});
}

Expr *Parser::parseMatch() {
  auto *expr = program.make<MatchExpr>(place());
  expr->isTotal = isWord("match");
  next();
  expr->value = parseAtom();
  if (!expr->value || !expect("{", "before the clauses of a match"))
    return nullptr;
  std::vector<Expr *> children{expr->value};
  bool isBad = false;
  while (!is("}") && !atEnd()) {
    scopes.push_back({{}, nullptr});
    Pattern *pattern = parsePattern();
    Expr *body = nullptr;
    if (pattern && expect("=>", "after a pattern")) {
      // A body without braces is one expression; sequences and lets may follow it.
      if (accept("{")) {
        body = parseBlock("}");
      } else {
        body = parseBinary(0);
      }
    }
    scopes.pop_back();
    if (!body) {
      isBad = true;
      while (!atEnd() && !is(",") && !is("}")) {
        if (is("{") || is("(") || is("["))
          skipNested();
        else
          next();
      }
    }
    expr->clauses.push_back({pattern, body});
    children.push_back(body);
    if (!accept(","))
      break;
  }
  if (!expect("}", "after the clauses of a match") || isBad)
    return nullptr;
  return finish(expr, children);
}

Pattern *Parser::parsePattern() {
  if (nesting > maxNesting)
    return error(place(), "this pattern is nested too deeply");
  ++nesting;
  auto leave = llvm::make_scope_exit([&] { --nesting; });
  Place at = place();
  auto fields = [&](Pattern *pattern) -> Pattern * {
    while (!is(")") && !atEnd()) {
      Pattern *field = parsePattern();
      if (!field)
        return nullptr;
      pattern->fields.push_back(field);
      if (!accept(","))
        break;
    }
    return expect(")", "after the members of a pattern") ? pattern : nullptr;
  };
  if (acceptWord("_"))
    return program.makePattern(Pattern::Wildcard, at);
  if (peek().word == Word::Local) {
    Pattern *pattern = program.makePattern(Pattern::Variable, at);
    pattern->var = program.makeVar(text(peek()), at);
    if (scopes.back().vars.contains(pattern->var->name))
      error(at, "the pattern binds %" + pattern->var->name + " twice");
    next();
    if (accept(":") && !(pattern->var->annotation = parseType()))
      return nullptr;
    declare(pattern->var);
    return pattern;
  }
  if (accept("("))
    return fields(program.makePattern(Pattern::Tuple, at));
  bool isLiteral = peek().word == Word::Integer || isWord("True") || isWord("False");
  if (isLiteral) {
    Pattern *pattern = program.makePattern(Pattern::Literal, at);
    pattern->literal = parsePrimary();
    return pattern->literal ? pattern : nullptr;
  }
  if (peek().word != Word::Name)
    return error(at, "expected a pattern, found " + found());
  Pattern *pattern = program.makePattern(Pattern::Construct, at);
  pattern->name = text(peek()).str();
  next();
  return accept("(") ? fields(pattern) : pattern;
}

Expr *Parser::parseParenthesis() {
  Place at = place();
  next();
  if (accept(")"))
    return finish(program.make<TupleExpr>(at), {});
  // A let may stand in parentheses; it is a block of its own.
  if (isWord("let"))
    return parseBlock(")");
  Expr *first = parseBinary(0);
  if (!first)
    return nullptr;
  if (accept(")"))
    return first;
  auto *tuple = program.make<TupleExpr>(at);
  tuple->fields.push_back(first);
  while (accept(",")) {
    if (is(")"))
      break;
    Expr *field = parseBinary(0);
    if (!field)
      return nullptr;
    tuple->fields.push_back(field);
  }
  if (!expect(")", "after the members of a tuple"))
    return nullptr;
  return finish(tuple, tuple->fields);
}

Expr *Parser::parseMeta() {
  Place at = place();
  AttrValue value;
  if (!parseAttrValue(value))
    return nullptr;
  auto *expr = program.make<MetaExpr>(at);
  expr->value = metadata.constant(value.text, value.integer);
  if (!expr->value)
    return error(at, "no tensor of the metadata section stands behind this");
  return finish(expr, {});
}

} // namespace ingot::relay
