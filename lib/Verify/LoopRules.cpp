//===- LoopRules.cpp - The closed list of loop-level operations -------------------------------===//

#include "Verify/LoopRules.h"

using namespace mlir;

namespace ingot {

LogicalResult loopError(Operation *op, StringRef rule, const Twine &text) {
  return op->emitOpError() << text << " [loop level: " << rule << "]";
}

bool isStorable(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

namespace {

/// Bits of the elements that the mask `value` was compared from; nothing if it is not made as masks
/// are. Indices, whose width is the target's, count as 0.
std::optional<unsigned> maskWidth(Value value) {
  // Chains of andi and ori can share operands: visit each value once.
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  std::optional<unsigned> width;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op)
      return std::nullopt;
    if (!seen.insert(op).second)
      continue;
    if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
      work.append(op->operand_begin(), op->operand_end());
      continue;
    }
    if (!isa<arith::CmpIOp, arith::CmpFOp>(op))
      return std::nullopt;
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    unsigned bits = element.isIndex() ? 0 : element.getIntOrFloatBitWidth();
    if (width && *width != bits)
      return std::nullopt;
    width = bits;
  }
  return width;
}

bool isMask(Type type) {
  return isa<VectorType>(type) && cast<VectorType>(type).getElementType().isInteger(1);
}

LogicalResult checkMaskLogic(Operation *op) {
  if (isMask(op->getResult(0).getType()) && !maskWidth(op->getResult(0)))
    return loopError(op, "masks", "combines masks that compares of different widths made");
  return success();
}

LogicalResult checkSelect(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  if (!isMask(select.getCondition().getType()))
    return success();
  Type element = getElementTypeOrSelf(select.getType());
  if (element.isInteger(1))
    return loopError(op, "masks", "chooses between masks");
  std::optional<unsigned> width = maskWidth(select.getCondition());
  if (!width || *width != (element.isIndex() ? 0 : element.getIntOrFloatBitWidth()))
    return loopError(op, "masks", "has a mask that was compared at another width");
  return success();
}

/// For operations that neither make nor take masks.
LogicalResult checkNoMask(Operation *op) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes())))
    if (isMask(type))
      return loopError(op, "masks", "makes or takes a mask");
  return success();
}

LogicalResult checkCompare(Operation *op) {
  if (isMask(op->getOperand(0).getType()))
    return loopError(op, "masks", "compares masks");
  return success();
}

LogicalResult checkFor(Operation *op) {
  if (!cast<scf::ForOp>(op).getLowerBound().getType().isIndex())
    return loopError(op, "types", "has bounds that are not of type index");
  return success();
}

LogicalResult checkBroadcast(Operation *op) {
  if (isa<VectorType>(cast<vector::BroadcastOp>(op).getSourceType()))
    return loopError(op, "vectors", "broadcasts something other than a scalar");
  return checkNoMask(op);
}

LogicalResult checkExtract(Operation *op) {
  auto extract = cast<vector::ExtractOp>(op);
  if (extract.hasDynamicPosition() || extract.getStaticPosition().size() != 1)
    return loopError(op, "vectors", "extracts at a position that is not one constant");
  return checkNoMask(op);
}

LogicalResult checkReduction(Operation *op) {
  if (cast<vector::ReductionOp>(op).getKind() == vector::CombiningKind::XOR)
    return loopError(op, "vectors", "reduces by xor");
  return checkNoMask(op);
}

LogicalResult checkConstant(Operation *op) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  if (!isa<IntegerAttr, FloatAttr, DenseElementsAttr>(value))
    return loopError(op, "types", "has a value that is neither a number nor a dense vector");
  return checkNoMask(op);
}

LogicalResult checkAlloc(Operation *op) {
  auto alloc = cast<memref::AllocOp>(op);
  if (!alloc.getType().hasStaticShape() && !op->hasAttr("ingot.size"))
    return loopError(op, "memrefs", "has a dynamic size without an attribute 'ingot.size'");
  return success();
}

constexpr unsigned everywhere = InStep | InEntry | InSize;
constexpr unsigned code = InStep | InEntry;

constexpr LoopRule element(StringRef name, unsigned places = everywhere) {
  return {name, places, true, false, checkNoMask};
}
/// A call of libm: scalars only.
constexpr LoopRule library(StringRef name) { return {name, code, false, false, nullptr}; }

/// docs/loop-level.md, "Operations", in its order.
const LoopRule rules[] = {
    {"func.call", InEntry, false, true, nullptr},
    {"func.return", everywhere, false, false, nullptr},
    {"scf.for", code, true, false, checkFor},
    {"scf.if", code, true, false, nullptr},
    {"scf.while", code, true, false, nullptr},
    {"scf.condition", code, true, false, nullptr},
    {"scf.yield", code, true, false, nullptr},
    {"memref.get_global", code, false, true, nullptr},
    {"memref.load", code, false, true, nullptr},
    {"memref.store", code, false, true, nullptr},
    {"memref.alloc", InEntry, false, true, checkAlloc},
    {"memref.view", InEntry, false, true, nullptr},
    {"memref.prefetch", code, false, true, nullptr},
    {"arith.constant", everywhere, true, false, checkConstant},
    element("arith.addi"),
    element("arith.subi"),
    element("arith.muli"),
    element("arith.divsi"),
    element("arith.divui"),
    element("arith.remsi"),
    element("arith.remui"),
    element("arith.minsi"),
    element("arith.maxsi"),
    element("arith.minui"),
    element("arith.maxui"),
    {"arith.andi", everywhere, true, false, checkMaskLogic},
    {"arith.ori", everywhere, true, false, checkMaskLogic},
    {"arith.xori", everywhere, true, false, checkMaskLogic},
    element("arith.shli"),
    element("arith.shrsi"),
    element("arith.shrui"),
    {"arith.cmpi", everywhere, true, false, checkCompare},
    {"arith.select", everywhere, true, false, checkSelect},
    element("arith.addf", code),
    element("arith.subf", code),
    element("arith.mulf", code),
    element("arith.divf", code),
    element("arith.remf", code),
    element("arith.negf", code),
    {"arith.cmpf", code, true, false, checkCompare},
    element("arith.minimumf", code),
    element("arith.maximumf", code),
    element("arith.minnumf", code),
    element("arith.maxnumf", code),
    element("arith.extf", code),
    element("arith.truncf", code),
    element("arith.extsi", code),
    element("arith.extui", code),
    element("arith.trunci", code),
    element("arith.sitofp", code),
    element("arith.uitofp", code),
    element("arith.fptosi", code),
    element("arith.fptoui", code),
    element("arith.index_cast", code),
    element("arith.index_castui", code),
    element("arith.bitcast", code),
    element("math.absf", code),
    element("math.absi", code),
    element("math.sqrt", code),
    element("math.floor", code),
    element("math.ceil", code),
    element("math.roundeven", code),
    element("math.trunc", code),
    element("math.fma", code),
    element("math.copysign", code),
    library("math.exp"),
    library("math.log"),
    library("math.powf"),
    library("math.sin"),
    library("math.cos"),
    library("math.tan"),
    library("math.asin"),
    library("math.acos"),
    library("math.atan"),
    library("math.atan2"),
    library("math.sinh"),
    library("math.cosh"),
    library("math.tanh"),
    library("math.asinh"),
    library("math.acosh"),
    library("math.atanh"),
    library("math.erf"),
    {"vector.load", code, true, true, nullptr},
    {"vector.store", code, true, true, nullptr},
    {"vector.broadcast", code, true, false, checkBroadcast},
    {"vector.fma", code, true, false, checkNoMask},
    {"vector.reduction", code, true, false, checkReduction},
    {"vector.extract", code, true, false, checkExtract},
    {"vector.step", code, true, false, nullptr},
};
} // namespace

const LoopRule *findLoopRule(StringRef name) {
  static const llvm::StringMap<const LoopRule *> index = [] {
    llvm::StringMap<const LoopRule *> map;
    for (const LoopRule &rule : rules)
      map[rule.operation] = &rule;
    return map;
  }();
  return index.lookup(name);
}

} // namespace ingot
