//===- Reduction.cpp - Folds over dimensions --------------------------------------------------===//

#include "Operators/Reduction.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Reduction.cpp.inc"

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  StringRef kind = adaptor.getKind();
  bool isLogic = kind == "and" || kind == "or";
  if (!isLogic && kind != "sum" && kind != "prod" && kind != "max" && kind != "min")
    return emitOptionalError(loc, "unknown kind '", kind, "'");
  if (isLogic != type.getElementType().isInteger(1) && (isLogic || kind == "sum" || kind == "prod"))
    return emitOptionalError(loc, "'", kind, "' does not fit the element type");
  int64_t before = -1;
  SmallVector<AffineExpr> dims = ingot::getDims(type), result;
  for (int64_t dim : adaptor.getDims()) {
    if (dim <= before || dim >= type.getRank())
      return emitOptionalError(loc, "dims must ascend within rank ", type.getRank());
    before = dim;
  }
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(adaptor.getDims(), static_cast<int64_t>(i)))
      result.push_back(dim);
    else if (adaptor.getKeepDims())
      result.push_back(dimConstant(context, 1));
  }
  types.push_back(makeTensorType(result, type.getElementType()));
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) { return getDims().empty() ? getX() : OpFoldResult(); }

SmallVector<int64_t> ReduceOp::reducedDims() { return SmallVector<int64_t>(getDims()); }
bool ReduceOp::keepsDims() { return getKeepDims(); }

Value ReduceOp::initial(ScalarBuilder &s) {
  StringRef kind = getKind();
  if (kind == "sum" || kind == "or")
    return s.constant(0);
  if (kind == "prod")
    return s.constant(1);
  if (kind == "and")
    return s.highest();
  return kind == "max" ? s.lowest() : s.highest();
}

Value ReduceOp::combine(ScalarBuilder &s, Value accumulator, Value element) {
  StringRef kind = getKind();
  if (kind == "sum")
    return s.add(accumulator, element);
  if (kind == "prod")
    return s.mul(accumulator, element);
  if (kind == "and")
    return s.bitAnd(accumulator, element);
  if (kind == "or")
    return s.bitOr(accumulator, element);
  return kind == "max" ? s.max(accumulator, element) : s.min(accumulator, element);
}

Value ReduceOp::finish(ScalarBuilder &, Value accumulator, Value) { return accumulator; }

std::optional<vector::CombiningKind> ReduceOp::vectorKind() {
  Type element = tensorType(getX()).getElementType();
  bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger();
  StringRef kind = getKind();
  if (kind == "sum")
    return vector::CombiningKind::ADD;
  if (kind == "prod")
    return vector::CombiningKind::MUL;
  if (kind == "max")
    return isFloat      ? vector::CombiningKind::MAXIMUMF
           : isUnsigned ? vector::CombiningKind::MAXUI
                        : vector::CombiningKind::MAXSI;
  if (kind == "min")
    return isFloat      ? vector::CombiningKind::MINIMUMF
           : isUnsigned ? vector::CombiningKind::MINUI
                        : vector::CombiningKind::MINSI;
  return std::nullopt;
}

Value ReduceOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  ScalarBuilder s = eb.scalars(type.getElementType());
  SmallVector<Index> access(type.getRank());
  size_t next = 0;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    bool isFolded = llvm::is_contained(getDims(), i);
    if (!isFolded)
      access[i] = at[next];
    next += !isFolded || getKeepDims();
  }
  bool hasLanes = llvm::any_of(at, [](Index i) { return i.lanes; });
  Value start = hasLanes ? eb.splat(initial(s)) : initial(s);
  SmallVector<AffineExpr> extents;
  for (int64_t dim : getDims())
    extents.push_back(getDim(type, dim));
  return eb.fold(extents, start, [&](ArrayRef<Index> folded, Value total) {
    for (auto [dim, index] : llvm::zip(getDims(), folded))
      access[dim] = index;
    return combine(s, total, s.broadcastLike(eb.read(getX(), access), total));
  });
}
