//===- Type.h - Types of Relay, with unknowns -------------------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Ast.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot::relay {

/// A type, or what is known of it so far. Tensors of rank 0 are the scalars.
struct Type {
  enum Kind : uint8_t {
    Unknown,   ///< to be found by unification; `link` is what it turned out to be
    Rigid,     ///< a type parameter, inside the definition that has it
    Tensor,    ///< `dims` (-1: not known at compile time) of `element`
    Tuple,     ///< of `args`
    Function,  ///< from all of `args` but the last to the last
    Data,      ///< `definition` applied to `args`
    Reference, ///< to args[0]
  };

  explicit Type(Kind kind) : kind(kind) {}

  Kind kind;
  Type *link = nullptr;
  unsigned level = 0; ///< Unknown: the let it belongs to; only deeper ones are generalised
  std::string name;   ///< Rigid
  mlir::Type element;
  std::vector<int64_t> dims;
  std::vector<Type *> args;
  TypeDefinition *definition = nullptr;
  /// Nodes of the tree it is when written out, of a type that ground() gave. Parts are shared, so
  /// that a small text can have a type of any size.
  int64_t size = 1;

  size_t paramCount() const { return args.size() - 1; }
  Type *result() const { return args.back(); }
  bool isScalar() const { return kind == Tensor && dims.empty(); }
};

/// Follows links.
Type *resolve(Type *type);

using Substitution = llvm::DenseMap<Type *, Type *>;

/// Makes types and keeps them.
class TypeContext {
public:
  Type *unknown(unsigned level);
  Type *rigid(llvm::StringRef name);
  Type *tensor(llvm::ArrayRef<int64_t> dims, mlir::Type element);
  Type *tuple(llvm::ArrayRef<Type *> fields);
  /// `args` ends with the result.
  Type *function(llvm::ArrayRef<Type *> args);
  Type *data(TypeDefinition *definition, llvm::ArrayRef<Type *> args);
  Type *reference(Type *content);

  enum class Unified { Yes, No, Infinite, TooLarge };
  /// Makes both the same; No leaves them partly unified.
  Unified unify(Type *a, Type *b);
  /// `type` with types put in place of parameters and unknowns. Null if it is too large.
  Type *substitute(Type *type, const Substitution &substitution);
  /// The same, with no unknowns left (those that nothing determines become ()), equal types being
  /// the same pointer. Null if it is too large.
  Type *ground(Type *type, const Substitution &substitution);
  /// Adds the unknowns in `type` deeper than `level`.
  void collectUnknowns(Type *type, unsigned level, std::vector<Type *> &unknowns);
  /// Sets the level of all unknowns in `type` to `level` where it is deeper.
  void limitLevel(Type *type, unsigned level);
  /// True if no unknown is left.
  bool isKnown(Type *type);
  /// As it would be written: `List[int32]`, `fn(int32) -> bool`.
  std::string print(Type *type);

private:
  Type *add(Type type);
  enum class Occurs { No, Yes, TooLarge };
  Occurs occurs(Type *unknown, Type *in, unsigned depth, llvm::DenseMap<Type *, bool> &seen);
  Type *rebuild(Type *type, const Substitution &substitution, bool isGround, unsigned depth,
                Substitution &memo);
  Type *intern(Type type);
  void printTo(std::string &out, Type *type, unsigned depth, unsigned &nextName,
               llvm::DenseMap<Type *, std::string> &names);
  void visit(Type *type, llvm::function_ref<void(Type *)> each);

  std::vector<std::unique_ptr<Type>> types;
  llvm::StringMap<Type *> interned;
  /// Steps of unification left: what a small text may cost.
  int64_t fuel = 20'000'000;
};

} // namespace ingot::relay
