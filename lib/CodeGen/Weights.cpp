//===- Weights.cpp - Constant tables as bytes -------------------------------------------------===//

#include "CodeGen/Weights.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ingot {

std::string rawBytes(memref::GlobalOp global) {
  Attribute value = *global.getInitialValue();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
    return std::string(data.data(), data.size());
  }
  auto dense = cast<DenseElementsAttr>(value);
  ArrayRef<char> data = dense.getRawData();
  std::string bytes(data.data(), data.size());
  if (!dense.isSplat())
    return bytes;
  std::string all;
  for (int64_t i = 0; i < dense.getNumElements(); ++i)
    all += bytes;
  return all;
}

llvm::StringMap<int64_t> weightOffsets(ModuleOp module) {
  llvm::StringMap<int64_t> offsets;
  int64_t end = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    int64_t begin = llvm::alignTo(end, weightsAlign);
    offsets[global.getSymName()] = begin;
    end =
        begin + global.getType().getNumElements() * (global.getType().getElementTypeBitWidth() / 8);
  }
  return offsets;
}

std::string weightsFile(ModuleOp module) {
  std::string file;
  auto offsets = weightOffsets(module);
  for (auto global : module.getOps<memref::GlobalOp>()) {
    file.resize(offsets[global.getSymName()], '\0');
    file += rawBytes(global);
  }
  return file;
}

} // namespace ingot
