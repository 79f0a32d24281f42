//===- Control.cpp - Control flow
//--------------------------------------------------------------===//

#include "Operators/Control.h"
#include "Operators/Structure.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Control.cpp.inc"

LogicalResult IfOp::verify() {
  auto condition = cast<RankedTensorType>(getCondition().getType());
  if (constantDim(elementCount(condition)) != 1)
    return emitOpError("the condition must hold one element");
  for (Region *region : getRegions()) {
    auto yield = dyn_cast<YieldOp>(region->front().back());
    if (!yield || !compatibleTypes(getResultTypes(), yield.getOperandTypes()))
      return emitOpError("a region must end in a yield of values of the result types");
  }
  return success();
}
