//===- Buffers.cpp - Tensors as flat memory ---------------------------------------------------===//

#include "Lower/Buffers.h"
#include "Dialect/Dims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

void copyElements(OpBuilder &b, Location loc, Value from, Value to, Value count) {
  auto index = [&](int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); };
  auto copy = [&](Value at) {
    b.create<memref::StoreOp>(loc, b.create<memref::LoadOp>(loc, from, at), to, at);
  };
  if (auto known = getConstantIntValue(count); known == 1)
    return copy(index(0));
  auto loop = b.create<scf::ForOp>(loc, index(0), count, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  copy(loop.getInductionVar());
}

} // namespace ingot
