//===- ShapeInference.cpp - Result shapes shared by operator families -------------------------===//

#include "Dialect/ShapeInference.h"

using namespace mlir;

namespace ingot {

bool compatibleTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [l, r] : llvm::zip(inferred, actual)) {
    auto a = dyn_cast<RankedTensorType>(l), b = dyn_cast<RankedTensorType>(r);
    if (!a && l == r)
      continue;
    if (!a || !b || a.getRank() != b.getRank() || a.getElementType() != b.getElementType())
      return false;
    for (auto [x, y] : llvm::zip(a.getShape(), b.getShape()))
      if (x != y && !ShapedType::isDynamic(x) && !ShapedType::isDynamic(y))
        return false;
  }
  return true;
}

static unsigned complexity(AffineExpr expr) {
  unsigned nodes = 0;
  expr.walk([&](AffineExpr) { ++nodes; });
  return nodes;
}

FailureOr<SmallVector<AffineExpr>> broadcastDims(std::optional<Location> loc, ValueRange operands) {
  SmallVector<AffineExpr> result;
  for (Value operand : operands) {
    SmallVector<AffineExpr> dims = getDims(cast<RankedTensorType>(operand.getType()));
    if (dims.size() > result.size())
      result.insert(result.begin(), dims.size() - result.size(), AffineExpr());
    size_t offset = result.size() - dims.size();
    for (auto [i, dim] : llvm::enumerate(dims)) {
      AffineExpr &into = result[offset + i];
      if (!into || into == dim || constantDim(into) == 1) {
        into = dim;
        continue;
      }
      auto a = constantDim(into), b = constantDim(dim);
      if (b == 1)
        continue;
      if (a && b)
        return emitOptionalError(loc, "cannot broadcast extent ", *a, " with ", *b,
                                 " in dimension ", offset + i);
      if (b || (!a && complexity(dim) < complexity(into)))
        into = dim;
    }
  }
  return result;
}

AffineExpr windowExtent(AffineExpr extent, int64_t kernel, int64_t stride, int64_t dilation,
                        int64_t low, int64_t high, bool ceilMode) {
  AffineExpr span = extent + low + high - (dilation * (kernel - 1) + 1);
  if (!ceilMode)
    return simplifyDim(span.floorDiv(stride) + 1);
  AffineExpr rounded = simplifyDim((span + (stride - 1)).floorDiv(stride) + 1);
  // A window that would start in the padding behind the end is left out: (out - 1) * stride <
  // extent + low.
  AffineExpr started = simplifyDim((extent + low + (stride - 1)).floorDiv(stride));
  return dimMin(rounded, started);
}

} // namespace ingot
