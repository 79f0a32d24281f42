// Element-wise operators with multidirectional broadcasting: a row gives the name, the ONNX name, the formula and the
// function of scalars. Shapes, fusion, vectors and both back ends follow from the row.
#ifndef INGOT_OPERATORS_ELEMENTWISE_BASE_TD
#define INGOT_OPERATORS_ELEMENTWISE_BASE_TD
include "Dialect/Base.td"

/// `onnx` names the ONNX operator that means exactly this, or is empty. `resultElement` is C++ for the element type of
/// the result; `functionElement` for the tensor element type in which `body` computes.
class Ingot_Elementwise<string mnemonic, string onnx, string formula, code body,
                        string resultElement = "elementOf(adaptor.getOperands()[0])",
                        string functionElement = "elementOf(getOperation()->getOperand(0))">
    : Ingot_ElementOp<mnemonic, [DeclareOpInterfaceMethods<Ingot_ScalarOpInterface>]> {
  let summary = formula;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral onnxName = "}] # onnx # [{";
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
                                                      Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::ingot::inferElementwise(loc, adaptor.getOperands(), }] # resultElement # [{, types);
    }
    ::mlir::Value $cppClass::element(::ingot::ElementBuilder &eb, ::llvm::ArrayRef<::ingot::Index> at) {
      return ::ingot::elementwise(*this, eb, at, }] # functionElement # [{);
    }
    ::mlir::Value $cppClass::scalar(::ingot::ScalarBuilder &s, ::mlir::ValueRange x) {
      }] # body # [{
    }
  }];
}

class Ingot_Unary<string mnemonic, string onnx, string formula, code body>
    : Ingot_Elementwise<mnemonic, onnx, formula, body> {
  let arguments = (ins Ingot_Tensor:$x);
}
class Ingot_FloatUnary<string mnemonic, string onnx, string formula, code body>
    : Ingot_Elementwise<mnemonic, onnx, formula, body> {
  let arguments = (ins Ingot_FloatTensor:$x);
}
class Ingot_Binary<string mnemonic, string onnx, string formula, code body>
    : Ingot_Elementwise<mnemonic, onnx, formula, body> {
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$y);
}
class Ingot_Comparison<string mnemonic, string onnx, string formula, string predicate>
    : Ingot_Elementwise<mnemonic, onnx, formula, "return s.compare(::ingot::Compare::" # predicate # ", x[0], x[1]);",
                        "::mlir::IntegerType::get(adaptor.getOperands()[0].getContext(), 1)"> {
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$y);
}
class Ingot_Logic<string mnemonic, string onnx, string formula, code body>
    : Ingot_Elementwise<mnemonic, onnx, formula, body> {
  let arguments = (ins Ingot_BoolTensor:$x, Ingot_BoolTensor:$y);
}
#endif
