// Folds of one operand over some of its dimensions.
include "Dialect/Base.td"

def Ingot_ReduceOp : Ingot_ElementOp<"reduce", [DeclareOpInterfaceMethods<Ingot_ReductionOpInterface, ["vectorKind"]>]> {
  let summary = "sum, prod, max, min, and, or of the elements along some dimensions";
  let description = [{
    `dims` ascend. A fold over no element gives 0, 1, the lowest, the highest value, true, false. `max` and `min` of
    floats are NaN if any element is.
  }];
  let arguments = (ins Ingot_Tensor:$x, StrAttr:$kind, DenseI64ArrayAttr:$dims, BoolAttr:$keep_dims);
  let hasFolder = 1;
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}
