//===- Packed.cpp - Contractions with a packed right operand ----------------------------------===//

#include "Operators/Packed.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Packed.cpp.inc"

/// No product of two numbers of a panel or window up to this leaves 64 bits.
static constexpr int64_t largest = 1 << 20;

static bool isPanel(int64_t lanes, int64_t vectors) {
  return lanes > 0 && lanes <= largest && llvm::isPowerOf2_64(lanes) && vectors > 0 &&
         vectors <= largest;
}

/// Sum over `taps` of the product of two elements each.
static Value sumOfProducts(ElementBuilder &eb, Type element, AffineExpr taps,
                           function_ref<std::pair<Value, Value>(Index)> factors) {
  ScalarBuilder s = eb.scalars(element);
  return eb.fold(eb.constant(0), eb.dim(taps), eb.splat(s.constant(0)), [&](Index i, Value sum) {
    auto [x, y] = factors(i);
    return s.fma(s.broadcastLike(x, sum), s.broadcastLike(y, sum), sum);
  });
}

/// Where column `j` of `columns` lies: its panel and its position in the panel.
static std::pair<Index, Index> panelOf(ElementBuilder &eb, Index j, AffineExpr columns,
                                       int64_t lanes, int64_t vectors) {
  Index width = eb.constant(lanes);
  Index vector = eb.div(j, width);
  Index last = eb.max(eb.sub(eb.dim(columns), width), eb.constant(0));
  Index start = eb.min(eb.mul(vector, lanes), last);
  Index lane = eb.sub(j, start);
  Index count = eb.constant(vectors);
  return {eb.div(vector, count), eb.add(eb.mul(eb.mod(vector, count), lanes), lane)};
}

//===----------------------------------------------------------------------------------------===//
// pack
//===----------------------------------------------------------------------------------------===//

LogicalResult PackOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto type = tensorType(adaptor.getX());
  int64_t lanes = adaptor.getLanes(), vectors = adaptor.getVectors();
  if (type.getRank() < 2 || !isPanel(lanes, vectors))
    return emitOptionalError(loc, "expected a matrix, lanes a power of two and vectors at least 1");
  SmallVector<AffineExpr> dims = getDims(type);
  AffineExpr rows = dims[dims.size() - 2], columns = dims.back();
  int64_t width = lanes * vectors;
  dims.pop_back_n(2);
  dims.push_back(simplifyDim((columns + (width - 1)).floorDiv(width)));
  dims.push_back(rows);
  dims.push_back(dimConstant(type.getContext(), width));
  types.push_back(makeTensorType(dims, type.getElementType()));
  return success();
}

Value PackOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  int64_t lanes = getLanes();
  Index panel = at[at.size() - 3], row = at[at.size() - 2], position = at.back();
  Index columns = eb.dim(getDim(type, type.getRank() - 1)), width = eb.constant(lanes);
  Index start = eb.mul(eb.add(eb.mul(panel, getVectors()), eb.div(position, width)), lanes);
  Index last = eb.max(eb.sub(columns, width), eb.constant(0));
  Index column =
      eb.min(eb.add(eb.min(start, last), eb.mod(position, width)), eb.sub(columns, eb.constant(1)));
  SmallVector<Index> access(at.drop_back(3));
  access.push_back(row);
  access.push_back(column);
  return eb.read(getX(), access);
}

//===----------------------------------------------------------------------------------------===//
// packed_matmul
//===----------------------------------------------------------------------------------------===//

/// False if two known extents differ.
static bool agree(AffineExpr a, AffineExpr b) {
  auto x = constantDim(a), y = constantDim(b);
  return !x || !y || *x == *y;
}

/// True if `packed` [..., T, K, lanes * vectors] holds `columns` columns of `inner` rows of
/// `element`.
static bool fitsPanels(RankedTensorType packed, DimsAttr columns, uint64_t lanes, uint64_t vectors,
                       AffineExpr inner, Type element) {
  if (packed.getRank() < 3 || columns.getExprs().size() != 1 || !isPanel(lanes, vectors) ||
      packed.getElementType() != element)
    return false;
  SmallVector<AffineExpr> dims = getDims(packed);
  auto width = constantDim(dims.back());
  return width == int64_t(lanes * vectors) && agree(dims[dims.size() - 2], inner) &&
         agree(dims[dims.size() - 3], simplifyDim(columns.getExprs()[0].ceilDiv(*width)));
}

LogicalResult PackedMatmulOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                               Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto a = tensorType(adaptor.getA()), b = tensorType(adaptor.getB());
  if (a.getRank() < 2 || (b.getRank() > 3 && b.getRank() != a.getRank() + 1) ||
      !fitsPanels(b, adaptor.getColumns(), adaptor.getLanes(), adaptor.getVectors(),
                  getDims(a).back(), a.getElementType()))
    return emitOptionalError(loc, "the operands' shapes do not fit each other");
  SmallVector<AffineExpr> dims = getDims(a);
  dims.back() = adaptor.getColumns().getExprs()[0];
  types.push_back(makeTensorType(dims, a.getElementType()));
  return success();
}

Value PackedMatmulOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getA());
  auto [panel, position] =
      panelOf(eb, at.back(), getColumns().getExprs()[0], getLanes(), getVectors());
  return sumOfProducts(eb, type.getElementType(), getDim(type, type.getRank() - 1), [&](Index k) {
    SmallVector<Index> left(at), right;
    left.back() = k;
    if (tensorType(getB()).getRank() > 3)
      right.assign(at.begin(), at.end() - 2);
    right.append({panel, k, position});
    return std::pair{eb.read(getA(), left), eb.read(getB(), right)};
  });
}

//===----------------------------------------------------------------------------------------===//
// packed_conv
//===----------------------------------------------------------------------------------------===//

LogicalResult PackedConvOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                             Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), w = tensorType(adaptor.getW());
  auto isPair = [](ArrayRef<int64_t> list) {
    return list.size() == 2 && llvm::all_of(list, [](int64_t i) { return i > 0 && i <= largest; });
  };
  if (x.getRank() != 4 || w.getRank() != 3 || !isPair(adaptor.getKernel()) ||
      !isPair(adaptor.getStrides()) || !isPair(adaptor.getDilations()) ||
      !fitsPanels(w, adaptor.getColumns(), adaptor.getLanes(), adaptor.getVectors(),
                  getDim(x, 3) * (adaptor.getKernel()[0] * adaptor.getKernel()[1]),
                  x.getElementType()))
    return emitOptionalError(loc, "the operands' shapes do not fit each other");
  SmallVector<AffineExpr> dims = getDims(x);
  for (int i = 0; i < 2; ++i)
    dims[1 + i] = windowExtent(dims[1 + i], adaptor.getKernel()[i], adaptor.getStrides()[i],
                               adaptor.getDilations()[i], 0, 0, false);
  dims[3] = adaptor.getColumns().getExprs()[0];
  types.push_back(makeTensorType(dims, x.getElementType()));
  return success();
}

Value PackedConvOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  auto [panel, position] =
      panelOf(eb, at.back(), getColumns().getExprs()[0], getLanes(), getVectors());
  AffineExpr channels = getDim(type, 3);
  AffineExpr taps = simplifyDim(channels * (getKernel()[0] * getKernel()[1]));
  return sumOfProducts(eb, type.getElementType(), taps, [&](Index k) {
    Index count = eb.dim(channels);
    Index tap = eb.div(k, count), width = eb.constant(getKernel()[1]);
    Index y = eb.add(eb.mul(at[1], getStrides()[0]), eb.mul(eb.div(tap, width), getDilations()[0]));
    Index x = eb.add(eb.mul(at[2], getStrides()[1]), eb.mul(eb.mod(tap, width), getDilations()[1]));
    return std::pair{eb.read(getX(), {at[0], y, x, eb.mod(k, count)}),
                     eb.read(getW(), {panel, k, position})};
  });
}
