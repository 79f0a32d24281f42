// Operators on images and other sampled signals.
include "Dialect/Base.td"

def Ingot_ResizeOp : Ingot_ElementOp<"resize"> {
  let summary = "The operand sampled anew along its dimensions (ONNX Resize)";
  let description = [{
    `sizes` is the result's shape; `scales` maps coordinates and holds one factor per dimension, 0 for the quotient of the extents.
    `mode` is nearest, linear or cubic; `coordinate_mode` is half_pixel, half_pixel_symmetric, pytorch_half_pixel,
    align_corners, asymmetric or tf_crop_and_resize (with `roi`: starts, then ends); `nearest_mode` is round_prefer_floor,
    round_prefer_ceil, floor or ceil. With `antialias` windows widen by the inverse of scales below 1.
  }];
  let arguments = (ins Ingot_Tensor:$x, Ingot_DimsAttr:$sizes, DenseF64ArrayAttr:$scales, StrAttr:$mode,
                       StrAttr:$coordinate_mode, StrAttr:$nearest_mode, F64Attr:$cubic_coefficient,
                       BoolAttr:$exclude_outside, F64Attr:$extrapolation_value, DenseF64ArrayAttr:$roi,
                       BoolAttr:$antialias);
  let extraClassDeclaration = [{ bool isCostly() { return getMode() != "nearest"; } }];
}
