//===- TailLoops.cpp - Functions that call themselves last become loops -----------------------===//

#include "Operators/AllFamilies.h"
#include "Operators/Functional/TailCall.h"
#include "Support/Components.h"
#include "Transforms/Passes.h"
#include "Transforms/TailLoops/Merge.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_TAILLOOPS
#include "Transforms/Passes.h.inc"

namespace {

/// Beyond this many operators a program stays one of functions, which are not copied.
constexpr int64_t maxOperators = 20000;

class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module), b(module.getContext()) {}
  /// True if all of the program can become a graph, and gains by it.
  bool isSuitable();
  void run();

private:
  void findGroups();
  std::optional<int64_t> sizeOf(size_t group, unsigned depth);
  void inlineCall(CallOp call);
  void makeLoop(CallOp call, func::FuncOp function);
  void endRound(Block &block, StringRef function, ArrayRef<unsigned> handed,
                ArrayRef<Type> argumentTypes);

  ModuleOp module;
  OpBuilder b;
  llvm::StringMap<func::FuncOp> functions;
  /// Functions that reach each other by calls, and the number of each function's group.
  std::vector<SmallVector<func::FuncOp>> groups;
  llvm::StringMap<size_t> groupOf;
  llvm::DenseMap<size_t, int64_t> sizes;
};

bool isSelfCall(Operation *op, StringRef function) {
  auto call = dyn_cast<CallOp>(op);
  return call && call.getCallee() == function;
}

bool callsItself(func::FuncOp function) {
  return function
      .walk([&](CallOp call) {
        return call.getCallee() == function.getName() ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isGraphOp(Operation *op) {
  return !isa<ApplyOp, ClosureOp, ConstructOp, MatchOp, NewRefOp, ReadRefOp, WriteRefOp, FailOp>(
      op);
}

} // namespace

void Inliner::findGroups() {
  auto all = llvm::to_vector(module.getOps<func::FuncOp>());
  llvm::StringMap<size_t> positions;
  for (auto [i, function] : llvm::enumerate(all))
    positions[function.getName()] = i;
  std::vector<std::vector<size_t>> calls(all.size());
  for (auto [i, function] : llvm::enumerate(all))
    function.walk(
        [&, i = i](CallOp call) { calls[i].push_back(positions.lookup(call.getCallee())); });
  for (const std::vector<size_t> &component : stronglyConnectedComponents(calls)) {
    SmallVector<func::FuncOp> &group = groups.emplace_back();
    for (size_t member : component) {
      groupOf[all[member].getName()] = groups.size() - 1;
      group.push_back(all[member]);
    }
  }
}

/// The operators of all functions of a group with all that they call in its place; nothing if there
/// are too many, or calls that neither lead downwards nor back into the group, in the last place.
std::optional<int64_t> Inliner::sizeOf(size_t group, unsigned depth) {
  constexpr unsigned maxDepth = 64;
  if (auto known = sizes.find(group); known != sizes.end())
    return known->second;
  if (depth == maxDepth)
    return std::nullopt;
  int64_t size = 0;
  auto visit = [&](Operation *op) {
    ++size;
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return WalkResult::advance();
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (callee.getName() == "main" || call.getArgs().getTypes() != callee.getArgumentTypes())
      return WalkResult::interrupt();
    size_t called = groupOf.lookup(call.getCallee());
    if (called == group)
      return isTailCall(call) ? WalkResult::advance() : WalkResult::interrupt();
    auto inside = sizeOf(called, depth + 1);
    size += inside.value_or(0);
    return !inside || size > maxOperators ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (func::FuncOp function : groups[group])
    if (function.getResultTypes() != groups[group].front().getResultTypes() ||
        function.walk(visit).wasInterrupted())
      return std::nullopt;
  sizes[group] = size;
  return size;
}

bool Inliner::isSuitable() {
  bool hasTensors = false;
  auto isTensor = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    hasTensors |= tensor && tensor.getRank() != 0;
    return tensor != nullptr;
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    auto result = function.walk([&](Operation *op) {
      bool isFine = isGraphOp(op) && llvm::all_of(op->getResultTypes(), isTensor);
      return isFine ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted() || !llvm::all_of(function.getArgumentTypes(), isTensor))
      return false;
  }
  findGroups();
  return hasTensors && sizeOf(groupOf.lookup("main"), 0);
}

void Inliner::run() {
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.size() > 1 && sizes.contains(i))
      mergeFunctions(module, group);
  for (auto function : module.getOps<func::FuncOp>())
    functions[function.getName()] = function;
  func::FuncOp main = functions.lookup("main");
  SmallVector<CallOp> calls;
  do {
    calls.clear();
    main.walk([&](CallOp call) { calls.push_back(call); });
    for (CallOp call : calls)
      inlineCall(call);
  } while (!calls.empty());
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != main)
      op.erase();
}

void Inliner::inlineCall(CallOp call) {
  func::FuncOp function = functions.lookup(call.getCallee());
  if (callsItself(function))
    return makeLoop(call, function);
  IRMapping mapping;
  Block &body = function.getBody().front();
  mapping.map(body.getArguments(), call.getArgs());
  b.setInsertionPoint(call);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> results;
  for (Value v : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(v));
  call.replaceAllUsesWith(results);
  call.erase();
}

void Inliner::makeLoop(CallOp call, func::FuncOp function) {
  Block &source = function.getBody().front();
  // What every round hands on unchanged is no variable.
  SmallVector<unsigned> handed;
  for (BlockArgument argument : source.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto changes = function.walk([&](CallOp self) {
      return isSelfCall(self, function.getName()) && self.getArgs()[i] != argument
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (changes.wasInterrupted())
      handed.push_back(i);
  }
  SmallVector<Value> initial;
  SmallVector<Type> types;
  for (unsigned i : handed) {
    initial.push_back(call.getArgs()[i]);
    types.push_back(call.getArgs()[i].getType());
  }
  b.setInsertionPoint(call);
  auto loop = b.create<LoopOp>(call.getLoc(), call.getResultTypes(), initial);
  Block *body = b.createBlock(&loop.getBody(), {}, types,
                              SmallVector<Location>(types.size(), function.getLoc()));
  IRMapping mapping;
  mapping.map(source.getArguments(), call.getArgs());
  for (auto [i, argument] : llvm::zip(handed, body->getArguments()))
    mapping.map(source.getArgument(i), argument);
  for (Operation &op : source)
    b.clone(op, mapping);
  endRound(*body, function.getName(), handed, types);
  call.replaceAllUsesWith(loop.getResults());
  call.erase();
}

/// Lets `block`, at the end of a function that calls itself, yield whether another round follows,
/// the arguments that it is `handed`, and the results.
void Inliner::endRound(Block &block, StringRef function, ArrayRef<unsigned> handed,
                       ArrayRef<Type> argumentTypes) {
  Operation *terminator = block.getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  Operation *last = terminator->getPrevNode();
  bool isLast = last && !results.empty() && llvm::equal(results, last->getResults());
  b.setInsertionPoint(terminator);
  SmallVector<Value> values;
  auto truth = [&](bool value) {
    auto type = RankedTensorType::get({}, b.getI1Type());
    values.push_back(
        b.create<ConstantOp>(terminator->getLoc(), DenseElementsAttr::get(type, value)));
  };
  auto undefined = [&](TypeRange types) {
    for (Type type : types)
      values.push_back(b.create<UndefinedOp>(terminator->getLoc(), type));
  };
  auto branch = isLast ? dyn_cast<IfOp>(last) : IfOp();
  bool isReplaced = true;
  if (isLast && isSelfCall(last, function)) {
    auto self = cast<CallOp>(last);
    truth(true);
    for (unsigned i : handed)
      values.push_back(self.getArgs()[i]);
    undefined(self.getResultTypes());
  } else if (branch) {
    SmallVector<Type> types{RankedTensorType::get({}, b.getI1Type())};
    llvm::append_range(types, argumentTypes);
    llvm::append_range(types, branch.getResultTypes());
    auto whole = b.create<IfOp>(branch.getLoc(), types, branch.getCondition());
    for (auto [from, to] : llvm::zip(branch->getRegions(), whole->getRegions())) {
      to.takeBody(from);
      endRound(to.front(), function, handed, argumentTypes);
    }
    b.setInsertionPoint(terminator);
    llvm::append_range(values, whole.getResults());
  } else {
    isReplaced = false;
    truth(false);
    undefined(argumentTypes);
    llvm::append_range(values, results);
  }
  b.create<YieldOp>(terminator->getLoc(), values);
  terminator->erase();
  if (isReplaced)
    last->erase();
}

namespace {
struct TailLoops : impl::TailLoopsBase<TailLoops> {
  void runOnOperation() override {
    if (Inliner inliner(getOperation()); inliner.isSuitable())
      inliner.run();
  }
};
} // namespace

} // namespace ingot
