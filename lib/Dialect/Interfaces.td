// How the stages of the compiler see an operator without knowing its name.
#ifndef INGOT_DIALECT_INTERFACES_TD
#define INGOT_DIALECT_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Ingot_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    An operator whose result can be given one element at a time: "the element at these indices is ...". Every such
    operator can be inlined into any consumer, is vectorised, and works for dynamic shapes and for both back ends.
  }];
  let methods = [InterfaceMethod<"The element of the only result at `at`, as a scalar or as a "
                                 "vector of `eb.lanes()` neighbours.",
                                 "::mlir::Value", "element",
                                 (ins "::ingot::ElementBuilder &":$eb,
                                     "::llvm::ArrayRef<::ingot::Index>":$at)>,
                 InterfaceMethod<
                     "True if an element takes a loop: fusion never builds it more than once.",
                     "bool", "isCostly", (ins), "", "return false;">];
}

def Ingot_ScalarOpInterface : OpInterface<"ScalarOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    An element-wise operator with multidirectional broadcasting (ONNX "Broadcasting in ONNX"): a function of scalars.
  }];
  let methods = [InterfaceMethod<"The function: `x` holds one scalar or vector per operand, `s` "
                                 "builds arithmetic in the operands' type.",
                                 "::mlir::Value", "scalar",
                                 (ins "::ingot::ScalarBuilder &":$s, "::mlir::ValueRange":$x)>];
}

def Ingot_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::ingot";
  let description = "A fold of one operand over some of its dimensions.";
  let methods =
      [InterfaceMethod<"The dimensions folded, ascending.", "::llvm::SmallVector<int64_t>",
                       "reducedDims", (ins)>,
       InterfaceMethod<"True if folded dimensions stay with extent 1.", "bool", "keepsDims", (ins)>,
       InterfaceMethod<"The value to begin with, a scalar.", "::mlir::Value", "initial",
                       (ins "::ingot::ScalarBuilder &":$s)>,
       InterfaceMethod<"One step; `accumulator` and `element` are both scalars or both vectors.",
                       "::mlir::Value", "combine",
                       (ins "::ingot::ScalarBuilder &":$s, "::mlir::Value":$accumulator,
                           "::mlir::Value":$element)>,
       InterfaceMethod<"The result from the accumulator and the number of elements folded.",
                       "::mlir::Value", "finish",
                       (ins "::ingot::ScalarBuilder &":$s, "::mlir::Value":$accumulator,
                           "::mlir::Value":$count)>,
       InterfaceMethod<
           "The reduction of the lanes of one vector that `combine` means, if there is one.",
           "std::optional<::mlir::vector::CombiningKind>", "vectorKind", (ins), "",
           "return std::nullopt;">];
}

def Ingot_LoopsOpInterface : OpInterface<"LoopsOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    An operator that writes its own loops, because its result is not a function of one element's indices: sorting,
    cumulative sums, scatters. Reads go through `lb.read`, so element-wise producers can still be inlined.
  }];
  let methods = [InterfaceMethod<"Emits the loops that fill every result.", "void", "loops",
                                 (ins "::ingot::LoopBuilder &":$lb)>];
}

#endif
