//===- Evaluate.h - Running programs of constants ---------------------------------------------===//
#pragma once

#include "Transforms/Passes.h"

namespace ingot {

/// A ConstantEvaluator: the program goes through the same lowering as any model and runs in this
/// process.
llvm::FailureOr<std::vector<mlir::ElementsAttr>>
evaluate(mlir::ModuleOp program, llvm::ArrayRef<mlir::DenseResourceElementsAttr> inputs);

} // namespace ingot
