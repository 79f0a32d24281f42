//===- Constants.cpp - What is known at compile time ------------------------------------------===//

#include "Transforms/Constants.h"
#include "Dialect/Interfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ingot {

bool isConstantTree(Value v) {
  // Each operator once: a chain of x + x has more paths than anyone can follow.
  constexpr size_t limit = 32;
  llvm::SetVector<Operation *> tree;
  if (!v.getDefiningOp())
    return false;
  tree.insert(v.getDefiningOp());
  for (size_t i = 0; i < tree.size(); ++i) {
    Operation *op = tree[i];
    if (isa<ConstantOp>(op))
      continue;
    if (tree.size() > limit || !isa<ElementOpInterface>(op) || op->getNumOperands() == 0)
      return false;
    for (Value operand : op->getOperands()) {
      if (!operand.getDefiningOp())
        return false;
      tree.insert(operand.getDefiningOp());
    }
  }
  return true;
}

static DenseElementsAttr splatOf(Value v) {
  auto constant = v.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat() ? dense : nullptr;
}

std::optional<double> splatFloat(Value v) {
  DenseElementsAttr dense = splatOf(v);
  if (!dense || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  return dense.getSplatValue<FloatAttr>().getValueAsDouble();
}

bool isSplatOf(Value v, int64_t value) {
  DenseElementsAttr dense = splatOf(v);
  if (!dense)
    return false;
  if (auto integer = dyn_cast<IntegerType>(dense.getElementType()))
    return integer.getWidth() > 1 &&
           dense.getSplatValue<APInt>() == APInt(integer.getWidth(), value, /*isSigned=*/true);
  return splatFloat(v) == static_cast<double>(value);
}

Value splatLike(OpBuilder &b, Location loc, Value like, double value) {
  auto type = cast<RankedTensorType>(like.getType());
  FloatAttr element = b.getFloatAttr(type.getElementType(), value);
  return b.create<ConstantOp>(loc, DenseElementsAttr::get(type, element));
}

bool isPerLastDim(Value v, AffineExpr channels) {
  auto dims = getDims(cast<RankedTensorType>(v.getType()));
  if (dims.empty())
    return true;
  for (AffineExpr dim : ArrayRef(dims).drop_back())
    if (constantDim(dim) != 1)
      return false;
  return dims.back() == channels || constantDim(dims.back()) == 1;
}

} // namespace ingot
