//===- Control.cpp - Control flow of ONNX -----------------------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

static LogicalResult importIf(Node &node) {
  INGOT_TRY(condition, node.in(0));
  const onnx::AttributeProto *then = node.attribute("then_branch");
  const onnx::AttributeProto *otherwise = node.attribute("else_branch");
  if (!then || !otherwise || !then->has_g() || !otherwise->has_g())
    return node.refuse("a branch is missing");
  if (!Node::elementType(condition).isInteger(1))
    return node.refuse("its condition must be a boolean");
  OpBuilder &b = node.b;
  // A branch that cannot be taken need not be supported.
  std::optional<bool> known;
  if (auto constant = condition.getDefiningOp<ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
        dense && dense.getNumElements() == 1)
      known = dense.getValues<bool>()[0];

  Region thenRegion, elseRegion;
  thenRegion.push_back(new Block);
  elseRegion.push_back(new Block);
  SmallVector<Type> types;
  bool isFirst = true;
  for (auto [branch, region, value] :
       {std::tuple{then, &thenRegion, true}, std::tuple{otherwise, &elseRegion, false}}) {
    if (known && *known != value)
      continue;
    if (failed(node.graph.importBranch(branch->g(), region->front(), node.proto.name())))
      return failure();
    auto yields = region->front().back().getOperandTypes();
    if (yields.size() != node.outputCount())
      return node.refuse("a branch has " + Twine(yields.size()) + " results, the node " +
                         Twine(node.outputCount()));
    for (auto [i, type] : llvm::enumerate(yields)) {
      if (isFirst)
        types.push_back(type);
      else if (types[i] != type)
        return node.refuse("its branches give different shapes for output " + Twine(i + 1));
    }
    isFirst = false;
  }
  if (known) {
    Block &taken = *known ? thenRegion.front() : elseRegion.front();
    SmallVector<Value> results(taken.back().getOperands());
    taken.back().erase();
    Block *here = b.getInsertionBlock();
    here->getOperations().splice(b.getInsertionPoint(), taken.getOperations());
    for (auto [i, value] : llvm::enumerate(results))
      if (failed(node.set(i, value)))
        return failure();
    return success();
  }
  OperationState state(node.loc, IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  state.addRegion()->takeBody(thenRegion);
  state.addRegion()->takeBody(elseRegion);
  Operation *op = b.create(state);
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    if (failed(node.set(i, Value(value))))
      return failure();
  return success();
}

void registerControl(Table &table) { table["::If"] = importIf; }

} // namespace ingot::onnx_import
