//===- TailCalls.cpp - Calls in the last place to jumps ---------------------------------------===//

#include "Lower/Program/TailCalls.h"
#include "Heap/Heap.h"
#include "Support/Components.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ingot {

/// Functions in groups that reach each other by tail calls.
static std::vector<std::vector<func::FuncOp>> findGroups(ModuleOp module) {
  llvm::MapVector<StringAttr, func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(heap::functionAttr))
      functions.insert({function.getSymNameAttr(), function});
  std::vector<std::vector<size_t>> calls(functions.size());
  for (auto [i, each] : llvm::enumerate(functions)) {
    func::FuncOp(each.second).walk([&, i = i](heap::TailCallOp call) {
      calls[i].push_back(functions.find(call.getCalleeAttr().getAttr()) - functions.begin());
    });
  }
  std::vector<std::vector<func::FuncOp>> groups;
  for (const std::vector<size_t> &component : stronglyConnectedComponents(calls)) {
    groups.emplace_back();
    for (size_t member : component)
      groups.back().push_back((functions.begin() + member)->second);
  }
  return groups;
}

void resolveTailCalls(ModuleOp module) {
  llvm::StringMap<size_t> groupOf;
  auto groups = findGroups(module);
  for (auto [i, group] : llvm::enumerate(groups))
    for (func::FuncOp member : group)
      groupOf[member.getName()] = i;
  module.walk([&](heap::TailCallOp call) {
    auto function = call->getParentOfType<func::FuncOp>();
    OpBuilder b(call);
    if (call.getCallee() == function.getName()) {
      b.create<heap::JumpOp>(call.getLoc(), call.getArgs());
    } else if (groupOf[call.getCallee()] != groupOf[function.getName()]) {
      auto made = b.create<heap::CallOp>(call.getLoc(), function.getResultTypes(), call.getCallee(),
                                         call.getArgs(), ValueRange());
      b.create<heap::ReturnOp>(call.getLoc(), made.getResults());
    } else {
      return;
    }
    call.erase();
  });
}

namespace {

/// Functions becoming one. Its parameters are a number and as many values of each type as the
/// function with most of them takes.
class Merger {
public:
  Merger(ModuleOp module, ArrayRef<func::FuncOp> members);
  /// The function that replaces the members, which are gone.
  void run(StringRef name);

private:
  /// What stands for `args` of member `index`; the rest are zeros that nobody reads.
  SmallVector<Value> argumentsFor(OpBuilder &b, Location loc, size_t index, ValueRange args);

  ModuleOp module;
  SmallVector<func::FuncOp> members;
  llvm::StringMap<size_t> indexOf;
  SmallVector<Type> slots;
  /// The slot of each parameter of each member.
  SmallVector<SmallVector<size_t>> slotsOf;
};

} // namespace

Merger::Merger(ModuleOp module, ArrayRef<func::FuncOp> members) : module(module), members(members) {
  for (auto [i, member] : llvm::enumerate(members)) {
    indexOf[func::FuncOp(member).getName()] = i;
    SmallVector<bool> taken(slots.size());
    SmallVector<size_t> &own = slotsOf.emplace_back();
    for (Type type : func::FuncOp(member).getArgumentTypes()) {
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
}

SmallVector<Value> Merger::argumentsFor(OpBuilder &b, Location loc, size_t index, ValueRange args) {
  SmallVector<Value> values(slots.size());
  for (auto [slot, arg] : llvm::zip(slotsOf[index], args))
    values[slot] = arg;
  for (auto [value, type] : llvm::zip(values, slots)) {
    if (value)
      continue;
    if (isa<heap::BlockType>(type))
      value = b.create<heap::NullOp>(loc, type);
    else
      value = b.create<arith::ConstantOp>(loc, b.getZeroAttr(type));
  }
  Value number = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(index));
  values.insert(values.begin(), number);
  return values;
}

void Merger::run(StringRef name) {
  func::FuncOp first = members.front();
  Location loc = first.getLoc();
  OpBuilder b(first);
  SmallVector<Type> inputs{b.getI32Type()};
  llvm::append_range(inputs, slots);
  auto merged =
      b.create<func::FuncOp>(loc, name, b.getFunctionType(inputs, first.getResultTypes()));
  merged.setPrivate();
  merged->setAttr(heap::functionAttr, b.getUnitAttr());
  merged.setArgAttr(0, "ingot.name", b.getStringAttr("function"));
  Block *body = merged.addEntryBlock();
  b.setInsertionPointToStart(body);
  SmallVector<int64_t> cases = llvm::to_vector(llvm::seq<int64_t>(0, members.size() - 1));
  auto branch = b.create<heap::SwitchOp>(loc, TypeRange(), body->getArgument(0),
                                         b.getDenseI64ArrayAttr(cases), members.size());
  b.create<heap::EndOp>(loc);
  for (auto [i, member] : llvm::enumerate(members)) {
    Block &source = func::FuncOp(member).getBody().front();
    for (auto [slot, param] : llvm::zip(slotsOf[i], source.getArguments()))
      param.replaceAllUsesWith(body->getArgument(1 + slot));
    source.eraseArguments(0, source.getNumArguments());
    branch.getRegions()[i].takeBody(func::FuncOp(member).getBody());
  }
  merged.walk([&](Operation *op) {
    auto call = dyn_cast<heap::TailCallOp>(op);
    auto jump = dyn_cast<heap::JumpOp>(op);
    if (!call && !jump)
      return;
    size_t index;
    if (call) {
      index = indexOf.lookup(call.getCallee());
    } else {
      Region *region = op->getParentRegion();
      while (region->getParentOp() != branch)
        region = region->getParentOp()->getParentRegion();
      index = region->getRegionNumber();
    }
    b.setInsertionPoint(op);
    b.create<heap::JumpOp>(op->getLoc(), argumentsFor(b, op->getLoc(), index, op->getOperands()));
    op->erase();
  });
  module.walk([&](heap::CallOp call) {
    auto it = indexOf.find(call.getCallee());
    if (it == indexOf.end())
      return;
    b.setInsertionPoint(call);
    auto made = b.create<heap::CallOp>(call.getLoc(), call.getResultTypes(), name,
                                       argumentsFor(b, call.getLoc(), it->second, call.getArgs()),
                                       call.getCleanup());
    call.replaceAllUsesWith(made.getResults());
    call.erase();
  });
  for (func::FuncOp member : members)
    member.erase();
}

void mergeTailCalls(ModuleOp module, StepNames &names) {
  for (const std::vector<func::FuncOp> &group : findGroups(module))
    if (group.size() > 1)
      Merger(module, group)
          .run(names.unique(func::FuncOp(group.front()).getName().str() + "_loop"));
}

} // namespace ingot
