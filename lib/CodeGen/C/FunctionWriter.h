//===- FunctionWriter.h - The body of one function in C ---------------------------------------===//
#pragma once

#include "CodeGen/C/Types.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

namespace ingot::c {

/// Writes operations as statements. A value with one use becomes part of the expression that uses
/// it where that changes nothing; the others become variables.
class FunctionWriter {
public:
  FunctionWriter(Support &support, std::string &out) : support(support), out(out) {}

  /// Gives `value` a name or an expression, before it is used.
  void bind(mlir::Value value, std::string text) { bound[value] = std::move(text); }
  /// A name that no other variable of the function has.
  std::string uniqueName(llvm::StringRef base);
  /// Writes the operations of `block`, without its terminator.
  void write(mlir::Block &block);
  std::string expression(mlir::Value value);
  /// The same as an operand: in parentheses unless it is a name, a number, a call or an access.
  std::string operand(mlir::Value value);

  /// How a call, or another operation of the entry, is written; returns false to leave it to
  /// write().
  std::function<bool(mlir::Operation *)> special;

  /// target_i = value_i, as if all at once.
  void assign(llvm::ArrayRef<std::string> targets, mlir::ValueRange values);

  void line(const std::string &text) { out += std::string(2 * depth, ' ') + text + "\n"; }
  unsigned depth = 1;

private:
  bool isInlined(mlir::Operation *op);
  bool isInlinedUncached(mlir::Operation *op);
  /// False for what only tells a view its size, which C does not ask for.
  bool isNeeded(mlir::Operation *op);
  void findNeeded(mlir::func::FuncOp function);
  /// The operation with which `op`, inlined or not, is written.
  mlir::Operation *writtenWith(mlir::Operation *op);
  void write(mlir::Operation *op);
  void writeFor(mlir::scf::ForOp op);
  void writeIf(mlir::scf::IfOp op);
  void writeWhile(mlir::scf::WhileOp op);
  bool refersTo(mlir::Value value, mlir::Value what);
  std::string compute(mlir::Operation *op);
  std::string computeArith(mlir::Operation *op);
  std::string computeMath(mlir::Operation *op);
  std::string constant(mlir::Attribute value, mlir::Type type);
  std::string access(mlir::Value memref, mlir::Value index);
  std::string nameFor(mlir::Operation *op);

  Support &support;
  std::string &out;
  llvm::DenseMap<mlir::Value, std::string> bound;
  llvm::DenseMap<mlir::Operation *, bool> inlined, needed;
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> numbers;
};

} // namespace ingot::c
