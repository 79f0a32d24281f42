//===- InPlace.cpp - Writing over dead operands -----------------------------------------------===//

#include "Dialect/TrailingFold.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_INPLACE
#include "Transforms/Passes.h.inc"

static Value rootOf(Value v) {
  while (auto reshape = v.getDefiningOp<ReshapeOp>())
    v = reshape.getX();
  return v;
}

/// True if the buffer of `v`, or a view of it, is used after `group` or in another block.
static bool isUsedLater(Value v, GroupOp group) {
  for (Operation *user : v.getUsers()) {
    if (user == group)
      continue;
    Operation *here = group->getBlock()->findAncestorOpInBlock(*user);
    if (!here || !here->isBeforeInBlock(group))
      // A view is a use where it is used itself.
      if (!isa<ReshapeOp>(user))
        return true;
    if (auto reshape = dyn_cast<ReshapeOp>(user); reshape && isUsedLater(reshape, group))
      return true;
  }
  return false;
}

/// True if `v` or a view of it leaves its block: it then has a place already.
static bool leavesBlock(Value v) {
  return llvm::any_of(v.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isa<ReshapeOp>(user) && leavesBlock(user->getResult(0)));
  });
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

static void chooseInPlace(GroupOp group) {
  for (Operation &op : group.getBody().front().without_terminator()) {
    if (isa<ConstantOp, ScalarOpInterface>(op))
      continue;
    // Kernels may compute an element twice, other operators read neighbours.
    auto fold = dyn_cast<ReductionOpInterface>(op);
    if (!fold || trailingFold(fold) == 0)
      return;
  }
  SmallVector<int64_t> pairs;
  llvm::SmallDenseSet<Value> taken;
  Block &body = group.getBody().front();
  for (auto [r, result] : llvm::enumerate(group.getResults())) {
    if (leavesBlock(result))
      continue;
    for (auto [o, operand] : llvm::enumerate(group.getInputs())) {
      Value root = rootOf(operand);
      auto source = root.getDefiningOp<GroupOp>();
      bool isOnlyOperand =
          llvm::count_if(group.getInputs(), [&](Value v) { return rootOf(v) == root; }) == 1;
      if (!source || source->getBlock() != group->getBlock() || !isOnlyOperand ||
          taken.contains(root) || isUsedLater(root, group) ||
          tensorType(operand).getElementType() != tensorType(result).getElementType() ||
          !isReadAtOwnElement(body.getArgument(o), tensorType(result)))
        continue;
      taken.insert(root);
      pairs.append({static_cast<int64_t>(r), static_cast<int64_t>(o)});
      break;
    }
  }
  if (!pairs.empty())
    group.setInPlace(pairs);
}

namespace {
struct InPlace : impl::InPlaceBase<InPlace> {
  void runOnOperation() override { getOperation().walk(chooseInPlace); }
};
} // namespace

} // namespace ingot
