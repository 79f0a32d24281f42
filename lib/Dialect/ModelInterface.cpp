//===- ModelInterface.cpp - What the caller of a compiled model sees --------------------------===//

#include "Dialect/ModelInterface.h"
#include "Dialect/Dialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace ingot {

static constexpr StringLiteral attributeName = "ingot.model";

static DictionaryAttr encodePort(Builder &b, const Port &port) {
  return b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(port.name)),
                              b.getNamedAttr("type", TypeAttr::get(port.type)),
                              b.getNamedAttr("doc", b.getStringAttr(port.doc))});
}

void ModelInterface::write(ModuleOp module) const {
  Builder b(module.getContext());
  auto ports = [&](ArrayRef<Port> list) {
    return b.getArrayAttr(
        llvm::map_to_vector(list, [&](const Port &p) -> Attribute { return encodePort(b, p); }));
  };
  SmallVector<StringRef> names(symbols.begin(), symbols.end());
  SmallVector<Attribute> equalities;
  for (const Constraint &c : constraints)
    equalities.push_back(DimsAttr::get(module.getContext(), {c.lhs, c.rhs}));
  module->setAttr(
      attributeName,
      b.getDictionaryAttr(
          {b.getNamedAttr("name", b.getStringAttr(name)),
           b.getNamedAttr("source", b.getStringAttr(source)),
           b.getNamedAttr("sha256", b.getStringAttr(sha256)),
           b.getNamedAttr("opset", b.getI64IntegerAttr(opset)),
           b.getNamedAttr("symbols", b.getStrArrayAttr(names)),
           b.getNamedAttr("inputs", ports(inputs)), b.getNamedAttr("outputs", ports(outputs)),
           b.getNamedAttr("constraints", b.getArrayAttr(equalities)),
           b.getNamedAttr("workspace_size", b.getI64IntegerAttr(workspaceSize)),
           b.getNamedAttr("workspace_align", b.getI64IntegerAttr(workspaceAlign))}));
}

FailureOr<ModelInterface> ModelInterface::read(ModuleOp module) {
  auto dict = module->getAttrOfType<DictionaryAttr>(attributeName);
  if (!dict)
    return module.emitError("the module has no attribute '") << attributeName << "'";
  auto malformed = [&](StringRef key) {
    return module.emitError("'") << attributeName << "': '" << key << "' is malformed";
  };
  ModelInterface result;
  auto text = [&](StringRef key, std::string &out) {
    if (auto value = dict.getAs<StringAttr>(key))
      out = value.str();
  };
  auto number = [&](StringRef key, int64_t &out) {
    if (auto value = dict.getAs<IntegerAttr>(key))
      out = value.getInt();
  };
  text("name", result.name);
  if (result.name.empty())
    return malformed("name");
  text("source", result.source);
  text("sha256", result.sha256);
  number("opset", result.opset);
  number("workspace_size", result.workspaceSize);
  number("workspace_align", result.workspaceAlign);
  if (auto list = dict.getAs<ArrayAttr>("symbols"))
    for (Attribute a : list) {
      auto name = dyn_cast<StringAttr>(a);
      if (!name)
        return malformed("symbols");
      result.symbols.push_back(name.str());
    }
  for (auto [key, ports] :
       {std::pair{"inputs", &result.inputs}, std::pair{"outputs", &result.outputs}})
    if (auto list = dict.getAs<ArrayAttr>(key))
      for (Attribute a : list) {
        auto port = dyn_cast<DictionaryAttr>(a);
        auto name = port ? port.getAs<StringAttr>("name") : nullptr;
        auto type = port ? port.getAs<TypeAttr>("type") : nullptr;
        auto tensor = type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
        if (!name || !tensor)
          return malformed(key);
        auto doc = port.getAs<StringAttr>("doc");
        ports->push_back({name.str(), tensor, doc ? doc.str() : ""});
      }
  if (auto list = dict.getAs<ArrayAttr>("constraints"))
    for (Attribute a : list) {
      auto pair = dyn_cast<DimsAttr>(a);
      if (!pair || pair.getExprs().size() != 2)
        return malformed("constraints");
      result.constraints.push_back({pair.getExprs()[0], pair.getExprs()[1]});
    }
  return result;
}

std::string elementName(Type element) {
  if (element.isInteger(1))
    return "bool";
  if (element.isBF16())
    return "bfloat16";
  if (isa<FloatType>(element))
    return "float" + std::to_string(element.getIntOrFloatBitWidth());
  return (element.isUnsignedInteger() ? "uint" : "int") +
         std::to_string(element.getIntOrFloatBitWidth());
}

} // namespace ingot
