//===- Ownership.cpp - Which parameters a function takes over ---------------------------------===//

#include "Lower/Program/Ownership.h"
#include "Operators/AllFamilies.h"
#include "Operators/Functional/TailCall.h"
#include "Support/Components.h"

using namespace mlir;

namespace ingot {

Ownership::Ownership(ModuleOp module) {
  for (auto type : module.getOps<DataTypeOp>())
    dataTypes[type.getSymName()] = type;
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    owned[function.getName()].resize(function.getNumArguments(), false);
  findGroups(functions);
  // From nothing owned upwards: a function's needs grow with those of the functions it calls.
  bool changed = true;
  while (changed) {
    changed = false;
    for (func::FuncOp function : functions)
      changed |= improve(function);
  }
}

void Ownership::findGroups(ArrayRef<func::FuncOp> functions) {
  llvm::StringMap<size_t> indexOf;
  for (auto [i, function] : llvm::enumerate(functions))
    indexOf[func::FuncOp(function).getName()] = i;
  std::vector<std::vector<size_t>> calls(functions.size());
  for (auto [i, function] : llvm::enumerate(functions)) {
    func::FuncOp(function).walk(
        [&, i = i](CallOp call) { calls[i].push_back(indexOf.lookup(call.getCallee())); });
  }
  for (auto [number, group] : llvm::enumerate(stronglyConnectedComponents(calls)))
    for (size_t member : group)
      groups[func::FuncOp(functions[member]).getName()] = number;
}

bool Ownership::isConsuming(OpOperand &use) const {
  Operation *op = use.getOwner();
  if (isa<ConstructOp, NewRefOp, YieldOp, func::ReturnOp>(op))
    return !isa<GroupOp>(op->getParentOp());
  if (isa<WriteRefOp>(op))
    return use.getOperandNumber() > 0;
  if (auto call = dyn_cast<CallOp>(op))
    return isOwned(call.getCallee(), use.getOperandNumber());
  return false;
}

bool Ownership::canReuse(Region &region, const BlockLayout &layout) const {
  return region
      .walk([&](ConstructOp op) {
        BlockLayout made(SmallVector<Type>(op.getFields().getTypes()));
        return !made.isEmpty() && made.hasSizeOf(layout) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if `use`, in a group, may let a result take over the block of what it uses. What a called
/// function is given as well is held by somebody else there, or afterwards.
static bool mayOverwrite(OpOperand &use) {
  auto group = dyn_cast<GroupOp>(use.getOwner());
  return group &&
         llvm::none_of(use.get().getUsers(), [](Operation *user) { return isa<CallOp>(user); }) &&
         llvm::any_of(overwritableOperands(group), [&](ArrayRef<unsigned> operands) {
           return llvm::is_contained(operands, use.getOperandNumber());
         });
}

bool Ownership::wantsOwnership(Value v) const {
  return llvm::any_of(v.getUses(), [&](OpOperand &use) {
    if (isConsuming(use) || mayOverwrite(use))
      return true;
    if (auto reshape = dyn_cast<ReshapeOp>(use.getOwner()))
      return wantsOwnership(reshape.getResult());
    auto match = dyn_cast<MatchOp>(use.getOwner());
    if (!match)
      return false;
    DataTypeOp type = dataType(v.getType());
    for (auto [region, tag] : llvm::zip(match.getCases(), match.getTags())) {
      BlockLayout layout(type.fieldsOf(tag));
      if (!layout.isEmpty() && canReuse(region, layout))
        return true;
      for (BlockArgument field : region.getArguments())
        if (isCounted(field.getType()) && wantsOwnership(field))
          return true;
    }
    return false;
  });
}

/// The parameter of the function that keeps `v` alive: itself, or what `v` was taken out of.
static BlockArgument keeperOf(Value v) {
  while (true) {
    v = storageRoot(v);
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument)
      return nullptr;
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<func::FuncOp>(parent))
      return argument;
    v = cast<MatchOp>(parent).getValue();
  }
}

bool Ownership::improve(func::FuncOp function) {
  bool changed = false;
  SmallVector<bool> &own = owned[function.getName()];
  for (BlockArgument argument : function.getArguments())
    if (isCounted(argument.getType()) && !own[argument.getArgNumber()] &&
        wantsOwnership(argument)) {
      own[argument.getArgNumber()] = true;
      changed = true;
    }
  // What a call in the last place is given must outlive this function: the callee takes it over.
  function.walk([&](CallOp call) {
    if (!isTailCall(call) || !isRecursive(function.getName(), call.getCallee()))
      return;
    SmallVector<bool> &taken = owned[call.getCallee()];
    for (auto [i, arg] : llvm::enumerate(call.getArgs())) {
      if (!isCounted(arg.getType()) || taken[i])
        continue;
      BlockArgument keeper = keeperOf(arg);
      if (keeper && !own[keeper.getArgNumber()])
        continue;
      taken[i] = true;
      changed = true;
    }
  });
  return changed;
}

} // namespace ingot
