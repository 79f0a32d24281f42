// Reading and writing at positions that are data.
include "Dialect/Base.td"

def Ingot_GatherOp : Ingot_ElementOp<"gather"> {
  let summary = "Slices of the operand along one dimension, by index (ONNX Gather)";
  let description = [{
    Negative indices count from the end; indices outside the extent are taken to the nearest inside, so that no
    data can make a read go astray.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, I64Attr:$axis);
}

def Ingot_GatherElementsOp : Ingot_ElementOp<"gather_elements"> {
  let summary = "Elements of the operand, each by an index along one dimension (ONNX GatherElements)";
  let description = [{ Indices as for `gather`. }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, I64Attr:$axis);
}

def Ingot_GatherNDOp : Ingot_ElementOp<"gather_nd"> {
  let summary = "Slices of the operand by tuples of indices (ONNX GatherND)";
  let description = [{ Indices as for `gather`. }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, I64Attr:$batch_dims);
}

def Ingot_ArgReduceOp : Ingot_ElementOp<"arg_reduce"> {
  let summary = "Position of the greatest or least element along one dimension (ONNX ArgMax, ArgMin)";
  let arguments = (ins Ingot_Tensor:$x, I64Attr:$axis, BoolAttr:$keep_dim, BoolAttr:$select_last, BoolAttr:$is_max);
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}

def Ingot_ReverseSequenceOp : Ingot_ElementOp<"reverse_sequence"> {
  let summary = "Sequences along one dimension, each turned around up to its length (ONNX ReverseSequence)";
  let description = [{
    `lengths[b]` is the length of sequence b of the dimension `batch_axis`; lengths outside the extent of `time_axis`
    are taken to the nearest inside.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$lengths, I64Attr:$batch_axis, I64Attr:$time_axis);
}
