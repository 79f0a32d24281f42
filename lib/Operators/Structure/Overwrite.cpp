//===- Overwrite.cpp - Which operands of a group its results may lie over ---------------------===//

#include "Operators/Structure/Overwrite.h"
#include "Dialect/TrailingFold.h"
#include "Operators/AllFamilies.h"

using namespace mlir;

namespace ingot {

Value storageRoot(Value v) {
  while (auto reshape = v.getDefiningOp<ReshapeOp>())
    v = reshape.getX();
  return v;
}

/// True if every element of `argument` is read only for the result's element at the same indices.
static bool isReadAtOwnElement(Value argument, RankedTensorType result) {
  if (getDims(tensorType(argument)) != getDims(result))
    return false;
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    if (isa<YieldOp>(user))
      return true;
    // Folds of a row are complete before the row is written.
    if (isa<ReductionOpInterface>(user))
      return true;
    return isa<ScalarOpInterface>(user) &&
           getDims(tensorType(user->getResult(0))) == getDims(result);
  });
}

SmallVector<SmallVector<unsigned>> overwritableOperands(GroupOp group) {
  SmallVector<SmallVector<unsigned>> operands(group.getNumResults());
  Block &body = group.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (isa<ConstantOp, ScalarOpInterface>(op))
      continue;
    // Kernels may compute an element twice, other operators read neighbours.
    auto fold = dyn_cast<ReductionOpInterface>(op);
    if (!fold || trailingFold(fold) == 0)
      return operands;
  }
  for (auto [i, operand] : llvm::enumerate(group.getInputs())) {
    Value root = storageRoot(operand);
    if (llvm::count_if(group.getInputs(), [&](Value v) { return storageRoot(v) == root; }) != 1)
      continue;
    for (auto [r, result] : llvm::enumerate(group.getResults()))
      if (tensorType(operand).getElementType() == tensorType(result).getElementType() &&
          isReadAtOwnElement(body.getArgument(i), tensorType(result)))
        operands[r].push_back(i);
  }
  return operands;
}

} // namespace ingot
