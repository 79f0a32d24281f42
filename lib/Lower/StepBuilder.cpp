//===- StepBuilder.cpp - Building the function of one fused group -----------------------------===//

#include "Lower/StepBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ingot {

StepBuilder::StepBuilder(OpBuilder &builder, func::FuncOp function, GroupOp group,
                         ArrayRef<Value> buffers, ArrayRef<Value> results, const TargetInfo &target,
                         int64_t lanes)
    : LoopBuilder(builder, group.getLoc(), lanes), group(group), target(target),
      function(function) {
  llvm::MapVector<Value, Value> arguments;
  Block *body = function.addEntryBlock();
  auto argumentFor = [&](Value buffer) {
    auto [it, isNew] = arguments.insert({buffer, Value()});
    if (isNew)
      it->second = body->getArgument(arguments.size() - 1);
    return it->second;
  };
  for (auto [buffer, argument] : llvm::zip(buffers, group.getBody().getArguments()))
    memory[argument] = argumentFor(buffer);
  for (Value buffer : results) {
    inPlace.push_back(arguments.contains(buffer));
    resultMemories.push_back(argumentFor(buffer));
  }
  b.setInsertionPointToStart(body);
}

Value StepBuilder::symbol(StringRef name) {
  Value &argument = symbols[name];
  if (!argument) {
    argument = function.getBody().addArgument(b.getIndexType(), loc);
    symbolNames.push_back(name.str());
  }
  return argument;
}

//===----------------------------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------------------------===//

Value StepBuilder::load(Value memref, Type element, Index linear) {
  Type compute = computeType(element);
  if (linear.lanes && width > 1) {
    // Narrow elements are widened on their way; only whole ones have vectors.
    Type stored = cast<MemRefType>(memref.getType()).getElementType();
    if (stored != compute)
      failVector();
    return b.create<vector::LoadOp>(loc, VectorType::get({width}, compute), memref, linear.base);
  }
  Value value = b.create<memref::LoadOp>(loc, memref, linear.base);
  if (compute.isInteger(1))
    return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value,
                                   b.create<arith::ConstantOp>(loc, b.getI8IntegerAttr(0)));
  return value.getType() == compute ? value : b.create<arith::ExtFOp>(loc, compute, value);
}

void StepBuilder::store(Value memref, Type element, Index linear, Value value) {
  Type stored = cast<MemRefType>(memref.getType()).getElementType();
  Type compute = computeType(element);
  if (linear.lanes && width > 1) {
    if (stored != compute)
      return failVector();
    if (!isa<VectorType>(value.getType()))
      value = b.create<vector::BroadcastOp>(loc, VectorType::get({width}, compute), value);
    b.create<vector::StoreOp>(loc, value, memref, linear.base);
    return;
  }
  if (compute.isInteger(1))
    value = b.create<arith::ExtUIOp>(loc, stored, value);
  else if (stored != compute)
    value = b.create<arith::TruncFOp>(loc, stored, value);
  b.create<memref::StoreOp>(loc, value, memref, linear.base);
}

//===----------------------------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------------------------===//

static bool sameIndex(Index x, Index y) {
  if (x.lanes != y.lanes)
    return false;
  if (x.base == y.base)
    return true;
  APInt a, c;
  return matchPattern(x.base, m_ConstantInt(&a)) && matchPattern(y.base, m_ConstantInt(&c)) &&
         a == c;
}

Value StepBuilder::lookUp(Value tensor, ArrayRef<Index> at) {
  auto entry = known.find(tensor);
  if (entry == known.end())
    return nullptr;
  auto isVisible = [&](Value v) {
    for (Block *block = b.getInsertionBlock(); block; block = block->getParentOp()->getBlock()) {
      if (block == v.getParentBlock())
        return true;
      if (block->getParentOp() == function)
        break;
    }
    return false;
  };
  for (const Known &k : llvm::reverse(entry->second)) {
    if (!llvm::equal(k.at, at, sameIndex) || !isVisible(k.value))
      continue;
    auto vector = dyn_cast<VectorType>(k.value.getType());
    bool hasLanes = llvm::any_of(at, [](Index i) { return i.lanes; });
    if (!vector || (hasLanes && vector.getNumElements() == width))
      return k.value;
  }
  return nullptr;
}

void StepBuilder::define(Value tensor, ArrayRef<Index> at, Value value) {
  known[tensor].push_back({SmallVector<Index>(at), value, true});
}

Value StepBuilder::read(Value tensor, ArrayRef<Index> at) {
  if (Value value = lookUp(tensor, at))
    return value;
  RankedTensorType type = tensorType(tensor);
  ScalarBuilder s = scalars(type.getElementType());
  Value value;
  if (Value memref = memory.lookup(tensor)) {
    value = load(memref, type.getElementType(), linearIndex(*this, type, at));
  } else if (auto constant = tensor.getDefiningOp<ConstantOp>()) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    Attribute element = elements.getSplatValue<Attribute>();
    if (auto f = dyn_cast<FloatAttr>(element))
      value = s.constant(f.getValueAsDouble());
    else
      value =
          b.create<arith::ConstantOp>(loc, b.getIntegerAttr(computeType(type.getElementType()),
                                                            cast<IntegerAttr>(element).getValue()));
  } else {
    Location outer = loc;
    loc = tensor.getLoc();
    value = cast<ElementOpInterface>(tensor.getDefiningOp()).element(*this, at);
    loc = outer;
  }
  known[tensor].push_back({SmallVector<Index>(at), value, false});
  return value;
}

void StepBuilder::write(unsigned result, ArrayRef<Index> at, Value value) {
  RankedTensorType type = tensorType(group.getOutputs()[result]);
  store(resultMemories[result], type.getElementType(), linearIndex(*this, type, at), value);
}

Value StepBuilder::readBack(unsigned result, ArrayRef<Index> at) {
  RankedTensorType type = tensorType(group.getOutputs()[result]);
  return load(resultMemories[result], type.getElementType(), linearIndex(*this, type, at));
}

void StepBuilder::storeResult(unsigned index, ArrayRef<Index> at, bool takeApart) {
  Value yielded = group.getBody().front().getTerminator()->getOperand(index);
  if (!takeApart || width == 1) {
    write(index, at, read(yielded, at));
    return;
  }
  bool failedBefore = std::exchange(failed, false);
  auto knownBefore = known;
  Block *block = b.getInsertionBlock();
  Operation *next = b.getInsertionPoint() == block->end() ? nullptr : &*b.getInsertionPoint();
  Operation *last = next ? next->getPrevNode() : (block->empty() ? nullptr : &block->back());
  write(index, at, read(yielded, at));
  if (std::exchange(failed, failedBefore)) {
    known = std::move(knownBefore);
    auto end = next ? next->getIterator() : block->end();
    while (true) {
      Operation *op = end == block->begin() ? nullptr : &*std::prev(end);
      if (op == last)
        break;
      op->dropAllUses();
      op->erase();
    }
    storeLaneByLane(index, at);
  }
}

void StepBuilder::storeLaneByLane(unsigned index, ArrayRef<Index> at) {
  // What was defined for the whole vector is defined anew for each lane.
  struct Definition {
    Value tensor, value;
    SmallVector<Index> at;
  };
  std::vector<Definition> definitions;
  for (auto &[tensor, list] : known)
    for (const Known &k : list)
      if (k.isDefinition && isa<VectorType>(k.value.getType()) && lookUp(tensor, k.at) == k.value)
        definitions.push_back({tensor, k.value, k.at});
  int64_t lanes = width;
  WidthScope scope(*this, 1);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    llvm::DenseMap<Value, Value> moved;
    auto inLane = [&](ArrayRef<Index> indices) {
      SmallVector<Index> result;
      for (Index i : indices) {
        if (i.lanes) {
          Value &base = moved[i.base];
          if (!base)
            base = add(Index{i.base}, lane).base;
          i = {base};
        }
        result.push_back(i);
      }
      return result;
    };
    for (const Definition &d : definitions)
      define(d.tensor, inLane(d.at), b.create<vector::ExtractOp>(loc, d.value, lane));
    SmallVector<Index> here = inLane(at);
    Value yielded = group.getBody().front().getTerminator()->getOperand(index);
    write(index, here, read(yielded, here));
  }
}

void StepBuilder::storeResults(ArrayRef<unsigned> results, ArrayRef<Index> at, bool takeApart) {
  // One result may lie over an operand that another is computed from.
  if (anyInPlace())
    for (unsigned i : results)
      read(group.getBody().front().getTerminator()->getOperand(i), at);
  for (unsigned i : results)
    storeResult(i, at, takeApart);
}

void StepBuilder::storeResults(ArrayRef<Index> at, bool takeApart) {
  storeResults(llvm::to_vector(llvm::seq(group.getNumResults())), at, takeApart);
}

} // namespace ingot
