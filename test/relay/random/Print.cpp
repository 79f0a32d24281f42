//===- Print.cpp - Random programs as Relay text ----------------------------------------------===//

#include "Program.h"

namespace ingot::random {

namespace {

class Printer {
public:
  explicit Printer(const Program &program) : program(program) {}
  std::string run();

private:
  std::string type(const TypeRef &type);
  std::string pattern(const Pattern &pattern);
  std::string expr(const ExprRef &expr);
  std::string list(const std::vector<ExprRef> &parts, size_t from = 0);
  std::string parameters(const std::vector<std::pair<std::string, TypeRef>> &list);

  const Program &program;
};

} // namespace

std::string Printer::type(const TypeRef &t) {
  auto joined = [&](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + type(t->parts[i]);
    return text;
  };
  switch (t->kind) {
  case Type::Int:
    return "int32";
  case Type::Bool:
    return "bool";
  case Type::Vector:
    return "Tensor[(3), int32]";
  case Type::Tuple:
    return "(" + joined(t->parts.size()) + ")";
  case Type::Data:
    return program.data[t->data].name;
  case Type::Function:
    return "fn (" + joined(t->parts.size() - 1) + ") -> " + type(t->parts.back());
  case Type::Ref:
    return "ref(" + type(t->parts[0]) + ")";
  }
  return "";
}

std::string Printer::pattern(const Pattern &p) {
  std::string text = p.kind == Pattern::Wildcard   ? "_"
                     : p.kind == Pattern::Variable ? "%" + p.name
                     : p.kind == Pattern::Constructor
                         ? program.data[p.data].constructors[p.tag].name
                         : "";
  if (p.parts.empty())
    return text;
  text += "(";
  for (size_t i = 0; i < p.parts.size(); ++i)
    text += (i ? ", " : "") + pattern(p.parts[i]);
  return text + ")";
}

std::string Printer::list(const std::vector<ExprRef> &parts, size_t from) {
  std::string text;
  for (size_t i = from; i < parts.size(); ++i)
    text += (i > from ? ", " : "") + expr(parts[i]);
  return "(" + text + ")";
}

std::string Printer::parameters(const std::vector<std::pair<std::string, TypeRef>> &list) {
  std::string text;
  for (const auto &[name, each] : list)
    text += (text.empty() ? "%" : ", %") + name + ": " + type(each);
  return "(" + text + ")";
}

std::string Printer::expr(const ExprRef &e) {
  switch (e->kind) {
  case Expr::Number:
    if (e->type->kind == Type::Bool)
      return e->number ? "True" : "False";
    return std::to_string(e->number);
  case Expr::Variable:
    return "%" + e->name;
  case Expr::Fill:
    return "full(" + expr(e->parts[0]) + ", shape=[3], dtype=\"int32\")";
  case Expr::Operator:
    if (e->name.size() <= 2)
      return "(" + expr(e->parts[0]) + " " + e->name + " " + expr(e->parts[1]) + ")";
    return e->name + list(e->parts);
  case Expr::Call:
    return "@" + e->name + list(e->parts);
  case Expr::Apply:
    return (e->parts[0]->kind == Expr::Variable ? expr(e->parts[0])
                                                : "(" + expr(e->parts[0]) + ")") +
           list(e->parts, 1);
  case Expr::Let:
    return "{ let %" + e->name + (e->number ? ": " + type(e->parts[0]->type) : "") + " = " +
           expr(e->parts[0]) + "; " + expr(e->parts[1]) + " }";
  case Expr::Sequence:
    return "{ " + expr(e->parts[0]) + "; " + expr(e->parts[1]) + " }";
  case Expr::If:
    return "if (" + expr(e->parts[0]) + ") { " + expr(e->parts[1]) + " } else { " +
           expr(e->parts[2]) + " }";
  case Expr::Tuple:
    return list(e->parts);
  case Expr::Project:
    return expr(e->parts[0]) + "." + std::to_string(e->number);
  case Expr::Lambda:
    return "fn " + parameters(e->parameters) + " -> " + type(e->type->parts.back()) + " { " +
           expr(e->parts[0]) + " }";
  case Expr::Construct:
    // What Nil is a list of does not always follow from where it stands.
    if (e->parts.empty() && program.data[e->type->data].isOfPrelude)
      return "{ let %nil: " + type(e->type) + " = Nil; %nil }";
    return program.data[e->type->data].constructors[e->number].name +
           (e->parts.empty() ? "" : list(e->parts));
  case Expr::Match: {
    std::string text = "match (" + expr(e->parts[0]) + ") { ";
    for (size_t i = 0; i < e->patterns.size(); ++i)
      text += (i ? ", " : "") + pattern(e->patterns[i]) + " => " + expr(e->parts[i + 1]);
    return text + " }";
  }
  case Expr::NewRef:
    return "ref" + list(e->parts);
  case Expr::ReadRef:
    return "ref_read" + list(e->parts);
  case Expr::WriteRef:
    return "ref_write" + list(e->parts);
  }
  return "";
}

std::string Printer::run() {
  std::string text;
  for (const DataType &each : program.data) {
    if (each.isOfPrelude)
      continue;
    text += "type " + each.name + " { ";
    for (size_t i = 0; i < each.constructors.size(); ++i) {
      const Constructor &constructor = each.constructors[i];
      text += (i ? ", " : "") + constructor.name;
      for (size_t k = 0; k < constructor.fields.size(); ++k)
        text += (k ? ", " : "(") + type(constructor.fields[k]);
      text += constructor.fields.empty() ? "" : ")";
    }
    text += " }\n";
  }
  for (const Function &function : program.functions)
    text += "def @" + function.name + parameters(function.parameters) + " -> " +
            type(function.result) + " {\n  " + expr(function.body) + "\n}\n";
  return text;
}

std::string print(const Program &program) { return Printer(program).run(); }

} // namespace ingot::random
