//===- InPlace.cpp - Writing over dead operands -----------------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Operators/Structure/Overwrite.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_INPLACE
#include "Transforms/Passes.h.inc"

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

static void chooseInPlace(GroupOp group) {
  SmallVector<int64_t> pairs;
  llvm::SmallDenseSet<Value> taken;
  for (auto [r, operands] : llvm::enumerate(overwritableOperands(group))) {
    if (leavesBlock(group.getResult(r)))
      continue;
    for (unsigned o : operands) {
      Value root = storageRoot(group.getInputs()[o]);
      auto source = root.getDefiningOp<GroupOp>();
      if (!source || source->getBlock() != group->getBlock() || taken.contains(root) ||
          isUsedLater(root, group))
        continue;
      taken.insert(root);
      pairs.append({static_cast<int64_t>(r), o});
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
