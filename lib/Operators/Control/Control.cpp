//===- Control.cpp - Control flow -------------------------------------------------------------===//

#include "Operators/Control.h"
#include "Operators/Structure.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Control.cpp.inc"

static bool isOneElement(Value v) {
  return constantDim(elementCount(cast<RankedTensorType>(v.getType()))) == 1;
}

LogicalResult IfOp::verify() {
  if (!isOneElement(getCondition()))
    return emitOpError("the condition must hold one element");
  for (Region *region : getRegions()) {
    auto yield = dyn_cast<YieldOp>(region->front().back());
    if (!yield || !compatibleTypes(getResultTypes(), yield.getOperandTypes()))
      return emitOpError("a region must end in a yield of values of the result types");
  }
  return success();
}

LogicalResult LoopOp::verify() {
  Block &block = getBody().front();
  if (!compatibleTypes(getInitial().getTypes(), block.getArgumentTypes()))
    return emitOpError("the region must take what the first round is given");
  auto yield = dyn_cast<YieldOp>(block.back());
  SmallVector<Type> handed(block.getArgumentTypes());
  llvm::append_range(handed, getResultTypes());
  if (!yield || yield.getNumOperands() == 0 ||
      !compatibleTypes(handed, yield.getOperands().drop_front().getTypes()))
    return emitOpError("the region must end in a yield of whether another round follows, its "
                       "arguments, and the results");
  auto again = dyn_cast<RankedTensorType>(yield.getOperand(0).getType());
  if (!again || !again.getElementType().isInteger(1) || !isOneElement(yield.getOperand(0)))
    return emitOpError("whether another round follows must be one element, true or false");
  return success();
}
