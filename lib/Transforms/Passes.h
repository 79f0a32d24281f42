//===- Passes.h - Passes on tensors -----------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/Pass.h"
#include <functional>
#include <vector>

namespace ingot {

/// Compiles the program of constants that foldConstants makes and runs it on `inputs`; returns its
/// outputs.
using ConstantEvaluator = std::function<llvm::FailureOr<std::vector<mlir::ElementsAttr>>(
    mlir::ModuleOp program, llvm::ArrayRef<mlir::DenseResourceElementsAttr> inputs)>;

/// Replaces what depends on constants only by its value, all of it by one run of `evaluate`.
llvm::LogicalResult foldConstants(mlir::ModuleOp module, const ConstantEvaluator &evaluate);

/// Makes foldConstants a pass for ingot-opt, `--fold-constants`; no entry of Passes.td, as only
/// later stages can evaluate.
void registerFoldConstants(ConstantEvaluator evaluate);

#define GEN_PASS_DECL
#include "Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Transforms/Passes.h.inc"

} // namespace ingot
