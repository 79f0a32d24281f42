//===- Functional.cpp - Functions as values, data, references ---------------------------------===//

#include "Operators/Functional.h"
#include "Operators/Structure.h"

using namespace mlir;
using namespace ingot;

#define GET_OP_CLASSES
#include "Operators/Functional.cpp.inc"

LogicalResult DataTypeOp::verify() {
  if (getFields().size() != getConstructors().size())
    return emitOpError("has not one list of fields for each constructor");
  for (Attribute list : getFields()) {
    auto array = dyn_cast<ArrayAttr>(list);
    if (!array || !llvm::all_of(array, llvm::IsaPred<TypeAttr>))
      return emitOpError("the fields of a constructor are no list of types");
  }
  return success();
}

SmallVector<Type> DataTypeOp::fieldsOf(uint64_t tag) {
  SmallVector<Type> types;
  for (Attribute type : cast<ArrayAttr>(getFields()[tag]))
    types.push_back(cast<TypeAttr>(type).getValue());
  return types;
}

LogicalResult MatchOp::verify() {
  size_t regions = getCases().size();
  if (regions != getTags().size() && regions != getTags().size() + 1)
    return emitOpError("has ") << regions << " regions for " << getTags().size() << " tags";
  for (Region &region : getCases()) {
    auto yield = dyn_cast<YieldOp>(region.front().back());
    if (!yield || !compatibleTypes(getResultTypes(), yield.getOperandTypes()))
      return emitOpError("a region must end in a yield of values of the result types");
  }
  return success();
}
