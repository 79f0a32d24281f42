#include "ingot/Model.h"
#include <algorithm>
#include <array>

namespace ingot {
namespace {

struct ElementInfo {
  const char *name;
  int64_t size;
};

// In the order of ElementType.
constexpr std::array<ElementInfo, 13> kElements = {{{"bool", 1},
                                                    {"int8", 1},
                                                    {"int16", 2},
                                                    {"int32", 4},
                                                    {"int64", 8},
                                                    {"uint8", 1},
                                                    {"uint16", 2},
                                                    {"uint32", 4},
                                                    {"uint64", 8},
                                                    {"float16", 2},
                                                    {"bfloat16", 2},
                                                    {"float32", 4},
                                                    {"float64", 8}}};

// Division that rounds towards minus infinity; the divisor is positive.
int64_t floorDivide(int64_t left, int64_t right) {
  int64_t quotient = left / right;
  return left % right < 0 ? quotient - 1 : quotient;
}

const char *operatorText(Extent::Kind kind) {
  switch (kind) {
  case Extent::Kind::Add:
    return " + ";
  case Extent::Kind::Multiply:
    return " * ";
  case Extent::Kind::FloorDivide:
    return " floordiv ";
  case Extent::Kind::CeilDivide:
    return " ceildiv ";
  default:
    return " mod ";
  }
}

} // namespace

int64_t elementSize(ElementType type) { return kElements[static_cast<size_t>(type)].size; }
const char *elementName(ElementType type) { return kElements[static_cast<size_t>(type)].name; }

Extent Extent::binary(Kind kind, Extent left, Extent right) {
  Extent result{kind, 0, {}};
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return result;
}

std::optional<int64_t> Extent::evaluate(std::span<const int64_t> symbols) const {
  if (kind == Kind::Constant)
    return value;
  if (kind == Kind::Symbol) {
    if (value < 0 || static_cast<size_t>(value) >= symbols.size())
      return std::nullopt;
    return symbols[value];
  }
  std::optional<int64_t> left = operands[0].evaluate(symbols);
  std::optional<int64_t> right = operands[1].evaluate(symbols);
  if (!left || !right)
    return std::nullopt;
  int64_t result = 0;
  switch (kind) {
  case Kind::Add:
    return __builtin_add_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
  case Kind::Multiply:
    return __builtin_mul_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
  case Kind::Min:
    return std::min(*left, *right);
  case Kind::Max:
    return std::max(*left, *right);
  default:
    break;
  }
  if (*right <= 0)
    return std::nullopt;
  int64_t quotient = floorDivide(*left, *right);
  int64_t remainder = *left - quotient * *right;
  if (kind == Kind::FloorDivide)
    return quotient;
  return kind == Kind::CeilDivide ? quotient + (remainder != 0) : remainder;
}

std::string Extent::text(std::span<const std::string> symbols) const {
  if (kind == Kind::Constant)
    return std::to_string(value);
  if (kind == Kind::Symbol)
    return symbols[value];
  auto operand = [&](const Extent &dimension) {
    std::string inner = dimension.text(symbols);
    return dimension.operands.empty() ? inner : "(" + inner + ")";
  };
  if (kind == Kind::Min || kind == Kind::Max)
    return (kind == Kind::Min ? "min(" : "max(") + operands[0].text(symbols) + ", " +
           operands[1].text(symbols) + ")";
  return operand(operands[0]) + operatorText(kind) + operand(operands[1]);
}

} // namespace ingot
