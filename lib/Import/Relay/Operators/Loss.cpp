//===- Loss.cpp - Losses of Relay -------------------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// The sum of predictions times targets over the batch, negative, for each member of it.
template <bool areLogits> static LogicalResult importCrossEntropy(Call &call) {
  INGOT_TRY(predictions, call.in(0));
  INGOT_TRY(targets, call.in(1));
  if (Call::rankOf(predictions) != 2 || Call::rankOf(targets) != 2)
    return call.refuse("its operands must be matrices");
  if (!areLogits) {
    INGOT_TRY(logarithms, call.make<LogOp>({predictions}));
    predictions = logarithms;
  }
  INGOT_TRY(products, call.mul(predictions, targets));
  INGOT_TRY(sum, call.reduce(products, "sum", {0, 1}, false));
  INGOT_TRY(dims, call.dimsTensor({Call::dimsOf(products)[0]}));
  INGOT_TRY(batch, call.reshape(dims, {}));
  INGOT_TRY(count, call.cast(batch, Call::elementType(sum)));
  INGOT_TRY(mean, call.div(sum, count));
  return call.set(call.make<NegOp>({mean}));
}

/// Of each prediction [N, C, ...] the one for its target [N, ...], weighted and negative.
static LogicalResult importNegativeLogLikelihood(Call &call) {
  INGOT_TRY(predictions, call.in(0));
  INGOT_TRY(targets, call.in(1));
  INGOT_TRY(weights, call.in(2));
  std::string reduction = call.text("reduction", "mean");
  int64_t ignored = call.integer("ignore_index", -100);
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    return call.refuse("the reduction '" + reduction + "' is not supported");
  int64_t rank = Call::rankOf(predictions);
  bool isSingle = rank == 1 && Call::rankOf(targets) == 0;
  if (!isSingle && (rank < 2 || Call::rankOf(targets) != rank - 1))
    return call.refuse("its targets must be as its predictions without the classes");
  if (Call::rankOf(weights) != 1)
    return call.refuse("its weights must be a vector");
  auto along = [&](int64_t axis) { return call.attr("axis", call.b.getI64IntegerAttr(axis)); };
  INGOT_TRY(wide, call.cast(targets, call.b.getI64Type()));
  SmallVector<AffineExpr> dims = Call::dimsOf(targets), lined = dims;
  int64_t classAxis = isSingle ? 0 : 1;
  lined.insert(lined.begin() + classAxis, call.constantExpr(1));
  INGOT_TRY(apart, call.reshape(wide, lined));
  INGOT_TRY(chosen, call.make<GatherElementsOp>({predictions, apart}, {along(classAxis)}));
  INGOT_TRY(values, call.reshape(chosen, dims));
  INGOT_TRY(given, call.make<GatherOp>({weights, wide}, {along(0)}));
  INGOT_TRY(isIgnored, call.binary<EqualOp>(wide, call.scalarLike(double(ignored), wide)));
  INGOT_TRY(weight, call.make<SelectOp>({isIgnored, call.scalarLike(0, given), given}));
  INGOT_TRY(weighted, call.mul(values, weight));
  INGOT_TRY(losses, call.make<NegOp>({weighted}));
  if (reduction == "none")
    return call.set(losses);
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, Call::rankOf(losses)));
  INGOT_TRY(sum, call.reduce(losses, "sum", all, false));
  if (reduction == "sum")
    return call.set(sum);
  INGOT_TRY(total, call.reduce(weight, "sum", all, false));
  return call.set(call.div(sum, total));
}

void registerLoss(OperatorTable &table) {
  table["nn.cross_entropy"] = importCrossEntropy<false>;
  table["nn.cross_entropy_with_logits"] = importCrossEntropy<true>;
  table["nn.nll_loss"] = importNegativeLogLikelihood;
}

} // namespace ingot::relay
