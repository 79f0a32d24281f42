// Contractions whose right operand lies in memory as a register-tiled kernel reads it.
include "Dialect/Base.td"

def Ingot_PackOp : Ingot_ElementOp<"pack"> {
  let summary = "A matrix cut into panels of `vectors` vectors of `lanes` columns";
  let description = [{
    `x` [B..., K, N] becomes [B..., T, K, vectors * lanes] with T = ceil(N / (vectors * lanes)) panels. Vector v (counted
    through all panels) holds the columns from min(v * lanes, max(N - lanes, 0)) on: the last ones begin earlier so
    that they end at N, and repeat columns, which makes every vector a whole one. Only if N < lanes do lanes
    beyond N repeat the last column.
  }];
  let arguments = (ins Ingot_FloatTensor:$x, I64Attr:$lanes, I64Attr:$vectors);
}

def Ingot_PackedMatmulOp : Ingot_ElementOp<"packed_matmul"> {
  let summary = "matmul with a packed right operand";
  let description = [{
    `a` [B..., M, K], `b` [B..., T, K, vectors * lanes] or [T, K, vectors * lanes] as `pack` lays it out. The result is
    [B..., M, columns].
  }];
  let arguments = (ins Ingot_FloatTensor:$a, Ingot_FloatTensor:$b, Ingot_DimsAttr:$columns, I64Attr:$lanes,
                       I64Attr:$vectors);
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}

def Ingot_PackedConvOp : Ingot_ElementOp<"packed_conv"> {
  let summary = "Dense convolution over two dimensions with packed weights and without padding";
  let description = [{
    `x` [N, H, W, C] holds its padding already. `w` [T, KH * KW * C, vectors * lanes] is `pack` of the weights [KH * KW *
    C, O]. The result is [N, H', W', columns].
  }];
  let arguments = (ins Ingot_FloatTensor:$x, Ingot_FloatTensor:$w, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, Ingot_DimsAttr:$columns,
                       I64Attr:$lanes, I64Attr:$vectors);
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}
