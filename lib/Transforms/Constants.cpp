//===- Constants.cpp - What is known at compile time ------------------------------------------===//

#include "Transforms/Constants.h"
#include "Dialect/Interfaces.h"

using namespace mlir;

namespace ingot {

bool isConstantTree(Value v, int depth) {
  Operation *op = v.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<ConstantOp>(op))
    return true;
  return isa<ElementOpInterface>(op) && op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(), [&](Value o) { return isConstantTree(o, depth - 1); });
}

std::optional<double> splatFloat(Value v) {
  auto constant = v.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!dense || !dense.isSplat() || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  return dense.getSplatValue<FloatAttr>().getValueAsDouble();
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
