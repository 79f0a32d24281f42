//===- Ast.h - Relay programs as they are written ---------------------------------------------===//
//
// The parser makes the tree and resolves local variables; type inference resolves names of
// definitions, constructors and operators and fills in the types. Chains of bindings are lists, so
// that only nesting in the text is nesting in the tree.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Source.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Casting.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::relay {

struct Type;
struct Expr;
struct FunctionExpr;
struct Definition;
struct TypeDefinition;
struct Constructor;

/// A type as written.
struct TypeExpr {
  enum Kind { Hole, Named, Tensor, Tuple, Function } kind = Hole;
  Place place;
  std::string name;                   ///< Named: of a scalar, a parameter or a definition
  std::vector<const TypeExpr *> args; ///< of a name; members; parameters, then the result
  std::vector<int64_t> dims;          ///< Tensor; -1 for ?
  std::string element;                ///< Tensor
};

/// The value of an attribute.
struct AttrValue {
  enum Kind { None, Integer, Float, Bool, String, List, Meta } kind = None;
  Place place;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<AttrValue> list;
};
struct Attr {
  std::string name;
  AttrValue value;
  Place place;
};
using Attrs = std::vector<Attr>;

/// A variable: a parameter, a let, a graph binding, a variable of a pattern.
struct Var {
  std::string name;
  Place place;
  const TypeExpr *annotation = nullptr;
  Type *type = nullptr;
  /// The function that a let binds it to, if the text shows one.
  FunctionExpr *function = nullptr;
  /// Types that each use chooses anew.
  std::vector<Type *> generalised;
};

struct Pattern {
  enum Kind { Wildcard, Variable, Construct, Tuple, Literal } kind = Wildcard;
  Place place;
  Var *var = nullptr;
  std::string name;
  std::vector<Pattern *> fields;
  Expr *literal = nullptr;
  const Constructor *constructor = nullptr;
  Type *type = nullptr;
};

/// Each kind is a struct below.
enum class ExprKind : uint8_t {
  Literal,
  Meta,
  Var,
  Name,
  Function,
  Call,
  Tuple,
  Project,
  If,
  Match,
  NewRef,
  ReadRef,
  WriteRef,
  Block
};

struct Expr {
  ExprKind kind;
  Place place;
  /// Levels of nesting below, this one included.
  unsigned height = 1;
  Type *type = nullptr;
  Expr(ExprKind kind, Place place) : kind(kind), place(place) {}
  virtual ~Expr() = default;
};

template <ExprKind K> struct ExprOf : Expr {
  explicit ExprOf(Place place) : Expr(K, place) {}
  static bool classof(const Expr *e) { return e->kind == K; }
};

struct LiteralExpr : ExprOf<ExprKind::Literal> {
  using ExprOf::ExprOf;
  std::string element; ///< "int32", "float64", "bool"
  int64_t integer = 0;
  double number = 0;
};

/// meta[relay.Constant][0]
struct MetaExpr : ExprOf<ExprKind::Meta> {
  using ExprOf::ExprOf;
  mlir::ElementsAttr value;
};

struct VarExpr : ExprOf<ExprKind::Var> {
  using ExprOf::ExprOf;
  Var *var = nullptr;
  std::vector<Type *> typeArgs;
};

/// A global, a constructor or an operator.
struct NameExpr : ExprOf<ExprKind::Name> {
  using ExprOf::ExprOf;
  std::string name;
  bool isGlobal = false;
  Definition *definition = nullptr;
  const Constructor *constructor = nullptr;
  bool isOperator = false;
  std::vector<Type *> typeArgs;
};

struct FunctionExpr : ExprOf<ExprKind::Function> {
  using ExprOf::ExprOf;
  std::string name; ///< of what it is bound to; may be empty
  std::vector<std::string> typeParams;
  std::vector<Type *> rigid; ///< one for each of typeParams
  std::vector<Var *> params;
  const TypeExpr *resultType = nullptr;
  Expr *body = nullptr;
  Attrs attrs;
  /// Variables of enclosing functions that the body uses, in order of first use.
  std::vector<Var *> captures;
  /// True if it refers to itself, directly or through other definitions.
  bool isRecursive = false;
  unsigned size = 0; ///< expressions in the body
};

struct CallExpr : ExprOf<ExprKind::Call> {
  using ExprOf::ExprOf;
  Expr *callee = nullptr;
  std::vector<Expr *> args;
  Attrs attrs;
};

struct TupleExpr : ExprOf<ExprKind::Tuple> {
  using ExprOf::ExprOf;
  std::vector<Expr *> fields;
};

struct ProjectExpr : ExprOf<ExprKind::Project> {
  using ExprOf::ExprOf;
  Expr *tuple = nullptr;
  int64_t index = 0;
};

struct IfExpr : ExprOf<ExprKind::If> {
  using ExprOf::ExprOf;
  Expr *condition = nullptr, *then = nullptr, *otherwise = nullptr;
};

struct Clause {
  Pattern *pattern;
  Expr *body;
};
struct MatchExpr : ExprOf<ExprKind::Match> {
  using ExprOf::ExprOf;
  Expr *value = nullptr;
  bool isTotal = true; ///< match, not match?
  std::vector<Clause> clauses;
};

struct NewRefExpr : ExprOf<ExprKind::NewRef> {
  using ExprOf::ExprOf;
  Expr *value = nullptr;
};
struct ReadRefExpr : ExprOf<ExprKind::ReadRef> {
  using ExprOf::ExprOf;
  Expr *ref = nullptr;
};
struct WriteRefExpr : ExprOf<ExprKind::WriteRef> {
  using ExprOf::ExprOf;
  Expr *ref = nullptr, *value = nullptr;
};

/// Bindings in order, then a result.
struct BlockExpr : ExprOf<ExprKind::Block> {
  using ExprOf::ExprOf;
  struct Binding {
    Var *var; ///< null where only the effect counts
    Expr *value;
  };
  std::vector<Binding> bindings;
  Expr *result = nullptr;
};

struct Definition {
  std::string name;
  Place place;
  FunctionExpr *function = nullptr;
  std::vector<Type *> generalised;
};

struct Constructor {
  std::string name;
  Place place;
  std::vector<const TypeExpr *> fieldTypes;
  std::vector<Type *> fields;
  TypeDefinition *owner = nullptr;
  unsigned tag = 0;
};

struct TypeDefinition {
  std::string name;
  Place place;
  bool isExtern = false;
  std::vector<std::string> params;
  std::vector<Type *> rigid; ///< one for each of params
  std::vector<std::unique_ptr<Constructor>> constructors;
};

/// A program, its libraries included. Owns all that it holds.
struct Program {
  std::vector<std::unique_ptr<Definition>> definitions;
  std::vector<std::unique_ptr<TypeDefinition>> types;
  llvm::StringMap<Definition *> definitionOf;
  llvm::StringMap<TypeDefinition *> typeOf;
  llvm::StringMap<Constructor *> constructorOf;
  llvm::StringSet<> imported;

  template <typename T> T *make(Place place) {
    auto owned = std::make_unique<T>(place);
    T *result = owned.get();
    exprs.push_back(std::move(owned));
    return result;
  }
  Var *makeVar(llvm::StringRef name, Place place) {
    vars.push_back(std::make_unique<Var>());
    vars.back()->name = name.str();
    vars.back()->place = place;
    return vars.back().get();
  }
  TypeExpr *makeType(TypeExpr::Kind kind, Place place) {
    typeExprs.push_back(std::make_unique<TypeExpr>(TypeExpr{kind, place, {}, {}, {}, {}}));
    return typeExprs.back().get();
  }
  Pattern *makePattern(Pattern::Kind kind, Place place) {
    patterns.push_back(std::make_unique<Pattern>());
    patterns.back()->kind = kind;
    patterns.back()->place = place;
    return patterns.back().get();
  }

private:
  std::vector<std::unique_ptr<Expr>> exprs;
  std::vector<std::unique_ptr<Var>> vars;
  std::vector<std::unique_ptr<TypeExpr>> typeExprs;
  std::vector<std::unique_ptr<Pattern>> patterns;
};

} // namespace ingot::relay
