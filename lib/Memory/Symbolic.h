//===- Symbolic.h - Offsets as functions of the dimensions ------------------------------------===//
#pragma once

#include "Dialect/Element/ElementBuilder.h"
#include "Memory/Liveness.h"

namespace ingot {

/// A number of bytes: the largest of other such numbers, or zero, plus an expression over the
/// dimensions.
struct SymbolicBytes {
  int64_t maximum = -1; ///< index into SymbolicPlan::maxima; -1: zero
  mlir::AffineExpr plus;
  bool operator==(const SymbolicBytes &) const = default;
};

/// Offsets for buffers of symbolic size, right for every value of the dimensions.
struct SymbolicPlan {
  /// Each is the largest of its operands, of which there are at least two.
  std::vector<llvm::SmallVector<SymbolicBytes, 2>> maxima;
  std::vector<SymbolicBytes> offsets; ///< one per buffer
  SymbolicBytes size;
};

/// Stacks the buffers in an order that is good for typical values of the dimensions named
/// `symbols`.
SymbolicPlan planSymbolic(mlir::MLIRContext *context, llvm::ArrayRef<Buffer> buffers,
                          llvm::ArrayRef<std::string> symbols);

/// Emits the numbers of a plan as index values, each maximum once.
class SymbolicEmitter : public ElementBuilder {
public:
  /// `values` are those of the dimensions named `symbols`.
  SymbolicEmitter(mlir::OpBuilder &b, mlir::Location loc, const SymbolicPlan &plan,
                  llvm::ArrayRef<std::string> symbols, mlir::ValueRange values);
  mlir::Value emit(const SymbolicBytes &bytes);

private:
  mlir::Value read(mlir::Value, llvm::ArrayRef<Index>) override;
  mlir::Value symbol(llvm::StringRef name) override { return values.lookup(name); }
  Index emitted(mlir::AffineExpr expr);

  const SymbolicPlan &plan;
  llvm::StringMap<mlir::Value> values;
  std::vector<mlir::Value> maxima;
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> expressions;
};

} // namespace ingot
