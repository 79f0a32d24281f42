//===- Dims.h - Symbolic dimensions of tensors -----------------------------------------------===//
//
// A dimension is an AffineExpr over symbols that the context knows by name ("batch", "width").
// Equal dimensions are equal pointers after simplification, so shapes compare cheaply.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <string>

namespace ingot {

/// The symbol named `name`; the same expression for the same name within one context.
mlir::AffineExpr dimSymbol(mlir::MLIRContext *context, llvm::StringRef name);
/// The name of the symbol at `position`, as given to dimSymbol or made by dimMin/dimMax.
llvm::StringRef dimSymbolName(mlir::MLIRContext *context, unsigned position);
mlir::AffineExpr dimConstant(mlir::MLIRContext *context, int64_t value);

/// A symbol that stands for min(a, b) or max(a, b), which affine expressions cannot say.
struct DimMinMax {
  bool isMax;
  mlir::AffineExpr a, b;
};
mlir::AffineExpr dimMin(mlir::AffineExpr a, mlir::AffineExpr b);
mlir::AffineExpr dimMax(mlir::AffineExpr a, mlir::AffineExpr b);
/// What `symbol` stands for if dimMin or dimMax made it.
std::optional<DimMinMax> dimDefinition(mlir::AffineExpr symbol);

/// The canonical form: constants folded, nested floor divisions merged.
mlir::AffineExpr simplifyDim(mlir::AffineExpr expr);
/// The value of `expr` if it is a constant.
std::optional<int64_t> constantDim(mlir::AffineExpr expr);
/// The value of `expr` under `binding`, which maps a named symbol to its value; nothing on
/// overflow, a division by zero or a symbol without a value.
std::optional<int64_t>
evaluateDim(mlir::AffineExpr expr,
            llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> binding);
/// `expr` with every named symbol replaced by what `replace` returns for it (null: kept).
mlir::AffineExpr substituteDim(mlir::AffineExpr expr,
                               llvm::function_ref<mlir::AffineExpr(llvm::StringRef)> replace);
/// Adds the names of the symbols that `expr` depends on, looking into min and max.
void collectDimSymbols(mlir::AffineExpr expr, llvm::SetVector<llvm::StringRef> &names);
/// `expr` as text: `(width - 1) floordiv 2 + 1`.
std::string printDim(mlir::AffineExpr expr);
/// Reads what printDim writes; nothing if malformed.
std::optional<mlir::AffineExpr> parseDim(mlir::MLIRContext *context, llvm::StringRef text);

/// The type of `v`, which is a tensor.
inline mlir::RankedTensorType tensorType(mlir::Value v) {
  return llvm::cast<mlir::RankedTensorType>(v.getType());
}

/// The dimensions of `type`, constants included.
llvm::SmallVector<mlir::AffineExpr> getDims(mlir::RankedTensorType type);
mlir::AffineExpr getDim(mlir::RankedTensorType type, unsigned index);
/// The tensor type with these dimensions (simplified); no encoding if all are constants.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<mlir::AffineExpr> dims, mlir::Type element);
/// False if a constant extent is negative, or there are more than 2^40 elements by the constant
/// extents alone: no file justifies either, and positions stay far from overflow.
bool isPossibleShape(llvm::ArrayRef<mlir::AffineExpr> dims);
/// `type` with another element type.
mlir::RankedTensorType withElementType(mlir::RankedTensorType type, mlir::Type element);
/// The product of `dims`; 1 for none.
mlir::AffineExpr dimProduct(mlir::MLIRContext *context, llvm::ArrayRef<mlir::AffineExpr> dims);
mlir::AffineExpr elementCount(mlir::RankedTensorType type);

} // namespace ingot
