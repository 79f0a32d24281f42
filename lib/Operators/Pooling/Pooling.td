// Pooling windows, channels last.
include "Dialect/Base.td"

class Ingot_Pool<string mnemonic> : Ingot_ElementOp<mnemonic> {
  code costly = [{ bool isCostly() { return true; } }];
  let extraClassDeclaration = costly;
}

def Ingot_MaxPoolOp : Ingot_Pool<"max_pool"> {
  let summary = "The greatest element of each window (ONNX MaxPool), channels last";
  let description = [{
    `x` [N, S..., C]. Padding never counts. NaN if any element is.
  }];
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       BoolAttr:$ceil_mode);
}

def Ingot_MaxPoolIndicesOp : Ingot_Pool<"max_pool_indices"> {
  let summary = "Where max_pool found each element (second output of ONNX MaxPool)";
  let description = [{
    Flat positions in a tensor laid out as [N, C, S...], or with the spatial dimensions in reverse order if
    `storage_order` is 1; the first of equal elements.
  }];
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       BoolAttr:$ceil_mode, I64Attr:$storage_order);
}

def Ingot_AveragePoolOp : Ingot_Pool<"average_pool"> {
  let summary = "The mean of each window (ONNX AveragePool), channels last";
  let description = [{
    Divides by the number of elements in the window: with `count_include_pad` those of the padding too, but not those
    beyond it.
  }];
  let arguments = (ins Ingot_FloatTensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       BoolAttr:$ceil_mode, BoolAttr:$count_include_pad);
}

def Ingot_LpPoolOp : Ingot_Pool<"lp_pool"> {
  let summary = "The p-norm of each window (ONNX LpPool), channels last";
  let arguments = (ins Ingot_FloatTensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       BoolAttr:$ceil_mode, I64Attr:$p);
}
