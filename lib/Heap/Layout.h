//===- Layout.h - Where a block keeps its fields ----------------------------------------------===//
#pragma once

#include "Dialect/Dialect.h"

namespace ingot {

/// True for values that are counted blocks at run time; the others, tensors of rank 0, are scalars.
bool isCounted(mlir::Type type);
/// The type of the scalar that stands for a tensor of rank 0: i1, signless integers, floats.
mlir::Type scalarType(mlir::Type tensor);

/// The fields of a constructor or the contents of a reference in a block: pointers first, then
/// scalars at multiples of their size.
struct BlockLayout {
  struct Field {
    bool isBlock;
    /// Of a block its position among the pointers, of a scalar its byte behind them.
    int64_t position;
    mlir::Type type; ///< of the scalar
  };
  llvm::SmallVector<Field> fields;
  int64_t pointers = 0, bytes = 0;

  explicit BlockLayout(llvm::ArrayRef<mlir::Type> types);
  bool isEmpty() const { return fields.empty(); }
  bool hasSizeOf(const BlockLayout &other) const {
    return pointers == other.pointers && bytes == other.bytes;
  }
};

} // namespace ingot
