//===- Groups.cpp - Fused operators inside a function of a program
//-----------------------------===//

#include "Dialect/Element/ElementBuilder.h"
#include "Lower/Buffers.h"
#include "Lower/BuildStep.h"
#include "Lower/Program/FunctionLowering.h"
#include "Operators/AllFamilies.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

void copyElements(OpBuilder &b, Location loc, Value from, Value to) {
  int64_t count = cast<MemRefType>(from.getType()).getNumElements();
  auto index = [&](int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); };
  if (count == 1) {
    b.create<memref::StoreOp>(loc, b.create<memref::LoadOp>(loc, from, ValueRange(index(0))), to,
                              ValueRange(index(0)));
    return;
  }
  auto loop = b.create<scf::ForOp>(loc, index(0), index(count), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  b.create<memref::StoreOp>(loc, b.create<memref::LoadOp>(loc, from, at), to, at);
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
  Value root = blockRoot(tensor);
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

Value FunctionLowering::allocateTensor(RankedTensorType type) {
  return b.create<heap::AllocateOp>(loc(), BlockType::get(b.getContext()), /*tag=*/0,
                                    /*pointers=*/0, byteSize(bufferType(type)), /*tensor=*/true,
                                    Value(), cleanup());
}

Value FunctionLowering::constantBlock(ConstantOp op) {
  Value block = allocateTensor(tensorType(op.getResult()));
  copyElements(b, loc(), constantBuffer(op),
               b.create<heap::DataOp>(loc(), bufferType(tensorType(op.getResult())), block));
  return block;
}

Value FunctionLowering::outputBuffer(Value result, StringRef name) {
  // More would be too much for the stack of deep recursion.
  constexpr int64_t largest = 4096, inAll = 16384;
  MemRefType type = bufferType(tensorType(result));
  int64_t bytes = byteSize(type);
  bool isScalar = !isCounted(result.getType());
  if (isScalar || (isLocal(result) && bytes <= largest && scratchBytes + bytes <= inAll)) {
    scratchBytes += bytes;
    auto scratch = b.create<heap::ScratchOp>(loc(), type);
    scratch->setAttr("ingot.name", b.getStringAttr(name));
    if (!isScalar)
      lowered[result] = scratch;
    return scratch;
  }
  Value block = allocateTensor(tensorType(result));
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
  for (Value operand : group.getInputs())
    inputs.push_back(bufferOf(operand));
  for (auto [i, result] : llvm::enumerate(group.getResults()))
    outputs.push_back(outputBuffer(result, name));
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
