//===- Contraction.cpp - Products of matrices -------------------------------------------------===//

#include "Operators/Contraction.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Contraction.cpp.inc"

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto a = tensorType(adaptor.getA()), b = tensorType(adaptor.getB());
  Type element = a.getElementType();
  if (a.getRank() < 2 || b.getRank() < 2)
    return emitOptionalError(loc, "operands must have at least two dimensions");
  if (element != b.getElementType() || element.isInteger(1))
    return emitOptionalError(loc, "operands must be of one numeric element type");
  auto k = constantDim(getDim(a, a.getRank() - 1)), l = constantDim(getDim(b, b.getRank() - 2));
  if (k && l && *k != *l)
    return emitOptionalError(loc, "rows of ", *k, " elements cannot be multiplied with columns of ",
                             *l);
  SmallVector<AffineExpr> left = getDims(a), right = getDims(b);
  size_t batch = std::max(left.size(), right.size()) - 2;
  AffineExpr one = dimConstant(element.getContext(), 1);
  SmallVector<AffineExpr> dims;
  for (size_t i = 0; i < batch; ++i) {
    auto from = [&](ArrayRef<AffineExpr> list) {
      size_t own = list.size() - 2;
      return i + own >= batch ? list[i + own - batch] : one;
    };
    AffineExpr x = from(left), y = from(right);
    auto c = constantDim(x), d = constantDim(y);
    if (c && d && *c != *d && *c != 1 && *d != 1)
      return emitOptionalError(loc, "cannot broadcast extent ", *c, " with ", *d);
    dims.push_back(c == 1 || (d && d != 1) ? y : x);
  }
  dims.push_back(left[left.size() - 2]);
  dims.push_back(right.back());
  types.push_back(makeTensorType(dims, element));
  return success();
}

Value MatmulOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto a = tensorType(getA()), b = tensorType(getB());
  ScalarBuilder s = eb.scalars(a.getElementType());
  auto access = [&](RankedTensorType type, Index row, Index column) {
    size_t own = type.getRank() - 2;
    SmallVector<Index> indices;
    for (size_t i = 0; i < own; ++i)
      indices.push_back(type.getDimSize(i) == 1 ? eb.constant(0) : at[at.size() - 2 - own + i]);
    indices.append({row, column});
    return indices;
  };
  Index row = at[at.size() - 2], column = at.back();
  bool hasLanes = llvm::any_of(at, [](Index i) { return i.lanes; });
  Value start = hasLanes ? eb.splat(s.constant(0)) : s.constant(0);
  return eb.fold(eb.constant(0), eb.dim(getDim(a, a.getRank() - 1)), start,
                 [&](Index k, Value sum) {
                   Value x = eb.read(getA(), access(a, row, k));
                   Value y = eb.read(getB(), access(b, k, column));
                   return s.fma(s.broadcastLike(x, sum), s.broadcastLike(y, sum), sum);
                 });
}
