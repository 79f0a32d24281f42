//===- Value.h - What an expression is worth at compile time ----------------------------------===//
#pragma once

#include "Import/Relay/Types/Type.h"
#include "mlir/IR/Value.h"
#include <memory>

namespace ingot::relay {

struct Known;

/// The value of an expression as far as the compiler knows it: tuples are taken apart, functions
/// and constructed data keep what they were made of, so that a call of one and a match on the other
/// need nothing at run time.
struct Val {
  enum Kind : uint8_t {
    Runtime,  ///< `value`: a tensor, data, a closure or a reference
    Tuple,    ///< of known->parts
    Function, ///< known->function or known->constructor, with its captures in known->parts
    Data      ///< known->constructor of known->parts
  } kind = Runtime;
  mlir::Value value;
  /// Ground; of tensors the dimensions may say less than the value does.
  Type *type = nullptr;
  std::shared_ptr<Known> known;
};

struct Known {
  std::vector<Val> parts;
  FunctionExpr *function = nullptr;
  const Constructor *constructor = nullptr;
  /// The variable by which the function calls itself, if a let binds it.
  Var *self = nullptr;
  /// What types stand for inside the function.
  std::shared_ptr<const Substitution> types;
  /// The value at run time, once something needed it.
  mlir::Value made;
};

/// `text` as an identifier of C; different texts may become the same.
std::string sanitise(llvm::StringRef text);

} // namespace ingot::relay
