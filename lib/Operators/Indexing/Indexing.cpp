//===- Indexing.cpp - Reading at positions that are data --------------------------------------===//

#include "Operators/Indexing.h"
#include "Operators/Elementwise/Elementwise.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Indexing.cpp.inc"

static bool areIndices(Value v) {
  Type element = tensorType(v).getElementType();
  return isa<IntegerType>(element) && !element.isInteger(1);
}

/// The element of `indices` at `at` as a position within `extent`.
static Index position(ElementBuilder &eb, Value indices, ArrayRef<Index> at, AffineExpr extent) {
  Index length = eb.dim(extent);
  Index raw = eb.toIndex(eb.read(indices, at), tensorType(indices).getElementType());
  Index wrapped = eb.select(eb.less(raw, eb.constant(0)), eb.add(raw, length), raw);
  return eb.max(eb.constant(0), eb.min(wrapped, eb.sub(length, eb.constant(1))));
}

//===----------------------------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  if (axis < 0 || axis >= x.getRank() || !areIndices(adaptor.getIndices()))
    return emitOptionalError(loc, "expected an axis within rank ", x.getRank(),
                             " and indices of an integer type");
  SmallVector<AffineExpr> dims = getDims(x), result(dims.begin(), dims.begin() + axis);
  llvm::append_range(result, getDims(indices));
  result.append(dims.begin() + axis + 1, dims.end());
  if (constantDim(dims[axis]) == 0 && constantDim(elementCount(indices)) != 0)
    return emitOptionalError(loc, "nothing to gather from");
  types.push_back(makeTensorType(result, x.getElementType()));
  return success();
}

Value GatherOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  size_t axis = getAxis(), count = indices.getRank();
  SmallVector<Index> access(at.begin(), at.begin() + axis);
  access.push_back(position(eb, getIndices(), at.slice(axis, count), getDim(x, axis)));
  access.append(at.begin() + axis + count, at.end());
  return eb.read(getX(), access);
}

//===----------------------------------------------------------------------------------------===//
// gather_elements
//===----------------------------------------------------------------------------------------===//

LogicalResult GatherElementsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                                 Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  if (axis < 0 || axis >= x.getRank() || indices.getRank() != x.getRank() ||
      !areIndices(adaptor.getIndices()))
    return emitOptionalError(loc, "expected an axis within rank ", x.getRank(),
                             " and as many dimensions of integer indices");
  for (int64_t i = 0; i < x.getRank(); ++i) {
    auto have = constantDim(getDim(x, i)), want = constantDim(getDim(indices, i));
    if (have && want && (i == axis ? *have == 0 && *want > 0 : *want > *have))
      return emitOptionalError(loc, "the indices reach beyond dimension ", i);
  }
  types.push_back(makeTensorType(getDims(indices), x.getElementType()));
  return success();
}

Value GatherElementsOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  SmallVector<Index> access(at);
  access[getAxis()] = position(eb, getIndices(), at, getDim(tensorType(getX()), getAxis()));
  return eb.read(getX(), access);
}

//===----------------------------------------------------------------------------------------===//
// gather_nd
//===----------------------------------------------------------------------------------------===//

LogicalResult GatherNDOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                           Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices());
  auto batch = static_cast<int64_t>(adaptor.getBatchDims());
  auto tuple =
      indices.getRank() ? constantDim(getDim(indices, indices.getRank() - 1)) : std::nullopt;
  if (!tuple || batch < 0 || batch >= indices.getRank() || batch > x.getRank() || *tuple < 1 ||
      batch + *tuple > x.getRank() || !areIndices(adaptor.getIndices()))
    return emitOptionalError(loc, "the index tuples do not fit the operand");
  SmallVector<AffineExpr> result = getDims(indices), dims = getDims(x);
  for (int64_t i = 0; i < batch; ++i)
    if (result[i] != dims[i])
      return emitOptionalError(loc, "the batches of operand and indices differ");
  for (int64_t i = batch; i < batch + *tuple; ++i)
    if (constantDim(dims[i]) == 0)
      return emitOptionalError(loc, "nothing to gather from in dimension ", i);
  result.pop_back();
  result.append(dims.begin() + batch + *tuple, dims.end());
  types.push_back(makeTensorType(result, x.getElementType()));
  return success();
}

Value GatherNDOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  size_t batch = getBatchDims(), count = indices.getRank() - 1;
  int64_t tuple = indices.getShape().back();
  SmallVector<Index> access(at.begin(), at.begin() + batch);
  for (int64_t i = 0; i < tuple; ++i) {
    SmallVector<Index> where(at.begin(), at.begin() + count);
    where.push_back(eb.constant(i));
    access.push_back(position(eb, getIndices(), where, getDim(x, batch + i)));
  }
  access.append(at.begin() + count, at.end());
  return eb.read(getX(), access);
}

//===----------------------------------------------------------------------------------------===//
// arg_reduce
//===----------------------------------------------------------------------------------------===//

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                            Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  if (axis < 0 || axis >= x.getRank() || x.getElementType().isInteger(1))
    return emitOptionalError(loc, "expected numbers and an axis within rank ", x.getRank());
  SmallVector<AffineExpr> dims = getDims(x);
  if (constantDim(dims[axis]) == 0)
    return emitOptionalError(loc, "nothing to choose from");
  if (adaptor.getKeepDim())
    dims[axis] = dimConstant(context, 1);
  else
    dims.erase(dims.begin() + axis);
  types.push_back(makeTensorType(dims, IntegerType::get(context, 64)));
  return success();
}

Value ArgReduceOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  auto type = tensorType(getX());
  if (!at.empty() && at.back().lanes)
    eb.failVector();
  SmallVector<Index> access(at);
  if (!getKeepDim())
    access.insert(access.begin() + getAxis(), Index());
  ScalarBuilder s = eb.scalars(type.getElementType());
  auto value = [&](Index i) {
    access[getAxis()] = i;
    return eb.read(getX(), access);
  };
  Compare better = getIsMax() ? (getSelectLast() ? Compare::GreaterOrEqual : Compare::Greater)
                              : (getSelectLast() ? Compare::LessOrEqual : Compare::Less);
  // Only the position is carried; the best element so far is read again.
  Value best = eb.fold(eb.constant(1), eb.dim(getDim(type, getAxis())), eb.constantIndex(0),
                       [&](Index i, Value bestSoFar) {
                         Value now = value(i), before = value({bestSoFar});
                         return eb.select(s.compare(better, now, before), i, {bestSoFar}).base;
                       });
  return eb.fromIndex({best}, tensorType(getResult()).getElementType());
}
