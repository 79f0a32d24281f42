//===- Weights.h - Constant tables as bytes ---------------------------------------------------===//
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace ingot {

/// Tables begin at multiples of this in a file of weights.
inline constexpr int64_t weightsAlign = 64;

/// The elements of a constant in memory order, little-endian.
std::string rawBytes(mlir::memref::GlobalOp global);

/// Where each constant of `module` begins in its file of weights, by symbol.
llvm::StringMap<int64_t> weightOffsets(mlir::ModuleOp module);
/// That file.
std::string weightsFile(mlir::ModuleOp module);

} // namespace ingot
