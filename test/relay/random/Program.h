//===- Program.h - Random Relay programs: a language of their own -----------------------------===//
//
// What is generated, printed as Relay text, and evaluated by definition. It shares nothing with the
// compiler's own parser and types. All numbers are int32, which wraps, so that results are exact.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ingot::random {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

struct Type {
  enum Kind { Int, Bool, Vector, Tuple, Data, Function, Ref } kind;
  /// Members of a tuple; parameters of a function, then its result; what a reference holds.
  std::vector<TypeRef> parts;
  size_t data = 0; ///< in Program::data
};

struct Constructor {
  std::string name;
  std::vector<TypeRef> fields;
};

/// The first constructor is made without a value of the type itself.
struct DataType {
  std::string name; ///< as a type: "T0", "List[int32]"
  bool isOfPrelude;
  std::vector<Constructor> constructors;
};

struct Pattern {
  enum Kind { Wildcard, Variable, Constructor, Tuple } kind;
  std::string name;         ///< of a variable
  size_t data = 0, tag = 0; ///< of a constructor
  std::vector<Pattern> parts = {};
};

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

struct Expr {
  enum Kind {
    Number,    ///< `number`, of type Int or Bool
    Variable,  ///< `name`
    Fill,      ///< a vector of three times a number
    Operator,  ///< `name`, an operator of Relay, on `parts`
    Call,      ///< the global function `name` on `parts`
    Apply,     ///< parts[0] on the others
    Let,       ///< `name` is parts[0] in parts[1]; with its type if `number` is not 0
    Sequence,  ///< parts[0], then parts[1]
    If,        ///< condition, one, the other
    Tuple,     ///< `parts`
    Project,   ///< member `number` of parts[0]
    Lambda,    ///< `parameters`, body parts[0]
    Construct, ///< constructor `number` of the type on `parts`
    Match,     ///< parts[0]; clause i is patterns[i] and parts[i + 1]
    NewRef,
    ReadRef,
    WriteRef
  } kind;
  TypeRef type;
  std::string name = {};
  int64_t number = 0;
  std::vector<ExprRef> parts = {};
  std::vector<Pattern> patterns = {};
  std::vector<std::pair<std::string, TypeRef>> parameters = {};
};

struct Function {
  std::string name;
  std::vector<std::pair<std::string, TypeRef>> parameters;
  TypeRef result;
  ExprRef body;
};

/// The last function takes two numbers and a vector and gives a number, a truth value and a vector.
struct Program {
  std::vector<DataType> data;
  std::vector<Function> functions;
};

using Vector = std::array<int32_t, 3>;

struct Arguments {
  int32_t a, b;
  Vector v;
};

struct Results {
  int32_t number;
  bool truth;
  Vector vector;
};

/// A well-typed program; its names end in `suffix`. The same for the same seed everywhere.
Program generate(uint64_t seed, const std::string &suffix);
/// Its definitions as Relay text.
std::string print(const Program &program);
/// Runs it by the definition of the language: strict, from left to right. False if that takes more
/// than some hundred thousand steps.
bool evaluate(const Program &program, const Arguments &arguments, Results &results);

} // namespace ingot::random
