//===- ProgramInterface.cpp - The typed entry of a compiled program ---------------------------===//

#include "CodeGen/ProgramInterface.h"
#include "Heap/Heap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace ingot {

static func::FuncOp entryOf(ModuleOp module) {
  auto entry = module.lookupSymbol<func::FuncOp>("entry");
  return entry && entry->hasAttr(heap::functionAttr) ? entry : func::FuncOp();
}

bool isLoweredProgram(ModuleOp module) { return entryOf(module) != nullptr; }

FailureOr<ProgramInterface> readProgramInterface(ModuleOp module) {
  auto model = ModelInterface::read(module);
  func::FuncOp entry = entryOf(module);
  if (failed(model) || !entry)
    return failure();
  ProgramInterface program;
  program.model = *model;
  llvm::StringSet<> taken;
  auto port = [&](StringAttr name, TypeAttr type) {
    std::string base = cIdentifier(name.getValue()), member = base;
    for (int i = 2; !taken.insert(StringRef(member).lower()).second; ++i)
      member = base + "_" + std::to_string(i);
    return ProgramPort{name.str(), member, type.getValue()};
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (!entry.getArgAttr(i, "ingot.write"))
      program.inputs.push_back(port(entry.getArgAttrOfType<StringAttr>(i, "ingot.name"),
                                    entry.getArgAttrOfType<TypeAttr>(i, "ingot.type")));
  // In the order of the results of @main, which their names tell.
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (entry.getArgAttr(i, "ingot.write"))
      program.outputs.push_back(port(entry.getArgAttrOfType<StringAttr>(i, "ingot.name"),
                                     entry.getArgAttrOfType<TypeAttr>(i, "ingot.type")));
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    program.outputs.push_back(port(cast<StringAttr>(entry.getResultAttr(i, "ingot.name")),
                                   cast<TypeAttr>(entry.getResultAttr(i, "ingot.type"))));

  llvm::SetVector<Type> seen;
  for (auto &list : {program.inputs, program.outputs})
    for (const ProgramPort &each : list)
      if (!each.isTensor())
        seen.insert(each.type);
  for (size_t i = 0; i < seen.size(); ++i) {
    auto data = dyn_cast<DataType>(seen[i]);
    if (!data)
      continue;
    auto definition = module.lookupSymbol<DataTypeOp>(data.getSymbol());
    program.dataTypes.push_back(definition);
    for (size_t tag = 0; tag < definition.getConstructors().size(); ++tag)
      for (Type field : definition.fieldsOf(tag)) {
        auto tensor = dyn_cast<RankedTensorType>(field);
        if (!tensor)
          seen.insert(field);
        else if (tensor.getRank() != 0)
          program.tensors.insert(tensor);
      }
  }

  auto check = [&](EntryCheck::Kind kind, size_t index, std::string name, std::string meaning) {
    program.checks.push_back({kind, index, std::move(name), std::move(meaning),
                              static_cast<int32_t>(program.checks.size() + 1)});
  };
  check(EntryCheck::NullHeap, 0, "NULL_HEAP", "heap is NULL");
  if (!program.inputs.empty())
    check(EntryCheck::NullInputs, 0, "NULL_INPUTS", "inputs is NULL");
  check(EntryCheck::NullOutputs, 0, "NULL_OUTPUTS", "outputs is NULL");
  auto hasElements = [](const ProgramPort &port) {
    return !port.isTensor() || cast<RankedTensorType>(port.type).getNumElements() != 0;
  };
  for (auto [i, each] : llvm::enumerate(program.inputs))
    if (hasElements(each))
      check(EntryCheck::NullInput, i, "NULL_" + cMacro(each.member),
            "inputs->" + each.member + " is NULL");
  for (auto [i, each] : llvm::enumerate(program.outputs))
    if (each.isTensor() && hasElements(each))
      check(EntryCheck::NullOutput, i, "NULL_" + cMacro(each.member),
            "outputs->" + each.member + " is NULL");
  return program;
}

} // namespace ingot
