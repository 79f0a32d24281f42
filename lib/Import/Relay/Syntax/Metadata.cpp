//===- Metadata.cpp - The JSON section of a Relay text ----------------------------------------===//

#include "Import/Relay/Syntax/Metadata.h"
#include "Dialect/Dims.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"
#include <nlohmann/json.hpp>

using namespace mlir;

namespace ingot::relay {

using Json = nlohmann::json;

mlir::Type elementTypeNamed(MLIRContext *context, StringRef name) {
  Builder b(context);
  if (name == "bool" || name == "uint1")
    return b.getI1Type();
  if (name == "float16")
    return b.getF16Type();
  if (name == "bfloat16")
    return b.getBF16Type();
  if (name == "float32")
    return b.getF32Type();
  if (name == "float64")
    return b.getF64Type();
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    if (name == "int" + std::to_string(bits))
      return b.getIntegerType(bits);
    if (name == "uint" + std::to_string(bits))
      return b.getIntegerType(bits, /*isSigned=*/false);
  }
  return {};
}

namespace {

/// The tensor in `bytes`: a header, the shape, the elements, all little-endian.
std::optional<std::string> decodeTensor(MLIRContext &context, StringRef bytes,
                                        ElementsAttr &result) {
  constexpr uint64_t magic = 0xDD5E40F096B4A13Full;
  constexpr size_t fixed = 32;
  auto word = [&](size_t at) { return llvm::support::endian::read64le(bytes.data() + at); };
  if (bytes.size() < fixed || word(0) != magic)
    return "it is no tensor";
  uint32_t rank = llvm::support::endian::read32le(bytes.data() + 24);
  uint8_t code = bytes[28], bits = bytes[29];
  uint16_t lanes = llvm::support::endian::read16le(bytes.data() + 30);
  if (rank > 16 || bytes.size() < fixed + 8 * (size_t(rank) + 1))
    return "its header is damaged";
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    auto extent = static_cast<int64_t>(word(fixed + 8 * i));
    if (extent < 0 || llvm::MulOverflow(count, extent, count))
      return "its shape is impossible";
    shape.push_back(extent);
  }
  static constexpr StringLiteral families[] = {"int", "uint", "float"};
  std::string name = code < 3    ? families[code].str() + std::to_string(bits)
                     : code == 4 ? "bfloat16"
                                 : "type " + std::to_string(code);
  mlir::Type element = elementTypeNamed(&context, name);
  if (!element || lanes != 1)
    return "its element type " + name + " is not supported";
  int64_t size = element.isInteger(1) ? 1 : element.getIntOrFloatBitWidth() / 8, total;
  StringRef data = bytes.drop_front(fixed + 8 * (size_t(rank) + 1));
  if (llvm::MulOverflow(count, size, total) ||
      word(fixed + 8 * rank) != static_cast<uint64_t>(total) ||
      data.size() != static_cast<uint64_t>(total))
    return "its shape asks for " + std::to_string(count) + " elements, but there are " +
           std::to_string(data.size()) + " bytes";
  auto type = RankedTensorType::get(shape, element);
  if (element.isInteger(1)) {
    SmallVector<bool> values;
    for (char c : data)
      values.push_back(c != 0);
    result = DenseElementsAttr::get(type, values);
    return std::nullopt;
  }
  ArrayRef<char> raw(data.data(), data.size());
  if (count == 0) {
    result = DenseElementsAttr::get(type, ArrayRef<Attribute>());
  } else if (data.size() <= 16 << 10) {
    result = DenseElementsAttr::getFromRawBuffer(type, raw);
  } else {
    result = DenseResourceElementsAttr::get(type, "constant",
                                            HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, 64));
  }
  return std::nullopt;
}

/// The number that `value` is, or writes as a string.
std::optional<int64_t> toInteger(const Json &value) {
  if (value.is_number_integer())
    return value.get<int64_t>();
  int64_t result;
  if (value.is_string() &&
      !StringRef(value.get_ref<const std::string &>()).getAsInteger(10, result))
    return result;
  return std::nullopt;
}

const Json *member(const Json &object, const char *key) {
  if (!object.is_object())
    return nullptr;
  auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

} // namespace

void Metadata::read(StringRef text, Place place, Reporter &reporter) {
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  auto bad = [&](const Twine &what) { reporter.error(place, "the metadata section: " + what); };
  if (json.is_discarded())
    return bad("it is not JSON");
  const Json *root = member(json, "root"), *nodes = member(json, "nodes");
  if (!root || !nodes || !nodes->is_array() || !toInteger(*root))
    return bad("it has no \"root\" and \"nodes\"");
  auto node = [&](const Json &index) -> const Json * {
    auto i = toInteger(index);
    return i && *i >= 0 && static_cast<size_t>(*i) < nodes->size() ? &(*nodes)[*i] : nullptr;
  };
  auto typeOf = [&](const Json &object) {
    const Json *key = member(object, "type_key");
    return key && key->is_string() ? key->get<std::string>() : std::string();
  };
  const Json *map = node(*root);
  const Json *keys = map ? member(*map, "keys") : nullptr;
  const Json *data = map ? member(*map, "data") : nullptr;
  if (!keys || !data || !keys->is_array() || !data->is_array() || keys->size() != data->size())
    return bad("its root is no map of arrays");
  const Json *tensors = member(json, "b64ndarrays");
  // Each tensor is decoded where it is first met; the others cost nothing.
  auto tensor = [&](const Json &index, const std::string &name) -> ElementsAttr {
    auto i = toInteger(index);
    if (!i || !tensors || !tensors->is_array() || *i < 0 ||
        static_cast<size_t>(*i) >= tensors->size() || !(*tensors)[*i].is_string()) {
      bad(name + " refers to a tensor that is not there");
      return {};
    }
    std::vector<char> bytes;
    const auto &encoded = (*tensors)[*i].get_ref<const std::string &>();
    if (auto error = llvm::decodeBase64(StringRef(encoded).trim(), bytes)) {
      llvm::consumeError(std::move(error));
      bad(name + ": the tensor is not in base64");
      return {};
    }
    ElementsAttr result;
    if (auto error = decodeTensor(context, StringRef(bytes.data(), bytes.size()), result))
      bad(name + ": " + *error);
    return result;
  };
  for (size_t k = 0; k < keys->size(); ++k) {
    if (!(*keys)[k].is_string())
      return bad("a key is no string");
    std::string key = (*keys)[k].get<std::string>();
    const Json *array = node((*data)[k]);
    const Json *items = array ? member(*array, "data") : nullptr;
    if (!items || !items->is_array())
      return bad("'" + key + "' is no array");
    std::vector<Object> &objects = tables[key];
    for (const Json &item : *items) {
      std::string name = key + "[" + std::to_string(objects.size()) + "]";
      Object object;
      const Json *target = node(item);
      if (!target || typeOf(*target) != key)
        return bad(name + " is no " + key);
      const Json *attrs = member(*target, "attrs");
      if (key == "relay.Constant") {
        const Json *index = attrs ? member(*attrs, "data") : nullptr;
        if (!index)
          return bad(name + " has no data");
        object.tensor = tensor(*index, name);
      } else if (key == "IntImm") {
        const Json *value = attrs ? member(*attrs, "value") : nullptr;
        object.integer = value ? toInteger(*value) : std::nullopt;
      } else if (attrs && attrs->is_object()) {
        for (auto &[attrName, value] : attrs->items()) {
          AttrValue converted;
          converted.place = place;
          converted.kind = AttrValue::String;
          converted.text = value.is_string() ? value.get<std::string>() : value.dump();
          // Lists and numbers are objects of their own, referred to by index.
          if (const Json *other = node(value); other && toInteger(value) != 0) {
            const Json *inner = member(*other, "attrs");
            const Json *list = member(*other, "data");
            if (typeOf(*other) == "IntImm" && inner && member(*inner, "value")) {
              converted.kind = AttrValue::Integer;
              converted.integer = toInteger(*member(*inner, "value")).value_or(0);
            } else if (typeOf(*other) == "Array" && list && list->is_array()) {
              converted.kind = AttrValue::List;
              for (const Json &each : *list) {
                const Json *leaf = node(each);
                const Json *leafAttrs = leaf ? member(*leaf, "attrs") : nullptr;
                const Json *number = leafAttrs ? member(*leafAttrs, "value") : nullptr;
                if (!number || !toInteger(*number))
                  continue;
                AttrValue entry;
                entry.kind = AttrValue::Integer;
                entry.integer = *toInteger(*number);
                converted.list.push_back(entry);
              }
            }
          }
          object.attrs.push_back({attrName, std::move(converted), place});
        }
      }
      objects.push_back(std::move(object));
    }
  }
}

const Metadata::Object *Metadata::find(StringRef key, int64_t index) const {
  auto it = tables.find(key);
  if (it == tables.end() || index < 0 || static_cast<size_t>(index) >= it->second.size())
    return nullptr;
  return &it->second[index];
}

ElementsAttr Metadata::constant(StringRef key, int64_t index) const {
  const Object *object = find(key, index);
  return object ? object->tensor : ElementsAttr();
}

std::optional<int64_t> Metadata::integer(StringRef key, int64_t index) const {
  const Object *object = find(key, index);
  return object ? object->integer : std::nullopt;
}

const Attrs *Metadata::attributes(StringRef key, int64_t index) const {
  const Object *object = find(key, index);
  return object ? &object->attrs : nullptr;
}

bool Metadata::contains(StringRef key, int64_t index) const { return find(key, index); }

} // namespace ingot::relay
