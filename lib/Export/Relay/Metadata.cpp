//===- Metadata.cpp - Constants in the metadata section of a Relay text -----------------------===//

#include "Export/Relay/Metadata.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Base64.h"
#include <nlohmann/json.hpp>

using namespace mlir;

namespace ingot::relay {

static void append(std::string &bytes, uint64_t number, size_t size) {
  for (size_t i = 0; i < size; ++i)
    bytes += static_cast<char>(number >> (8 * i));
}

/// The elements, little-endian, truth values as bytes.
static std::string elementBytes(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
    return std::string(data.data(), data.size());
  }
  auto dense = cast<DenseElementsAttr>(value);
  std::string bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool each : dense.getValues<bool>())
      bytes += static_cast<char>(each);
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  size_t times = dense.isSplat() ? static_cast<size_t>(dense.getNumElements()) : 1;
  for (size_t i = 0; i < times; ++i)
    bytes.append(raw.data(), raw.size());
  return bytes;
}

/// As the importer reads it: a header, the shape, the elements.
static std::string tensorBytes(ElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  const uint64_t code = element.isBF16()                                      ? 4
                        : isa<FloatType>(element)                             ? 2
                        : element.isInteger(1) || element.isUnsignedInteger() ? 1
                                                                              : 0;
  const std::string elements = elementBytes(value);
  std::string bytes;
  append(bytes, 0xDD5E40F096B4A13Fu, 8);
  append(bytes, 0, 8);
  append(bytes, 1, 4); // a CPU, the first one
  append(bytes, 0, 4);
  append(bytes, type.getRank(), 4);
  append(bytes, code, 1);
  append(bytes, element.getIntOrFloatBitWidth(), 1);
  append(bytes, 1, 2);
  for (int64_t extent : type.getShape())
    append(bytes, extent, 8);
  append(bytes, elements.size(), 8);
  return bytes + elements;
}

std::string MetadataWriter::refer(ElementsAttr value) {
  auto [it, isNew] = constants.insert({value, constants.size()});
  return "meta[relay.Constant][" + std::to_string(it->second) + "]";
}

std::string MetadataWriter::text() const {
  if (constants.empty())
    return "";
  using Json = nlohmann::json;
  Json nodes = Json::array(
      {{{"type_key", ""}}, {{"type_key", "Map"}, {"keys", {"relay.Constant"}}, {"data", {2}}}});
  Json list = Json::array(), tensors = Json::array(), objects = Json::array();
  for (auto &[value, index] : constants) {
    list.push_back(3 + index);
    objects.push_back(
        {{"type_key", "relay.Constant"}, {"attrs", {{"data", std::to_string(index)}}}});
    tensors.push_back(llvm::encodeBase64(tensorBytes(value)));
  }
  nodes.push_back({{"type_key", "Array"}, {"data", list}});
  for (Json &object : objects)
    nodes.push_back(object);
  return "#[metadata]\n" + Json({{"root", 1}, {"nodes", nodes}, {"b64ndarrays", tensors}}).dump(1) +
         "\n";
}

} // namespace ingot::relay
