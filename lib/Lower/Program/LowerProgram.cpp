//===- LowerProgram.cpp - From programs with data to blocks and functions ---------------------===//

#include "Lower/Program/LowerProgram.h"
#include "Dialect/ModelInterface.h"
#include "Lower/Buffers.h"
#include "Lower/Program/FunctionLowering.h"
#include "Lower/Program/TailCalls.h"
#include "Operators/AllFamilies.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ingot {

bool isProgram(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.getName() != "main")
      return true;
    bool hasMore = function
                       .walk([](Operation *inner) {
                         return isa<CallOp, ApplyOp, ClosureOp, ConstructOp, MatchOp, NewRefOp,
                                    ReadRefOp, WriteRefOp, FailOp>(inner)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (hasMore)
      return true;
  }
  return false;
}

namespace {

/// Builds @entry around the lowered @main: tensors are in the caller's memory, data belongs to the
/// caller.
class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, func::FuncOp source, func::FuncOp lowered,
               const Ownership &ownership)
      : module(module), source(source), lowered(lowered), ownership(ownership),
        b(module.getContext()), loc(source.getLoc()) {}

  void run();

private:
  Value copyIn(Value buffer, RankedTensorType type, ArrayRef<Value> owned);
  Value load(Value buffer, Type scalar);

  ModuleOp module;
  func::FuncOp source, lowered;
  const Ownership &ownership;
  OpBuilder b;
  Location loc;
};

} // namespace

Value EntryBuilder::load(Value buffer, Type scalar) {
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
  Value value = b.create<memref::LoadOp>(loc, buffer, zero);
  if (!scalar.isInteger(1))
    return value;
  return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value,
                                 b.create<arith::ConstantOp>(loc, b.getI8IntegerAttr(0)));
}

Value EntryBuilder::copyIn(Value buffer, RankedTensorType type, ArrayRef<Value> owned) {
  MemRefType memory = bufferType(type);
  int64_t bytes = memory.getNumElements() * (memory.getElementTypeBitWidth() / 8);
  Value block = b.create<heap::AllocateOp>(loc, heap::BlockType::get(b.getContext()), 0, 0, bytes,
                                           /*tensor=*/true, Value(), owned);
  copyAll(b, loc, buffer, b.create<heap::DataOp>(loc, memory, block));
  return block;
}

void EntryBuilder::run() {
  Type blockType = heap::BlockType::get(b.getContext());
  auto portType = [&](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? Type(bufferType(tensor)) : blockType;
  };
  // Inputs, then the memory of tensors that come out; data comes out as results.
  SmallVector<Type> params(llvm::map_range(source.getArgumentTypes(), portType)), results;
  for (Type type : source.getResultTypes()) {
    if (isa<RankedTensorType>(type))
      params.push_back(portType(type));
    else
      results.push_back(blockType);
  }
  b.setInsertionPointToEnd(module.getBody());
  auto entry = b.create<func::FuncOp>(loc, "entry", b.getFunctionType(params, results));
  entry.setPrivate();
  entry->setAttr(heap::functionAttr, b.getUnitAttr());
  Block *body = entry.addEntryBlock();
  b.setInsertionPointToStart(body);
  SmallVector<Value> args, releases;
  // The generators learn names and types from here.
  auto describe = [&](function_ref<void(StringRef, Attribute)> set, StringRef name, Type type) {
    set("ingot.name", b.getStringAttr(name));
    set("ingot.type", TypeAttr::get(type));
  };
  for (auto [i, type] : llvm::enumerate(source.getArgumentTypes())) {
    auto named = dyn_cast<NameLoc>(source.getArgument(i).getLoc());
    describe([&](StringRef key, Attribute attr) { entry.setArgAttr(i, key, attr); },
             named ? named.getName().getValue() : StringRef("input"), type);
    Value port = body->getArgument(i);
    if (!isCounted(type)) {
      args.push_back(load(port, scalarType(type)));
      continue;
    }
    bool isOwned = ownership.isOwned("main", i);
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      args.push_back(copyIn(port, tensor, releases));
      releases.push_back(args.back());
    } else {
      args.push_back(port);
      if (isOwned) {
        b.create<heap::RetainOp>(loc, port);
        releases.push_back(port);
      }
    }
  }
  // What @main takes over is no longer to be released here.
  SmallVector<Value> cleanup;
  for (auto [i, type] : llvm::enumerate(source.getArgumentTypes()))
    if (isCounted(type) && isa<RankedTensorType>(type) && !ownership.isOwned("main", i))
      cleanup.push_back(args[i]);
  auto call = b.create<heap::CallOp>(loc, lowered.getResultTypes(), "main", args, cleanup);
  for (Value each : cleanup)
    b.create<heap::ReleaseOp>(loc, each);
  SmallVector<Value> returned;
  size_t next = source.getNumArguments();
  for (auto [i, type] : llvm::enumerate(source.getResultTypes())) {
    Value value = call.getResult(i);
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::string name = "output";
    if (source.getNumResults() > 1)
      name += "_" + std::to_string(i);
    if (!tensor) {
      describe(
          [&](StringRef key, Attribute attr) { entry.setResultAttr(returned.size(), key, attr); },
          name, type);
      returned.push_back(value);
      continue;
    }
    describe([&](StringRef key, Attribute attr) { entry.setArgAttr(next, key, attr); }, name, type);
    Value memory = body->getArgument(next);
    entry.setArgAttr(next++, "ingot.write", b.getUnitAttr());
    if (isCounted(type)) {
      copyAll(b, loc, b.create<heap::DataOp>(loc, bufferType(tensor), value), memory);
      b.create<heap::ReleaseOp>(loc, value);
      continue;
    }
    if (value.getType().isInteger(1))
      value = b.create<arith::ExtUIOp>(loc, b.getI8Type(), value);
    b.create<memref::StoreOp>(loc, value, memory,
                              ValueRange(b.create<arith::ConstantIndexOp>(loc, 0)));
  }
  b.create<heap::ReturnOp>(loc, returned);
}

/// Recursion that stays recursion must not run out of stack.
static void addGuard(func::FuncOp function, const Ownership &ownership) {
  StringRef name = function.getName();
  bool isRecursive = function
                         .walk([&](heap::CallOp call) {
                           return ownership.isRecursive(name, call.getCallee())
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  if (!isRecursive)
    return;
  SmallVector<Value> cleanup;
  for (BlockArgument argument : function.getArguments())
    if (isa<heap::BlockType>(argument.getType()) &&
        ownership.isOwned(name, argument.getArgNumber()))
      cleanup.push_back(argument);
  OpBuilder b(function.getBody());
  b.create<heap::GuardOp>(function.getLoc(), cleanup);
}

LogicalResult lowerProgram(ModuleOp module, const TargetInfo &target) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect,
                    heap::HeapDialect>();
  Ownership ownership(module);
  ProgramContext context(module, target, ownership);
  for (auto function : module.getOps<func::FuncOp>())
    context.names.reserve(function.getName());
  SmallVector<std::pair<func::FuncOp, func::FuncOp>> pairs;
  for (func::FuncOp source : SmallVector<func::FuncOp>(module.getOps<func::FuncOp>())) {
    auto lowered = FunctionLowering(context, source).run();
    if (failed(lowered))
      return failure();
    pairs.push_back({source, *lowered});
  }
  for (auto [source, lowered] : pairs)
    if (source.getName() == "main")
      EntryBuilder(module, source, lowered, ownership).run();
  for (auto [source, lowered] : pairs) {
    std::string name = source.getName().str();
    source.erase();
    lowered.setName(name);
  }
  resolveTailCalls(module);
  for (func::FuncOp lowered : llvm::make_second_range(pairs))
    addGuard(lowered, ownership);
  mergeTailCalls(module, context.names);
  return success();
}

} // namespace ingot
