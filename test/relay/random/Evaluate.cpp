//===- Evaluate.cpp - Random programs by the definition of the language -----------------------===//

#include "Program.h"
#include <algorithm>
#include <map>
#include <stdexcept>

namespace ingot::random {

namespace {

struct Environment;
using Scope = std::shared_ptr<const Environment>;

struct Value;
using ValueRef = std::shared_ptr<Value>;

struct Value {
  int32_t number = 0; ///< a number, a truth value, the tag of data
  Vector vector = {};
  std::vector<ValueRef> parts = {}; ///< of tuples and data; what a reference holds
  const Expr *lambda = nullptr;
  Scope scope = nullptr;
};

struct Environment {
  std::string name;
  ValueRef value;
  Scope outer;
};

struct TooLong {};

class Evaluator {
public:
  explicit Evaluator(const Program &program) {
    for (const Function &function : program.functions)
      functions[function.name] = &function;
  }
  ValueRef call(const Function &function, const std::vector<ValueRef> &arguments);

private:
  ValueRef eval(const Expr &expr, const Scope &scope);
  std::vector<ValueRef> all(const Expr &expr, const Scope &scope);
  ValueRef apply(const ValueRef &callee, const std::vector<ValueRef> &arguments);
  ValueRef operate(const std::string &name, const std::vector<ValueRef> &operands, bool onVectors);
  ValueRef prelude(const std::string &name, const std::vector<ValueRef> &arguments);

  std::map<std::string, const Function *> functions;
  int64_t steps = 0;
};

ValueRef make(int32_t number) { return std::make_shared<Value>(Value{number}); }

ValueRef make(const Vector &vector) { return std::make_shared<Value>(Value{0, vector}); }

Scope bind(const std::string &name, ValueRef value, Scope outer) {
  return std::make_shared<Environment>(Environment{name, std::move(value), std::move(outer)});
}

bool fits(const Pattern &pattern, const ValueRef &value, Scope &scope) {
  switch (pattern.kind) {
  case Pattern::Wildcard:
    return true;
  case Pattern::Variable:
    scope = bind(pattern.name, value, scope);
    return true;
  case Pattern::Constructor:
    if (value->number != static_cast<int32_t>(pattern.tag))
      return false;
    break;
  case Pattern::Tuple:
    break;
  }
  for (size_t i = 0; i < pattern.parts.size(); ++i)
    if (!fits(pattern.parts[i], value->parts[i], scope))
      return false;
  return true;
}

int32_t operation(const std::string &name, int32_t a, int32_t b) {
  const uint32_t x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
  if (name == "+" || name == "add")
    return static_cast<int32_t>(x + y);
  if (name == "-" || name == "subtract")
    return static_cast<int32_t>(x - y);
  if (name == "*")
    return static_cast<int32_t>(x * y);
  if (name == "maximum")
    return std::max(a, b);
  if (name == "minimum")
    return std::min(a, b);
  if (name == "<=")
    return a <= b;
  if (name == "<")
    return a < b;
  if (name == ">=")
    return a >= b;
  if (name == "==")
    return a == b;
  if (name == "!=")
    return a != b;
  if (name == "logical_and")
    return a & b;
  if (name == "logical_or")
    return a | b;
  throw std::logic_error(name);
}

} // namespace

ValueRef Evaluator::operate(const std::string &name, const std::vector<ValueRef> &operands,
                            bool onVectors) {
  if (name == "where")
    return operands[0]->number ? operands[1] : operands[2];
  if (name == "logical_not")
    return make(!operands[0]->number);
  if (name == "sum") {
    int32_t sum = 0;
    for (int32_t each : operands[0]->vector)
      sum = operation("+", sum, each);
    return make(sum);
  }
  if (!onVectors)
    return make(operation(name, operands[0]->number, operands[1]->number));
  Vector result;
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = operation(name, operands[0]->vector[i], operands[1]->vector[i]);
  return make(result);
}

/// The prelude's functions on lists, by what they mean: Cons is tag 1 here, Nil tag 0.
ValueRef Evaluator::prelude(const std::string &name, const std::vector<ValueRef> &arguments) {
  std::vector<ValueRef> elements;
  for (ValueRef at = arguments.back(); at->number == 1; at = at->parts[1])
    elements.push_back(at->parts[0]);
  if (name == "length")
    return make(static_cast<int32_t>(elements.size()));
  if (name == "foldl" || name == "foldr") {
    ValueRef result = arguments[1];
    if (name == "foldr")
      std::reverse(elements.begin(), elements.end());
    for (const ValueRef &each : elements)
      result = name == "foldl" ? apply(arguments[0], {result, each})
                               : apply(arguments[0], {each, result});
    return result;
  }
  std::vector<ValueRef> kept;
  for (const ValueRef &each : elements) {
    ValueRef result = name == "rev" ? each : apply(arguments[0], {each});
    if (name != "filter")
      kept.push_back(result);
    else if (result->number)
      kept.push_back(each);
  }
  if (name == "rev")
    std::reverse(kept.begin(), kept.end());
  ValueRef list = make(0);
  for (size_t i = kept.size(); i-- > 0;)
    list = std::make_shared<Value>(Value{1, {}, {kept[i], list}});
  return list;
}

ValueRef Evaluator::call(const Function &function, const std::vector<ValueRef> &arguments) {
  Scope scope;
  for (size_t i = 0; i < arguments.size(); ++i)
    scope = bind(function.parameters[i].first, arguments[i], scope);
  return eval(*function.body, scope);
}

ValueRef Evaluator::apply(const ValueRef &callee, const std::vector<ValueRef> &arguments) {
  Scope scope = callee->scope;
  for (size_t i = 0; i < arguments.size(); ++i)
    scope = bind(callee->lambda->parameters[i].first, arguments[i], scope);
  return eval(*callee->lambda->parts[0], scope);
}

std::vector<ValueRef> Evaluator::all(const Expr &expr, const Scope &scope) {
  std::vector<ValueRef> values;
  for (const ExprRef &part : expr.parts)
    values.push_back(eval(*part, scope));
  return values;
}

ValueRef Evaluator::eval(const Expr &expr, const Scope &scope) {
  if (++steps > 300000)
    throw TooLong();
  switch (expr.kind) {
  case Expr::Number:
    return make(static_cast<int32_t>(expr.number));
  case Expr::Variable:
    for (const Environment *at = scope.get(); at; at = at->outer.get())
      if (at->name == expr.name)
        return at->value;
    throw std::logic_error(expr.name);
  case Expr::Fill: {
    const int32_t number = eval(*expr.parts[0], scope)->number;
    return make(Vector{number, number, number});
  }
  case Expr::Operator:
    return operate(expr.name, all(expr, scope), expr.parts.back()->type->kind == Type::Vector);
  case Expr::Call: {
    std::vector<ValueRef> arguments = all(expr, scope);
    auto found = functions.find(expr.name);
    return found == functions.end() ? prelude(expr.name, arguments)
                                    : call(*found->second, arguments);
  }
  case Expr::Apply: {
    std::vector<ValueRef> values = all(expr, scope);
    return apply(values[0], {values.begin() + 1, values.end()});
  }
  case Expr::Let:
    return eval(*expr.parts[1], bind(expr.name, eval(*expr.parts[0], scope), scope));
  case Expr::Sequence:
    eval(*expr.parts[0], scope);
    return eval(*expr.parts[1], scope);
  case Expr::If:
    return eval(*expr.parts[eval(*expr.parts[0], scope)->number ? 1 : 2], scope);
  case Expr::Tuple:
  case Expr::NewRef:
    return std::make_shared<Value>(Value{0, {}, all(expr, scope)});
  case Expr::Construct:
    return std::make_shared<Value>(Value{static_cast<int32_t>(expr.number), {}, all(expr, scope)});
  case Expr::Project:
    return eval(*expr.parts[0], scope)->parts[expr.number];
  case Expr::Lambda:
    return std::make_shared<Value>(Value{0, {}, {}, &expr, scope});
  case Expr::Match: {
    ValueRef value = eval(*expr.parts[0], scope);
    for (size_t i = 0; i < expr.patterns.size(); ++i)
      if (Scope inner = scope; fits(expr.patterns[i], value, inner))
        return eval(*expr.parts[i + 1], inner);
    throw std::logic_error("no clause fits");
  }
  case Expr::ReadRef:
    return eval(*expr.parts[0], scope)->parts[0];
  case Expr::WriteRef: {
    std::vector<ValueRef> values = all(expr, scope);
    values[0]->parts[0] = values[1];
    return std::make_shared<Value>();
  }
  }
  return nullptr;
}

bool evaluate(const Program &program, const Arguments &arguments, Results &results) {
  try {
    ValueRef result = Evaluator(program).call(
        program.functions.back(), {make(arguments.a), make(arguments.b), make(arguments.v)});
    results = {result->parts[0]->number, result->parts[1]->number != 0, result->parts[2]->vector};
    return true;
  } catch (const TooLong &) {
    return false;
  }
}

} // namespace ingot::random
