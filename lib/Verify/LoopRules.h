//===- LoopRules.h - The closed list of loop-level operations ---------------------------------===//
#pragma once

#include "mlir/IR/Operation.h"

namespace ingot {

/// Where an operation may stand.
enum LoopPlace : unsigned {
  InStep = 1,  ///< the body of a step function
  InEntry = 2, ///< the body of the entry
  InSize = 4,  ///< the body of the workspace size function
};

/// One row of the list.
struct LoopRule {
  llvm::StringRef operation;
  unsigned places; ///< LoopPlace bits
  /// What operands and results may be: scalars always; vectors and memrefs by these two.
  bool vectors, memrefs;
  /// Further conditions; null for none. Reports and fails.
  mlir::LogicalResult (*check)(mlir::Operation *op);
};

/// The row of `name`, or null if it is not part of the loop level.
const LoopRule *findLoopRule(llvm::StringRef name);

/// An error on `op` that ends in `[loop level: rule]`.
mlir::LogicalResult loopError(mlir::Operation *op, llvm::StringRef rule, const llvm::Twine &text);

/// True for element types that memory can hold: f16 bf16 f32 f64 i8 i16 i32 i64.
bool isStorable(mlir::Type type);

} // namespace ingot
