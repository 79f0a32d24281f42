//===- Buffers.cpp - Tensors as flat memory ---------------------------------------------------===//

#include "Lower/Buffers.h"
#include "Dialect/Dims.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace ingot {

static Type storedType(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), std::max(8u, integer.getWidth()));
  return element;
}

MemRefType bufferType(RankedTensorType type) {
  auto count = constantDim(elementCount(type));
  return MemRefType::get({count.value_or(ShapedType::kDynamic)}, storedType(type.getElementType()));
}

/// `elements` as a flat array of `type`.
static ElementsAttr flatten(ElementsAttr elements, MemRefType type) {
  auto flat = RankedTensorType::get(type.getShape(), type.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(flat, resource.getRawHandle());
  auto dense = cast<DenseElementsAttr>(elements);
  if (dense.getElementType().isInteger(1)) {
    SmallVector<int8_t> bytes;
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit);
    return DenseElementsAttr::get(flat, ArrayRef(bytes));
  }
  dense = dense.reshape(RankedTensorType::get(flat.getShape(), dense.getElementType()));
  return dense.getElementType() == type.getElementType() ? dense
                                                         : dense.bitcast(type.getElementType());
}

memref::GlobalOp createConstantTable(ModuleOp module, ConstantOp op, StringRef name) {
  OpBuilder top(module.getBody(), module.getBody()->begin());
  MemRefType type = bufferType(tensorType(op.getResult()));
  return top.create<memref::GlobalOp>(op.getLoc(), name, top.getStringAttr("private"), type,
                                      flatten(op.getValue(), type), /*constant=*/true,
                                      top.getI64IntegerAttr(64));
}

} // namespace ingot
