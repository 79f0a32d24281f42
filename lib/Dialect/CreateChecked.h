//===- CreateChecked.h - Making operators from input that may be wrong ------------------------===//
#pragma once

#include "Dialect/Dims.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

namespace ingot {

/// Makes an operator whose result types are inferred. Unlike OpBuilder::create, which aborts when
/// inference fails, it then emits the inference error at `loc` and returns failure, as it does for
/// a result of an impossible shape: for operands and attributes that come from a file.
template <typename Op>
llvm::FailureOr<Op> createChecked(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange operands,
                                  llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
  mlir::OperationState state(loc, Op::getOperationName());
  state.addOperands(operands);
  state.addAttributes(attributes);
  mlir::DictionaryAttr dictionary = state.attributes.getDictionary(b.getContext());
  mlir::OpaqueProperties opaque(nullptr);
  if constexpr (requires { typename Op::Properties; }) {
    auto &properties = state.getOrAddProperties<typename Op::Properties>();
    auto emitError = [&] { return mlir::emitError(loc); };
    if (failed(Op::setPropertiesFromAttr(properties, dictionary, emitError)))
      return llvm::failure();
    opaque = mlir::OpaqueProperties(&properties);
  }
  llvm::SmallVector<mlir::Type> types;
  if (failed(Op::inferReturnTypes(b.getContext(), loc, operands, dictionary, opaque, {}, types)))
    return llvm::failure();
  for (mlir::Type type : types)
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
      if (!isPossibleShape(getDims(tensor)))
        return mlir::emitError(loc, "its result has an impossible shape");
  state.addTypes(types);
  return llvm::cast<Op>(b.create(state));
}

} // namespace ingot
