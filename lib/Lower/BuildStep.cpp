//===- BuildStep.cpp - One group, one function ------------------------------------------------===//

#include "Lower/BuildStep.h"
#include "Lower/Kernels/Kernels.h"
#include "Lower/Nest.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ingot {

/// Elements of the group's tensors that fill one vector; 1 if they differ in width or a vector
/// would not hold two.
static int64_t lanesFor(GroupOp group, const TargetInfo &target) {
  unsigned bits = 0;
  bool isMixed = false;
  auto visit = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    Type element = computeType(type.getElementType());
    // Comparisons inside the group make masks, which have no memory.
    if (element.isInteger(1))
      return;
    unsigned width = element.getIntOrFloatBitWidth();
    isMixed |= bits != 0 && bits != width;
    bits = width;
  };
  for (Value v : group.getBody().getArguments())
    visit(v);
  for (Operation &op : group.getBody().front())
    for (Value v : op.getResults())
      visit(v);
  if (isMixed || bits == 0 || target.vectorBits == 0)
    return 1;
  return std::max<int64_t>(1, target.vectorBits / bits);
}

FailureOr<Step> buildStep(OpBuilder &b, GroupOp group, StringRef name, ArrayRef<Value> buffers,
                          ArrayRef<Value> results, const TargetInfo &target) {
  Step step;
  llvm::SetVector<Value> distinct(buffers.begin(), buffers.end());
  distinct.insert(results.begin(), results.end());
  step.arguments.assign(distinct.begin(), distinct.end());
  SmallVector<Type> types;
  for (Value v : step.arguments)
    types.push_back(v.getType());

  auto attempt = [&](int64_t lanes, function_ref<LogicalResult(StepBuilder &)> schedule) {
    OpBuilder::InsertionGuard guard(b);
    auto function =
        b.create<func::FuncOp>(group.getLoc(), name, b.getFunctionType(types, TypeRange()));
    function.setPrivate();
    StepBuilder sb(b, function, group, buffers, results, target, lanes);
    if (failed(schedule(sb))) {
      function.erase();
      return false;
    }
    b.setInsertionPointToEnd(&function.getBody().front());
    b.create<func::ReturnOp>(group.getLoc());
    function.setFunctionType(b.getFunctionType(function.getBody().getArgumentTypes(), TypeRange()));
    for (auto [i, symbol] : llvm::enumerate(sb.symbolsUsed()))
      function.setArgAttr(types.size() + i, "ingot.name", b.getStringAttr(symbol));
    for (Value result : results)
      for (auto [i, v] : llvm::enumerate(step.arguments))
        if (v == result)
          function.setArgAttr(i, "ingot.write", b.getUnitAttr());
    step.function = function;
    step.symbols.assign(sb.symbolsUsed().begin(), sb.symbolsUsed().end());
    return true;
  };

  int64_t lanes = lanesFor(group, target);
  for (Operation &op : group.getBody().front()) {
    if (auto own = dyn_cast<LoopsOpInterface>(op)) {
      attempt(1, [&](StepBuilder &sb) { return buildOwnLoops(sb, own); });
      return step;
    }
    if (Kernel kernel = kernelFor(&op))
      if (attempt(lanes, [&](StepBuilder &sb) { return kernel(sb, &op); }))
        return step;
  }
  auto general = hasRows(group) ? buildRows : buildNest;
  if (attempt(lanes, general) || attempt(1, general))
    return step;
  return group.emitError("no schedule for this group");
}

} // namespace ingot
