//===- Generate.cpp - Random well-typed Relay programs ----------------------------------------===//

#include "Program.h"
#include <functional>

namespace ingot::random {

namespace {

TypeRef makeType(Type::Kind kind, std::vector<TypeRef> parts = {}, size_t data = 0) {
  return std::make_shared<Type>(Type{kind, std::move(parts), data});
}

bool same(const TypeRef &a, const TypeRef &b) {
  if (a->kind != b->kind || a->data != b->data || a->parts.size() != b->parts.size())
    return false;
  for (size_t i = 0; i < a->parts.size(); ++i)
    if (!same(a->parts[i], b->parts[i]))
      return false;
  return true;
}

class Generator {
public:
  Generator(uint64_t seed, std::string suffix) : state(seed), suffix(std::move(suffix)) {}
  Program run();

private:
  struct Variable {
    std::string name;
    TypeRef type;
  };
  /// A function that may call itself, or one of its group, with less of `fuel`.
  struct Recursion {
    std::vector<size_t> group;
    int calls;
  };

  // SplitMix64 (Steele, Lea and Flood, 2014).
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  size_t below(size_t n) { return next() % n; }
  bool chance(size_t percent) { return below(100) < percent; }

  void makeData();
  void makeFunctions();
  void makeMain();
  TypeRef anyType(int depth);
  TypeRef refType();
  TypeRef listOf(const TypeRef &element);
  std::string variableName();

  ExprRef expr(const TypeRef &type, int depth);
  ExprRef leaf(const TypeRef &type, int depth = 0);
  ExprRef ofType(const TypeRef &type, int depth);
  ExprRef match(const TypeRef &type, int depth);
  ExprRef lambda(const TypeRef &type, int depth);
  ExprRef prelude(const TypeRef &type, int depth);
  ExprRef callFunction(const TypeRef &type, int depth);
  ExprRef recurse(const TypeRef &type, int depth);
  ExprRef variable(const TypeRef &type);
  Pattern pattern(const TypeRef &type, int depth);
  ExprRef under(const std::vector<Variable> &bound, const std::function<ExprRef()> &body);
  static void binds(const Pattern &pattern, const TypeRef &type, const Program &program,
                    std::vector<Variable> &bound);

  uint64_t state;
  std::string suffix;
  Program program;
  std::vector<Variable> scope;
  Recursion recursion = {{}, 0};
  size_t callable = 0;  ///< functions that are complete
  size_t budget = 0;    ///< operations that may still be made
  size_t patterns = 0;  ///< variables of patterns made
  size_t functions = 0; ///< names for functions made
  TypeRef integer = makeType(Type::Int), boolean = makeType(Type::Bool),
          vector = makeType(Type::Vector);
};

ExprRef make(Expr expr) { return std::make_shared<Expr>(std::move(expr)); }

} // namespace

//===--- Types ---===//

TypeRef Generator::refType() {
  // Nothing that could hold the reference itself: such cycles are never given back.
  const TypeRef held[] = {integer, vector, makeType(Type::Tuple, {integer, boolean})};
  return makeType(Type::Ref, {held[below(3)]});
}

TypeRef Generator::listOf(const TypeRef &element) {
  for (size_t i = 0; i < program.data.size(); ++i)
    if (program.data[i].isOfPrelude && same(program.data[i].constructors[1].fields[0], element))
      return makeType(Type::Data, {}, i);
  TypeRef list = makeType(Type::Data, {}, program.data.size());
  std::string name = element->kind == Type::Int      ? "int32"
                     : element->kind == Type::Bool   ? "bool"
                     : element->kind == Type::Vector ? "Tensor[(3), int32]"
                                                     : "(int32, bool)";
  program.data.push_back({"List[" + name + "]", true, {{"Nil", {}}, {"Cons", {element, list}}}});
  return list;
}

TypeRef Generator::anyType(int depth) {
  switch (below(depth > 0 ? 10 : 4)) {
  case 0:
  case 1:
    return integer;
  case 2:
    return boolean;
  case 3:
    return vector;
  case 4: {
    std::vector<TypeRef> parts;
    for (size_t i = 0, count = 1 + below(3); i <= count; ++i)
      parts.push_back(anyType(depth - 1));
    return makeType(Type::Tuple, parts);
  }
  case 5: {
    std::vector<TypeRef> parts = {anyType(depth - 1)};
    if (chance(40))
      parts.push_back(anyType(depth - 1));
    parts.push_back(anyType(depth - 1));
    return makeType(Type::Function, parts);
  }
  case 6:
    return refType();
  case 7: {
    const TypeRef elements[] = {integer, boolean, vector,
                                makeType(Type::Tuple, {integer, boolean})};
    return listOf(elements[below(4)]);
  }
  default: {
    std::vector<size_t> own;
    for (size_t i = 0; i < program.data.size(); ++i)
      if (!program.data[i].isOfPrelude)
        own.push_back(i);
    return own.empty() ? integer : makeType(Type::Data, {}, own[below(own.size())]);
  }
  }
}

void Generator::makeData() {
  for (size_t i = 0, count = below(3); i < count; ++i) {
    const std::string tag = std::to_string(i) + suffix;
    std::vector<Constructor> constructors;
    for (size_t k = 0, total = 1 + below(4); k < total; ++k) {
      Constructor constructor{"C" + std::to_string(k) + "of" + tag, {}};
      for (size_t f = 0, fields = below(4); f < fields; ++f)
        constructor.fields.push_back(
            k > 0 && chance(30) ? makeType(Type::Data, {}, program.data.size()) : anyType(1));
      constructors.push_back(constructor);
    }
    // Types of lists that the fields brought come first; the type itself is the next.
    const size_t self = program.data.size();
    for (size_t k = 1; k < constructors.size(); ++k)
      for (TypeRef &field : constructors[k].fields)
        if (field->kind == Type::Data && field->data >= self)
          field = makeType(Type::Data, {}, self);
    program.data.push_back({"T" + tag, false, constructors});
  }
}

//===--- Expressions ---===//

std::string Generator::variableName() {
  static constexpr const char *names[] = {"x", "y", "z", "u", "v", "w", "acc", "n", "t", "s"};
  // Few names, so that many are shadowed.
  return names[below(10)];
}

ExprRef Generator::variable(const TypeRef &type) {
  std::vector<size_t> found;
  for (size_t i = 0; i < scope.size(); ++i) {
    bool isVisible = same(scope[i].type, type);
    for (size_t k = i + 1; k < scope.size(); ++k)
      isVisible &= scope[k].name != scope[i].name;
    if (isVisible)
      found.push_back(i);
  }
  if (found.empty())
    return nullptr;
  return make({Expr::Variable, type, scope[found[below(found.size())]].name});
}

ExprRef Generator::under(const std::vector<Variable> &bound, const std::function<ExprRef()> &body) {
  const size_t size = scope.size();
  scope.insert(scope.end(), bound.begin(), bound.end());
  ExprRef result = body();
  scope.resize(size);
  return result;
}

ExprRef Generator::leaf(const TypeRef &type, int depth) {
  if (depth < 4 && chance(80))
    if (ExprRef found = variable(type))
      return found;
  std::vector<ExprRef> parts;
  switch (type->kind) {
  case Type::Int:
    return make({Expr::Number, type, "",
                 chance(10) ? static_cast<int32_t>(next()) : static_cast<int64_t>(below(20)) - 5});
  case Type::Bool:
    return make({Expr::Number, type, "", static_cast<int64_t>(below(2))});
  case Type::Vector:
    return make({Expr::Fill, type, "", 0, {leaf(integer, depth + 1)}});
  case Type::Tuple:
    for (const TypeRef &part : type->parts)
      parts.push_back(leaf(part, depth + 1));
    return make({Expr::Tuple, type, "", 0, parts});
  case Type::Data:
    for (const TypeRef &field : program.data[type->data].constructors[0].fields)
      parts.push_back(leaf(field, depth + 1));
    return make({Expr::Construct, type, "", 0, parts});
  case Type::Function:
    return lambda(type, 0);
  case Type::Ref:
    return make({Expr::NewRef, type, "", 0, {leaf(type->parts[0], depth + 1)}});
  }
  return nullptr;
}

ExprRef Generator::lambda(const TypeRef &type, int depth) {
  Expr result{Expr::Lambda, type};
  std::vector<Variable> bound;
  for (size_t i = 0; i + 1 < type->parts.size(); ++i) {
    // No two parameters of one name.
    const std::string name = variableName() + std::to_string(i);
    result.parameters.push_back({name, type->parts[i]});
    bound.push_back({name, type->parts[i]});
  }
  // The body runs who knows how often: it does not recurse.
  const Recursion outer = recursion;
  recursion = {{}, 0};
  result.parts = {under(bound, [&] { return expr(type->parts.back(), depth); })};
  recursion = outer;
  return make(result);
}

/// What makes a value of `type` and nothing else.
ExprRef Generator::ofType(const TypeRef &type, int depth) {
  auto binary = [&](std::initializer_list<const char *> names, const TypeRef &operand) {
    const char *name = names.begin()[below(names.size())];
    return make(
        {Expr::Operator, type, name, 0, {expr(operand, depth - 1), expr(operand, depth - 1)}});
  };
  auto unary = [&](const char *name, const TypeRef &operand) {
    return make({Expr::Operator, type, name, 0, {expr(operand, depth - 1)}});
  };
  std::vector<ExprRef> parts;
  switch (type->kind) {
  case Type::Int:
    if (chance(15))
      return unary("sum", vector);
    return binary({"+", "-", "*", "add", "subtract", "maximum", "minimum"}, integer);
  case Type::Bool:
    if (chance(15))
      return unary("logical_not", boolean);
    return chance(30) ? binary({"logical_and", "logical_or"}, boolean)
                      : binary({"<", ">=", "==", "!="}, integer);
  case Type::Vector:
    if (chance(20))
      return make({Expr::Operator,
                   type,
                   "where",
                   0,
                   {expr(boolean, depth - 1), expr(vector, depth - 1), expr(vector, depth - 1)}});
    if (chance(20))
      return make({Expr::Fill, type, "", 0, {expr(integer, depth - 1)}});
    return binary({"+", "-", "*", "maximum", "minimum"}, vector);
  case Type::Tuple:
    for (const TypeRef &part : type->parts)
      parts.push_back(expr(part, depth - 1));
    return make({Expr::Tuple, type, "", 0, parts});
  case Type::Data: {
    const auto &constructors = program.data[type->data].constructors;
    const auto tag = static_cast<int64_t>(below(constructors.size()));
    // A copy: types of lists may be added meanwhile.
    const std::vector<TypeRef> fields = constructors[tag].fields;
    for (const TypeRef &field : fields)
      parts.push_back(expr(field, depth - 1));
    return make({Expr::Construct, type, "", tag, parts});
  }
  case Type::Function:
    return lambda(type, depth - 1);
  case Type::Ref:
    return make({Expr::NewRef, type, "", 0, {expr(type->parts[0], depth - 1)}});
  }
  return nullptr;
}

void Generator::binds(const Pattern &pattern, const TypeRef &type, const Program &program,
                      std::vector<Variable> &bound) {
  if (pattern.kind == Pattern::Variable)
    bound.push_back({pattern.name, type});
  for (size_t i = 0; i < pattern.parts.size(); ++i)
    binds(pattern.parts[i],
          pattern.kind == Pattern::Tuple
              ? type->parts[i]
              : program.data[type->data].constructors[pattern.tag].fields[i],
          program, bound);
}

/// One that every value fits.
Pattern Generator::pattern(const TypeRef &type, int depth) {
  if (type->kind == Type::Tuple && depth > 0 && chance(60)) {
    Pattern result{Pattern::Tuple, ""};
    for (const TypeRef &part : type->parts)
      result.parts.push_back(pattern(part, depth - 1));
    return result;
  }
  if (chance(25))
    return {Pattern::Wildcard, ""};
  // A pattern binds no name twice.
  return {Pattern::Variable, "p" + std::to_string(patterns++ % 50)};
}

ExprRef Generator::match(const TypeRef &type, int depth) {
  TypeRef matched = anyType(1);
  while (matched->kind != Type::Data && matched->kind != Type::Tuple)
    matched = anyType(1);
  Expr result{Expr::Match, type};
  result.parts.push_back(expr(matched, depth - 1));
  auto clause = [&](const Pattern &each) {
    std::vector<Variable> bound;
    binds(each, matched, program, bound);
    result.patterns.push_back(each);
    result.parts.push_back(under(bound, [&] { return expr(type, depth - 1); }));
  };
  if (matched->kind == Type::Tuple) {
    clause(pattern(matched, 2));
    return make(result);
  }
  // Constructors in some order; the rest, if any, in one clause.
  const size_t total = program.data[matched->data].constructors.size();
  std::vector<size_t> tags;
  for (size_t i = 0; i < total; ++i)
    tags.insert(tags.begin() + below(tags.size() + 1), i);
  const size_t shown = chance(60) ? total : below(total);
  for (size_t i = 0; i < shown; ++i) {
    const std::vector<TypeRef> fields = program.data[matched->data].constructors[tags[i]].fields;
    auto whole = [&] {
      Pattern each{Pattern::Constructor, "", matched->data, tags[i]};
      for (const TypeRef &field : fields)
        each.parts.push_back(pattern(field, 1));
      return each;
    };
    // One field looked into, before the clause for all.
    for (size_t f = 0; f < fields.size(); ++f)
      if (fields[f]->kind == Type::Data && chance(40) &&
          program.data[fields[f]->data].constructors.size() > 1) {
        const auto inner = below(program.data[fields[f]->data].constructors.size());
        const std::vector<TypeRef> below = program.data[fields[f]->data].constructors[inner].fields;
        Pattern nested = whole();
        nested.parts[f] = {Pattern::Constructor, "", fields[f]->data, inner};
        for (const TypeRef &field : below)
          nested.parts[f].parts.push_back(pattern(field, 1));
        clause(nested);
        break;
      }
    clause(whole());
  }
  if (shown < total)
    clause(pattern(matched, 0));
  return make(result);
}

/// A function of the prelude on a list.
ExprRef Generator::prelude(const TypeRef &type, int depth) {
  const TypeRef elements[] = {integer, boolean, vector};
  const TypeRef element = elements[below(3)], list = listOf(element);
  auto function = [&](std::vector<TypeRef> parts) {
    return lambda(makeType(Type::Function, std::move(parts)), depth - 1);
  };
  if (type->kind == Type::Data && program.data[type->data].isOfPrelude) {
    const TypeRef made = program.data[type->data].constructors[1].fields[0];
    if (chance(25))
      return make({Expr::Call, type, "rev", 0, {expr(type, depth - 1)}});
    if (chance(30))
      return make(
          {Expr::Call, type, "filter", 0, {function({made, boolean}), expr(type, depth - 1)}});
    return make({Expr::Call, type, "map", 0, {function({element, made}), expr(list, depth - 1)}});
  }
  if (type->kind == Type::Int && chance(20))
    return make({Expr::Call, type, "length", 0, {expr(list, depth - 1)}});
  if (chance(50))
    return make({Expr::Call,
                 type,
                 "foldl",
                 0,
                 {function({type, element, type}), expr(type, depth - 1), expr(list, depth - 1)}});
  return make({Expr::Call,
               type,
               "foldr",
               0,
               {function({element, type, type}), expr(type, depth - 1), expr(list, depth - 1)}});
}

ExprRef Generator::callFunction(const TypeRef &type, int depth) {
  std::vector<size_t> found;
  for (size_t i = 0; i < callable; ++i)
    if (same(program.functions[i].result, type))
      found.push_back(i);
  if (found.empty())
    return nullptr;
  // A copy of what is needed: functions may be added meanwhile.
  const auto parameters = program.functions[found[below(found.size())]];
  Expr result{Expr::Call, type, parameters.name};
  for (const auto &[name, each] : parameters.parameters)
    result.parts.push_back(name == "fuel" ? make({Expr::Number, integer, "", int64_t(below(4))})
                                          : expr(each, depth - 1));
  return make(result);
}

ExprRef Generator::recurse(const TypeRef &type, int depth) {
  for (size_t each : recursion.group) {
    const Function function = program.functions[each];
    if (recursion.calls == 0 || !same(function.result, type) || chance(40))
      continue;
    --recursion.calls;
    Expr result{Expr::Call, type, function.name};
    for (const auto &[name, parameter] : function.parameters)
      result.parts.push_back(name == "fuel" ? make({Expr::Operator,
                                                    integer,
                                                    "-",
                                                    0,
                                                    {make({Expr::Variable, integer, "fuel"}),
                                                     make({Expr::Number, integer, "", 1})}})
                                            : expr(parameter, depth - 1));
    return make(result);
  }
  return nullptr;
}

ExprRef Generator::expr(const TypeRef &type, int depth) {
  if (depth <= 0 || budget == 0)
    return leaf(type);
  --budget;
  if (ExprRef call = recurse(type, depth))
    return call;
  const size_t choice = below(100);
  if (choice < 12)
    return leaf(type);
  if (choice < 26) {
    Variable bound{variableName(), anyType(2)};
    // A function sees the name it is bound to: it must not hide another.
    if (bound.type->kind == Type::Function)
      bound.name = "g" + std::to_string(functions++);
    ExprRef value = expr(bound.type, depth - 1);
    ExprRef body = under({bound}, [&] { return expr(type, depth - 1); });
    return make({Expr::Let, type, bound.name, int64_t(below(2)), {value, body}});
  }
  if (choice < 34)
    return make({Expr::If,
                 type,
                 "",
                 0,
                 {expr(boolean, depth - 1), expr(type, depth - 1), expr(type, depth - 1)}});
  if (choice < 48)
    return match(type, depth);
  if (choice < 54)
    return prelude(type, depth);
  if (choice < 60) {
    if (ExprRef call = callFunction(type, depth))
      return call;
  } else if (choice < 66) {
    std::vector<TypeRef> parts = {anyType(1), type};
    if (chance(30))
      parts.insert(parts.begin(), anyType(1));
    TypeRef callee = makeType(Type::Function, parts);
    std::vector<ExprRef> all = {expr(callee, depth - 1)};
    for (size_t i = 0; i + 1 < parts.size(); ++i)
      all.push_back(expr(parts[i], depth - 1));
    return make({Expr::Apply, type, "", 0, all});
  } else if (choice < 72) {
    std::vector<TypeRef> parts = {anyType(1), anyType(1)};
    const size_t at = below(2);
    parts[at] = type;
    // A projection of something that has a name: a literal's member would look like a fraction.
    const Variable bound{variableName(), makeType(Type::Tuple, parts)};
    return make(
        {Expr::Let,
         type,
         bound.name,
         0,
         {expr(bound.type, depth - 1), make({Expr::Project,
                                             type,
                                             "",
                                             int64_t(at),
                                             {make({Expr::Variable, bound.type, bound.name})}})}});
  } else if (choice < 80) {
    TypeRef ref = refType();
    if (chance(50) || !variable(ref)) {
      const Variable bound{variableName(), ref};
      ExprRef value = expr(ref, depth - 1);
      ExprRef body = under({bound}, [&] { return expr(type, depth - 1); });
      return make({Expr::Let, type, bound.name, 0, {value, body}});
    }
    ExprRef write = make({Expr::WriteRef,
                          makeType(Type::Tuple),
                          "",
                          0,
                          {variable(ref), expr(ref->parts[0], depth - 1)}});
    return make({Expr::Sequence, type, "", 0, {write, expr(type, depth - 1)}});
  } else if (choice < 86) {
    if (ExprRef ref = variable(makeType(Type::Ref, {type})))
      return make({Expr::ReadRef, type, "", 0, {ref}});
  }
  return ofType(type, depth);
}

//===--- Programs ---===//

void Generator::makeFunctions() {
  for (size_t i = 0, count = below(4); i < count; ++i) {
    // Alone without recursion, alone with it, or two that call each other.
    const size_t kind = below(3), members = kind == 2 ? 2 : 1;
    std::vector<size_t> group;
    for (size_t m = 0; m < members; ++m) {
      Function function{
          "f" + std::to_string(program.functions.size()) + suffix, {}, anyType(1), {}};
      if (kind > 0)
        function.parameters.push_back({"fuel", integer});
      for (size_t p = 0, total = below(3) + (kind == 0); p < total; ++p)
        function.parameters.push_back({"a" + std::to_string(p), anyType(2)});
      group.push_back(program.functions.size());
      program.functions.push_back(function);
    }
    for (size_t member : group) {
      const auto parameters = program.functions[member].parameters;
      const TypeRef result = program.functions[member].result;
      scope.clear();
      for (const auto &[name, type] : parameters)
        if (name != "fuel")
          scope.push_back({name, type});
      budget = 40;
      ExprRef body;
      if (kind == 0) {
        body = expr(result, 4);
      } else {
        ExprRef base = expr(result, 2);
        recursion = {group, 2};
        ExprRef step = expr(result, 4);
        recursion = {{}, 0};
        ExprRef isDone =
            make({Expr::Operator,
                  boolean,
                  "<=",
                  0,
                  {make({Expr::Variable, integer, "fuel"}), make({Expr::Number, integer, "", 0})}});
        body = make({Expr::If, result, "", 0, {isDone, base, step}});
      }
      program.functions[member].body = body;
    }
    callable = program.functions.size();
  }
}

void Generator::makeMain() {
  Function function{"main" + suffix,
                    {{"a", integer}, {"b", integer}, {"v", vector}},
                    makeType(Type::Tuple, {integer, boolean, vector}),
                    {}};
  scope.clear();
  for (const auto &[name, type] : function.parameters)
    scope.push_back({name, type});
  std::vector<ExprRef> parts;
  for (const TypeRef &part : function.result->parts) {
    budget = 50;
    parts.push_back(expr(part, 5));
  }
  function.body = make({Expr::Tuple, function.result, "", 0, parts});
  program.functions.push_back(function);
}

Program Generator::run() {
  makeData();
  makeFunctions();
  makeMain();
  return program;
}

Program generate(uint64_t seed, const std::string &suffix) { return Generator(seed, suffix).run(); }

} // namespace ingot::random
