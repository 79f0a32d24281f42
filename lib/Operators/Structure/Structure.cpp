//===- Structure.cpp - Constants and fused groups ---------------------------------------------===//

#include "Operators/Structure.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Structure.cpp.inc"

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                           Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type || !type.hasStaticShape())
    return emitOptionalError(loc, "a constant needs a ranked tensor type with constant extents");
  types.push_back(type);
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
