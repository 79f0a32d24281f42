//===- Loops.cpp - What the loop level may contain --------------------------------------------===//

#include "Dialect/ModelInterface.h"
#include "Verify/LoopRules.h"
#include "Verify/Verify.h"

using namespace mlir;

namespace ingot {
namespace {

/// A number that is not in memory.
bool isScalar(Type type) { return type.isIndex() || type.isInteger(1) || isStorable(type); }

bool isVector(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         isScalar(vector.getElementType());
}

/// Rank 1, identity layout, default memory space.
bool isBuffer(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getRank() == 1 && memref.getLayout().isIdentity() &&
         !memref.getMemorySpace() && isStorable(memref.getElementType());
}

class LoopVerifier {
public:
  LoopVerifier(ModuleOp module, bool planned)
      : module(module), functions(module), planned(planned) {}

  LogicalResult run();

private:
  void error(Operation *op, StringRef rule, const Twine &text) {
    (void)loopError(op, rule, text);
    failed = true;
  }
  void checkGlobal(memref::GlobalOp global);
  void checkFunction(func::FuncOp function);
  void checkEntry(func::FuncOp entry);
  void checkSizeFunction(func::FuncOp function);
  void checkBody(func::FuncOp function, LoopPlace place);
  void checkOperation(Operation *op, LoopPlace place);
  void checkTypes(Operation *op, const LoopRule &rule);
  void checkCall(func::CallOp call);
  void checkWritable(Operation *op, Value memory);
  void checkOverlap(func::CallOp call, ArrayRef<std::pair<Value, bool>> memory);

  ModuleOp module;
  SymbolTable functions;
  bool planned, failed = false;
  std::optional<ModelInterface> interface;
  func::FuncOp entry, size;
  Value workspace;
  llvm::DenseSet<int64_t> stepNumbers;
  int64_t calledSteps = 0;
};

} // namespace

LogicalResult LoopVerifier::run() {
  auto read = ModelInterface::read(module);
  if (mlir::failed(read))
    return failure();
  interface = std::move(*read);
  for (Operation &op : *module.getBody()) {
    if (auto global = dyn_cast<memref::GlobalOp>(op))
      checkGlobal(global);
    else if (auto function = dyn_cast<func::FuncOp>(op))
      checkFunction(function);
    else
      error(&op, "module", "cannot stand in a module");
  }
  if (!entry)
    error(module, "entry", "has no function with 'ingot.entry'");
  if (planned && interface->workspaceSize < 0 && !size)
    error(module, "workspace", "knows no size of the workspace");
  if (planned && interface->workspaceSize >= 0 && size)
    error(size, "workspace", "computes a size that the interface has as a constant");
  return failure(failed);
}

void LoopVerifier::checkGlobal(memref::GlobalOp global) {
  if (!global.isPrivate() || !global.getConstant() || global.isUninitialized() ||
      global.isExternal())
    error(global, "globals", "is not a private constant");
  if (!isBuffer(global.getType()) || !global.getType().hasStaticShape())
    error(global, "memrefs", "is not a rank-1 buffer of constant extent");
}

void LoopVerifier::checkFunction(func::FuncOp function) {
  if (function.isExternal()) {
    error(function, "functions", "has no body");
    return;
  }
  if (!function.getBody().hasOneBlock()) {
    error(function, "functions", "has a body of several blocks");
    return;
  }
  if (function->hasAttr("ingot.entry")) {
    checkEntry(function);
    checkBody(function, InEntry);
    return;
  }
  if (function->hasAttr("ingot.workspace_size")) {
    checkSizeFunction(function);
    checkBody(function, InSize);
    return;
  }
  auto step = function->getAttrOfType<IntegerAttr>("ingot.step");
  if (!function.isPrivate() || !step || step.getInt() < 1)
    error(function, "functions", "is neither the entry nor a private step with its number");
  else if (!stepNumbers.insert(step.getInt()).second)
    error(function, "steps", "has the number of another step");
  if (function.getNumResults() != 0)
    error(function, "functions", "is a step that returns something");
  for (Type type : function.getArgumentTypes())
    if (!isBuffer(type) && !isScalar(type))
      error(function, "memrefs", "has an argument that is neither a rank-1 buffer nor a scalar");
  checkBody(function, InStep);
}

void LoopVerifier::checkEntry(func::FuncOp function) {
  if (entry) {
    error(function, "entry", "is a second entry");
    return;
  }
  entry = function;
  size_t inputs = interface->inputs.size(), outputs = interface->outputs.size();
  size_t symbols = interface->symbols.size();
  if (function.getNumArguments() != inputs + outputs + 1 + symbols ||
      function.getNumResults() != 0) {
    error(function, "entry",
          "does not have the interface's inputs, outputs, workspace, dimensions");
    return;
  }
  for (unsigned i = 0; i < inputs + outputs; ++i) {
    const Port &port = i < inputs ? interface->inputs[i] : interface->outputs[i - inputs];
    Type element = port.type.getElementType();
    if (element.isInteger())
      element =
          IntegerType::get(element.getContext(), std::max(8u, element.getIntOrFloatBitWidth()));
    auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[i]);
    if (!type || !isBuffer(type) || type.getElementType() != element)
      error(function, "entry", "has another type for '" + port.name + "' than the interface");
    else if (constantDim(elementCount(port.type)).value_or(ShapedType::kDynamic) !=
             type.getDimSize(0))
      error(function, "entry", "has another extent for '" + port.name + "' than the interface");
    if (function.getArgAttr(i, "ingot.write") ? i < inputs : i >= inputs)
      error(function, "entry", "marks '" + port.name + "' wrongly as written or not");
  }
  workspace = function.getArgument(inputs + outputs);
  auto bytes = dyn_cast<MemRefType>(workspace.getType());
  if (!bytes || !isBuffer(bytes) || !bytes.getElementType().isInteger(8) ||
      !function.getArgAttr(inputs + outputs, "ingot.write"))
    error(function, "entry", "has no workspace of bytes that it may write");
  for (Type type : function.getArgumentTypes().take_back(symbols))
    if (!type.isIndex())
      error(function, "entry", "has a dimension that is not of type index");
}

void LoopVerifier::checkSizeFunction(func::FuncOp function) {
  if (size)
    error(function, "workspace", "is a second function of the workspace's size");
  size = function;
  auto isIndex = [](Type type) { return type.isIndex(); };
  if (function.getNumArguments() != interface->symbols.size() ||
      !llvm::all_of(function.getArgumentTypes(), isIndex) || function.getNumResults() != 1 ||
      !llvm::all_of(function.getResultTypes(), isIndex))
    error(function, "workspace", "does not make one index of the interface's dimensions");
}

void LoopVerifier::checkBody(func::FuncOp function, LoopPlace place) {
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { checkOperation(op, place); });
}

void LoopVerifier::checkOperation(Operation *op, LoopPlace place) {
  const LoopRule *rule = findLoopRule(op->getName().getStringRef());
  if (!rule) {
    error(op, "operations", "is not an operation of the loop level");
    return;
  }
  if (!(rule->places & place)) {
    error(op, "places", "cannot stand in this function");
    return;
  }
  if (isa<memref::AllocOp>(op) && planned)
    error(op, "places", "allocates after memory planning");
  if (isa<memref::ViewOp>(op) && !planned)
    error(op, "places", "is a view before memory planning");
  checkTypes(op, *rule);
  if (rule->check && mlir::failed(rule->check(op)))
    failed = true;
  if (auto call = dyn_cast<func::CallOp>(op))
    checkCall(call);
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    checkWritable(op, store.getMemRef());
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    checkWritable(op, store.getBase());
  else if (auto view = dyn_cast<memref::ViewOp>(op); view && view.getSource() != workspace)
    error(op, "memrefs", "is a view of something other than the workspace");
}

void LoopVerifier::checkTypes(Operation *op, const LoopRule &rule) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types) {
    if (isScalar(type) || (rule.vectors && isVector(type)) || (rule.memrefs && isBuffer(type)))
      continue;
    if (isa<BaseMemRefType>(type))
      error(op, "memrefs", "has a buffer where none can be, or one that is not flat");
    else if (isa<VectorType>(type))
      error(op, "vectors", "has a vector where none can be, or one that is not of rank 1");
    else
      error(op, "types", "has a type that is not of the loop level");
    return;
  }
}

/// Whether something may be written to `memory`: a buffer of the entry, or an argument marked so.
void LoopVerifier::checkWritable(Operation *op, Value memory) {
  if (auto argument = dyn_cast<BlockArgument>(memory)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (function && function.getArgAttr(argument.getArgNumber(), "ingot.write"))
      return;
  } else if (isa<memref::AllocOp, memref::ViewOp>(memory.getDefiningOp())) {
    return;
  }
  error(op, "writes", "writes a buffer that is only for reading");
}

void LoopVerifier::checkCall(func::CallOp call) {
  auto callee = functions.lookup<func::FuncOp>(call.getCallee());
  auto step = callee ? callee->getAttrOfType<IntegerAttr>("ingot.step") : nullptr;
  if (!step || callee.getFunctionType() != call.getCalleeType()) {
    error(call, "calls", "calls something other than a step with arguments of its types");
    return;
  }
  if (step.getInt() > calledSteps + 1)
    error(call, "steps", "calls a step before one of a smaller number");
  calledSteps = std::max(calledSteps, step.getInt());
  SmallVector<std::pair<Value, bool>> memory;
  for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    memory.push_back({operand, callee.getArgAttr(i, "ingot.write") != nullptr});
    if (memory.back().second)
      checkWritable(call, operand);
  }
  checkOverlap(call, memory);
}

/// What can be seen without evaluating: one buffer given twice, and views at constant offsets.
void LoopVerifier::checkOverlap(func::CallOp call, ArrayRef<std::pair<Value, bool>> memory) {
  struct Range {
    int64_t from, to;
    bool isWritten;
  };
  SmallVector<Range> ranges;
  llvm::DenseMap<Value, bool> seen;
  for (auto [value, isWritten] : memory) {
    auto [known, isNew] = seen.insert({value, isWritten});
    if (!isNew && (known->second || isWritten)) {
      error(call, "overlap", "gets a buffer twice that it writes");
      return;
    }
    auto view = value.getDefiningOp<memref::ViewOp>();
    APInt offset;
    if (isNew && view && view.getType().hasStaticShape() &&
        matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
      ranges.push_back({offset.getSExtValue(),
                        offset.getSExtValue() + view.getType().getNumElements() *
                                                    view.getType().getElementTypeBitWidth() / 8,
                        isWritten});
  }
  llvm::sort(ranges, [](const Range &a, const Range &b) { return a.from < b.from; });
  int64_t usedTo = INT64_MIN, writtenTo = INT64_MIN;
  for (const Range &range : ranges) {
    if (range.from < writtenTo || (range.isWritten && range.from < usedTo)) {
      error(call, "overlap", "gets a buffer to write that overlaps another");
      return;
    }
    usedTo = std::max(usedTo, range.to);
    if (range.isWritten)
      writtenTo = std::max(writtenTo, range.to);
  }
}

LogicalResult verifyLoops(ModuleOp module, bool planned) {
  return LoopVerifier(module, planned).run();
}

} // namespace ingot
