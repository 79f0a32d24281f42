// Operators that move elements without computing on them.
include "Dialect/Base.td"

def Ingot_ReshapeOp : Ingot_ElementOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$shape);
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Ingot_TransposeOp : Ingot_ElementOp<"transpose"> {
  let summary = "Dimension i of the result is dimension permutation[i] of the operand";
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Ingot_BroadcastOp : Ingot_ElementOp<"broadcast"> {
  let summary = "The operand repeated along its dimensions of extent 1 and new leading ones (ONNX Expand)";
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$shape);
  let hasFolder = 1;
}

def Ingot_SliceOp : Ingot_ElementOp<"slice"> {
  let summary = "Element i of the result is element start + i * step of the operand, per dimension";
  let description = [{
    Starts are within the operand and sizes at least 0: whoever makes the operator has resolved negative and
    clamped positions. Steps may be negative, never 0.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$starts, DenseI64ArrayAttr:$steps, Ingot_DimsAttr:$sizes);
  let hasFolder = 1;
}

def Ingot_ConcatOp : Ingot_ElementOp<"concat"> {
  let summary = "The operands behind each other along one dimension";
  let arguments = (ins Variadic<Ingot_Tensor>:$x, I64Attr:$axis);
  let hasFolder = 1;
}

def Ingot_PadOp : Ingot_ElementOp<"pad"> {
  let summary = "The operand with elements added before (low) and after (high) it in each dimension";
  let description = [{
    `constant` adds the scalar operand `value`; `reflect`, `edge` and `wrap` repeat elements of `x` as numpy.pad does.
    Negative amounts remove elements.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$value, Ingot_DimsAttr:$low, Ingot_DimsAttr:$high, StrAttr:$mode);
}

def Ingot_TileOp : Ingot_ElementOp<"tile"> {
  let summary = "The operand repeated a number of times along each dimension";
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$repeats);
}

def Ingot_IotaOp : Ingot_ElementOp<"iota"> {
  let summary = "Each element is its index along one dimension";
  let arguments = (ins Ingot_DimsAttr:$shape, I64Attr:$axis, TypeAttr:$element);
}

def Ingot_DimsTensorOp : Ingot_ElementOp<"dims_tensor"> {
  let summary = "Dimensions as data: a vector of the values of symbolic expressions (ONNX Shape)";
  let arguments = (ins Ingot_DimsAttr:$values, TypeAttr:$element);
}
