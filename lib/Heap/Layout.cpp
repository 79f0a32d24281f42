//===- Layout.cpp - Where a block keeps its fields --------------------------------------------===//

#include "Heap/Layout.h"

using namespace mlir;

namespace ingot {

bool isCounted(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.getRank() != 0;
}

Type scalarType(Type tensor) {
  Type element = cast<RankedTensorType>(tensor).getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

BlockLayout::BlockLayout(ArrayRef<Type> types) {
  for (Type type : types) {
    if (isCounted(type)) {
      fields.push_back({true, pointers++, {}});
      continue;
    }
    Type scalar = scalarType(type);
    int64_t size = std::max<int64_t>(1, scalar.getIntOrFloatBitWidth() / 8);
    int64_t offset = (bytes + size - 1) / size * size;
    fields.push_back({false, offset, scalar});
    bytes = offset + size;
  }
}

} // namespace ingot
