//===- Operators.cpp - Registration of every family ------------------------------------------===//

#include "Operators/AllFamilies.h"

using namespace mlir;
using namespace ingot;

void IngotDialect::registerOperators() {
#include "Operators/RegisterOperators.inc"
}

Operation *IngotDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return builder.create<ConstantOp>(loc, elements);
}
