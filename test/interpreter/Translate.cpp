//===- Translate.cpp - From a module to a program ---------------------------------------------===//

#include "Dialect/ModelInterface.h"
#include "Program.h"

using namespace mlir;

namespace ingot::interpreter {
namespace {

using Code = Instruction::Code;

llvm::Error unsupported(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << op->getName() << "' at " << op->getLoc()
                                 << " is not of the loop level";
  return llvm::createStringError(text);
}

class Translator {
public:
  Translator(Program &program, const llvm::StringMap<uint32_t> &functions,
             const llvm::StringMap<uint32_t> &globals, Function &function)
      : program(program), functions(functions), globals(globals), function(function) {}

  llvm::Error run() {
    for (BlockArgument argument : function.op.getArguments()) {
      if (isa<MemRefType>(argument.getType())) {
        memories[argument] = function.memories++;
        function.isWritten.push_back(
            function.op.getArgAttr(argument.getArgNumber(), "ingot.write") != nullptr);
      } else {
        function.scalars.push_back(slot(argument));
      }
    }
    Block &block = function.op.getBody().front();
    if (auto error = translate(block, function.body))
      return error;
    for (Value value : block.getTerminator()->getOperands())
      function.results.push_back(slot(value));
    return llvm::Error::success();
  }

private:
  llvm::Error translate(Block &block, std::vector<Instruction> &code);
  llvm::Error translate(Operation *op, std::vector<Instruction> &code);
  llvm::Error translateFor(scf::ForOp op, Instruction &inst);
  llvm::Error translateIf(scf::IfOp op, Instruction &inst);
  llvm::Error translateWhile(scf::WhileOp op, Instruction &inst);
  llvm::Error translateCall(func::CallOp op, Instruction &inst);
  void constant(Operation *op, function_ref<Cell(uint32_t)> lane);

  Slot slot(Value value) {
    auto [it, isNew] = slots.try_emplace(value);
    if (isNew) {
      uint32_t lanes = 1;
      if (auto vector = dyn_cast<VectorType>(value.getType()))
        lanes = vector.getNumElements();
      it->second = {static_cast<uint32_t>(function.cells.size()), lanes};
      function.cells.resize(function.cells.size() + lanes);
    }
    return it->second;
  }
  uint32_t define(Value buffer) { return memories[buffer] = function.memories++; }
  SmallVector<Move, 2> moves(ValueRange from, ValueRange to) {
    SmallVector<Move, 2> result;
    for (auto [a, b] : llvm::zip(from, to))
      result.push_back({slot(a), slot(b)});
    return result;
  }

  Program &program;
  const llvm::StringMap<uint32_t> &functions, &globals;
  Function &function;
  llvm::DenseMap<Value, Slot> slots;
  llvm::DenseMap<Value, uint32_t> memories;
};

llvm::Error Translator::translate(Block &block, std::vector<Instruction> &code) {
  for (Operation &op : block)
    if (auto error = translate(&op, code))
      return error;
  return llvm::Error::success();
}

/// Writes a value that never changes into the initial cells.
void Translator::constant(Operation *op, function_ref<Cell(uint32_t)> lane) {
  Slot result = slot(op->getResult(0));
  for (uint32_t i = 0; i < result.lanes; ++i)
    function.cells[result.at + i] = lane(i);
}

llvm::Error Translator::translate(Operation *op, std::vector<Instruction> &code) {
  if (isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp, memref::PrefetchOp>(op))
    return llvm::Error::success();
  for (Type type : op->getResultTypes())
    if (!kindOf(type))
      return unsupported(op);
  if (auto c = dyn_cast<arith::ConstantOp>(op)) {
    Kind kind = *kindOf(op->getResult(0).getType());
    if (auto dense = dyn_cast<DenseElementsAttr>(c.getValue())) {
      auto values = dense.getValues<Attribute>();
      constant(op, [&](uint32_t i) { return constantCell(kind, values[i]); });
    } else if (isa<IntegerAttr, FloatAttr>(c.getValue())) {
      constant(op, [&](uint32_t) { return constantCell(kind, c.getValue()); });
    } else {
      return unsupported(op);
    }
    return llvm::Error::success();
  }
  if (isa<vector::StepOp>(op)) {
    constant(op, [](uint32_t i) { return Cell{.i = i}; });
    return llvm::Error::success();
  }

  Instruction inst;
  inst.op = op;
  auto access = [&](Value memory, Value index) {
    inst.kind = *kindOf(memory.getType());
    inst.memory = memories.lookup(memory);
    inst.operands.push_back(slot(index));
    inst.alignment = sizeOf(inst.kind);
    if (auto alignment = op->getAttrOfType<IntegerAttr>("alignment"))
      inst.alignment = std::max(inst.alignment, alignment.getInt());
  };
  auto defineBuffer = [&](Value buffer, ValueRange extents) {
    auto type = cast<MemRefType>(buffer.getType());
    inst.kind = *kindOf(type);
    inst.extent = type.hasStaticShape() ? type.getNumElements() : -1;
    for (Value extent : extents)
      inst.operands.push_back(slot(extent));
    inst.memory = define(buffer);
  };
  llvm::Error error = llvm::Error::success();
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    inst.code = Code::Load;
    access(load.getMemRef(), load.getIndices().front());
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    inst.code = Code::Load;
    access(load.getBase(), load.getIndices().front());
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    inst.code = Code::Store;
    inst.operands.push_back(slot(store.getValue()));
    access(store.getMemRef(), store.getIndices().front());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    inst.code = Code::Store;
    inst.operands.push_back(slot(store.getValueToStore()));
    access(store.getBase(), store.getIndices().front());
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    inst.code = Code::Broadcast;
    inst.operands.push_back(slot(broadcast.getSource()));
  } else if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    inst.code = Code::Copy;
    Slot vector = slot(extract.getVector());
    if (extract.getStaticPosition().size() != 1 || extract.hasDynamicPosition())
      return unsupported(op);
    inst.operands.push_back(
        {vector.at + static_cast<uint32_t>(extract.getStaticPosition().front()), 1});
  } else if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
    inst.code = Code::Reduce;
    inst.kernel = findReductionKernel(op);
    for (Value operand : op->getOperands())
      inst.operands.push_back(slot(operand));
    if (!inst.kernel)
      return unsupported(op);
  } else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    inst.code = Code::Global;
    defineBuffer(get.getResult(), {});
    auto found = globals.find(get.getName());
    if (found == globals.end())
      return unsupported(op);
    inst.target = found->second;
  } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
    inst.code = Code::View;
    inst.target = memories.lookup(view.getSource());
    inst.operands.push_back(slot(view.getByteShift()));
    defineBuffer(view.getResult(), view.getSizes());
  } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    inst.code = Code::Alloc;
    defineBuffer(alloc.getResult(), alloc.getDynamicSizes());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    error = translateFor(loop, inst);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    error = translateIf(branch, inst);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    error = translateWhile(loop, inst);
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    error = translateCall(call, inst);
  } else {
    inst.kernel = findKernel(op);
    for (Value operand : op->getOperands())
      inst.operands.push_back(slot(operand));
    if (!inst.kernel)
      return unsupported(op);
  }
  if (error)
    return error;
  bool hasValue = op->getNumResults() == 1 && !isa<MemRefType>(op->getResult(0).getType());
  if (hasValue)
    inst.result = slot(op->getResult(0));
  code.push_back(std::move(inst));
  return llvm::Error::success();
}

llvm::Error Translator::translateFor(scf::ForOp op, Instruction &inst) {
  inst.code = Code::For;
  inst.operands = {slot(op.getLowerBound()), slot(op.getUpperBound()), slot(op.getStep()),
                   slot(op.getInductionVar())};
  inst.first = moves(op.getInitArgs(), op.getRegionIterArgs());
  inst.next = moves(op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs());
  inst.last = moves(op.getRegionIterArgs(), op.getResults());
  return translate(*op.getBody(), inst.body);
}

llvm::Error Translator::translateIf(scf::IfOp op, Instruction &inst) {
  inst.code = Code::If;
  inst.operands = {slot(op.getCondition())};
  if (auto error = translate(*op.thenBlock(), inst.body))
    return error;
  inst.first = moves(op.thenYield().getOperands(), op.getResults());
  if (!op.elseBlock())
    return llvm::Error::success();
  inst.next = moves(op.elseYield().getOperands(), op.getResults());
  return translate(*op.elseBlock(), inst.second);
}

llvm::Error Translator::translateWhile(scf::WhileOp op, Instruction &inst) {
  inst.code = Code::While;
  scf::ConditionOp condition = op.getConditionOp();
  inst.operands = {slot(condition.getCondition())};
  inst.first = moves(op.getInits(), op.getBeforeArguments());
  inst.next = moves(condition.getArgs(), op.getAfterArguments());
  llvm::append_range(inst.next, moves(condition.getArgs(), op.getResults()));
  inst.last = moves(op.getYieldOp().getOperands(), op.getBeforeArguments());
  if (auto error = translate(*op.getBeforeBody(), inst.body))
    return error;
  return translate(*op.getAfterBody(), inst.second);
}

llvm::Error Translator::translateCall(func::CallOp op, Instruction &inst) {
  inst.code = Code::Call;
  auto found = functions.find(op.getCallee());
  // Steps come before the entry, and call nothing: there is no recursion.
  if (found == functions.end() || &program.functions[found->second] == &function)
    return unsupported(op);
  inst.target = found->second;
  uint32_t parameter = 0, scalar = 0;
  const Function &callee = program.functions[inst.target];
  for (Value operand : op.getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      inst.memories.push_back({memories.lookup(operand), parameter++});
    else
      inst.first.push_back({slot(operand), callee.scalars[scalar++]});
  }
  return llvm::Error::success();
}

/// The bytes of a constant buffer.
llvm::Expected<Constant> bytesOf(memref::GlobalOp global) {
  MemRefType type = global.getType();
  auto kind = kindOf(type);
  auto value = dyn_cast_or_null<ElementsAttr>(global.getInitialValue().value_or(Attribute()));
  if (!kind || !type.hasStaticShape() || !value)
    return unsupported(global);
  size_t size = type.getNumElements() * sizeOf(*kind);
  ArrayRef<char> data;
  bool isSplat = false;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    data = dense.getRawData();
    isSplat = dense.isSplat();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      data = blob->getData();
  }
  Constant constant;
  constant.lines = linesFor(size);
  std::byte *bytes = constant.lines.front().bytes;
  size_t unit = isSplat ? sizeOf(*kind) : size;
  if (data.size() != unit)
    return unsupported(global);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(data[i % unit]);
  return constant;
}

} // namespace

llvm::Expected<std::unique_ptr<Program>> translate(ModuleOp module) {
  auto interface = ModelInterface::read(module);
  if (failed(interface))
    return llvm::createStringError("the module has no interface");
  auto program = std::make_unique<Program>();
  program->module = module;
  program->inputs = interface->inputs.size();
  program->outputs = interface->outputs.size();
  program->dims = interface->symbols.size();
  program->workspaceBytes = interface->workspaceSize;
  llvm::StringMap<uint32_t> functions, globals;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    auto constant = bytesOf(global);
    if (!constant)
      return constant.takeError();
    globals[global.getSymName()] = program->constants.size();
    program->constants.push_back(std::move(*constant));
  }
  // Callees first: a call needs to know where its callee's parameters lie.
  SmallVector<func::FuncOp> order;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr("ingot.entry"))
      order.push_back(function);
  bool hasEntry = false;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.entry") && !hasEntry) {
      order.push_back(function);
      hasEntry = true;
    }
  if (!hasEntry)
    return llvm::createStringError("the module has no entry");
  program->functions.resize(order.size());
  for (auto [i, op] : llvm::enumerate(order)) {
    if (op.isExternal())
      return unsupported(op);
    Function &function = program->functions[i];
    function.op = op;
    if (auto error = Translator(*program, functions, globals, function).run())
      return error;
    functions[op.getName()] = i;
    if (op->hasAttr("ingot.workspace_size"))
      program->size = i;
  }
  program->entry = order.size() - 1;
  return program;
}

} // namespace ingot::interpreter
