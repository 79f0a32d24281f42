//===- EntryValues.h - The numbers that a planned entry computes ------------------------------===//
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace ingot {

/// Evaluates index values of one function for given values of its index arguments: constants and
/// integer arithmetic.
class EntryValues {
public:
  /// `dims` are the values of the last arguments of `function`.
  EntryValues(mlir::func::FuncOp function, llvm::ArrayRef<int64_t> dims);
  /// Nothing for values that are not such arithmetic, on overflow, and for a division by zero.
  std::optional<int64_t> get(mlir::Value value);

private:
  std::optional<int64_t> compute(mlir::Operation *op);
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known;
};

/// A view of the workspace as numbers.
struct Placement {
  mlir::Operation *view;
  int64_t offset, bytes;
};

/// The views of `workspace` in `entry`, in program order; fails with an error at one that has no
/// value.
mlir::FailureOr<std::vector<Placement>> placementsOf(mlir::func::FuncOp entry,
                                                     mlir::Value workspace, EntryValues &values);

/// What `@workspace_size` returns for `dims`, or the constant in the interface; nothing if the
/// module has neither.
std::optional<int64_t> workspaceSize(mlir::ModuleOp module, llvm::ArrayRef<int64_t> dims);

} // namespace ingot
