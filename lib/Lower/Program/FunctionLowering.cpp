//===- FunctionLowering.cpp - One function of a program
//----------------------------------------===//

#include "Lower/Program/FunctionLowering.h"
#include "Operators/AllFamilies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace ingot {

using heap::BlockType;

FunctionLowering::FunctionLowering(ProgramContext &program, func::FuncOp source)
    : program(program), source(source), b(program.module.getContext()), current(source.getLoc()) {}

static Type loweredType(Type type) {
  return isCounted(type) ? Type(BlockType::get(type.getContext())) : scalarType(type);
}

FailureOr<func::FuncOp> FunctionLowering::run() {
  auto lowerTypes = [](ArrayRef<Type> types) { return llvm::map_to_vector(types, loweredType); };
  b.setInsertionPoint(source);
  function = b.create<func::FuncOp>(source.getLoc(), (source.getName() + ".lowered").str(),
                                    b.getFunctionType(lowerTypes(source.getArgumentTypes()),
                                                      lowerTypes(source.getResultTypes())));
  function.setPrivate();
  function->setAttr(heap::functionAttr, b.getUnitAttr());
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  Block &block = source.getBody().front();
  for (auto [from, to] : llvm::zip(block.getArguments(), body->getArguments()))
    lowered[from] = to;
  SmallVector<Value> taken;
  for (BlockArgument argument : block.getArguments())
    if (isCounted(argument.getType()) &&
        program.ownership.isOwned(source.getName(), argument.getArgNumber())) {
      owned.values.insert(argument);
      taken.push_back(argument);
    }
  for (Value argument : taken)
    track(argument, block);
  if (failed(lowerBlock(block, /*isTail=*/true)))
    return failure();
  return function;
}

LogicalResult FunctionLowering::lowerBlock(Block &block, bool isTail) {
  for (Operation &op : block.without_terminator()) {
    current = op.getLoc();
    if (isa<FailOp>(op)) {
      b.create<heap::FailOp>(loc(), cleanup());
      return success();
    }
    bool isLast = isTail && op.getNextNode() == block.getTerminator() &&
                  llvm::equal(block.getTerminator()->getOperands(), op.getResults());
    if (failed(lowerOp(op, isLast)))
      return failure();
    // What ends in the last place has ended the function.
    if (Block *into = b.getInsertionBlock();
        !into->empty() && into->back().hasTrait<OpTrait::IsTerminator>())
      return success();
    releaseDead(&op);
  }
  current = block.getTerminator()->getLoc();
  lowerTerminator(block.getTerminator(), isTail);
  return success();
}

LogicalResult FunctionLowering::lowerOp(Operation &op, bool isTail) {
  // Reshaped tensors and constants are found where they are used.
  if (isa<ReshapeOp, ConstantOp>(op))
    return success();
  if (auto group = dyn_cast<GroupOp>(op))
    return lowerGroup(group);
  if (auto branch = dyn_cast<IfOp>(op))
    return lowerRegions(&op, scalarOf(branch.getCondition()), {1}, op.getRegions(), isTail,
                        [](unsigned) {});
  if (auto match = dyn_cast<MatchOp>(op))
    return lowerMatch(match, isTail);
  if (auto call = dyn_cast<CallOp>(op))
    lowerCall(call, isTail);
  else if (auto construct = dyn_cast<ConstructOp>(op))
    lowerConstruct(construct);
  else if (isa<NewRefOp, ReadRefOp, WriteRefOp>(op))
    lowerRef(&op);
  else
    return op.emitError("this operator cannot stand in a function of a program when lowering");
  return success();
}

//===----------------------------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------------------------===//

LogicalResult FunctionLowering::lowerRegions(Operation *op, Value selector, ArrayRef<int64_t> cases,
                                             MutableArrayRef<Region> regions, bool isTail,
                                             function_ref<void(unsigned)> begin) {
  SmallVector<Type> results;
  if (!isTail)
    results = llvm::map_to_vector(op->getResultTypes(), loweredType);
  auto branch = b.create<heap::SwitchOp>(loc(), results, selector, b.getDenseI64ArrayAttr(cases),
                                         regions.size());
  Owned before = owned;
  bool passesSpare = op->getNextNode() == op->getBlock()->getTerminator();
  for (auto [i, region] : llvm::enumerate(regions)) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&branch.getRegions()[i]);
    owned = before;
    for (Value v : owned.values)
      if (!dies(v, op))
        owned.pinned.insert(v);
    if (!passesSpare)
      owned.hiddenSpare = owned.spare.size();
    begin(i);
    SmallVector<Value> dying;
    for (Value v : owned.values)
      if (dies(v, op) && !before.pinned.contains(v))
        dying.push_back(v);
    for (Value v : dying)
      track(v, region.front());
    if (failed(lowerBlock(region.front(), isTail)))
      return failure();
  }
  owned = std::move(before);
  owned.values.remove_if([&](Value v) { return dies(v, op); });
  if (passesSpare)
    owned.spare.clear();
  if (isTail) {
    b.create<heap::EndOp>(loc());
    return success();
  }
  for (auto [result, value] : llvm::zip(op->getResults(), branch.getResults())) {
    if (isCounted(result.getType()))
      define(result, value);
    else
      lowered[result] = value;
  }
  return success();
}

LogicalResult FunctionLowering::lowerMatch(MatchOp op, bool isTail) {
  DataTypeOp type = program.ownership.dataType(op.getValue().getType());
  size_t constructors = type.getConstructors().size();
  Value block = lowered.lookup(op.getValue());
  bool hasImmediates = false, hasBlocks = false;
  for (size_t tag = 0; tag < constructors; ++tag)
    (type.fieldsOf(tag).empty() ? hasImmediates : hasBlocks) = true;
  // The last region needs no test where the others leave only it.
  ArrayRef<int64_t> cases = op.getTags();
  if (op.getCases().size() == cases.size())
    cases = cases.drop_back();
  Value tag;
  if (cases.empty()) {
    tag = b.create<arith::ConstantOp>(loc(), b.getI32IntegerAttr(0));
  } else {
    auto read = b.create<heap::TagOp>(loc(), b.getI32Type(), block, hasImmediates, hasBlocks);
    tag = read;
  }
  return lowerRegions(op, tag, cases, op.getCases(), isTail,
                      [&](unsigned i) { beginCase(op, i, block); });
}

/// Gives the fields of the case their values: moved out of the matched value if this is its end and
/// owning them saves work, else borrowed from it.
void FunctionLowering::beginCase(MatchOp op, unsigned index, Value block) {
  Region &region = op.getCases()[index];
  Value matched = op.getValue();
  bool isEnd = isOwned(matched) && dies(matched, op) && !owned.pinned.contains(matched);
  if (index >= op.getTags().size())
    return;
  DataTypeOp type = program.ownership.dataType(matched.getType());
  BlockLayout layout(type.fieldsOf(op.getTags()[index]));
  SmallVector<BlockArgument> parts;
  auto load = [&](BlockArgument field, const BlockLayout::Field &at) -> Value {
    if (at.isBlock)
      return b.create<heap::LoadBlockOp>(loc(), block.getType(), block, at.position);
    return b.create<heap::LoadOp>(loc(), at.type, block, layout.pointers, at.position);
  };
  for (auto [field, at] : llvm::zip(region.getArguments(), layout.fields)) {
    if (field.use_empty())
      continue;
    lowered[field] = load(field, at);
    if (at.isBlock)
      parts.push_back(field);
  }
  bool isUsedInside = llvm::any_of(matched.getUsers(), [&](Operation *user) {
    return region.isAncestor(user->getParentRegion());
  });
  if (!isEnd || isUsedInside)
    return;
  if (layout.isEmpty()) {
    // An immediate.
    owned.values.remove(matched);
    return;
  }
  bool mayReuse = program.ownership.canReuse(region, layout);
  bool isWorthwhile = mayReuse || llvm::any_of(parts, [&](BlockArgument field) {
                        return program.ownership.wantsOwnership(field);
                      });
  if (!isWorthwhile)
    return;
  consuming.insert(&region);
  owned.values.remove(matched);
  Value isUnique = b.create<heap::IsUniqueOp>(loc(), b.getI1Type(), block);
  SmallVector<Type> results;
  if (mayReuse)
    results.push_back(block.getType());
  auto branch = b.create<heap::SwitchOp>(loc(), results, isUnique, b.getDenseI64ArrayAttr({1}), 2);
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&branch.getRegions()[0]);
    for (auto [field, at] : llvm::zip(region.getArguments(), layout.fields))
      if (at.isBlock && field.use_empty())
        b.create<heap::ReleaseOp>(
            loc(), b.create<heap::LoadBlockOp>(loc(), block.getType(), block, at.position));
    if (layout.pointers)
      b.create<heap::EmptyOp>(loc(), block);
    if (mayReuse) {
      b.create<heap::YieldOp>(loc(), block);
    } else {
      b.create<heap::ReleaseOp>(loc(), block);
      b.create<heap::YieldOp>(loc(), ValueRange());
    }
    b.createBlock(&branch.getRegions()[1]);
    for (BlockArgument field : parts)
      b.create<heap::RetainOp>(loc(), lowered[field]);
    b.create<heap::DecrementOp>(loc(), block);
    SmallVector<Value> none;
    if (mayReuse)
      none.push_back(b.create<heap::NullOp>(loc(), block.getType()));
    b.create<heap::YieldOp>(loc(), none);
  }
  if (mayReuse)
    owned.spare.push_back({branch.getResult(0), layout});
  for (BlockArgument field : parts)
    owned.values.insert(field);
  for (BlockArgument field : parts)
    track(field, region.front());
}

void FunctionLowering::lowerCall(CallOp op, bool isTail) {
  SmallVector<Value> args, temporaries, made = allocateConstants(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value v = operand.get(), constant = made[operand.getOperandNumber()];
    if (!isCounted(v.getType())) {
      args.push_back(scalarOf(v));
    } else if (program.ownership.isOwned(op.getCallee(), operand.getOperandNumber())) {
      args.push_back(take(operand, constant));
    } else {
      args.push_back(constant ? constant : lowered.lookup(storageRoot(v)));
      if (constant)
        temporaries.push_back(constant);
    }
  }
  if (isTail && owned.values.empty() &&
      program.ownership.isRecursive(source.getName(), op.getCallee())) {
    freeSpare(0);
    b.create<heap::TailCallOp>(loc(), op.getCallee(), args);
    return;
  }
  // Moved arguments belong to the callee from here on, also when it fails.
  auto call = b.create<heap::CallOp>(loc(), llvm::map_to_vector(op.getResultTypes(), loweredType),
                                     op.getCallee(), args, cleanup());
  for (Value temporary : temporaries)
    release(temporary);
  for (auto [result, value] : llvm::zip(op.getResults(), call.getResults())) {
    if (isCounted(result.getType()))
      define(result, value);
    else
      lowered[result] = value;
  }
}

void FunctionLowering::lowerTerminator(Operation *terminator, bool isTail) {
  SmallVector<Value> values, made = allocateConstants(terminator);
  for (auto [operand, constant] : llvm::zip(terminator->getOpOperands(), made))
    values.push_back(isCounted(operand.get().getType()) ? take(operand, constant)
                                                        : scalarOf(operand.get()));
  SmallVector<Value> left;
  for (Value v : owned.values)
    if (!owned.pinned.contains(v))
      left.push_back(v);
  for (Value v : left)
    release(v);
  freeSpare(owned.hiddenSpare);
  if (isTail)
    b.create<heap::ReturnOp>(loc(), values);
  else
    b.create<heap::YieldOp>(loc(), values);
}

//===----------------------------------------------------------------------------------------===//
// Data and references
//===----------------------------------------------------------------------------------------===//

Value FunctionLowering::allocate(const BlockLayout &layout, int64_t tag, bool mayReuse) {
  Value reuse;
  for (size_t i = owned.spare.size(); mayReuse && i-- > owned.hiddenSpare;)
    if (owned.spare[i].second.hasSizeOf(layout)) {
      reuse = owned.spare[i].first;
      owned.spare.erase(owned.spare.begin() + i);
      break;
    }
  return b.create<heap::AllocateOp>(loc(), BlockType::get(b.getContext()), tag, layout.pointers,
                                    layout.bytes, /*tensor=*/false, reuse, cleanup());
}

/// Blocks that hold the constants among the operands of `op`, owned from here on, and null for
/// other operands: to be called before any of them is taken, as memory may run out.
SmallVector<Value> FunctionLowering::allocateConstants(Operation *op) {
  SmallVector<Value> blocks;
  for (Value v : op->getOperands()) {
    Value &block = blocks.emplace_back();
    if (!isCounted(v.getType()))
      continue;
    if (auto constant = storageRoot(v).getDefiningOp<ConstantOp>()) {
      block = constantBlock(constant);
      lowered[block] = block;
      owned.values.insert(block);
    }
  }
  return blocks;
}

/// Moves or copies what `operands` hold into a block, whose fields they are.
void FunctionLowering::fill(Value block, const BlockLayout &layout,
                            MutableArrayRef<OpOperand> operands, ArrayRef<Value> constants) {
  for (auto [operand, constant, at] : llvm::zip(operands, constants, layout.fields)) {
    if (at.isBlock)
      b.create<heap::StoreBlockOp>(loc(), take(operand, constant), block, at.position);
    else
      b.create<heap::StoreOp>(loc(), scalarOf(operand.get()), block, layout.pointers, at.position);
  }
}

void FunctionLowering::lowerConstruct(ConstructOp op) {
  BlockLayout layout(SmallVector<Type>(op.getFields().getTypes()));
  if (layout.isEmpty()) {
    lowered[op.getResult()] =
        b.create<heap::ImmediateOp>(loc(), BlockType::get(b.getContext()), op.getTag());
    return;
  }
  SmallVector<Value> made = allocateConstants(op);
  Value block = allocate(layout, op.getTag(), /*mayReuse=*/true);
  fill(block, layout, op->getOpOperands(), made);
  define(op.getResult(), block);
}

void FunctionLowering::lowerRef(Operation *op) {
  auto contentsOf = [](TypeRange types) { return BlockLayout(SmallVector<Type>(types)); };
  if (auto made = dyn_cast<NewRefOp>(op)) {
    BlockLayout layout = contentsOf(made.getContents().getTypes());
    SmallVector<Value> constants = allocateConstants(op);
    Value block = allocate(layout, 0, /*mayReuse=*/true);
    fill(block, layout, op->getOpOperands(), constants);
    define(made.getResult(), block);
    return;
  }
  if (auto read = dyn_cast<ReadRefOp>(op)) {
    BlockLayout layout = contentsOf(read.getContents().getTypes());
    Value block = lowered.lookup(read.getRef());
    for (auto [result, at] : llvm::zip(read.getContents(), layout.fields)) {
      if (!at.isBlock) {
        lowered[result] =
            b.create<heap::LoadOp>(loc(), at.type, block, layout.pointers, at.position);
        continue;
      }
      Value part = b.create<heap::LoadBlockOp>(loc(), block.getType(), block, at.position);
      b.create<heap::RetainOp>(loc(), part);
      define(result, part);
    }
    return;
  }
  auto write = cast<WriteRefOp>(op);
  BlockLayout layout = contentsOf(write.getContents().getTypes());
  Value block = lowered.lookup(write.getRef());
  SmallVector<Value> old, made = allocateConstants(op);
  for (const BlockLayout::Field &at : layout.fields)
    if (at.isBlock)
      old.push_back(b.create<heap::LoadBlockOp>(loc(), block.getType(), block, at.position));
  fill(block, layout, op->getOpOperands().drop_front(), ArrayRef(made).drop_front());
  for (Value each : old)
    b.create<heap::ReleaseOp>(loc(), each);
}

//===----------------------------------------------------------------------------------------===//
// Ownership
//===----------------------------------------------------------------------------------------===//

void FunctionLowering::collectUsers(Value v, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : v.getUsers()) {
    users.push_back(user);
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      collectUsers(reshape.getResult(), users);
    auto match = dyn_cast<MatchOp>(user);
    if (!match)
      continue;
    for (Region &region : match.getCases())
      if (!consuming.contains(&region))
        for (BlockArgument field : region.getArguments())
          if (isCounted(field.getType()))
            collectUsers(field, users);
  }
}

void FunctionLowering::track(Value v, Block &block) {
  SmallVector<Operation *> users;
  collectUsers(v, users);
  Operation *last = nullptr;
  for (Operation *user : users) {
    Operation *here = block.findAncestorOpInBlock(*user);
    // A view is used where it is used itself.
    if (!here || isa<ReshapeOp>(here))
      continue;
    if (!last || last->isBeforeInBlock(here))
      last = here;
  }
  if (last)
    deaths[last].push_back(v);
  else
    release(v);
}

bool FunctionLowering::dies(Value root, Operation *op) const {
  auto it = deaths.find(op);
  return it != deaths.end() && llvm::is_contained(it->second, root);
}

/// True if `op` has another operand in the same block, or in one that `root` keeps alive, which it
/// only borrows.
static bool isBorrowedToo(Value root, Operation *op, const Ownership &ownership) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isCounted(operand.get().getType()) || ownership.isConsuming(operand))
      return false;
    Value v = storageRoot(operand.get());
    while (true) {
      if (v == root)
        return true;
      auto argument = dyn_cast<BlockArgument>(v);
      auto match = argument ? dyn_cast<MatchOp>(argument.getOwner()->getParentOp()) : MatchOp();
      if (!match)
        return false;
      v = storageRoot(match.getValue());
    }
  });
}

Value FunctionLowering::take(OpOperand &operand, Value constant) {
  if (constant) {
    owned.values.remove(constant);
    return constant;
  }
  Operation *op = operand.getOwner();
  Value root = storageRoot(operand.get());
  Value block = lowered.lookup(root);
  if (block.getDefiningOp<heap::ImmediateOp>())
    return block;
  if (isOwned(root) && dies(root, op) && !owned.pinned.contains(root) &&
      !isBorrowedToo(root, op, program.ownership)) {
    owned.values.remove(root);
    return block;
  }
  b.create<heap::RetainOp>(loc(), block);
  return block;
}

void FunctionLowering::release(Value root) {
  b.create<heap::ReleaseOp>(loc(), lowered.lookup(root));
  owned.values.remove(root);
}

void FunctionLowering::releaseDead(Operation *op) {
  auto it = deaths.find(op);
  if (it == deaths.end())
    return;
  for (Value v : SmallVector<Value>(it->second))
    if (isOwned(v) && !owned.pinned.contains(v))
      release(v);
}

SmallVector<Value> FunctionLowering::cleanup() const {
  SmallVector<Value> blocks;
  for (Value v : owned.values)
    blocks.push_back(lowered.lookup(v));
  for (auto &[block, layout] : owned.spare)
    blocks.push_back(block);
  return blocks;
}

void FunctionLowering::define(Value result, Value block) {
  lowered[result] = block;
  owned.values.insert(result);
  track(result, *result.getParentBlock());
}

/// Gives back the spare blocks beyond the first `keep`.
void FunctionLowering::freeSpare(size_t keep) {
  while (owned.spare.size() > keep) {
    b.create<heap::ReleaseOp>(loc(), owned.spare.back().first);
    owned.spare.pop_back();
  }
}

} // namespace ingot
