//===- Dimensions.h - Symbolic dimensions as C expressions ------------------------------------===//
#pragma once

#include "CodeGen/Interface.h"

namespace ingot::c {

/// `expr` in int64_t, each symbol written as `symbol(name)` gives it. Divisors are positive.
std::string dimension(mlir::AffineExpr expr, const EntryPlan &plan, llvm::StringRef prefix);
/// Definitions of the functions that `dimension` may call, by the model's prefix.
std::string dimensionFunctions(const EntryPlan &plan);
/// The shape of `type` for people: "float32 [1,width,64]".
std::string shapeText(mlir::RankedTensorType type);
/// The C type of one element: "float", "uint8_t".
std::string elementType(mlir::Type element);

} // namespace ingot::c
