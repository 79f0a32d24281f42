//===- Parser.cpp - Relay text to trees -------------------------------------------------------===//

#include "Import/Relay/Syntax/Parser.h"
#include "Import/Relay/Syntax/Lexer.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

namespace ingot::relay {

namespace {

/// Nesting beyond this is refused: no stage of the compiler may run out of stack.
constexpr unsigned maxNesting = 256;

class Parser {
public:
  Parser(const SourceText &source, Program &program, Reporter &reporter, mlir::MLIRContext &context,
         bool isProgram, llvm::function_ref<const SourceText *(llvm::StringRef)> library)
      : source(source), program(program), reporter(reporter), context(context),
        isProgram(isProgram), library(library), metadata(context) {}

  void run();

private:
  //===--- Tokens ---===//
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(position + ahead, tokens.size() - 1)];
  }
  llvm::StringRef text(const Token &t) const {
    return llvm::StringRef(source.text).substr(t.offset, t.size);
  }
  bool is(llvm::StringRef symbol, size_t ahead = 0) const {
    const Token &t = peek(ahead);
    return t.word == Word::Symbol && text(t) == symbol;
  }
  bool isWord(llvm::StringRef keyword, size_t ahead = 0) const {
    return peek(ahead).word == Word::Name && text(peek(ahead)) == keyword;
  }
  bool atEnd() const { return peek().word == Word::End || peek().word == Word::Metadata; }
  Place place() const { return {&source, peek().start}; }
  void next() {
    if (position + 1 < tokens.size())
      ++position;
  }
  bool accept(llvm::StringRef symbol) {
    if (!is(symbol))
      return false;
    next();
    return true;
  }
  bool acceptWord(llvm::StringRef keyword) {
    if (!isWord(keyword))
      return false;
    next();
    return true;
  }
  bool expect(llvm::StringRef symbol, const llvm::Twine &where);
  std::nullptr_t error(Place at, const llvm::Twine &message) {
    reporter.error(at, message);
    return nullptr;
  }
  std::string found() const;
  /// Goes to the next `;` or the end of the enclosing braces.
  void skipItem();
  /// Goes to the next definition.
  void skipDefinition();
  /// Goes beyond the brace, bracket or parenthesis that closes the one at hand.
  void skipNested();

  //===--- Scopes ---===//
  struct Scope {
    llvm::StringMap<Var *> vars;
    FunctionExpr *function; ///< of which this is the body
  };
  Var *declare(Var *var) {
    scopes.back().vars[var->name] = var;
    return var;
  }
  Var *find(llvm::StringRef name, Place at);

  //===--- Grammar ---===//
  void parseTop();
  void parseImport();
  void parseDefinition();
  void parseTypeDefinition(bool isExtern);
  FunctionExpr *parseFunction(llvm::StringRef name, Place at);
  std::vector<std::string> parseTypeParams();
  TypeExpr *parseType();
  TypeExpr *parseTensorType();
  bool parseTypeList(std::vector<const TypeExpr *> &types, llvm::StringRef close);
  Expr *parseBlock(llvm::StringRef close);
  bool parseBinding(std::vector<BlockExpr::Binding> &bindings);
  Expr *parseBinary(int level);
  Expr *parseCall();
  Expr *parseAtom();
  Expr *parsePrimary();
  Expr *parseNumber();
  Expr *parseIf();
  Expr *parseMatch();
  Expr *parseParenthesis();
  Expr *parseMeta();
  Expr *parseName();
  Pattern *parsePattern();
  bool parseArguments(CallExpr *call);
  bool parseAttr(Attrs &attrs);
  bool parseAttrValue(AttrValue &value);
  bool isAttr() const;
  std::optional<int64_t> parseCount(const llvm::Twine &what);
  std::string parseHierarchicalName();

  template <typename T> T *finish(T *expr, llvm::ArrayRef<Expr *> children);

  const SourceText &source;
  Program &program;
  Reporter &reporter;
  mlir::MLIRContext &context;
  bool isProgram;
  llvm::function_ref<const SourceText *(llvm::StringRef)> library;
  Metadata metadata;
  std::vector<Token> tokens;
  size_t position = 0;
  unsigned nesting = 0;
  std::vector<Scope> scopes;
  /// Parameters of @main, where the text is one expression.
  FunctionExpr *expression = nullptr;
  unsigned sizeSoFar = 0;
};

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

bool Parser::expect(llvm::StringRef symbol, const llvm::Twine &where) {
  if (accept(symbol))
    return true;
  error(place(), "expected '" + symbol + "' " + where + ", found " + found());
  return false;
}

std::string Parser::found() const {
  const Token &t = peek();
  switch (t.word) {
  case Word::End:
    return "the end of the text";
  case Word::Metadata:
    return "#[metadata]";
  case Word::String:
    return "a string";
  default:
    return "'" +
           llvm::StringRef(source.text).slice(t.start, t.offset + t.size).take_front(40).str() +
           "'";
  }
}

void Parser::skipNested() {
  int depth = 0;
  do {
    if (is("{") || is("(") || is("["))
      ++depth;
    else if (is("}") || is(")") || is("]"))
      --depth;
    next();
  } while (depth > 0 && !atEnd());
}

void Parser::skipItem() {
  while (!atEnd() && !is(";") && !is("}")) {
    if (isWord("def") && peek(1).word == Word::Global)
      return;
    if (is("{") || is("(") || is("["))
      skipNested();
    else
      next();
  }
}

void Parser::skipDefinition() {
  while (!atEnd() && !(isWord("def") && peek(1).word == Word::Global) &&
         !(isWord("type") && peek(1).word == Word::Name) && !isWord("extern") && !isWord("import"))
    next();
}

Var *Parser::find(llvm::StringRef name, Place at) {
  for (size_t i = scopes.size(); i-- > 0;) {
    Var *var = scopes[i].vars.lookup(name);
    if (!var)
      continue;
    // Every function between the use and the binding captures it.
    for (size_t j = i + 1; j < scopes.size(); ++j)
      if (FunctionExpr *function = scopes[j].function)
        if (!llvm::is_contained(function->captures, var))
          function->captures.push_back(var);
    return var;
  }
  return error(at, "the variable %" + name + " is not defined here");
}

template <typename T> T *Parser::finish(T *expr, llvm::ArrayRef<Expr *> children) {
  ++sizeSoFar;
  for (Expr *child : children) {
    if (!child)
      return nullptr;
    expr->height = std::max(expr->height, child->height + 1);
  }
  if (expr->height > maxNesting)
    return error(expr->place, "this is nested more than " + llvm::Twine(maxNesting) +
                                  " deep: bind parts of it by let");
  return expr;
}

//===----------------------------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------------------------===//

void Parser::run() {
  tokens = tokenize(source, reporter);
  if (const Token &last = tokens.back(); last.word == Word::Metadata)
    metadata.read(text(last), {&source, last.start}, reporter);
  scopes.push_back({{}, nullptr});
  bool hasVersion = peek().word == Word::Version;
  if (hasVersion) {
    if (text(peek()) != "0.0.5")
      error(place(), "version '" + text(peek()) + "' is not supported: only 0.0.5 is");
    next();
  }
  bool isModule =
      isWord("def") || isWord("type") || isWord("extern") || isWord("import") || atEnd();
  if (isModule && isProgram && !hasVersion)
    error(place(), "a module begins with #[version = \"0.0.5\"]");
  if (!isModule) {
    // One expression: @main of its free variables.
    auto *function = program.make<FunctionExpr>(place());
    function->name = "main";
    expression = function;
    scopes.push_back({{}, function});
    function->body = parseBlock("");
    scopes.pop_back();
    function->captures.clear();
    function->size = sizeSoFar;
    if (!atEnd())
      error(place(), "expected the end of the text, found " + found());
    program.definitions.push_back(
        std::make_unique<Definition>(Definition{"main", function->place, function, {}}));
    program.definitionOf["main"] = program.definitions.back().get();
    return;
  }
  while (!atEnd() && !reporter.isFull())
    parseTop();
}

void Parser::parseTop() {
  size_t before = position;
  if (isWord("def"))
    parseDefinition();
  else if (isWord("import"))
    parseImport();
  else if (isWord("extern") && isWord("type", 1)) {
    next();
    parseTypeDefinition(true);
  } else if (isWord("type"))
    parseTypeDefinition(false);
  else {
    error(place(), "expected a definition (def, type, extern type, import), found " + found());
    skipDefinition();
  }
  nesting = 0;
  scopes.resize(1);
  if (position == before)
    next();
}

void Parser::parseImport() {
  next();
  Place at = place();
  if (peek().word != Word::String) {
    error(at, "expected the name of a library in quotes, found " + found());
    return skipDefinition();
  }
  std::string name = text(peek()).str();
  next();
  accept(";");
  if (!program.imported.insert(name).second)
    return;
  const SourceText *other = library(name);
  if (!other)
    error(at, "there is no library \"" + name +
                  "\": it must be \"prelude.relay\" or a file beside "
                  "the program");
  else
    parse(*other, program, reporter, context, /*isProgram=*/false, library);
}

std::vector<std::string> Parser::parseTypeParams() {
  std::vector<std::string> names;
  if (!accept("["))
    return names;
  while (!is("]") && !atEnd()) {
    if (peek().word != Word::Name) {
      error(place(), "expected the name of a type parameter, found " + found());
      skipItem();
      return names;
    }
    if (llvm::is_contained(names, text(peek())))
      error(place(), "the type parameter " + text(peek()) + " stands twice in the list");
    names.push_back(text(peek()).str());
    next();
    if (!accept(","))
      break;
  }
  expect("]", "after type parameters");
  return names;
}

void Parser::parseDefinition() {
  next();
  Place at = place();
  if (peek().word != Word::Global) {
    error(at, "expected a name such as @main after def, found " + found());
    return skipDefinition();
  }
  std::string name = text(peek()).str();
  next();
  FunctionExpr *function = parseFunction(name, at);
  auto definition = std::make_unique<Definition>(Definition{name, at, function, {}});
  if (Definition *other = program.definitionOf.lookup(name)) {
    error(at, "@" + name + " is defined twice; the first definition is in line " +
                  llvm::Twine(lineAndColumn(other->place).first));
  } else {
    program.definitionOf[name] = definition.get();
    program.definitions.push_back(std::move(definition));
  }
  if (!function)
    skipDefinition();
}

void Parser::parseTypeDefinition(bool isExtern) {
  next();
  Place at = place();
  if (peek().word != Word::Name) {
    error(at, "expected the name of the type, found " + found());
    return skipDefinition();
  }
  auto type = std::make_unique<TypeDefinition>();
  type->name = text(peek()).str();
  type->place = at;
  type->isExtern = isExtern;
  next();
  type->params = parseTypeParams();
  if (is("{") && isExtern) {
    error(place(), "an extern type has no constructors");
    skipNested();
  } else if (accept("{")) {
    while (!is("}") && !atEnd()) {
      if (peek().word != Word::Name) {
        error(place(), "expected the name of a constructor, found " + found());
        return skipDefinition();
      }
      auto constructor = std::make_unique<Constructor>();
      constructor->name = text(peek()).str();
      constructor->place = place();
      constructor->owner = type.get();
      constructor->tag = static_cast<unsigned>(type->constructors.size());
      next();
      if (accept("(") && !parseTypeList(constructor->fieldTypes, ")"))
        return skipDefinition();
      if (Constructor *other = program.constructorOf.lookup(constructor->name))
        error(constructor->place, "the constructor " + constructor->name +
                                      " is defined twice; the first is of the type " +
                                      other->owner->name);
      else
        program.constructorOf[constructor->name] = constructor.get();
      type->constructors.push_back(std::move(constructor));
      if (!accept(","))
        break;
    }
    if (!expect("}", "after the constructors of " + type->name))
      return skipDefinition();
  }
  if (type->constructors.size() > 32767)
    error(at, "a type can have 32767 constructors at most");
  if (program.typeOf.lookup(type->name))
    error(at, "the type " + type->name + " is defined twice");
  else
    program.typeOf[type->name] = type.get();
  program.types.push_back(std::move(type));
}

FunctionExpr *Parser::parseFunction(llvm::StringRef name, Place at) {
  auto *function = program.make<FunctionExpr>(at);
  function->name = name.str();
  function->typeParams = parseTypeParams();
  if (!expect("(", "before the parameters"))
    return nullptr;
  scopes.push_back({{}, function});
  auto leave = llvm::make_scope_exit([&] { scopes.pop_back(); });
  unsigned sizeBefore = sizeSoFar;
  while (!is(")") && !atEnd()) {
    if (isAttr()) {
      if (!parseAttr(function->attrs))
        return nullptr;
    } else if (peek().word == Word::Local) {
      Var *param = program.makeVar(text(peek()), place());
      if (scopes.back().vars.contains(param->name))
        error(place(), "the parameter %" + param->name + " stands twice in the list");
      next();
      if (is("{")) {
        Attrs ignored;
        next();
        while (!is("}") && !atEnd())
          if (!parseAttr(ignored) || !accept(","))
            break;
        if (!expect("}", "after the attributes of a parameter"))
          return nullptr;
      }
      if (accept(":")) {
        param->annotation = parseType();
        if (!param->annotation)
          return nullptr;
      }
      function->params.push_back(declare(param));
    } else {
      return error(place(), "expected a parameter such as %x, found " + found());
    }
    if (!accept(","))
      break;
  }
  if (!expect(")", "after the parameters"))
    return nullptr;
  if (accept("->")) {
    function->resultType = parseType();
    if (!function->resultType)
      return nullptr;
  }
  if (!expect("{", "before the body of the function"))
    return nullptr;
  function->body = parseBlock("}");
  function->size = sizeSoFar - sizeBefore;
  if (!function->body)
    return nullptr;
  return finish(function, {function->body});
}

//===----------------------------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------------------------===//

bool Parser::parseTypeList(std::vector<const TypeExpr *> &types, llvm::StringRef close) {
  while (!is(close) && !atEnd()) {
    TypeExpr *type = parseType();
    if (!type)
      return false;
    types.push_back(type);
    if (!accept(","))
      break;
  }
  return expect(close, "after a list of types");
}

TypeExpr *Parser::parseTensorType() {
  TypeExpr *type = program.makeType(TypeExpr::Tensor, place());
  next();
  if (!expect("[", "after Tensor") || !expect("(", "before the shape of a tensor"))
    return nullptr;
  while (!is(")") && !atEnd()) {
    if (accept("?")) {
      type->dims.push_back(-1);
    } else if (isWord("meta")) {
      Place at = place();
      AttrValue value;
      if (!parseAttrValue(value))
        return nullptr;
      auto extent = metadata.integer(value.text, value.integer);
      if (!extent || *extent < 0)
        return error(at, "no integer of the metadata section stands behind this");
      type->dims.push_back(*extent);
    } else {
      auto extent = parseCount("an extent, or ?");
      if (!extent)
        return nullptr;
      type->dims.push_back(*extent);
    }
    if (!accept(","))
      break;
  }
  if (!expect(")", "after the shape of a tensor") || !expect(",", "before the element type"))
    return nullptr;
  if (peek().word != Word::Name)
    return error(place(), "expected an element type such as float32, found " + found());
  type->element = text(peek()).str();
  if (!elementTypeNamed(&context, type->element))
    error(place(), "there are no tensors of '" + type->element + "'");
  next();
  if (!expect("]", "after the element type"))
    return nullptr;
  return type;
}

TypeExpr *Parser::parseType() {
  if (nesting > maxNesting)
    return error(place(), "this type is nested more than " + llvm::Twine(maxNesting) + " deep");
  ++nesting;
  auto leave = llvm::make_scope_exit([&] { --nesting; });
  Place at = place();
  if (isWord("Tensor") && is("[", 1))
    return parseTensorType();
  if (acceptWord("_"))
    return program.makeType(TypeExpr::Hole, at);
  if (acceptWord("fn")) {
    TypeExpr *type = program.makeType(TypeExpr::Function, at);
    if (is("[")) {
      error(place(), "functions that are values have no type parameters of their own");
      return nullptr;
    }
    if (!expect("(", "after fn") || !parseTypeList(type->args, ")") ||
        !expect("->", "before the type of the result"))
      return nullptr;
    TypeExpr *result = parseType();
    if (!result)
      return nullptr;
    type->args.push_back(result);
    return type;
  }
  if (accept("(")) {
    TypeExpr *type = program.makeType(TypeExpr::Tuple, at);
    return parseTypeList(type->args, ")") ? type : nullptr;
  }
  if (peek().word != Word::Name)
    return error(at, "expected a type, found " + found());
  TypeExpr *type = program.makeType(TypeExpr::Named, at);
  type->name = text(peek()).str();
  next();
  if (accept("[") && !parseTypeList(type->args, "]"))
    return nullptr;
  if (is("(") && type->name == "ref") {
    next();
    return parseTypeList(type->args, ")") ? type : nullptr;
  }
  return type;
}

std::optional<int64_t> Parser::parseCount(const llvm::Twine &what) {
  int64_t value = 0;
  if (peek().word != Word::Integer || text(peek()).getAsInteger(10, value) || value < 0) {
    error(place(), "expected " + what + ", found " + found());
    return std::nullopt;
  }
  next();
  return value;
}

//===----------------------------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------------------------===//

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

void parse(const SourceText &source, Program &program, Reporter &reporter,
           mlir::MLIRContext &context, bool isProgram,
           llvm::function_ref<const SourceText *(llvm::StringRef)> library) {
  Parser(source, program, reporter, context, isProgram, library).run();
}

} // namespace ingot::relay
