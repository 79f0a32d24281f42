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

/// Operators that read `v`, also through reshapes.
static void collectReaders(Value v, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : v.getUsers()) {
    if (isa<ReshapeOp>(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.push_back(user);
  }
}

/// True if `reader`, in the same round of a loop as `writer`, is never run after it has begun.
static bool isBefore(Operation *reader, Operation *writer) {
  for (Operation *at = writer;; at = at->getParentOp())
    if (Operation *here = at->getBlock()->findAncestorOpInBlock(*reader))
      // In the same operator: in its other branch.
      return here == at ? at != writer && isa<IfOp>(at) : here->isBeforeInBlock(at);
}

/// The same for `next`, yielded by `yield`.
static bool canLieOver(Value next, Operation *yield, BlockArgument argument) {
  Value root = storageRoot(next);
  Operation *def = root.getDefiningOp();
  if (isa_and_nonnull<UndefinedOp>(def))
    return true;
  if (auto branch = dyn_cast_if_present<IfOp>(def)) {
    unsigned number = cast<OpResult>(root).getResultNumber();
    return llvm::all_of(branch->getRegions(), [&](Region &region) {
      Operation *inner = region.front().getTerminator();
      return canLieOver(inner->getOperand(number), inner, argument);
    });
  }
  // What no operator of the round writes is copied at the end.
  auto group = dyn_cast_if_present<GroupOp>(def);
  Operation *writer = isa_and_nonnull<GroupOp, LoopOp>(def) ? def : yield;
  SmallVector<Operation *> readers;
  collectReaders(argument, readers);
  return llvm::all_of(readers, [&](Operation *reader) {
    if (!group || reader != group)
      return isBefore(reader, writer);
    SmallVector<unsigned> operands =
        overwritableOperands(group)[cast<OpResult>(root).getResultNumber()];
    return llvm::any_of(operands,
                        [&](unsigned i) { return storageRoot(group.getInputs()[i]) == argument; });
  });
}

bool canLieOver(Value next, BlockArgument argument) {
  return canLieOver(next, argument.getOwner()->getTerminator(), argument);
}

} // namespace ingot
