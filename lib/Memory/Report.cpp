//===- Report.cpp - What a plan looks like, for people ----------------------------------------===//

#include "Memory/Report.h"
#include "Dialect/ModelInterface.h"
#include "Memory/EntryValues.h"
#include "Memory/Liveness.h"

using namespace mlir;

namespace ingot {
namespace {

/// The calls of the entry as steps, to tell which are running at a position.
class StepTimes {
public:
  StepTimes(ModuleOp module, func::FuncOp entry, const EntryLiveness &liveness) {
    SymbolTable functions(module);
    entry.walk<WalkOrder::PreOrder>([&](func::CallOp call) {
      auto callee = functions.lookup<func::FuncOp>(call.getCallee());
      auto number = callee ? callee->getAttrOfType<IntegerAttr>("ingot.step") : nullptr;
      if (number)
        calls.push_back({liveness.positions(call).first, number.getInt()});
    });
  }

  /// The first step at or after `position`; the last one if there is none.
  int64_t from(int64_t position) const {
    auto it = llvm::partition_point(calls, [&](auto &call) { return call.first < position; });
    return it != calls.end() ? it->second : calls.empty() ? 0 : calls.back().second;
  }
  /// The last step at or before `position`; the first one if there is none.
  int64_t until(int64_t position) const {
    auto it = llvm::partition_point(calls, [&](auto &call) { return call.first <= position; });
    return it != calls.begin() ? std::prev(it)->second : calls.empty() ? 0 : calls.front().second;
  }

private:
  std::vector<std::pair<int64_t, int64_t>> calls; ///< position, step
};

/// Fills in the largest live sum and who makes it.
void findPeak(MemoryReport &report, ArrayRef<PackItem> items, const StepTimes &steps) {
  report.lowerBound = largestLiveSum(items);
  std::vector<std::pair<int64_t, int64_t>> changes;
  for (const PackItem &item : items)
    for (Lifetime life : item.live) {
      changes.push_back({life.first, item.size});
      changes.push_back({life.last + 1, -item.size});
    }
  llvm::sort(changes);
  int64_t sum = 0, position = 0;
  for (auto [at, size] : changes) {
    sum += size;
    position = at;
    if (sum == report.lowerBound)
      break;
  }
  if (items.empty())
    return;
  report.peakStep = steps.from(position);
  for (auto [i, item] : llvm::enumerate(items))
    if (llvm::any_of(item.live, [&](Lifetime life) {
          return life.first <= position && position <= life.last;
        }))
      report.atPeak.push_back(i);
}

} // namespace

FailureOr<MemoryReport> reportMemory(ModuleOp module, ArrayRef<int64_t> dims) {
  auto interface = ModelInterface::read(module);
  if (failed(interface))
    return failure();
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.entry"))
      entry = function;
  size_t position = interface->inputs.size() + interface->outputs.size();
  if (!entry || entry.isExternal() || dims.size() != interface->symbols.size() ||
      entry.getNumArguments() != position + 1 + dims.size())
    return module.emitError("the module has no entry that fits its interface and the dimensions");
  auto size = workspaceSize(module, dims);
  if (!size)
    return module.emitError("the module's memory is not planned");

  EntryValues values(entry, dims);
  auto placements = placementsOf(entry, entry.getArgument(position), values);
  if (failed(placements))
    return failure();
  MemoryReport report;
  report.workspace = *size;
  EntryLiveness liveness(entry);
  StepTimes steps(module, entry, liveness);
  std::vector<PackItem> items;
  for (const Placement &p : *placements) {
    SmallVector<Lifetime, 1> live = liveness.of(p.view->getResult(0));
    if (live.empty())
      continue;
    auto name = p.view->getAttrOfType<StringAttr>("ingot.name");
    report.buffers.push_back({name ? name.str() : "", p.offset, p.bytes,
                              steps.from(live.front().first), steps.until(live.back().last)});
    items.push_back({static_cast<int64_t>(llvm::alignTo(p.bytes, bufferAlign)), std::move(live)});
  }
  findPeak(report, items, steps);
  return report;
}

} // namespace ingot
