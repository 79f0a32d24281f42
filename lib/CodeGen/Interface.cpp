//===- Interface.cpp - The typed entry of a compiled model ------------------------------------===//

#include "CodeGen/Interface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace ingot {

std::string cIdentifier(StringRef text) {
  // Of C11 and of C++20, whose programs include the header, and names of its own includes.
  static constexpr char words[] =
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default delete do double "
      "dynamic_cast else enum explicit export extern false float for friend goto if inline "
      "int int16_t int32_t int64_t int8_t long mutable namespace new noexcept not not_eq "
      "nullptr operator or or_eq private protected public register reinterpret_cast "
      "requires restrict return short signed size_t sizeof static static_assert static_cast "
      "struct switch template this thread_local throw true try typedef typeid typename "
      "union unsigned using virtual void volatile wchar_t while xor xor_eq NULL std ingot "
      "ingot_heap ingot_malloc ingot_value";
  static const llvm::StringSet<> keywords = [] {
    llvm::StringSet<> result;
    for (StringRef word : llvm::split(words, ' '))
      result.insert(word);
    return result;
  }();
  std::string result;
  for (char c : text) {
    if (llvm::isAlnum(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  if (result.empty() || llvm::isDigit(result[0]))
    result = "x" + result;
  if (keywords.contains(result))
    result += "_";
  return result;
}

std::string cMacro(StringRef text) { return StringRef(cIdentifier(text)).upper(); }

/// Identifiers for `names`, made unique, none of `reserved`.
static std::vector<std::string> uniqueMembers(ArrayRef<std::string> names,
                                              llvm::StringSet<> taken = {}) {
  std::vector<std::string> result;
  for (const std::string &name : names) {
    std::string base = cIdentifier(name), candidate = base;
    // Status codes and lengths are named in capitals.
    for (int i = 2; !taken.insert(StringRef(candidate).lower()).second; ++i)
      candidate = base + "_" + std::to_string(i);
    result.push_back(candidate);
  }
  return result;
}

std::vector<std::string> EntryPlan::members() const {
  std::vector<std::string> all = inputs;
  all.insert(all.end(), outputs.begin(), outputs.end());
  return all;
}

EntryPlan planEntry(const ModelInterface &interface, bool weightsInFile) {
  EntryPlan plan;
  plan.interface = interface;
  plan.hasWeightsPointer = weightsInFile;
  auto names = [](ArrayRef<Port> ports) {
    std::vector<std::string> list;
    for (const Port &port : ports)
      list.push_back(port.name);
    return list;
  };
  llvm::StringSet<> reserved = {"dims", "weights", "inputs", "outputs"};
  plan.inputs = uniqueMembers(names(interface.inputs), reserved);
  // An output may be named as an input is; its status code must not.
  llvm::StringSet<> taken = reserved;
  for (const std::string &input : plan.inputs)
    taken.insert(StringRef(input).lower());
  plan.outputs = uniqueMembers(names(interface.outputs), taken);
  plan.symbols =
      uniqueMembers(std::vector<std::string>(interface.symbols.begin(), interface.symbols.end()));
  size_t count = plan.symbols.size();
  plan.symbolLimit = count <= 1   ? (int64_t(1) << 31) - 1
                     : count == 2 ? int64_t(1) << 24
                     : count == 3 ? int64_t(1) << 17
                                  : int64_t(1) << 13;

  auto check = [&](EntryCheck::Kind kind, size_t index, std::string name, std::string meaning) {
    plan.checks.push_back({kind, index, std::move(name), std::move(meaning),
                           static_cast<int32_t>(plan.checks.size() + 1)});
  };
  if (!plan.inputs.empty() || !plan.symbols.empty() || weightsInFile)
    check(EntryCheck::NullInputs, 0, "NULL_INPUTS", "inputs is NULL");
  check(EntryCheck::NullOutputs, 0, "NULL_OUTPUTS", "outputs is NULL");
  for (auto [i, name] : llvm::enumerate(plan.inputs))
    check(EntryCheck::NullInput, i, "NULL_" + cMacro(name), "inputs->" + name + " is NULL");
  for (auto [i, name] : llvm::enumerate(plan.outputs))
    check(EntryCheck::NullOutput, i, "NULL_" + cMacro(name), "outputs->" + name + " is NULL");
  if (weightsInFile)
    check(EntryCheck::NullWeights, 0, "NULL_WEIGHTS", "inputs->weights is NULL");
  for (auto [i, name] : llvm::enumerate(plan.symbols))
    check(EntryCheck::DimOutOfRange, i, "DIM_" + cMacro(name),
          "dims." + name + " is below 1 or above " + std::to_string(plan.symbolLimit));
  for (auto [i, port] : llvm::enumerate(interface.outputs))
    if (llvm::any_of(getDims(port.type), [](AffineExpr dim) { return !constantDim(dim); }))
      check(EntryCheck::NegativeExtent, i, "DIMS_" + cMacro(plan.outputs[i]),
            "the dimensions are too small for " + plan.outputs[i]);
  for (auto [i, constraint] : llvm::enumerate(interface.constraints))
    check(EntryCheck::DimsDisagree, i, "DIMS_DISAGREE_" + std::to_string(i + 1),
          printDim(constraint.lhs) + " is not " + printDim(constraint.rhs));
  if (interface.workspaceSize != 0) {
    check(EntryCheck::NullWorkspace, 0, "WORKSPACE_NULL", "workspace is NULL");
    check(EntryCheck::WorkspaceTooSmall, 0, "WORKSPACE_TOO_SMALL",
          "workspace_size is below what the model needs");
    check(EntryCheck::WorkspaceMisaligned, 0, "WORKSPACE_MISALIGNED",
          "workspace is not aligned to " + std::to_string(interface.workspaceAlign) + " bytes");
  }
  return plan;
}

} // namespace ingot
