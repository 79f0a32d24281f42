// Operators whose elements depend on those before: they write their own loops.
include "Dialect/Base.td"

class Ingot_LoopsOp<string mnemonic> : Ingot_PureOp<mnemonic, [DeclareOpInterfaceMethods<Ingot_LoopsOpInterface>]>;

def Ingot_CumsumOp : Ingot_LoopsOp<"cumsum"> {
  let summary = "Sums of the elements up to each along one dimension (ONNX CumSum)";
  let description = [{ `exclusive` leaves out the element itself; `reverse` sums from the end. }];
  let arguments = (ins Ingot_Tensor:$x, I64Attr:$axis, BoolAttr:$exclusive, BoolAttr:$reverse);
  let results = (outs Ingot_Tensor:$result);
}

def Ingot_ScatterOp : Ingot_LoopsOp<"scatter"> {
  let summary = "The operand with elements replaced, each by an index along one dimension (ONNX ScatterElements)";
  let description = [{
    `reduction` is none, add, mul, max or min. Negative indices count from the end; indices outside the extent are taken
    to the nearest inside.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, Ingot_Tensor:$updates, I64Attr:$axis,
                       StrAttr:$reduction);
  let results = (outs Ingot_Tensor:$result);
}

def Ingot_ScatterNDOp : Ingot_LoopsOp<"scatter_nd"> {
  let summary = "The operand with slices replaced, by tuples of indices (ONNX ScatterND)";
  let description = [{ `reduction` and indices as for `scatter`. }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, Ingot_Tensor:$updates, StrAttr:$reduction);
  let results = (outs Ingot_Tensor:$result);
}

def Ingot_TopKOp : Ingot_LoopsOp<"top_k"> {
  let summary = "The greatest or least elements along one dimension, in order, and where they are (ONNX TopK)";
  let description = [{
    Of equal elements the one with the lower index comes first. `k` is one dimension, at most the extent.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$k, I64Attr:$axis, BoolAttr:$largest);
  let results = (outs Ingot_Tensor:$values, Ingot_Tensor:$indices);
}
