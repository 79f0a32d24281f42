//===- Lower.cpp - From tensors to loops ------------------------------------------------------===//

#include "Lower/Lower.h"
#include "Dialect/ModelInterface.h"
#include "Lower/Buffers.h"
#include "Lower/BuildStep.h"
#include "Lower/StepNames.h"
#include "Operators/AllFamilies.h"
#include "Operators/Structure/Overwrite.h"

using namespace mlir;

namespace ingot {

namespace {

/// The entry being built. It evaluates symbolic dimensions from the entry's own arguments.
class EntryBuilder : public ElementBuilder {
public:
  EntryBuilder(OpBuilder &b, Location loc) : ElementBuilder(b, loc, 1) {}
  Value read(Value, ArrayRef<Index>) override { llvm_unreachable("the entry computes no element"); }
  Value symbol(StringRef name) override { return symbols.lookup(name); }
  llvm::StringMap<Value> symbols;
};

class Lowering {
public:
  Lowering(ModuleOp module, const TargetInfo &target)
      : module(module), target(target), b(module.getContext()), eb(b, module.getLoc()), names() {}

  LogicalResult run();

private:
  LogicalResult lowerBlock(Block &block, ArrayRef<Value> destinations);
  LogicalResult lowerGroup(GroupOp group);
  LogicalResult lowerIf(IfOp op);
  LogicalResult lowerLoop(LoopOp op);
  Value place(Value tensor) { return allocate(tensor, names.valueName(tensor)); }
  SmallVector<Value> placeResults(Operation *op);
  Value isSet(Value tensor);
  void copy(Value from, Value to, RankedTensorType type);
  void lowerConstant(ConstantOp op);
  Value allocate(Value tensor, StringRef name);
  void giveOwnResults(Block &block);
  /// The memref of `tensor`, following reshapes.
  Value bufferOf(Value tensor) { return buffers.lookup(storageRoot(tensor)); }

  ModuleOp module;
  const TargetInfo &target;
  OpBuilder b;
  EntryBuilder eb;
  StepNames names;
  func::FuncOp entry;
  llvm::DenseMap<Value, Value> buffers, destined;
  llvm::DenseMap<Attribute, memref::GlobalOp> globals;
  int64_t steps = 0;
};

} // namespace

/// Makes each value that leaves `block` the result of a group of its own, which can then be told
/// where to write it: copies what is an argument, a constant, or leaves twice.
void Lowering::giveOwnResults(Block &block) {
  Operation *terminator = block.getTerminator();
  llvm::SmallPtrSet<Value, 8> seen;
  for (OpOperand &operand : terminator->getOpOperands()) {
    Value root = storageRoot(operand.get());
    Operation *def = root.getDefiningOp();
    if (isa_and_nonnull<UndefinedOp>(def))
      continue;
    auto group = dyn_cast_if_present<GroupOp>(def);
    bool canWrite = group ? !group.getInPlace() : isa_and_nonnull<IfOp, LoopOp>(def);
    if (canWrite && root.getParentBlock() == &block && seen.insert(root).second)
      continue;
    b.setInsertionPoint(terminator);
    auto copy = b.create<GroupOp>(operand.get().getLoc(), TypeRange(operand.get().getType()),
                                  ValueRange(operand.get()), StringAttr(), DenseI64ArrayAttr());
    Block *body =
        b.createBlock(&copy.getBody(), {}, {operand.get().getType()}, {operand.get().getLoc()});
    b.create<YieldOp>(copy.getLoc(), body->getArguments());
    operand.set(copy.getResult(0));
  }
}

LogicalResult Lowering::run() {
  auto interface = ModelInterface::read(module);
  if (failed(interface))
    return failure();
  auto source = module.lookupSymbol<func::FuncOp>("main");
  if (!source)
    return module.emitError("the module has no function @main");
  source.setName("source");

  SmallVector<Type> types;
  for (const Port &port : interface->inputs)
    types.push_back(bufferType(port.type));
  for (const Port &port : interface->outputs)
    types.push_back(bufferType(port.type));
  types.push_back(MemRefType::get({ShapedType::kDynamic}, b.getI8Type()));
  types.append(interface->symbols.size(), b.getIndexType());
  b.setInsertionPoint(source);
  entry = b.create<func::FuncOp>(source.getLoc(), "main", b.getFunctionType(types, TypeRange()));
  entry->setAttr("ingot.entry", b.getUnitAttr());
  Block *body = entry.addEntryBlock();
  unsigned position = 0;
  auto nameArgument = [&](StringRef name, bool isWritten) {
    entry.setArgAttr(position, "ingot.name", b.getStringAttr(name));
    if (isWritten)
      entry.setArgAttr(position, "ingot.write", b.getUnitAttr());
    return body->getArgument(position++);
  };
  Block &program = source.getBody().front();
  for (auto [port, argument] : llvm::zip(interface->inputs, program.getArguments()))
    buffers[argument] = nameArgument(port.name, false);
  SmallVector<Value> outputs;
  for (const Port &port : interface->outputs)
    outputs.push_back(nameArgument(port.name, true));
  nameArgument("workspace", true);
  for (const std::string &symbol : interface->symbols)
    eb.symbols[symbol] = nameArgument(symbol, false);

  b.setInsertionPointToStart(body);
  if (failed(lowerBlock(program, outputs)))
    return failure();
  b.setInsertionPointToEnd(body);
  b.create<func::ReturnOp>(source.getLoc());
  source.erase();
  return success();
}

LogicalResult Lowering::lowerBlock(Block &block, ArrayRef<Value> destinations) {
  {
    OpBuilder::InsertionGuard guard(b);
    giveOwnResults(block);
  }
  for (auto [value, destination] : llvm::zip(block.getTerminator()->getOperands(), destinations))
    destined[storageRoot(value)] = destination;
  for (Operation &op : block.without_terminator()) {
    eb.loc = op.getLoc();
    if (auto group = dyn_cast<GroupOp>(op)) {
      if (failed(lowerGroup(group)))
        return failure();
    } else if (auto branch = dyn_cast<IfOp>(op)) {
      if (failed(lowerIf(branch)))
        return failure();
    } else if (auto loop = dyn_cast<LoopOp>(op)) {
      if (failed(lowerLoop(loop)))
        return failure();
    } else if (auto constant = dyn_cast<ConstantOp>(op)) {
      // Immediates are inside their groups by now.
      if (!constant->use_empty())
        lowerConstant(constant);
    } else if (!isa<ReshapeOp, UndefinedOp>(op)) {
      return op.emitError("this operator cannot stand outside a group when lowering");
    }
  }
  return success();
}

Value Lowering::allocate(Value tensor, StringRef name) {
  if (Value destination = destined.lookup(tensor))
    return destination;
  RankedTensorType type = tensorType(tensor);
  MemRefType buffer = bufferType(type);
  AffineExpr count = elementCount(type);
  SmallVector<Value> size;
  if (!buffer.hasStaticShape())
    size.push_back(eb.dim(count).base);
  auto alloc = b.create<memref::AllocOp>(tensor.getLoc(), buffer, size);
  if (!buffer.hasStaticShape())
    alloc->setAttr("ingot.size", DimsAttr::get(b.getContext(), {count}));
  alloc->setAttr("ingot.name", b.getStringAttr(name));
  return alloc;
}

LogicalResult Lowering::lowerGroup(GroupOp group) {
  std::string name = names.stepName(group);
  SmallVector<Value> inputs, outputs;
  for (Value operand : group.getInputs())
    inputs.push_back(bufferOf(operand));
  SmallVector<int64_t> overwritten(group.getNumResults(), -1);
  if (auto pairs = group.getInPlace())
    for (size_t i = 0; i + 1 < pairs->size(); i += 2)
      overwritten[(*pairs)[i]] = (*pairs)[i + 1];
  for (auto [i, result] : llvm::enumerate(group.getResults())) {
    std::string suffix = group.getNumResults() > 1 ? "_" + std::to_string(i) : "";
    outputs.push_back(overwritten[i] >= 0 ? inputs[overwritten[i]]
                                          : allocate(result, name + suffix));
    buffers[result] = outputs.back();
  }
  OpBuilder functions(entry);
  auto step = buildStep(functions, group, name, inputs, outputs, target);
  if (failed(step))
    return failure();
  step->function->setAttr("ingot.step", b.getI64IntegerAttr(++steps));
  step->function->setAttr("ingot.nodes", names.nodes(group));
  step->function->setAttr("ingot.comment", b.getStringAttr(names.comment(group)));
  SmallVector<Value> arguments = step->arguments;
  for (auto [i, v] : llvm::enumerate(arguments))
    step->function.setArgAttr(i, "ingot.name", names.argumentName(v, i, inputs, outputs));
  for (const std::string &symbol : step->symbols)
    arguments.push_back(eb.symbol(symbol));
  b.create<func::CallOp>(group.getLoc(), step->function, arguments);
  return success();
}

SmallVector<Value> Lowering::placeResults(Operation *op) {
  SmallVector<Value> results;
  for (Value result : op->getResults()) {
    results.push_back(place(result));
    buffers[result] = results.back();
  }
  return results;
}

/// True, at run time, if the one element in `buffer` is.
Value Lowering::isSet(Value buffer) {
  Value byte = b.create<memref::LoadOp>(eb.loc, buffer, eb.constantIndex(0));
  return b.create<arith::CmpIOp>(eb.loc, arith::CmpIPredicate::ne, byte,
                                 b.create<arith::ConstantOp>(eb.loc, b.getI8IntegerAttr(0)));
}

void Lowering::copy(Value from, Value to, RankedTensorType type) {
  copyElements(b, eb.loc, from, to, eb.dim(elementCount(type)).base);
}

LogicalResult Lowering::lowerIf(IfOp op) {
  SmallVector<Value> results = placeResults(op);
  auto branch = b.create<scf::IfOp>(op.getLoc(), isSet(bufferOf(op.getCondition())),
                                    /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (auto [block, region] : {std::pair{branch.thenBlock(), &op.getThenRegion()},
                               std::pair{branch.elseBlock(), &op.getElseRegion()}}) {
    b.setInsertionPoint(block->getTerminator());
    if (failed(lowerBlock(region->front(), results)))
      return failure();
  }
  return success();
}

/// Each argument of a round has a buffer. What the round hands on is computed there as well if
/// nothing reads the argument any more, else beside it and copied at the end of the round.
LogicalResult Lowering::lowerLoop(LoopOp op) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  SmallVector<Value> results = placeResults(op), destinations;
  destinations.push_back(place(yield->getOperand(0)));
  for (auto [argument, initial] : llvm::zip(body.getArguments(), op.getInitial())) {
    buffers[argument] = place(argument);
    if (!initial.getDefiningOp<UndefinedOp>())
      copy(bufferOf(initial), buffers[argument], tensorType(argument));
    Value next = yield->getOperand(1 + argument.getArgNumber());
    destinations.push_back(canLieOver(next, argument) ? buffers[argument] : place(next));
  }
  llvm::append_range(destinations, results);

  auto loop = b.create<scf::WhileOp>(op.getLoc(), TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  if (failed(lowerBlock(body, destinations)))
    return failure();
  eb.loc = op.getLoc();
  b.create<scf::ConditionOp>(op.getLoc(), isSet(destinations.front()), ValueRange());
  b.createBlock(&loop.getAfter());
  for (auto [argument, next] : llvm::zip(body.getArguments(), ArrayRef(destinations).drop_front()))
    if (buffers[argument] != next)
      copy(next, buffers[argument], tensorType(argument));
  b.create<scf::YieldOp>(op.getLoc());
  return success();
}

void Lowering::lowerConstant(ConstantOp op) {
  MemRefType type = bufferType(tensorType(op.getResult()));
  memref::GlobalOp &global = globals[op.getValue()];
  if (!global)
    global = createConstantTable(module, op, names.constantName(op));
  buffers[op.getResult()] = b.create<memref::GetGlobalOp>(op.getLoc(), type, global.getSymName());
}

LogicalResult lowerToLoops(ModuleOp module, const TargetInfo &target) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  return Lowering(module, target).run();
}

namespace {
struct LowerPass : PassWrapper<LowerPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  LowerPass() = default;
  LowerPass(const LowerPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "lower-to-loops"; }
  StringRef getDescription() const override { return "Turn fused tensor operators into loops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    TargetInfo target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    if (failed(lowerToLoops(getOperation(), target)))
      signalPassFailure();
  }
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::desc("Width of a vector; 0: none"),
                             llvm::cl::init(512)};
  Option<int64_t> vectorRegisters{*this, "vector-registers",
                                  llvm::cl::desc("Number of vector registers"), llvm::cl::init(32)};
};
} // namespace

void registerLowerPass() { PassRegistration<LowerPass>(); }

} // namespace ingot
