//===- Vision.cpp - Operators on boxes --------------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// Boxes whose score lies above the threshold, moved to the front of each batch in their order: how
/// many, the boxes, where they were. Everything behind is -1.
static LogicalResult importGetValidCounts(Call &call) {
  INGOT_TRY(data, call.in(0));
  if (Call::rankOf(data) != 3)
    return call.refuse("expected boxes [batch, number, elements]");
  OpBuilder &b = call.b;
  SmallVector<AffineExpr> d = Call::dimsOf(data);
  int64_t scoreAt = call.integer("score_index", 1), idAt = call.integer("id_index", 0);
  auto width = constantDim(d[2]);
  if (!width || scoreAt < 0 || scoreAt >= *width || idAt >= *width)
    return call.refuse("score_index and id_index must be positions within a box");
  auto column = [&](int64_t at) -> Result {
    AffineExpr zero = call.constantExpr(0), one = call.constantExpr(1);
    INGOT_TRY(cut,
              call.make<SliceOp>({data}, {call.dims("starts", {zero, zero, call.constantExpr(at)}),
                                          call.list("steps", {1, 1, 1}),
                                          call.dims("sizes", {d[0], d[1], one})}));
    return call.reshape(cut, {d[0], d[1]});
  };
  Value threshold = call.scalarLike(call.number("score_threshold", 0), data);
  if (call.count() > 1) {
    INGOT_TRY(given, call.in(1));
    INGOT_TRY(scalar, call.reshape(given, {}));
    INGOT_TRY(same, call.cast(scalar, Call::elementType(data)));
    threshold = same;
  }
  INGOT_TRY(score, column(scoreAt));
  INGOT_TRY(isAbove, call.binary<GreaterOp>(score, threshold));
  Value isValid = isAbove;
  if (idAt >= 0) {
    INGOT_TRY(id, column(idAt));
    INGOT_TRY(hasId, call.binary<GreaterOrEqualOp>(id, call.scalarLike(0, id)));
    INGOT_TRY(both, call.binary<AndOp>(isValid, hasId));
    isValid = both;
  }
  INGOT_TRY(flag, call.cast(isValid, b.getI32Type()));
  INGOT_TRY(count, call.reduce(flag, "sum", {1}, false));
  // A stable sort by the flag brings valid boxes to the front.
  auto sorted =
      createChecked<TopKOp>(b, call.loc, {flag},
                            {call.dims("k", {d[1]}), call.attr("axis", b.getI64IntegerAttr(1)),
                             call.attr("largest", b.getBoolAttr(true))});
  if (failed(sorted))
    return failure();
  Value order = sorted->getIndices();
  INGOT_TRY(position, call.iota({d[0], d[1]}, 1, b.getI32Type()));
  INGOT_TRY(lined, call.reshape(count, {d[0], call.constantExpr(1)}));
  INGOT_TRY(isInside, call.binary<LessOp>(position, lined));
  INGOT_TRY(narrow, call.cast(order, b.getI32Type()));
  INGOT_TRY(where, call.make<SelectOp>({isInside, narrow, call.scalar(-1, b.getI32Type())}));
  SmallVector<AffineExpr> boxes{d[0], d[1], call.constantExpr(1)};
  INGOT_TRY(orderOfBoxes, call.reshape(order, boxes));
  INGOT_TRY(everywhere, call.broadcast(orderOfBoxes, d));
  INGOT_TRY(moved, call.make<GatherElementsOp>({data, everywhere},
                                               {call.attr("axis", b.getI64IntegerAttr(1))}));
  INGOT_TRY(isBox, call.reshape(isInside, boxes));
  INGOT_TRY(result, call.make<SelectOp>({isBox, moved, call.scalarLike(-1, data)}));
  return call.setTuple({count, result, where});
}

void registerVision(OperatorTable &table) {
  table["vision.get_valid_counts"] = importGetValidCounts;
}

} // namespace ingot::relay
