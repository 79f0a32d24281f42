#include "harness/Inputs.h"
#include "harness/OnnxFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <numbers>
#include <random>

namespace ingot {
namespace {

llvm::Error misfit(const PortInfo &port, const InterfaceInfo &info, const Tensor &tensor) {
  std::string wanted = elementName(port.type) + std::string(" [");
  for (size_t i = 0; i < port.shape.size(); ++i)
    wanted += (i ? "," : "") + port.shape[i].text(info.symbols);
  return llvm::createStringError("input '" + port.name + "' is " +
                                 describe(tensor.type(), tensor.shape()) + ", the model takes " +
                                 wanted + "]");
}

bool isFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16 ||
         type == ElementType::Float32 || type == ElementType::Float64;
}

// The same on every machine, unlike std::hash.
uint64_t hashName(llvm::StringRef name) {
  uint64_t hash = 14695981039346656037u;
  for (unsigned char c : name)
    hash = (hash ^ c) * 1099511628211u;
  return hash;
}

void fillRandom(Tensor &tensor, const InputRule &rule, uint64_t seed) {
  std::mt19937_64 engine(seed);
  auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  bool ranged = rule.low != rule.high;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    double value = 0;
    if (isFloat(tensor.type())) {
      value = ranged ? rule.low + (rule.high - rule.low) * uniform()
                     : std::sqrt(-2 * std::log(1 - uniform())) *
                           std::cos(2 * std::numbers::pi * uniform());
    } else {
      double low = ranged ? rule.low : 0;
      double high = ranged ? rule.high : tensor.type() == ElementType::Bool ? 1 : 9;
      value = low + std::floor((high - low + 1) * uniform());
    }
    tensor.setNumber(i, value);
  }
}

} // namespace

llvm::Expected<std::pair<std::string, InputValue>> parseInput(llvm::StringRef argument) {
  // Names may hold '=' themselves; values never start with one.
  auto [name, value] = argument.rsplit('=');
  if (size_t at = argument.find("=@"); at != llvm::StringRef::npos) {
    name = argument.take_front(at);
    value = argument.drop_front(at + 1);
  }
  if (name.empty() || value.empty())
    return llvm::createStringError("'" + argument + "': expected NAME=@file.npy, NAME=random, ...");
  if (value.consume_front("@")) {
    auto tensor = value.ends_with(".pb") ? readTensorFile(value.str()) : readNpy(value.str());
    if (!tensor)
      return tensor.takeError();
    return std::pair(name.str(), InputValue(std::move(*tensor)));
  }
  InputRule rule;
  if (value == "random")
    return std::pair(name.str(), InputValue(rule));
  rule.kind = InputRule::Kind::Constant;
  if (value == "zeros")
    return std::pair(name.str(), InputValue(rule));
  if (value == "ones") {
    rule.low = 1;
    return std::pair(name.str(), InputValue(rule));
  }
  if (value.consume_front("random:")) {
    rule.kind = InputRule::Kind::Random;
    auto [low, high] = value.split(':');
    if (llvm::to_float(low, rule.low) && llvm::to_float(high, rule.high) && rule.low < rule.high)
      return std::pair(name.str(), InputValue(rule));
  } else if (llvm::to_float(value, rule.low)) {
    return std::pair(name.str(), InputValue(rule));
  } else if (value.consume_front("[") && value.consume_back("]")) {
    rule.kind = InputRule::Kind::List;
    bool isList = true;
    for (llvm::StringRef item : llvm::split(value, ','))
      isList &= llvm::to_float(item.trim(), rule.numbers.emplace_back());
    if (isList)
      return std::pair(name.str(), InputValue(rule));
  }
  return llvm::createStringError("'" + argument +
                                 "': expected @file.npy, @file.pb, random, random:LOW:HIGH, zeros, "
                                 "ones, a number or [NUMBER,...] after '='");
}

llvm::Expected<std::vector<int64_t>> solveSymbols(const InterfaceInfo &info,
                                                  const InputValues &values,
                                                  const std::map<std::string, int64_t> &given) {
  auto tensorOf = [&](const PortInfo &port) -> const Tensor * {
    auto it = values.find(port.name);
    return it == values.end() ? nullptr : std::get_if<Tensor>(&it->second);
  };
  for (const auto &[name, value] : values)
    if (llvm::none_of(info.inputs, [&](const PortInfo &port) { return port.name == name; })) {
      std::string known;
      for (const PortInfo &port : info.inputs)
        known += (known.empty() ? "" : ", ") + port.name;
      return llvm::createStringError("the model has no input '" + name + "'; it has " + known);
    }
  std::vector<std::optional<int64_t>> found(info.symbols.size());
  for (const auto &[name, value] : given) {
    auto it = llvm::find(info.symbols, name);
    if (it == info.symbols.end())
      return llvm::createStringError("the compiled model has no dimension '" + name + "'");
    found[it - info.symbols.begin()] = value;
  }
  for (const PortInfo &port : info.inputs) {
    const Tensor *tensor = tensorOf(port);
    if (!tensor)
      continue;
    if (tensor->type() != port.type || tensor->shape().size() != port.shape.size())
      return misfit(port, info, *tensor);
    for (auto [extent, actual] : llvm::zip_equal(port.shape, tensor->shape()))
      if (extent.kind == Extent::Kind::Symbol && !found[extent.value])
        found[extent.value] = actual;
  }
  std::vector<int64_t> symbols;
  for (auto [name, value] : llvm::zip_equal(info.symbols, found)) {
    if (!value)
      return llvm::createStringError("dimension '" + name + "' has no value: give --at " + name +
                                     "=N, --dim " + name + "=N or an input from a file");
    symbols.push_back(*value);
  }
  for (const PortInfo &port : info.inputs)
    if (const Tensor *tensor = tensorOf(port))
      for (auto [extent, actual] : llvm::zip_equal(port.shape, tensor->shape()))
        if (extent.evaluate(symbols) != actual)
          return misfit(port, info, *tensor);
  for (const ConstraintInfo &constraint : info.constraints) {
    auto left = constraint.left.evaluate(symbols), right = constraint.right.evaluate(symbols);
    if (!left || left != right)
      return llvm::createStringError("these shapes do not fit the model: it needs " +
                                     constraint.left.text(info.symbols) + " = " +
                                     constraint.right.text(info.symbols));
  }
  return symbols;
}

llvm::Expected<std::vector<Tensor>> makeInputs(const InterfaceInfo &info, InputValues values,
                                               llvm::ArrayRef<int64_t> symbols, uint64_t seed) {
  std::vector<Tensor> tensors;
  for (const PortInfo &port : info.inputs) {
    auto it = values.find(port.name);
    if (it != values.end())
      if (Tensor *given = std::get_if<Tensor>(&it->second)) {
        tensors.push_back(std::move(*given));
        continue;
      }
    std::vector<int64_t> shape;
    for (const Extent &extent : port.shape) {
      std::optional<int64_t> value = extent.evaluate(symbols);
      if (!value || *value < 0)
        return llvm::createStringError("input '" + port.name + "' has no possible shape here");
      shape.push_back(*value);
    }
    if (auto size = shapeBytes(port.type, shape); !size)
      return size.takeError();
    Tensor tensor(port.type, std::move(shape));
    InputRule rule = it == values.end() ? InputRule() : std::get<InputRule>(it->second);
    if (rule.kind == InputRule::Kind::List &&
        static_cast<int64_t>(rule.numbers.size()) != tensor.elements())
      return llvm::createStringError("input '" + port.name + "' is given " +
                                     std::to_string(rule.numbers.size()) + " numbers, it has " +
                                     std::to_string(tensor.elements()) + " elements");
    if (rule.kind == InputRule::Kind::Random)
      fillRandom(tensor, rule, seed ^ hashName(port.name));
    else if (rule.kind == InputRule::Kind::List)
      for (auto [i, number] : llvm::enumerate(rule.numbers))
        tensor.setNumber(static_cast<int64_t>(i), number);
    else
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setNumber(i, rule.low);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<std::string> inputNames(const InterfaceInfo &info) {
  std::vector<std::string> names;
  for (const PortInfo &port : info.inputs)
    names.push_back(port.name);
  return names;
}

} // namespace ingot
