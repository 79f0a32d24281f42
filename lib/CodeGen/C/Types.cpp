//===- Types.cpp - Types and literals of C ----------------------------------------------------===//

#include "CodeGen/C/Types.h"
#include "Heap/Heap.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>

using namespace mlir;

namespace ingot::c {

template <typename T>
static std::string shortest(T value, const char *suffix, const char *infinity) {
  if (std::isnan(value))
    return std::signbit(value) ? "-NAN" : "NAN";
  if (std::isinf(value))
    return value > 0 ? infinity : std::string("-") + infinity;
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + suffix;
}

std::string literal(float value) { return shortest(value, "f", "INFINITY"); }
std::string literal(double value) { return shortest(value, "", "(double)INFINITY"); }

std::string literal(const llvm::APInt &value, bool isSigned) {
  if (value.getBitWidth() == 1)
    return value.isZero() ? "0" : "1";
  std::string text = llvm::toString(value, 10, isSigned);
  // The least number has no literal of its own: its absolute value does not fit.
  if (isSigned && value.isMinSignedValue() && value.getBitWidth() >= 32)
    return value.getBitWidth() == 64 ? "INT64_MIN" : "INT32_MIN";
  if (value.getBitWidth() == 64 && !value.isSignedIntN(32))
    return "INT64_C(" + text + ")";
  return text;
}

std::string shortName(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return shortName(vector.getElementType()) + "x" + std::to_string(vector.getNumElements());
  if (type.isBF16())
    return "bf16";
  if (isa<FloatType>(type))
    return "f" + std::to_string(type.getIntOrFloatBitWidth());
  if (type.isIndex())
    return "index";
  return "i" + std::to_string(type.getIntOrFloatBitWidth());
}

void Support::define(const std::string &name, const std::string &text) {
  if (defined.insert(name).second)
    functions.push_back({name, text});
}

std::string Support::storage(Type element) {
  if (element.isF16() || element.isBF16())
    return "uint16_t";
  return type(element);
}

std::string Support::declared(Type type, bool isConst) {
  if (isa<heap::BlockType>(type))
    return isConst ? "ingot_block *const " : "ingot_block *";
  return (isConst ? "const " : "") + this->type(type) + " ";
}

std::string Support::type(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isIndex())
    return indexBits == 32 ? "int32_t" : "int64_t";
  if (type.isInteger(1))
    return "int";
  if (isa<IntegerType>(type))
    return "int" + std::to_string(type.getIntOrFloatBitWidth()) + "_t";
  auto vector = cast<VectorType>(type);
  // Masks are as wide as what was compared; comparisons name their own type.
  std::string name = prefix + "_" + shortName(vector);
  if (defined.insert(name).second) {
    int64_t bytes = vector.getNumElements() * vector.getElementType().getIntOrFloatBitWidth() / 8;
    types.push_back({name, "typedef " + this->type(vector.getElementType()) + " " + name +
                               " __attribute__((vector_size(" + std::to_string(bytes) + ")));\n"});
  }
  return name;
}

std::string Support::unsignedVector(VectorType vector) {
  std::string name = prefix + "_u" + shortName(vector).substr(1);
  if (defined.insert(name).second) {
    int64_t bits = vector.getElementType().getIntOrFloatBitWidth();
    types.push_back({name, "typedef uint" + std::to_string(bits) + "_t " + name +
                               " __attribute__((vector_size(" +
                               std::to_string(vector.getNumElements() * bits / 8) + ")));\n"});
  }
  return name;
}

std::string Support::memoryVector(VectorType vector, bool once) {
  std::string name = prefix + "_" + shortName(vector) + (once ? "_once" : "_memory");
  if (defined.insert(name).second) {
    int64_t element = vector.getElementType().getIntOrFloatBitWidth() / 8;
    types.push_back(
        {name,
         std::string(once ? "/* Read into a register once, not again for each product. */\n" : "") +
             "typedef " + (once ? "volatile " : "") + type(vector.getElementType()) + " " + name +
             " __attribute__((vector_size(" + std::to_string(vector.getNumElements() * element) +
             "), aligned(" + std::to_string(element) + "), may_alias));\n"});
  }
  return name;
}

/// `text` with T, E, N, U, I replaced: the type, its element, the number of lanes, the unsigned
/// type and the signed integer type of the same shape.
std::string Support::function(StringRef name, Type type) {
  std::string full = prefix + "_" + name.str() + "_" + shortName(type);
  if (defined.contains(full))
    return full;
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  std::string t = this->type(type), e = this->type(element);
  std::string head = "static inline " + t + " " + full;
  std::string suffix = element.isF32() ? "f" : "";
  unsigned bits = element.isIndex() ? indexBits : element.getIntOrFloatBitWidth();
  std::string text;
  auto lanes = [&](const std::string &expression) {
    std::string n = std::to_string(vector.getNumElements());
    return "{\n  " + t + " r;\n  for (int i = 0; i < " + n + "; ++i) {\n    r[i] = " + expression +
           ";\n  }\n  return r;\n}\n";
  };
  std::string mask;
  if (vector)
    mask =
        this->type(VectorType::get(vector.getShape(), IntegerType::get(type.getContext(), bits)));
  if (name == "splat") {
    text = head + "(" + e + " x)\n{\n  return (" + t + "){";
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      text += i ? ", x" : "x";
    text += "};\n}\n";
  } else if (name == "step") {
    text = head + "(void)\n{\n  return (" + t + "){";
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      text += (i ? ", " : "") + std::to_string(i);
    text += "};\n}\n";
  } else if (name == "select") {
    text = head + "(" + mask + " m, " + t + " x, " + t + " y)\n{\n  return (" + t + ")((m & (" +
           mask + ")x) | (~m & (" + mask + ")y));\n}\n";
  } else if (name == "max" || name == "min" || name == "maximum" || name == "minimum") {
    // The second operand where either is no number; `maximum` gives the one that is not.
    std::string compare = name.starts_with("max") ? " > " : " < ";
    bool isNanSafe = name.size() == 7;
    if (vector) {
      std::string select = function("select", type);
      std::string condition = isNanSafe ? "(x" + compare + "y) | (x != x)" : "x" + compare + "y";
      text = head + "(" + t + " x, " + t + " y)\n{\n  return " + select + "(" + condition +
             ", x, y);\n}\n";
    } else {
      std::string condition = isNanSafe ? "(x" + compare + "y) || (x != x)" : "x" + compare + "y";
      text = head + "(" + t + " x, " + t + " y)\n{\n  return (" + condition + ") ? x : y;\n}\n";
    }
  } else if (name == "umax" || name == "umin") {
    std::string u = vector ? unsignedVector(vector) : "uint" + std::to_string(bits) + "_t";
    std::string condition = "(" + u + ")x " + (name == "umax" ? ">" : "<") + " (" + u + ")y";
    text = head + "(" + t + " x, " + t + " y)\n{\n  return " +
           (vector ? function("select", type) + "(" + condition + ", x, y)"
                   : "(" + condition + ") ? x : y") +
           ";\n}\n";
  } else if (name == "abs" && vector && isa<FloatType>(element)) {
    std::string ones = bits == 32 ? "0x7fffffff" : "INT64_C(0x7fffffffffffffff)";
    text = head + "(" + t + " x)\n{\n  return (" + t + ")((" + mask + ")x & " + ones + ");\n}\n";
  } else if (name == "abs" && !isa<FloatType>(element)) {
    std::string u = "uint" + std::to_string(bits) + "_t";
    text = head + "(" + t + " x)\n{\n  return (x < 0) ? (" + t + ")((" + u + ")0 - (" + u +
           ")x) : x;\n}\n";
    if (vector)
      text = head + "(" + t + " x)\n" + lanes("(x[i] < 0) ? -x[i] : x[i]");
  } else if (name == "copysign" && vector) {
    usesMath = true;
    text = head + "(" + t + " x, " + t + " y)\n" + lanes("copysign" + suffix + "(x[i], y[i])");
  } else if (name.starts_with("reduce_")) {
    std::string kind = name.drop_front(7).str(), step;
    std::string x = "a[i]", y = "a[i + n]";
    if (kind == "add")
      step = x + " + " + y;
    else if (kind == "mul")
      step = x + " * " + y;
    else if (kind == "and")
      step = x + " & " + y;
    else if (kind == "or")
      step = x + " | " + y;
    else
      step = function(kind, element) + "(" + x + ", " + y + ")";
    std::string n = std::to_string(vector.getNumElements());
    text = "static inline " + e + " " + full + "(" + t + " x)\n{\n  " + e + " a[" + n +
           "];\n  for (int i = 0; i < " + n +
           "; ++i) {\n    a[i] = x[i];\n  }\n  for (int n = " + n +
           " / 2; n > 0; n /= 2) {\n    for (int i = 0; i < n; ++i) {\n      a[i] = (" + e + ")(" +
           step + ");\n    }\n  }\n  return a[0];\n}\n";
  } else {
    // An elementary function on each lane.
    usesMath = true;
    text = head + "(" + t + " x)\n" + lanes(name.str() + suffix + "(x[i])");
  }
  define(full, text);
  return full;
}

std::string Support::conversion(Type from, Type to) {
  std::string full = prefix + "_" + shortName(from) + "_to_" + shortName(to);
  if (defined.contains(full))
    return full;
  std::string text = "static inline ";
  if (from.isBF16() && to.isF32()) {
    usesString = true;
    text += "float " + full +
            "(uint16_t x)\n{\n  const uint32_t bits = (uint32_t)x << 16;\n  float r;\n"
            "  memcpy(&r, &bits, sizeof r);\n  return r;\n}\n";
  } else if (from.isF16() && to.isF32()) {
    usesString = true;
    text += "float " + full +
            "(uint16_t x)\n{\n"
            "  /* exponents of 5 bits become exponents of 8; subnormal numbers are scaled */\n"
            "  const uint32_t sign = (uint32_t)(x & 0x8000u) << 16;\n"
            "  const uint32_t rest = (uint32_t)(x & 0x7fffu) << 13;\n"
            "  uint32_t bits;\n"
            "  float r;\n"
            "  if (rest >= 0x0f800000u) {\n"
            "    bits = rest + 0x70000000u;\n"
            "  } else if (rest >= 0x00800000u) {\n"
            "    bits = rest + 0x38000000u;\n"
            "  } else {\n"
            "    r = (float)(x & 0x7fffu) * 5.9604645e-8f;\n"
            "    memcpy(&bits, &r, sizeof bits);\n"
            "  }\n"
            "  bits |= sign;\n"
            "  memcpy(&r, &bits, sizeof r);\n"
            "  return r;\n}\n";
  } else if (from.isF32() && to.isBF16()) {
    usesString = true;
    text += "uint16_t " + full +
            "(float x)\n{\n  uint32_t bits;\n  memcpy(&bits, &x, sizeof bits);\n"
            "  if (x != x) {\n    return (uint16_t)((bits >> 16) | 0x40u);\n  }\n"
            "  bits += 0x7fffu + ((bits >> 16) & 1u);\n  return (uint16_t)(bits >> 16);\n}\n";
  } else if (from.isF32() && to.isF16()) {
    usesString = true;
    text += "uint16_t " + full +
            "(float x)\n{\n"
            "  uint32_t bits;\n"
            "  memcpy(&bits, &x, sizeof bits);\n"
            "  const uint32_t sign = (bits >> 16) & 0x8000u;\n"
            "  bits &= 0x7fffffffu;\n"
            "  if (bits > 0x7f800000u) {\n"
            "    return (uint16_t)(sign | 0x7e00u);\n"
            "  }\n"
            "  if (bits >= 0x477ff000u) {\n"
            "    return (uint16_t)(sign | 0x7c00u);\n"
            "  }\n"
            "  if (bits < 0x38800000u) {\n"
            "    /* subnormal: adding 0.5 rounds to multiples of 2^-24 */\n"
            "    float r;\n"
            "    memcpy(&r, &bits, sizeof r);\n"
            "    r += 0.5f;\n"
            "    memcpy(&bits, &r, sizeof bits);\n"
            "    return (uint16_t)(sign | (bits - 0x3f000000u));\n"
            "  }\n"
            "  bits += 0xfffu + ((bits >> 13) & 1u);\n"
            "  return (uint16_t)(sign | ((bits - 0x38000000u) >> 13));\n}\n";
  } else {
    // The same bits read as another type.
    usesString = true;
    std::string a = type(from), c = type(to);
    text += c + " " + full + "(" + a + " x)\n{\n  " + c +
            " r;\n  memcpy(&r, &x, sizeof r);\n  return r;\n}\n";
  }
  define(full, text);
  return full;
}

std::string Support::declarations() const {
  std::string text;
  if (!types.empty()) {
    text += "/* Vectors of GNU C; those for memory are not aligned and may alias. */\n";
    for (const auto &[name, declaration] : types)
      text += declaration;
    text += "\n";
  }
  for (const auto &[name, definition] : functions)
    text += definition + "\n";
  return text;
}

} // namespace ingot::c
