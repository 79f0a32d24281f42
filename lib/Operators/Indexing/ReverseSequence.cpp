//===- ReverseSequence.cpp - Sequences turned around up to their lengths --------------------===//

#include "Operators/Indexing.h"

using namespace mlir;
using namespace ingot;

LogicalResult ReverseSequenceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                                  Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = tensorType(adaptor.getX()), lengths = tensorType(adaptor.getLengths());
  auto batch = static_cast<int64_t>(adaptor.getBatchAxis());
  auto time = static_cast<int64_t>(adaptor.getTimeAxis());
  auto isAxis = [&](int64_t axis) { return axis >= 0 && axis < x.getRank(); };
  if (!isAxis(batch) || !isAxis(time) || batch == time)
    return emitOptionalError(loc, "expected two different axes within rank ", x.getRank());
  if (lengths.getRank() != 1 || !lengths.getElementType().isInteger(64) ||
      getDim(lengths, 0) != getDim(x, batch))
    return emitOptionalError(loc, "expected one i64 length for each sequence");
  types.push_back(x);
  return success();
}

Value ReverseSequenceOp::element(ElementBuilder &eb, ArrayRef<Index> at) {
  Index time = at[getTimeAxis()], extent = eb.dim(getDim(tensorType(getX()), getTimeAxis()));
  Index given = eb.toIndex(eb.read(getLengths(), at[getBatchAxis()]), eb.b.getI64Type());
  Index length = eb.max(eb.constant(0), eb.min(given, extent));
  Index mirrored = eb.sub(eb.sub(length, eb.constant(1)), time);
  SmallVector<Index> access(at);
  access[getTimeAxis()] = eb.select(eb.less(time, length), mirrored, time);
  return eb.read(getX(), access);
}
