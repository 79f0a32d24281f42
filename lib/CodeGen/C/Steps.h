//===- Steps.h - The functions of fused groups in C -------------------------------------------===//
#pragma once

#include "CodeGen/C/Types.h"
#include "ingot/Compile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot::c {

class FunctionWriter;

/// A heading between parts of the source.
std::string rule(llvm::StringRef title);
/// `text` so that it ends no comment.
std::string commentSafe(llvm::StringRef text);
/// The width of an index that can count all elements of `module`, and `largest` bytes.
unsigned indexBits(mlir::ModuleOp module, int64_t largest);

class Steps {
public:
  Steps(mlir::ModuleOp module, const Compiled &compiled, Support &support)
      : module(module), compiled(compiled), support(support) {}

  /// All functions, in order.
  std::string text();
  /// What stands before them: includes, hooks, and what `support` has been asked for until now.
  std::string prologue() const;
  std::string functionName(llvm::StringRef symbol) const;
  bool hasVectors() const;
  /// The functions of the C library that the module calls, for people.
  std::string libraryCalls() const;

private:
  std::string step(mlir::func::FuncOp function);
  std::string signature(mlir::func::FuncOp function, FunctionWriter &writer);

  mlir::ModuleOp module;
  const Compiled &compiled;
  Support &support;
};

} // namespace ingot::c
