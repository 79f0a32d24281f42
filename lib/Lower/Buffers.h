//===- Buffers.h - Tensors as flat memory -----------------------------------------------------===//
#pragma once

#include "Operators/Structure.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// The flat buffer of a tensor of `type`: booleans as bytes, integers without signs.
mlir::MemRefType bufferType(mlir::RankedTensorType type);
/// The value of a constant as the table called `name`.
mlir::memref::GlobalOp createConstantTable(mlir::ModuleOp module, ConstantOp op,
                                           llvm::StringRef name);

/// Copies `count` elements from one buffer to another of its type by a loop.
void copyElements(mlir::OpBuilder &b, mlir::Location loc, mlir::Value from, mlir::Value to,
                  mlir::Value count);

} // namespace ingot
