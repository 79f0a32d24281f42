//===- Losses.cpp - Losses of ONNX ------------------------------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

/// The loss of log probabilities `x` [N, C, d...] at classes `classes` [N, d...], weighted by
/// operand `weightOperand` if there is one.
static Result negativeLogLikelihood(Node &node, Value x, Value classes, size_t weightOperand) {
  OpBuilder &b = node.b;
  if (Node::rankOf(x) < 2 || Node::rankOf(classes) != Node::rankOf(x) - 1)
    return node.refuse("expected classes for each position of [N, C, ...]");
  SmallVector<AffineExpr> dims = Node::dimsOf(classes), unit = dims;
  unit.insert(unit.begin() + 1, node.constantExpr(1));
  // Positions to ignore read class 0 and weigh nothing.
  Value taken = classes, keeps;
  if (node.attribute("ignore_index")) {
    Value ignored =
        node.integerConstant({}, {node.integer("ignore_index", 0)}, Node::elementType(classes));
    INGOT_TRY(isIgnored, node.binary<EqualOp>(classes, ignored));
    INGOT_TRY(safe, node.make<SelectOp>({isIgnored, node.scalarLike(0, classes), classes}));
    INGOT_TRY(isKept, node.make<NotOp>({isIgnored}));
    INGOT_TRY(number, node.cast(isKept, Node::elementType(x)));
    taken = safe;
    keeps = number;
  }
  INGOT_TRY(lined, node.reshape(taken, unit));
  INGOT_TRY(picked,
            node.make<GatherElementsOp>({x, lined}, {node.attr("axis", b.getI64IntegerAttr(1))}));
  INGOT_TRY(flat, node.reshape(picked, dims));
  INGOT_TRY(loss, node.make<NegOp>({flat}));
  Value weights = keeps;
  if (node.has(weightOperand)) {
    INGOT_TRY(given, node.in(weightOperand));
    INGOT_TRY(each,
              node.make<GatherOp>({given, taken}, {node.attr("axis", b.getI64IntegerAttr(0))}));
    weights = each;
    if (keeps) {
      INGOT_TRY(both, node.mul(each, keeps));
      weights = both;
    }
  }
  if (weights) {
    INGOT_TRY(weighted, node.mul(loss, weights));
    loss = weighted;
  }
  std::string reduction = node.text("reduction", "mean");
  if (reduction != "none" && reduction != "mean" && reduction != "sum")
    return node.refuse("unknown reduction '" + reduction + "'");
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(loss)));
  if (reduction == "none")
    return loss;
  if (reduction == "mean" && !weights)
    return node.mean(loss, all, false);
  INGOT_TRY(sum, node.reduce(loss, "sum", all, false));
  if (reduction == "sum")
    return sum;
  INGOT_TRY(total, node.reduce(weights, "sum", all, false));
  return node.div(sum, total);
}

static LogicalResult importNegativeLogLikelihood(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(classes, node.in(1));
  return node.set(negativeLogLikelihood(node, x, classes, 2));
}

static LogicalResult importSoftmaxCrossEntropy(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(classes, node.in(1));
  if (Node::rankOf(x) < 2)
    return node.refuse("expected [N, C, ...]");
  INGOT_TRY(greatest, node.reduce(x, "max", {1}, true));
  INGOT_TRY(less, node.sub(x, greatest));
  INGOT_TRY(power, node.make<ExpOp>({less}));
  INGOT_TRY(sum, node.reduce(power, "sum", {1}, true));
  INGOT_TRY(log, node.make<LogOp>({sum}));
  INGOT_TRY(probability, node.sub(less, log));
  if (node.hasOutput(1) && failed(node.set(1, probability)))
    return failure();
  return node.set(negativeLogLikelihood(node, probability, classes, 2));
}

void registerLosses(Table &table) {
  table["::NegativeLogLikelihoodLoss"] = importNegativeLogLikelihood;
  table["::SoftmaxCrossEntropyLoss"] = importSoftmaxCrossEntropy;
}

} // namespace ingot::onnx_import
