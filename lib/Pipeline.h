//===- Pipeline.h - The road from tensors to planned loops ------------------------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace ingot {

struct PipelineOptions {
  TargetInfo target;
  /// Checks the contract of each stage after it.
  bool verifyEach = false;
  /// Called with a stage's name and the share of the work done before it runs; may be empty.
  std::function<void(llvm::StringRef stage, double done)> progress;
};

/// From what an importer made to fused groups. Errors go to the context's diagnostics.
llvm::LogicalResult optimiseTensors(mlir::ModuleOp module, const PipelineOptions &options);

/// Makes a program that is more than a graph (isProgram) one of first-order functions, or a graph
/// after all.
llvm::LogicalResult reduceProgram(mlir::ModuleOp module, const PipelineOptions &options);
/// As optimiseTensors, for what reduceProgram leaves that is still more than a graph.
llvm::LogicalResult optimiseProgram(mlir::ModuleOp module, const PipelineOptions &options);

/// From fused groups to functions of the heap dialect and loops.
llvm::LogicalResult lowerProgram(mlir::ModuleOp module, const PipelineOptions &options);

/// From fused groups to the loop level.
llvm::LogicalResult lower(mlir::ModuleOp module, const PipelineOptions &options);

/// Places the buffers of the loop level in the workspace, and proves it.
llvm::LogicalResult plan(mlir::ModuleOp module, const PipelineOptions &options);

} // namespace ingot
