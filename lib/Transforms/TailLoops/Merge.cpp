//===- Merge.cpp - Functions of tensors that call each other last, as one ---------------------===//

#include "Transforms/TailLoops/Merge.h"
#include "Operators/AllFamilies.h"

using namespace mlir;

namespace ingot {

namespace {

class Merger {
public:
  Merger(ModuleOp module, ArrayRef<func::FuncOp> members);
  void run();

private:
  void giveSlots(func::FuncOp member);
  void branch(Block *block, Value number, size_t begin, size_t end);
  void redirect(CallOp call);

  ModuleOp module;
  OpBuilder b;
  ArrayRef<func::FuncOp> members;
  llvm::StringMap<size_t> indexOf;
  SmallVector<Type> slots;
  /// The slot of each argument of each member.
  SmallVector<SmallVector<size_t>> slotsOf;
  func::FuncOp merged;
};

} // namespace

Merger::Merger(ModuleOp module, ArrayRef<func::FuncOp> members)
    : module(module), b(module.getContext()), members(members) {
  for (auto [i, member] : llvm::enumerate(members)) {
    indexOf[func::FuncOp(member).getName()] = i;
    giveSlots(member);
  }
}

void Merger::giveSlots(func::FuncOp member) {
  SmallVector<bool> taken(slots.size());
  SmallVector<size_t> &own = slotsOf.emplace_back();
  for (Type type : member.getArgumentTypes()) {
    size_t slot = 0;
    while (slot < slots.size() && (taken[slot] || slots[slot] != type))
      ++slot;
    if (slot == slots.size()) {
      slots.push_back(type);
      taken.push_back(false);
    }
    taken[slot] = true;
    own.push_back(slot);
  }
}

/// Ends `block` with the results of the member that `number` says, one of those from begin to end.
void Merger::branch(Block *block, Value number, size_t begin, size_t end) {
  Location loc = merged.getLoc();
  bool isOutermost = isa<func::FuncOp>(block->getParentOp());
  auto finish = [&](ValueRange results) {
    if (isOutermost)
      b.create<func::ReturnOp>(loc, results);
    else
      b.create<YieldOp>(loc, results);
  };
  b.setInsertionPointToEnd(block);
  if (end - begin == 1) {
    Block &source = func::FuncOp(members[begin]).getBody().front();
    for (auto [slot, argument] : llvm::zip(slotsOf[begin], source.getArguments()))
      argument.replaceAllUsesWith(merged.getArgument(1 + slot));
    SmallVector<Value> results(source.getTerminator()->getOperands());
    source.getTerminator()->erase();
    block->getOperations().splice(block->end(), source.getOperations());
    return finish(results);
  }
  size_t middle = begin + (end - begin) / 2;
  auto scalar = RankedTensorType::get({}, b.getI32Type());
  Value bound =
      b.create<ConstantOp>(loc, DenseElementsAttr::get(scalar, static_cast<int32_t>(middle)));
  Value isBefore =
      b.create<LessOp>(loc, RankedTensorType::get({}, b.getI1Type()), ValueRange{number, bound});
  auto choice = b.create<IfOp>(loc, merged.getResultTypes(), isBefore);
  finish(choice.getResults());
  branch(&choice.getThenRegion().emplaceBlock(), number, begin, middle);
  branch(&choice.getElseRegion().emplaceBlock(), number, middle, end);
}

/// Calls the merged function instead. What the member does not take stays what it is, or, outside
/// of the function, is undefined.
void Merger::redirect(CallOp call) {
  auto member = indexOf.find(call.getCallee());
  if (member == indexOf.end())
    return;
  b.setInsertionPoint(call);
  auto scalar = RankedTensorType::get({}, b.getI32Type());
  SmallVector<Value> args(slots.size());
  for (auto [slot, arg] : llvm::zip(slotsOf[member->second], call.getArgs()))
    args[slot] = arg;
  bool isInside = call->getParentOfType<func::FuncOp>() == merged;
  for (auto [slot, arg] : llvm::enumerate(args))
    if (!arg)
      arg = isInside ? Value(merged.getArgument(1 + slot))
                     : b.create<UndefinedOp>(call.getLoc(), slots[slot]);
  args.insert(
      args.begin(),
      b.create<ConstantOp>(call.getLoc(),
                           DenseElementsAttr::get(scalar, static_cast<int32_t>(member->second))));
  auto made =
      b.create<CallOp>(call.getLoc(), call.getResultTypes(), merged.getName(), ValueRange(args));
  call.replaceAllUsesWith(made.getResults());
  call.erase();
}

void Merger::run() {
  func::FuncOp first = members.front();
  b.setInsertionPoint(first);
  SmallVector<Type> inputs{RankedTensorType::get({}, b.getI32Type())};
  llvm::append_range(inputs, slots);
  std::string name = first.getName().str() + "_loop";
  while (module.lookupSymbol(name))
    name += "_";
  merged = b.create<func::FuncOp>(first.getLoc(), name,
                                  b.getFunctionType(inputs, first.getResultTypes()));
  merged.setPrivate();
  Block *body = merged.addEntryBlock();
  branch(body, body->getArgument(0), 0, members.size());
  for (func::FuncOp member : members)
    member.erase();
  module.walk([&](CallOp call) { redirect(call); });
}

void mergeFunctions(ModuleOp module, ArrayRef<func::FuncOp> members) {
  Merger(module, members).run();
}

} // namespace ingot
