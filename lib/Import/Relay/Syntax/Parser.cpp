//===- Parser.cpp - Definitions and types of the Relay text format ---------------------------===//

#include "Import/Relay/Syntax/Grammar.h"

namespace ingot::relay {

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
  // Kept also where the rest of it is wrong: its constructors are known by then.
  TypeDefinition *type = program.types.emplace_back(std::make_unique<TypeDefinition>()).get();
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
      constructor->owner = type;
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
    program.typeOf[type->name] = type;
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

void parse(const SourceText &source, Program &program, Reporter &reporter,
           mlir::MLIRContext &context, bool isProgram,
           llvm::function_ref<const SourceText *(llvm::StringRef)> library) {
  Parser(source, program, reporter, context, isProgram, library).run();
}

} // namespace ingot::relay
