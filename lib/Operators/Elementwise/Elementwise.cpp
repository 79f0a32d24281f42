//===- Elementwise.cpp - What all element-wise operators share --------------------------------===//

#include "Operators/Elementwise/Elementwise.h"
#include "Operators/Elementwise.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Elementwise.cpp.inc"

namespace ingot {

LogicalResult inferElementwise(std::optional<Location> loc, ValueRange operands, Type element,
                               SmallVectorImpl<Type> &types) {
  // The first of three operands chooses between the others.
  ValueRange alike = operands.drop_front(operands.size() == 3 ? 1 : 0);
  if (!llvm::all_equal(llvm::map_range(alike, elementOf)))
    return emitOptionalError(loc, "operands must be of one element type");
  auto dims = broadcastDims(loc, operands);
  if (failed(dims))
    return failure();
  types.push_back(makeTensorType(*dims, element));
  return success();
}

SmallVector<Index> broadcastAccess(ElementBuilder &eb, RankedTensorType type, ArrayRef<Index> at) {
  size_t offset = at.size() - type.getRank();
  SmallVector<Index> access;
  for (int64_t i = 0; i < type.getRank(); ++i)
    access.push_back(type.getDimSize(i) == 1 ? eb.constant(0) : at[offset + i]);
  return access;
}

Value elementwise(ScalarOpInterface op, ElementBuilder &eb, ArrayRef<Index> at, Type element) {
  SmallVector<Value> x;
  for (Value operand : op->getOperands())
    x.push_back(
        eb.read(operand, broadcastAccess(eb, cast<RankedTensorType>(operand.getType()), at)));
  ScalarBuilder s = eb.scalars(element);
  return op.scalar(s, x);
}

} // namespace ingot
