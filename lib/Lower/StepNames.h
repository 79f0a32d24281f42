//===- StepNames.h - Names and comments of what lowering makes --------------------------------===//
#pragma once

#include "Operators/Structure.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace ingot {

/// Makes names from the locations of the model's nodes: stable, unique within the module, C
/// identifiers.
class StepNames {
public:
  /// Says that something else is called `name`.
  void reserve(llvm::StringRef name) { taken.insert(name); }
  /// `name`, with a number if something else is called so.
  std::string unique(std::string name);
  /// A name for the function of `group`, from its first and its last node.
  std::string stepName(GroupOp group);
  /// What the function computes, for people: operators, nodes, shapes; one line each.
  std::string comment(GroupOp group);
  /// The names of the model's nodes in `group`, in order.
  mlir::ArrayAttr nodes(GroupOp group);
  std::string constantName(ConstantOp op);
  /// A name for the buffer of `value`, which no group makes.
  std::string valueName(mlir::Value value);
  /// The hint for argument `index` of a step, whose memref `v` comes from `inputs` or `outputs`.
  mlir::StringAttr argumentName(mlir::Value v, size_t index, llvm::ArrayRef<mlir::Value> inputs,
                                llvm::ArrayRef<mlir::Value> outputs);

private:
  llvm::StringMap<unsigned> numbers;
  /// Names of the generated interface are no names of steps.
  llvm::StringSet<> taken = {"run",  "check",  "main",    "entry", "workspace_size",
                             "dims", "inputs", "outputs", "source"};
};

} // namespace ingot
