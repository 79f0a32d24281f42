//===- BuildStep.h - One group, one function --------------------------------------------------===//
#pragma once

#include "Lower/StepBuilder.h"

namespace ingot {

/// A function made from a group, and how to call it.
struct Step {
  mlir::func::FuncOp function;
  /// The memrefs to pass, in order; then come the values of `symbols`.
  llvm::SmallVector<mlir::Value> arguments;
  std::vector<std::string> symbols;
};

/// Builds the function @`name` of `group` at the builder's insertion point, by the first schedule
/// that fits: own loops, a kernel, rows, the general nest. `buffers` and `results` as for
/// StepBuilder.
llvm::FailureOr<Step> buildStep(mlir::OpBuilder &b, GroupOp group, llvm::StringRef name,
                                llvm::ArrayRef<mlir::Value> buffers,
                                llvm::ArrayRef<mlir::Value> results, const TargetInfo &target);

} // namespace ingot
