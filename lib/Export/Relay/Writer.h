//===- Writer.h - One function as Relay text --------------------------------------------------===//
#pragma once

#include "Dialect/ModelInterface.h"
#include "Export/Relay/Metadata.h"
#include "Operators/AllFamilies.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot::relay {

/// Writes the operations of a function as graph bindings: %0 = add(%x, %y);
class Writer {
public:
  /// The text of `module`, without metadata.
  std::string run(mlir::ModuleOp module);

  std::string metadata() const { return constants.text(); }
  const std::vector<std::string> &refusals() const { return refused; }

  //===--- For the operators ---===//

  /// What stands for `value`: a name, a literal, a reference to the metadata.
  std::string operator()(mlir::Value value);
  /// Binds `text` to a new name, which it returns.
  std::string bind(const std::string &text);
  /// `number` as a literal of the type of an element: "2f", "1i64"; a metadata reference if there
  /// is none.
  std::string literal(double number, mlir::Type element);
  std::string tensor(mlir::ElementsAttr value) { return constants.refer(value); }
  /// Says that an operation cannot be written; what it returns means nothing.
  std::string refuse(mlir::Operation *op, const llvm::Twine &why);

private:
  void block(mlir::Block &block);
  void write(mlir::Operation *op);
  std::string branch(mlir::Block &block);
  std::string results(mlir::ValueRange values);

  MetadataWriter constants;
  llvm::DenseMap<mlir::Value, std::string> names;
  std::vector<std::string> refused;
  std::string text, indent = "  ";
  size_t bindings = 0;
};

/// The expression of an operation with one result that is neither a constant nor control flow, in
/// terms of its operands' names.
std::string expressionOf(mlir::Operation *op, Writer &w);

std::string list(llvm::ArrayRef<int64_t> numbers);

} // namespace ingot::relay
