//===- Plan.cpp - One workspace for all buffers -----------------------------------------------===//

#include "Memory/Plan.h"
#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Memory/Liveness.h"
#include "Memory/Symbolic.h"

using namespace mlir;

namespace ingot {
namespace {

/// The function of `module` that has the attribute `name`.
func::FuncOp findFunction(ModuleOp module, StringRef name) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(name))
      return function;
  return nullptr;
}

class Planner {
public:
  Planner(ModuleOp module, ModelInterface &interface, func::FuncOp entry)
      : interface(interface), entry(entry), b(module.getContext()) {}

  LogicalResult run();

private:
  LogicalResult planStatic(ArrayRef<Buffer> buffers);
  void planDynamic(ArrayRef<Buffer> buffers);
  void replace(memref::AllocOp alloc, Value offset);
  BlockArgument workspace() {
    return entry.getArgument(interface.inputs.size() + interface.outputs.size());
  }

  ModelInterface &interface;
  func::FuncOp entry;
  OpBuilder b;
};

} // namespace

void Planner::replace(memref::AllocOp alloc, Value offset) {
  b.setInsertionPoint(alloc);
  auto view = b.create<memref::ViewOp>(alloc.getLoc(), alloc.getType(), workspace(), offset,
                                       alloc.getDynamicSizes());
  for (StringRef kept : {"ingot.name", "ingot.size"})
    if (Attribute value = alloc->getAttr(kept))
      view->setAttr(kept, value);
  alloc.replaceAllUsesWith(view.getResult());
  alloc.erase();
}

LogicalResult Planner::planStatic(ArrayRef<Buffer> buffers) {
  std::vector<PackItem> items;
  int64_t sum = 0;
  for (const Buffer &buffer : buffers) {
    int64_t bytes = *constantDim(buffer.bytes);
    if (llvm::AddOverflow(sum, bytes, sum))
      return entry.emitError("the buffers are too large to plan for");
    items.push_back({bytes / bufferAlign, buffer.live});
  }
  Packing packing = pack(items);
  for (auto [buffer, offset] : llvm::zip(buffers, packing.offsets)) {
    b.setInsertionPoint(buffer.alloc);
    memref::AllocOp alloc = buffer.alloc;
    replace(alloc, b.create<arith::ConstantIndexOp>(alloc.getLoc(), offset * bufferAlign));
  }
  interface.workspaceSize = packing.height * bufferAlign;
  return success();
}

void Planner::planDynamic(ArrayRef<Buffer> buffers) {
  SymbolicPlan plan = planSymbolic(b.getContext(), buffers, interface.symbols);
  ValueRange dims = ValueRange(entry.getArguments()).take_back(interface.symbols.size());
  b.setInsertionPointToStart(&entry.getBody().front());
  SymbolicEmitter offsets(b, entry.getLoc(), plan, interface.symbols, dims);
  std::vector<Value> values;
  for (const SymbolicBytes &offset : plan.offsets)
    values.push_back(offsets.emit(offset));
  for (auto [buffer, value] : llvm::zip(buffers, values))
    replace(buffer.alloc, value);

  b.setInsertionPoint(entry);
  SmallVector<Type> types(interface.symbols.size(), b.getIndexType());
  auto size = b.create<func::FuncOp>(entry.getLoc(), "workspace_size",
                                     b.getFunctionType(types, b.getIndexType()));
  size->setAttr("ingot.workspace_size", b.getUnitAttr());
  for (auto [i, symbol] : llvm::enumerate(interface.symbols))
    size.setArgAttr(i, "ingot.name", b.getStringAttr(symbol));
  b.setInsertionPointToStart(size.addEntryBlock());
  SymbolicEmitter sizes(b, entry.getLoc(), plan, interface.symbols, size.getArguments());
  b.create<func::ReturnOp>(entry.getLoc(), sizes.emit(plan.size));
  interface.workspaceSize = -1;
}

LogicalResult Planner::run() {
  auto buffers = findBuffers(entry);
  if (failed(buffers))
    return failure();
  SmallVector<memref::AllocOp> unused;
  entry.walk([&](memref::AllocOp alloc) {
    if (alloc->use_empty())
      unused.push_back(alloc);
  });
  for (memref::AllocOp alloc : unused)
    alloc.erase();
  if (llvm::all_of(*buffers, [](const Buffer &b) { return constantDim(b.bytes).has_value(); }))
    return planStatic(*buffers);
  planDynamic(*buffers);
  return success();
}

LogicalResult planMemory(ModuleOp module) {
  auto interface = ModelInterface::read(module);
  if (failed(interface))
    return failure();
  func::FuncOp entry = findFunction(module, "ingot.entry");
  size_t arguments = interface->inputs.size() + interface->outputs.size() + 1;
  if (!entry || entry.isExternal() ||
      entry.getNumArguments() != arguments + interface->symbols.size())
    return module.emitError("the module has no entry that fits its interface");
  auto workspace = dyn_cast<MemRefType>(entry.getArgumentTypes()[arguments - 1]);
  if (!workspace || !workspace.getElementType().isInteger(8))
    return entry.emitError("the entry has no workspace of bytes");
  if (findFunction(module, "ingot.workspace_size"))
    return module.emitError("the module's memory is planned already");
  if (failed(Planner(module, *interface, entry).run()))
    return failure();
  interface->write(module);
  return success();
}

} // namespace ingot
