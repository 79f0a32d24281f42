//===- Writer.cpp - One function as Relay text ------------------------------------------------===//

#include "Export/Relay/Writer.h"
#include "Export/Relay/Export.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <charconv>
#include <cmath>

using namespace mlir;

namespace ingot::relay {

std::string list(ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t each : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(each);
  return "[" + text + "]";
}

static std::string typeText(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() == 0)
    return elementName(tensor.getElementType());
  std::string shape = list(tensor.getShape());
  return "Tensor[(" + shape.substr(1, shape.size() - 2) + "), " +
         elementName(tensor.getElementType()) + "]";
}

std::string Writer::refuse(Operation *op, const Twine &why) {
  std::string name = op->getName().stripDialect().str();
  if (auto named = dyn_cast<NameLoc>(op->getLoc()); named && !named.getName().empty())
    name = "node '" + named.getName().str() + "': " + name;
  refused.push_back(name + ": " + why.str());
  return "";
}

std::string Writer::bind(const std::string &expression) {
  std::string name = "%" + std::to_string(bindings++);
  text += indent + name + " = " + expression + ";\n";
  return name;
}

std::string Writer::literal(double number, Type element) {
  if (element.isInteger(1))
    return number != 0 ? "True" : "False";
  if (auto integer = dyn_cast<IntegerType>(element)) {
    std::string digits = std::to_string(static_cast<int64_t>(number));
    if (integer.getWidth() == 32 && !integer.isUnsigned())
      return digits;
    return digits + (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
  }
  if ((element.isF32() || element.isF64()) && std::isfinite(number)) {
    char buffer[64];
    auto end = element.isF32()
                   ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(number)).ptr
                   : std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    return std::string(buffer, end) + (element.isF32() ? "f" : "f64");
  }
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(cast<FloatType>(element).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return tensor(DenseElementsAttr::get(RankedTensorType::get({}, element), value));
}

std::string Writer::operator()(Value value) {
  if (auto it = names.find(value); it != names.end())
    return it->second;
  ElementsAttr constant = cast<ConstantOp>(value.getDefiningOp()).getValue();
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  auto type = cast<RankedTensorType>(constant.getType());
  std::string result;
  if (dense && type.getRank() == 0 && !type.getElementType().isF16() &&
      !type.getElementType().isBF16() &&
      (isa<FloatType>(type.getElementType()) || type.getElementTypeBitWidth() <= 32)) {
    Type element = type.getElementType();
    if (isa<FloatType>(element))
      result = literal((*dense.value_begin<APFloat>()).convertToDouble(), element);
    else if (element.isUnsignedInteger() || element.isInteger(1))
      result = literal(static_cast<double>((*dense.value_begin<APInt>()).getZExtValue()), element);
    else
      result = literal(static_cast<double>((*dense.value_begin<APInt>()).getSExtValue()), element);
  } else {
    result = tensor(constant);
  }
  names[value] = result;
  return result;
}

std::string Writer::results(ValueRange values) {
  if (values.size() == 1)
    return (*this)(values[0]);
  std::string members;
  for (Value value : values)
    members += (members.empty() ? "" : ", ") + (*this)(value);
  return "(" + members + ")";
}

std::string Writer::branch(Block &body) {
  std::string outer = std::move(text), before = indent;
  text.clear();
  indent += "  ";
  block(body);
  std::string result =
      "{\n" + text + indent + results(body.getTerminator()->getOperands()) + "\n" + before + "}";
  text = std::move(outer);
  indent = before;
  return result;
}

void Writer::write(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape()) {
      refuse(op, "Relay has no names for dimensions: give them values with --dim NAME=N");
      for (Value result : op->getResults())
        names[result] = "%0";
      return;
    }
  }
  if (isa<ConstantOp>(op))
    return;
  std::string expression;
  if (auto branchOp = dyn_cast<IfOp>(op)) {
    std::string condition = (*this)(branchOp.getCondition());
    if (cast<RankedTensorType>(branchOp.getCondition().getType()).getRank() != 0)
      condition = bind("reshape(" + condition + ", newshape=[])");
    std::string then = branch(branchOp.getThenRegion().front());
    expression =
        "if (" + condition + ") " + then + " else " + branch(branchOp.getElseRegion().front());
  } else if (op->getNumRegions() != 0) {
    refuse(op, "it has no words in Relay");
  } else {
    expression = expressionOf(op, *this);
  }
  std::string name = bind(expression);
  for (OpResult result : op->getResults())
    names[result] =
        name + (op->getNumResults() == 1 ? "" : "." + std::to_string(result.getResultNumber()));
}

void Writer::block(Block &body) {
  for (Operation &op : body.without_terminator())
    write(&op);
}

std::string Writer::run(ModuleOp module) {
  auto interface = ModelInterface::read(module);
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (failed(interface) || !main) {
    refused.push_back("the module has no function main");
    return "";
  }
  if (!llvm::hasSingleElement(module.getOps<func::FuncOp>()))
    refused.push_back("only graphs of tensors can be translated, not programs with functions");
  std::string parameters;
  llvm::StringSet<> taken;
  for (auto [argument, port] : llvm::zip(main.getArguments(), interface->inputs)) {
    std::string name;
    for (char c : port.name)
      name += llvm::isAlnum(c) || c == '_' || c == '/' ? c : '_';
    if (name.empty() || llvm::isDigit(name[0]))
      name = "x" + name;
    std::string each = name;
    for (int i = 2; !taken.insert(each).second; ++i)
      each = name + "_" + std::to_string(i);
    if (!cast<RankedTensorType>(argument.getType()).hasStaticShape()) {
      refused.push_back("the input '" + port.name +
                        "' has open dimensions, and Relay has no names for them: give them values "
                        "with --dim NAME=N");
      return "";
    }
    names[argument] = "%" + each;
    parameters += (parameters.empty() ? "%" : ", %") + each + ": " + typeText(argument.getType());
  }
  Block &body = main.getBody().front();
  block(body);
  return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + text + "  " +
         results(body.getTerminator()->getOperands()) + "\n}\n";
}

} // namespace ingot::relay

namespace ingot {

std::string exportRelay(ModuleOp module, std::vector<std::string> &refusals) {
  relay::Writer writer;
  std::string text = writer.run(module);
  refusals = writer.refusals();
  return refusals.empty() ? text + writer.metadata() : "";
}

} // namespace ingot
