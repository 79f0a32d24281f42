//===- Groups.cpp - Fused operators inside a function of a program
//-----------------------------===//

#include "Dialect/Element/ElementBuilder.h"
#include "Lower/Buffers.h"
#include "Lower/BuildStep.h"
#include "Lower/Program/FunctionLowering.h"
#include "Operators/AllFamilies.h"

using namespace mlir;

namespace ingot {

using heap::BlockType;

namespace {

/// Elements of tensors of rank 0, in the function itself.
class ScalarGroupBuilder : public ElementBuilder {
public:
  ScalarGroupBuilder(OpBuilder &b, Location loc) : ElementBuilder(b, loc, 1) {}

  Value read(Value tensor, ArrayRef<Index> at) override {
    if (Value value = known.lookup(tensor))
      return value;
    Type element = tensorType(tensor).getElementType();
    if (auto constant = tensor.getDefiningOp<ConstantOp>()) {
      auto splat = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
      if (auto real = dyn_cast<FloatAttr>(splat))
        return scalars(element).constant(real.getValueAsDouble());
      return b.create<arith::ConstantOp>(
          loc, b.getIntegerAttr(computeType(element), cast<IntegerAttr>(splat).getValue()));
    }
    Value value = cast<ElementOpInterface>(tensor.getDefiningOp()).element(*this, at);
    if (at.empty())
      known[tensor] = value;
    return value;
  }
  Value symbol(StringRef) override { llvm_unreachable("functions of programs have no symbols"); }

  llvm::DenseMap<Value, Value> known;
};

} // namespace

void copyAll(OpBuilder &b, Location loc, Value from, Value to) {
  int64_t count = cast<MemRefType>(from.getType()).getNumElements();
  copyElements(b, loc, from, to, b.create<arith::ConstantIndexOp>(loc, count));
}

bool FunctionLowering::isScalarGroup(GroupOp group) const {
  auto isScalar = [](Value v) { return !isCounted(v.getType()); };
  return llvm::all_of(group.getInputs(), isScalar) && llvm::all_of(group.getResults(), isScalar) &&
         llvm::none_of(group.getBody().front(),
                       [](Operation &op) { return isa<LoopsOpInterface>(op); });
}

Value FunctionLowering::scalarOf(Value v) {
  if (Value value = lowered.lookup(v))
    return value;
  // A reshape of a tensor of one element, or a constant.
  if (auto reshape = v.getDefiningOp<ReshapeOp>()) {
    if (!isCounted(reshape.getX().getType()))
      return scalarOf(reshape.getX());
    Value buffer = bufferOf(reshape.getX());
    Value value = b.create<memref::LoadOp>(loc(), buffer,
                                           ValueRange(b.create<arith::ConstantIndexOp>(loc(), 0)));
    if (scalarType(v.getType()).isInteger(1))
      value = b.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::ne, value,
                                      b.create<arith::ConstantOp>(loc(), b.getI8IntegerAttr(0)));
    return value;
  }
  auto splat =
      cast<DenseElementsAttr>(v.getDefiningOp<ConstantOp>().getValue()).getSplatValue<Attribute>();
  Type type = scalarType(v.getType());
  if (auto integer = dyn_cast<IntegerAttr>(splat))
    return b.create<arith::ConstantOp>(loc(), b.getIntegerAttr(type, integer.getValue()));
  return b.create<arith::ConstantOp>(loc(), cast<FloatAttr>(splat));
}

void FunctionLowering::lowerScalars(GroupOp group) {
  ScalarGroupBuilder builder(b, loc());
  for (auto [input, argument] : llvm::zip(group.getInputs(), group.getBody().getArguments())) {
    Value value = scalarOf(input);
    Type compute = computeType(tensorType(input).getElementType());
    if (compute != value.getType())
      value = b.create<arith::ExtFOp>(loc(), compute, value);
    builder.known[argument] = value;
  }
  for (auto [result, yielded] :
       llvm::zip(group.getResults(), group.getBody().front().getTerminator()->getOperands())) {
    Value value = builder.read(yielded, {});
    Type stored = scalarType(result.getType());
    if (stored != value.getType())
      value = b.create<arith::TruncFOp>(loc(), stored, value);
    lowered[result] = value;
  }
}

/// A tensor that only groups use needs no block: it lives as long as the call.
bool FunctionLowering::isLocal(Value tensor) const {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (isa<ReshapeOp>(user))
      return isLocal(user->getResult(0));
    return isa<GroupOp>(user);
  });
}

Value FunctionLowering::constantBuffer(ConstantOp op) {
  memref::GlobalOp &global = program.globals[op.getValue()];
  if (!global)
    global = createConstantTable(program.module, op, program.names.constantName(op));
  return b.create<memref::GetGlobalOp>(loc(), global.getType(), global.getSymName());
}

Value FunctionLowering::bufferOf(Value tensor) {
  Value root = storageRoot(tensor);
  if (auto constant = root.getDefiningOp<ConstantOp>())
    return constantBuffer(constant);
  MemRefType type = bufferType(tensorType(root));
  Value place = lowered.lookup(root);
  if (isCounted(root.getType())) {
    if (isa<MemRefType>(place.getType()))
      return place;
    return b.create<heap::DataOp>(loc(), type, place);
  }
  // A scalar among tensors: through memory.
  Value slot = b.create<heap::ScratchOp>(loc(), type), value = scalarOf(root);
  if (value.getType().isInteger(1))
    value = b.create<arith::ExtUIOp>(loc(), b.getI8Type(), value);
  b.create<memref::StoreOp>(loc(), value, slot,
                            ValueRange(b.create<arith::ConstantIndexOp>(loc(), 0)));
  return slot;
}

static int64_t byteSize(MemRefType type) {
  return type.getNumElements() * (type.getElementTypeBitWidth() / 8);
}

Value FunctionLowering::allocateTensor(MemRefType type) {
  return b.create<heap::AllocateOp>(loc(), BlockType::get(b.getContext()), /*tag=*/0,
                                    /*pointers=*/0, byteSize(type), /*tensor=*/true, Value(),
                                    cleanup());
}

Value FunctionLowering::constantBlock(ConstantOp op) {
  MemRefType type = bufferType(tensorType(op.getResult()));
  Value block = allocateTensor(type);
  copyAll(b, loc(), constantBuffer(op), b.create<heap::DataOp>(loc(), type, block));
  return block;
}

/// The operand of `group` whose block its result `index` may take over, here and now.
Value FunctionLowering::overwritable(GroupOp group, ArrayRef<unsigned> operands) const {
  Value best;
  for (unsigned i : operands) {
    Value root = storageRoot(group.getInputs()[i]);
    // What was read from a reference is still in it.
    if (!isOwned(root) || !dies(root, group) || owned.pinned.contains(root) ||
        root.getDefiningOp<ReadRefOp>())
      continue;
    // What was made here is surely held by nobody else.
    if (!best || (root.getDefiningOp<GroupOp>() && !best.getDefiningOp<GroupOp>()))
      best = root;
  }
  return best;
}

/// `block`, a tensor of `type`, if nobody else holds it, else a copy that takes its place.
Value FunctionLowering::makeUnique(Value block, MemRefType type) {
  Value isUnique = b.create<heap::IsUniqueOp>(loc(), b.getI1Type(), block);
  auto branch = b.create<heap::SwitchOp>(loc(), TypeRange(block.getType()), isUnique,
                                         b.getDenseI64ArrayAttr({1}), 2);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&branch.getRegions()[0]);
  b.create<heap::YieldOp>(loc(), block);
  b.createBlock(&branch.getRegions()[1]);
  Value copy = allocateTensor(type);
  copyAll(b, loc(), b.create<heap::DataOp>(loc(), type, block),
          b.create<heap::DataOp>(loc(), type, copy));
  b.create<heap::DecrementOp>(loc(), block);
  b.create<heap::YieldOp>(loc(), copy);
  return branch.getResult(0);
}

bool FunctionLowering::needsBlock(Value result) const {
  // More would be too much for the stack of deep recursion.
  constexpr int64_t largest = 4096, inAll = 16384;
  int64_t bytes = byteSize(bufferType(tensorType(result)));
  return isCounted(result.getType()) &&
         !(isLocal(result) && bytes <= largest && scratchBytes + bytes <= inAll);
}

Value FunctionLowering::outputBuffer(Value result, Value over, StringRef name) {
  MemRefType type = bufferType(tensorType(result));
  if (!needsBlock(result)) {
    scratchBytes += byteSize(type);
    auto scratch = b.create<heap::ScratchOp>(loc(), type);
    scratch->setAttr("ingot.name", b.getStringAttr(name));
    if (isCounted(result.getType()))
      lowered[result] = scratch;
    return scratch;
  }
  Value block = over ? makeUnique(lowered.lookup(over), type) : allocateTensor(type);
  owned.values.remove(over);
  // Owned from here on: what is allocated next may fail.
  lowered[result] = block;
  owned.values.insert(result);
  return b.create<heap::DataOp>(loc(), type, block);
}

LogicalResult FunctionLowering::lowerGroup(GroupOp group) {
  if (isScalarGroup(group)) {
    lowerScalars(group);
    return success();
  }
  std::string name = program.names.stepName(group);
  SmallVector<Value> inputs, outputs;
  llvm::SmallDenseMap<Value, Value> overwritten;
  for (auto [result, operands] : llvm::zip(group.getResults(), overwritableOperands(group))) {
    Value over = needsBlock(result) ? overwritable(group, operands) : Value();
    outputs.push_back(outputBuffer(result, over, name));
    if (over)
      overwritten[over] = outputs.back();
  }
  for (Value operand : group.getInputs()) {
    Value output = overwritten.lookup(storageRoot(operand));
    inputs.push_back(output ? output : bufferOf(operand));
  }
  OpBuilder functions(function);
  auto step = buildStep(functions, group, name, inputs, outputs, program.target);
  if (failed(step))
    return failure();
  step->function->setAttr("ingot.step", b.getI64IntegerAttr(++program.steps));
  step->function->setAttr("ingot.nodes", program.names.nodes(group));
  step->function->setAttr("ingot.comment", b.getStringAttr(program.names.comment(group)));
  for (auto [i, v] : llvm::enumerate(step->arguments))
    step->function.setArgAttr(i, "ingot.name", program.names.argumentName(v, i, inputs, outputs));
  if (!step->symbols.empty())
    return group.emitError("a function of a program has a symbolic dimension");
  b.create<func::CallOp>(loc(), step->function, step->arguments);
  for (auto [result, buffer] : llvm::zip(group.getResults(), outputs)) {
    if (isCounted(result.getType())) {
      if (isOwned(result))
        track(result, *group->getBlock());
      continue;
    }
    Value value = b.create<memref::LoadOp>(loc(), buffer,
                                           ValueRange(b.create<arith::ConstantIndexOp>(loc(), 0)));
    if (scalarType(result.getType()).isInteger(1))
      value = b.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::ne, value,
                                      b.create<arith::ConstantOp>(loc(), b.getI8IntegerAttr(0)));
    lowered[result] = value;
  }
  return success();
}

} // namespace ingot
