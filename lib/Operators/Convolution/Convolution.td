// Convolutions, channels last.
include "Dialect/Base.td"

def Ingot_ConvOp : Ingot_ElementOp<"conv"> {
  let summary = "Convolution over any number of dimensions (ONNX Conv), channels last";
  let description = [{
    `x` [N, S..., C], `w` [S..., C / groups, O]; the result is [N, S'..., O]. `low` and `high` pad with zeros. No bias: that is an
    `add`.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$w, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, I64Attr:$groups);
  let extraClassDeclaration = [{
    bool isCostly() { return true; }
    /// True if every channel is convolved by itself.
    bool isDepthwise();
  }];
}

def Ingot_ConvTransposeOp : Ingot_ElementOp<"conv_transpose"> {
  let summary = "Transposed convolution (ONNX ConvTranspose), channels last";
  let description = [{
    `x` [N, S..., C], `w` [S..., C, O / groups]; the result is [N, S'..., O] with S' = (S - 1) * stride + (k - 1) * dilation + 1 +
    output_padding - low - high.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$w, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$output_padding,
                       I64Attr:$groups);
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}
