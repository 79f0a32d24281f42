// Products of matrices.
include "Dialect/Base.td"

def Ingot_MatmulOp : Ingot_ElementOp<"matmul"> {
  let summary = "Products of the matrices in the last two dimensions (ONNX MatMul)";
  let description = [{
    `a` [B..., M, K] and `b` [B..., K, N] give [B..., M, N]; the dimensions before are broadcast. Ranks are at least 2: one-dimensional
    operands are reshaped by whoever makes the operator.
  }];
  let arguments = (ins Ingot_Tensor:$a, Ingot_Tensor:$b);
  let extraClassDeclaration = [{ bool isCostly() { return true; } }];
}
