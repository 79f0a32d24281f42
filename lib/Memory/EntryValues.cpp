//===- EntryValues.cpp - The numbers that a planned entry computes ----------------------------===//

#include "Memory/EntryValues.h"
#include "Dialect/ModelInterface.h"

using namespace mlir;

namespace ingot {

EntryValues::EntryValues(func::FuncOp function, ArrayRef<int64_t> dims) {
  size_t first = function.getNumArguments() - dims.size();
  for (auto [i, value] : llvm::enumerate(dims))
    known[function.getArgument(first + i)] = value;
}

std::optional<int64_t> EntryValues::get(Value value) {
  // Chains of maxima are as long as the program: no recursion.
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value current = work.back();
    Operation *op = current.getDefiningOp();
    if (known.contains(current)) {
      work.pop_back();
      continue;
    }
    if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0) {
      known[current] = std::nullopt;
      continue;
    }
    bool isReady = true;
    for (Value operand : op->getOperands())
      if (!known.contains(operand)) {
        work.push_back(operand);
        isReady = false;
      }
    if (isReady)
      known[current] = compute(op);
  }
  return known[value];
}

std::optional<int64_t> EntryValues::compute(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    return integer ? std::optional(integer.getInt()) : std::nullopt;
  }
  if (op->getNumOperands() != 2)
    return std::nullopt;
  auto left = known.lookup(op->getOperand(0)), right = known.lookup(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  int64_t a = *left, b = *right, result;
  bool isDivision = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (isDivision && (b == 0 || b == -1 || (isUnsigned && (a < 0 || b < 0))))
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::AddIOp>([&](auto) {
        return llvm::AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
      })
      .Case<arith::SubIOp>([&](auto) {
        return llvm::SubOverflow(a, b, result) ? std::nullopt : std::optional(result);
      })
      .Case<arith::MulIOp>([&](auto) {
        return llvm::MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
      })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return a / b; })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return a % b; })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(a, b); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(a, b); })
      .Default([](auto) { return std::nullopt; });
}

FailureOr<std::vector<Placement>> placementsOf(func::FuncOp entry, Value workspace,
                                               EntryValues &values) {
  std::vector<Placement> placements;
  auto result = entry.walk([&](memref::ViewOp view) {
    if (view.getSource() != workspace)
      return WalkResult::advance();
    MemRefType type = view.getType();
    auto offset = values.get(view.getByteShift());
    auto count = type.hasStaticShape() ? std::optional(type.getNumElements())
                                       : values.get(view.getSizes().front());
    int64_t bytes;
    if (!offset || !count || type.getRank() != 1 ||
        llvm::MulOverflow(*count, int64_t(type.getElementTypeBitWidth() / 8), bytes)) {
      view.emitOpError("has an offset or a size that cannot be computed beforehand");
      return WalkResult::interrupt();
    }
    placements.push_back({view, *offset, bytes});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return placements;
}

std::optional<int64_t> workspaceSize(ModuleOp module, ArrayRef<int64_t> dims) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.workspace_size")) {
      Operation *end = function.getBody().empty() ? nullptr : function.front().getTerminator();
      if (!end || end->getNumOperands() != 1 || function.getNumArguments() != dims.size())
        return std::nullopt;
      return EntryValues(function, dims).get(end->getOperand(0));
    }
  auto interface = ModelInterface::read(module);
  if (failed(interface) || interface->workspaceSize < 0)
    return std::nullopt;
  return interface->workspaceSize;
}

} // namespace ingot
