//===- StepNames.cpp - Names and comments of what lowering makes ------------------------------===//

#include "Lower/StepNames.h"
#include "Dialect/Dims.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ingot {

/// The name of the model's node that `loc` stands for, or nothing.
static StringRef nodeName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().getValue();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : llvm::reverse(fused.getLocations()))
      if (StringRef name = nodeName(part); !name.empty())
        return name;
  return "";
}

static std::string identifier(StringRef text) {
  std::string result;
  for (char c : text) {
    if (llvm::isAlnum(c))
      result += llvm::toLower(c);
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  // Names with the whole path of a module tree say the same in fewer words at their end.
  if (result.size() > 48) {
    size_t cut = result.find('_', result.size() - 48);
    result = result.substr(cut == std::string::npos ? result.size() - 48 : cut + 1);
  }
  if (result.empty() || llvm::isDigit(result[0]))
    result = "n" + result;
  return result;
}

std::string StepNames::unique(std::string name) {
  if (taken.insert(name).second)
    return name;
  // Numbers begin where those of the same name ended.
  for (unsigned &next = numbers.try_emplace(name, 2).first->second;;)
    if (std::string candidate = name + "_" + std::to_string(next++); taken.insert(candidate).second)
      return candidate;
}

static std::string mnemonic(Operation &op) { return op.getName().stripDialect().str(); }

std::string StepNames::stepName(GroupOp group) {
  if (auto name = group.getName())
    return unique(identifier(*name));
  StringRef node = nodeName(group.getLoc());
  Block &body = group.getBody().front();
  Operation *last = nullptr, *heavy = nullptr;
  for (Operation &op : body.without_terminator()) {
    last = &op;
    if (auto element = dyn_cast<ElementOpInterface>(op); element && element.isCostly())
      heavy = &op;
  }
  if (heavy && !nodeName(heavy->getLoc()).empty())
    node = nodeName(heavy->getLoc());
  else if (last && !nodeName(last->getLoc()).empty())
    node = nodeName(last->getLoc());
  std::string what = identifier(node);
  if (node.empty())
    what = last ? mnemonic(*last) : "copy";
  return unique(what);
}

static std::string shapeText(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type.getElementType() << "[";
  llvm::interleave(getDims(type), os, [&](AffineExpr dim) { os << printDim(dim); }, ",");
  os << "]";
  return text;
}

ArrayAttr StepNames::nodes(GroupOp group) {
  llvm::SetVector<StringRef> names;
  for (Operation &op : group.getBody().front().without_terminator())
    if (StringRef node = nodeName(op.getLoc()); !isa<ConstantOp>(op) && !node.empty())
      names.insert(node);
  return Builder(group.getContext()).getStrArrayAttr(names.getArrayRef());
}

std::string StepNames::comment(GroupOp group) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<std::string> operators;
  for (Operation &op : group.getBody().front().without_terminator())
    if (!isa<ConstantOp>(op))
      operators.push_back(mnemonic(op));
  os << (operators.empty() ? std::string("copy") : llvm::join(operators, ", "));
  os << "\nin: ";
  llvm::interleaveComma(group.getInputs(), os, [&](Value v) { os << shapeText(v); });
  os << "\nout: ";
  llvm::interleaveComma(group.getResults(), os, [&](Value v) { os << shapeText(v); });
  return text;
}

std::string StepNames::constantName(ConstantOp op) {
  StringRef node = nodeName(op.getLoc());
  return unique(node.empty() ? "constant" : identifier(node));
}

std::string StepNames::valueName(Value value) {
  StringRef node = nodeName(value.getLoc());
  return unique(identifier(node.empty() ? StringRef("value") : node));
}

StringAttr StepNames::argumentName(Value v, size_t index, ArrayRef<Value> inputs,
                                   ArrayRef<Value> outputs) {
  MLIRContext *context = v.getContext();
  if (auto global = v.getDefiningOp<memref::GetGlobalOp>())
    return StringAttr::get(context, global.getName());
  bool isInput = llvm::is_contained(inputs, v), isOutput = llvm::is_contained(outputs, v);
  llvm::SetVector<Value> plain;
  for (Value candidate : isOutput ? outputs : inputs)
    if (!candidate.getDefiningOp<memref::GetGlobalOp>())
      plain.insert(candidate);
  std::string base = isOutput ? (isInput ? "data" : "out") : "in";
  if (plain.size() == 1)
    return StringAttr::get(context, base);
  auto position = std::distance(plain.begin(), llvm::find(plain, v)) + 1;
  return StringAttr::get(context, base + std::to_string(position));
}

} // namespace ingot
