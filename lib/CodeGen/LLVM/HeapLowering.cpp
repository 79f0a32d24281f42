//===- HeapLowering.cpp - Functions of programs with data in LLVM IR --------------------------===//

#include "CodeGen/LLVM/HeapLowering.h"
#include "Heap/Heap.h"
#include "Operators/Functional.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace ingot {

namespace {

enum Status : int32_t { OutOfMemory = -1, StackExhausted = -2, NoMatch = -3 };

class HeapLowering {
public:
  explicit HeapLowering(ModuleOp module)
      : module(module), b(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void run();

private:
  void declareSupport();
  void lowerFunction(func::FuncOp function);
  void lowerBlock(Block *block);
  /// Lowers `op`, the last of its block so far; returns the block in which to go on.
  Block *lower(Operation *op);
  Block *lowerSwitch(heap::SwitchOp op);
  void lowerTerminator(Operation *op);
  /// Ends the block at hand: fails, or goes on in the block returned.
  Block *failIf(Value condition, Value status, ValueRange cleanup);
  void emitReturn(Value status) { b.create<func::ReturnOp>(loc, status); }
  Value number(int32_t value) {
    return b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(value));
  }
  Value word(int64_t value) { return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(value)); }
  Value half(int64_t value) { return b.create<arith::ConstantOp>(loc, b.getI16IntegerAttr(value)); }
  Value call(StringRef name, ValueRange args) {
    auto callee = module.lookupSymbol<func::FuncOp>(name);
    auto made = b.create<func::CallOp>(loc, callee, args);
    return made.getNumResults() ? made.getResult(0) : Value();
  }
  Value heapOf() { return b.create<LLVM::LoadOp>(loc, pointer, runArgument); }
  Value offset(Value block, int64_t bytes) {
    return b.create<LLVM::GEPOp>(loc, pointer, b.getI8Type(), block, ArrayRef<LLVM::GEPArg>(bytes));
  }
  static int64_t scalarsAt(uint64_t pointers) {
    return heap::headerBytes + 8 * static_cast<int64_t>(pointers);
  }
  Type convert(Type type) { return isa<heap::BlockType>(type) ? Type(pointer) : type; }
  Value slot(Type type, int64_t count);

  ModuleOp module;
  OpBuilder b;
  Location loc = UnknownLoc::get(module.getContext());
  Type pointer;
  func::FuncOp function;
  Block *entry = nullptr, *head = nullptr;
  Value runArgument;
  SmallVector<Value> resultPlaces;
  SmallVector<Block *> work;
};

} // namespace

void HeapLowering::declareSupport() {
  Type i1 = b.getI1Type(), i16 = b.getI16Type(), i32 = b.getI32Type(), i64 = b.getI64Type();
  b.setInsertionPointToStart(module.getBody());
  auto declare = [&](StringRef name, ArrayRef<Type> params, ArrayRef<Type> results) {
    b.create<func::FuncOp>(loc, name, b.getFunctionType(params, results)).setPrivate();
  };
  declare("ingot_allocate", {pointer, i64, i16, i16}, {pointer});
  declare("ingot_reuse", {pointer, pointer, i64, i16, i16}, {pointer});
  declare("ingot_tag", {pointer}, {i32});
  declare("ingot_retain", {pointer}, {});
  declare("ingot_release", {pointer, pointer}, {});
  declare("ingot_is_unique", {pointer}, {i1});
  declare("ingot_is_stack_used_up", {pointer}, {i1});
}

/// Memory of the function's own, in its first block.
Value HeapLowering::slot(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  return b.create<LLVM::AllocaOp>(loc, pointer, type, word(count), /*alignment=*/16);
}

Block *HeapLowering::failIf(Value condition, Value status, ValueRange cleanup) {
  Block *here = b.getInsertionBlock(), *bad = new Block, *rest = new Block;
  auto &blocks = function.getBody().getBlocks();
  blocks.insertAfter(here->getIterator(), rest);
  blocks.insertAfter(here->getIterator(), bad);
  b.setInsertionPointToEnd(here);
  b.create<cf::CondBranchOp>(loc, condition, bad, ValueRange(), rest, ValueRange());
  b.setInsertionPointToEnd(bad);
  for (Value block : cleanup)
    call("ingot_release", {heapOf(), block});
  emitReturn(status);
  b.setInsertionPointToEnd(rest);
  return rest;
}

Block *HeapLowering::lowerSwitch(heap::SwitchOp op) {
  Block *here = op->getBlock(), *rest = new Block;
  function.getBody().getBlocks().insertAfter(here->getIterator(), rest);
  for (Value result : op.getResults()) {
    BlockArgument argument = rest->addArgument(convert(result.getType()), loc);
    result.replaceAllUsesWith(argument);
  }
  SmallVector<Block *> targets;
  for (Region &region : op.getRegions()) {
    Block *body = &region.front();
    function.getBody().getBlocks().splice(rest->getIterator(), region.getBlocks());
    targets.push_back(body);
    if (auto yield = dyn_cast<heap::YieldOp>(body->getTerminator())) {
      b.setInsertionPoint(yield);
      b.create<cf::BranchOp>(loc, rest, yield.getValues());
      yield.erase();
    }
    work.push_back(body);
  }
  b.setInsertionPoint(op);
  Value value = op.getValue();
  ArrayRef<int64_t> cases = op.getCases();
  if (targets.size() == 1) {
    b.create<cf::BranchOp>(loc, targets[0]);
  } else if (value.getType().isInteger(1)) {
    b.create<cf::CondBranchOp>(loc, value, targets[0], targets[1]);
  } else {
    SmallVector<int32_t> numbers(cases.begin(), cases.end());
    SmallVector<ValueRange> none(numbers.size());
    b.create<cf::SwitchOp>(loc, value, targets.back(), ValueRange(), ArrayRef(numbers),
                           ArrayRef(targets).drop_back(), none);
  }
  op.erase();
  return rest;
}

void HeapLowering::lowerTerminator(Operation *op) {
  b.setInsertionPoint(op);
  if (auto returned = dyn_cast<heap::ReturnOp>(op)) {
    for (auto [value, place] : llvm::zip(returned.getValues(), resultPlaces))
      b.create<LLVM::StoreOp>(loc, value, place);
    emitReturn(number(0));
  } else if (auto jump = dyn_cast<heap::JumpOp>(op)) {
    b.create<cf::BranchOp>(loc, head, jump.getValues());
  } else if (auto fail = dyn_cast<heap::FailOp>(op)) {
    for (Value block : fail.getCleanup())
      call("ingot_release", {heapOf(), block});
    emitReturn(number(NoMatch));
  } else {
    b.create<LLVM::UnreachableOp>(loc);
  }
  op->erase();
}

Block *HeapLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  Block *block = op->getBlock();
  auto replace = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  if (auto branch = dyn_cast<heap::SwitchOp>(op))
    return lowerSwitch(branch);
  if (auto allocate = dyn_cast<heap::AllocateOp>(op)) {
    int64_t at = allocate.getTensor() ? heap::tensorOffset : scalarsAt(allocate.getPointers());
    SmallVector<Value> args{heapOf()};
    // Operands are pointers by now, which typed accessors would refuse.
    ValueRange reuse = allocate.getODSOperands(0);
    llvm::append_range(args, reuse);
    args.append({word(at + static_cast<int64_t>(allocate.getBytes())), half(allocate.getTag()),
                 half(allocate.getPointers())});
    Value made = call(reuse.empty() ? "ingot_allocate" : "ingot_reuse", args);
    Value none = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, made,
                                        b.create<LLVM::ZeroOp>(loc, pointer));
    Block *rest = failIf(none, number(OutOfMemory), allocate.getCleanup());
    replace(made);
    return rest;
  }
  if (auto guard = dyn_cast<heap::GuardOp>(op)) {
    Value over = call("ingot_is_stack_used_up", {runArgument});
    Block *rest = failIf(over, number(StackExhausted), guard.getCleanup());
    op->erase();
    return rest;
  }
  if (auto callOp = dyn_cast<heap::CallOp>(op)) {
    SmallVector<Value> args{runArgument}, slots;
    llvm::append_range(args, callOp.getArgs());
    for (Value result : callOp.getResults()) {
      slots.push_back(slot(convert(result.getType()), 1));
      args.push_back(slots.back());
    }
    Value status =
        b.create<func::CallOp>(loc, callOp.getCallee(), b.getI32Type(), args).getResult(0);
    Value isBad = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, status, number(0));
    Block *rest = failIf(isBad, status, callOp.getCleanup());
    for (auto [result, place] : llvm::zip(callOp.getResults(), slots))
      result.replaceAllUsesWith(
          b.create<LLVM::LoadOp>(loc, convert(result.getType()), place).getResult());
    op->erase();
    return rest;
  }
  if (auto immediate = dyn_cast<heap::ImmediateOp>(op)) {
    replace(b.create<LLVM::IntToPtrOp>(loc, pointer,
                                       word(2 * static_cast<int64_t>(immediate.getTag()) + 1)));
  } else if (isa<heap::NullOp>(op)) {
    replace(b.create<LLVM::ZeroOp>(loc, pointer));
  } else if (auto tag = dyn_cast<heap::TagOp>(op)) {
    if (tag.getImmediates())
      replace(call("ingot_tag", op->getOperand(0)));
    else
      replace(b.create<LLVM::ZExtOp>(
          loc, b.getI32Type(),
          b.create<LLVM::LoadOp>(loc, b.getI16Type(), offset(op->getOperand(0), 4))));
  } else if (auto load = dyn_cast<heap::LoadBlockOp>(op)) {
    replace(b.create<LLVM::LoadOp>(loc, pointer,
                                   offset(op->getOperand(0), scalarsAt(load.getIndex()))));
  } else if (auto store = dyn_cast<heap::StoreBlockOp>(op)) {
    b.create<LLVM::StoreOp>(loc, op->getOperand(0),
                            offset(op->getOperand(1), scalarsAt(store.getIndex())));
    op->erase();
  } else if (auto load = dyn_cast<heap::LoadOp>(op)) {
    Value place = offset(op->getOperand(0),
                         scalarsAt(load.getPointers()) + static_cast<int64_t>(load.getOffset()));
    if (load.getType().isInteger(1))
      replace(b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                      b.create<LLVM::LoadOp>(loc, b.getI8Type(), place),
                                      b.create<arith::ConstantOp>(loc, b.getI8IntegerAttr(0))));
    else
      replace(b.create<LLVM::LoadOp>(loc, load.getType(), place));
  } else if (auto store = dyn_cast<heap::StoreOp>(op)) {
    Value value = op->getOperand(0);
    if (value.getType().isInteger(1))
      value = b.create<arith::ExtUIOp>(loc, b.getI8Type(), value);
    b.create<LLVM::StoreOp>(loc, value,
                            offset(op->getOperand(1), scalarsAt(store.getPointers()) +
                                                          static_cast<int64_t>(store.getOffset())));
    op->erase();
  } else if (auto data = dyn_cast<heap::DataOp>(op)) {
    replace(offset(op->getOperand(0), heap::tensorOffset));
  } else if (auto scratch = dyn_cast<heap::ScratchOp>(op)) {
    replace(slot(scratch.getType().getElementType(), scratch.getType().getNumElements()));
  } else if (auto retain = dyn_cast<heap::RetainOp>(op)) {
    call("ingot_retain", op->getOperand(0));
    op->erase();
  } else if (auto release = dyn_cast<heap::ReleaseOp>(op)) {
    call("ingot_release", {heapOf(), op->getOperand(0)});
    op->erase();
  } else if (auto unique = dyn_cast<heap::IsUniqueOp>(op)) {
    replace(call("ingot_is_unique", op->getOperand(0)));
  } else if (auto decrement = dyn_cast<heap::DecrementOp>(op)) {
    Value count = b.create<LLVM::LoadOp>(loc, b.getI32Type(), op->getOperand(0));
    b.create<LLVM::StoreOp>(loc, b.create<arith::SubIOp>(loc, count, number(1)), op->getOperand(0));
    op->erase();
  } else if (auto empty = dyn_cast<heap::EmptyOp>(op)) {
    b.create<LLVM::StoreOp>(loc, half(0), offset(op->getOperand(0), 6));
    op->erase();
  }
  return block;
}

void HeapLowering::lowerBlock(Block *block) {
  for (BlockArgument argument : block->getArguments())
    argument.setType(convert(argument.getType()));
  // Each operation is moved once, into the block that is being written.
  Block source;
  source.getOperations().splice(source.end(), block->getOperations());
  while (!source.empty()) {
    Operation *op = &source.front();
    op->moveBefore(block, block->end());
    if (!isa<heap::HeapDialect>(op->getDialect()))
      continue;
    if (op->hasTrait<OpTrait::IsTerminator>())
      lowerTerminator(op);
    else
      block = lower(op);
  }
}

void HeapLowering::lowerFunction(func::FuncOp f) {
  function = f;
  head = &function.getBody().front();
  entry = new Block;
  SmallVector<Type> types{pointer};
  for (Type type : function.getArgumentTypes())
    types.push_back(convert(type));
  size_t params = function.getNumArguments();
  types.append(function.getNumResults(), pointer);
  function.getBody().push_front(entry);
  for (Type type : types)
    entry->addArgument(type, loc);
  runArgument = entry->getArgument(0);
  resultPlaces.assign(entry->args_begin() + 1 + params, entry->args_end());
  function->removeAttr("arg_attrs");
  function->removeAttr("res_attrs");
  function.setFunctionType(b.getFunctionType(types, b.getI32Type()));
  b.setInsertionPointToEnd(entry);
  b.create<cf::BranchOp>(loc, head, entry->getArguments().slice(1, params));
  work = {head};
  while (!work.empty())
    lowerBlock(work.pop_back_val());
}

void HeapLowering::run() {
  SmallVector<func::FuncOp> functions;
  for (auto f : module.getOps<func::FuncOp>())
    if (f->hasAttr(heap::functionAttr))
      functions.push_back(f);
  if (functions.empty())
    return;
  declareSupport();
  for (func::FuncOp f : functions) {
    lowerFunction(f);
    f->removeAttr(heap::functionAttr);
  }
  for (auto type : llvm::make_early_inc_range(module.getOps<DataTypeOp>()))
    type.erase();
}

void lowerHeap(ModuleOp module) { HeapLowering(module).run(); }

} // namespace ingot
