//===- Infer.h - Types of a Relay program -----------------------------------------------------===//
//
// Hindley-Milner (Damas, Milner: Principal type-schemes for functional programs, 1982) with levels
// for generalisation, and the shape rules of operators as constraints that wait until the types of
// their arguments are known. What an operator's result is, its importer says: the call is imported
// on trial.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "Import/Relay/Types/Type.h"
#include "mlir/IR/MLIRContext.h"

namespace ingot::relay {

/// Resolves the names of `program` and gives every expression, pattern and variable its type, as
/// far as the program determines it. Reports all that does not fit.
void inferTypes(Program &program, TypeContext &types, Reporter &reporter,
                mlir::MLIRContext &context);

/// The value of a literal or a reference to metadata; null for all else.
mlir::ElementsAttr constantOf(const Expr *expr, mlir::MLIRContext *context);

/// The tensor type of the dialect; symbol(i) for each dimension that is not known.
mlir::RankedTensorType tensorTypeOf(Type *type, mlir::MLIRContext *context,
                                    llvm::function_ref<mlir::AffineExpr(unsigned)> symbol);

} // namespace ingot::relay
