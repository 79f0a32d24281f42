//===- ModelInfo.h - A model's interface as plain values --------------------------------------===//
#pragma once

#include "CodeGen/ProgramInterface.h"
#include "Dialect/ModelInterface.h"
#include "ingot/Model.h"

namespace ingot {

/// What include/ingot/Model.h says of `interface`. `members` names the struct members of inputs,
/// then of outputs.
InterfaceInfo describe(const ModelInterface &interface, llvm::ArrayRef<std::string> members);

/// The same for a program with data.
InterfaceInfo describe(const ProgramInterface &program);

/// `expr` over the symbols of `names`.
Extent describe(mlir::AffineExpr expr, llvm::ArrayRef<std::string> names);

} // namespace ingot
