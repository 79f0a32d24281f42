//===- ProgramNames.cpp - The C names of a program's values -----------------------------------===//

#include "CodeGen/C/Program/ProgramNames.h"
#include "Dialect/ModelInterface.h"
#include "Heap/Layout.h"

using namespace mlir;

namespace ingot::c {

static std::string tensorName(RankedTensorType type) {
  std::string text = elementName(type.getElementType()) + "_";
  for (auto [i, dim] : llvm::enumerate(type.getShape()))
    text += (i ? "x" : "") + std::to_string(dim);
  return text;
}

std::string ProgramNames::unique(const std::string &base, ArrayRef<std::string> endings) {
  for (int i = 1;; ++i) {
    std::string candidate = i == 1 ? base : base + "_" + std::to_string(i);
    // Lengths and tags are named in capitals.
    auto key = [&](const std::string &ending) { return StringRef(candidate + ending).lower(); };
    if (llvm::any_of(endings, [&](auto &ending) { return taken.contains(key(ending)); }))
      continue;
    for (const std::string &ending : endings)
      taken.insert(key(ending));
    return candidate;
  }
}

void ProgramNames::add(Type type) {
  if (!isCounted(type) || !order.insert(type))
    return;
  std::string base = "ref";
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    base = tensorName(tensor);
  else if (auto data = dyn_cast<DataType>(type))
    base = cIdentifier(data.getSymbol());
  names[type] = unique(base, {"", "_retain", "_release", "_tag", "_data", "_new", "_length"});
}

ProgramNames::ProgramNames(const ProgramInterface &program) {
  // What the header declares beside these.
  for (const char *each :
       {"inputs", "outputs", "run", "ok", "out_of_memory", "stack_exhausted", "no_match",
        "api_version", "h", "hpp", "message", "value", "ingot", "std"})
    taken.insert(each);
  for (const EntryCheck &check : program.checks)
    taken.insert(StringRef(check.name).lower());
  for (auto &list : {program.inputs, program.outputs})
    for (const ProgramPort &port : list)
      if (!port.isTensor())
        add(port.type);
  for (Type type : program.tensors)
    add(type);
  for (DataTypeOp definition : program.dataTypes)
    add(definition.getValueType());
  for (DataTypeOp definition : program.dataTypes)
    for (size_t tag = 0; tag < definition.getConstructors().size(); ++tag)
      for (Type field : definition.fieldsOf(tag))
        add(field);
  for (DataTypeOp definition : program.dataTypes) {
    Type type = definition.getValueType();
    std::string prefix = of(type) + "_";
    // Members of the class in C++.
    llvm::StringSet<> members = {"tag", "match", "fields",   "variant",     "value",
                                 "get", "heap",  "retained", "is_allocated"};
    members.insert(StringRef(of(type)).lower());
    std::vector<std::string> &list = constructors[type];
    for (auto [tag, each] :
         llvm::enumerate(definition.getConstructors().getAsValueRange<StringAttr>())) {
      std::string base = cIdentifier(each);
      if (members.contains(StringRef(base).lower()))
        base += "_";
      std::vector<std::string> endings = {""};
      for (size_t i = 0; i < definition.fieldsOf(tag).size(); ++i)
        endings.push_back("_" + std::to_string(i));
      list.push_back(unique(prefix + base, endings).substr(prefix.size()));
    }
  }
}

} // namespace ingot::c
