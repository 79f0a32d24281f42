//===- LoopBuilder.h - Operators that write their own loops -----------------------------------===//
#pragma once

#include "Dialect/Element/ElementBuilder.h"

namespace ingot {

/// What an operator uses to fill its results with loops of its own; always scalars.
class LoopBuilder : public ElementBuilder {
public:
  using ElementBuilder::ElementBuilder;

  /// Stores `value`, in the compute type, into result `result` at `at`.
  virtual void write(unsigned result, llvm::ArrayRef<Index> at, mlir::Value value) = 0;
  /// Reads back what was written to result `result`.
  virtual mlir::Value readBack(unsigned result, llvm::ArrayRef<Index> at) = 0;

  /// for (i = lower; i < upper; i += 1) body(i)
  void loop(Index lower, Index upper, llvm::function_ref<void(Index)> body);
  /// The same with values carried from one iteration to the next; returns the last ones.
  llvm::SmallVector<mlir::Value>
  loop(Index lower, Index upper, mlir::ValueRange initial,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(Index, mlir::ValueRange)> body);
  /// One loop per dimension of `dims`, outermost first.
  void loops(llvm::ArrayRef<mlir::AffineExpr> dims,
             llvm::function_ref<void(llvm::ArrayRef<Index>)> body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> then);
};

} // namespace ingot
