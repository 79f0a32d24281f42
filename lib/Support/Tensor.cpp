#include "Support/Tensor.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ingot {
namespace {

template <typename T> T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void store(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

double fromHalf(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  double fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

// Round to nearest, ties to even.
uint16_t toHalf(double number) {
  uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  double magnitude = std::fabs(number);
  if (std::isnan(number))
    return sign | 0x7e00;
  if (magnitude >= 65520.0)
    return sign | 0x7c00;
  if (magnitude < std::ldexp(1.0, -14))
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
  int exponent = std::ilogb(magnitude);
  auto fraction = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | static_cast<uint16_t>(((exponent + 15) << 10) + (fraction - 1024));
}

uint16_t toBfloat(double number) {
  auto bits = std::bit_cast<uint32_t>(static_cast<float>(number));
  if (std::isnan(number))
    return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

uint64_t toInteger(double number) {
  if (!(std::fabs(number) < 18446744073709551616.0))
    return 0;
  double rounded = std::nearbyint(number);
  return rounded < 0 ? 0 - static_cast<uint64_t>(-rounded) : static_cast<uint64_t>(rounded);
}

Difference compare(const Tensor &actual, const Tensor &reference, double relative,
                   double absolute) {
  Difference result;
  double worstExcess = 0;
  for (int64_t i = 0; i < reference.elements(); ++i) {
    double got = actual.number(i), want = reference.number(i);
    if (got == want || (std::isnan(got) && std::isnan(want)))
      continue;
    double apart = std::fabs(got - want);
    if (!std::isfinite(apart))
      apart = std::numeric_limits<double>::infinity();
    result.largest = std::max(result.largest, apart);
    double excess = apart - (absolute + relative * std::fabs(want));
    if (excess <= 0)
      continue;
    ++result.mismatches;
    if (result.worst < 0 || excess > worstExcess) {
      result.worst = i;
      worstExcess = excess;
    }
  }
  return result;
}

} // namespace

Tensor::Tensor(ElementType type, std::vector<int64_t> shape)
    : elementType(type), extents(std::move(shape)), count(1) {
  for (int64_t extent : extents)
    count *= extent;
  // Not a byte more than there are elements for, so that a sanitizer sees what goes beyond.
  auto size = std::max<size_t>(static_cast<size_t>(bytes()), 1);
  void *place = nullptr;
  if (posix_memalign(&place, 64, size) != 0)
    llvm::report_bad_alloc_error("tensor too large for this machine");
  memory.reset(place);
  std::memset(memory.get(), 0, size);
}

double Tensor::number(int64_t i) const {
  const void *data = memory.get();
  switch (elementType) {
  case ElementType::Bool:
    return load<uint8_t>(data, i) != 0;
  case ElementType::Int8:
    return load<int8_t>(data, i);
  case ElementType::Int16:
    return load<int16_t>(data, i);
  case ElementType::Int32:
    return load<int32_t>(data, i);
  case ElementType::Int64:
    return static_cast<double>(load<int64_t>(data, i));
  case ElementType::UInt8:
    return load<uint8_t>(data, i);
  case ElementType::UInt16:
    return load<uint16_t>(data, i);
  case ElementType::UInt32:
    return load<uint32_t>(data, i);
  case ElementType::UInt64:
    return static_cast<double>(load<uint64_t>(data, i));
  case ElementType::Float16:
    return fromHalf(load<uint16_t>(data, i));
  case ElementType::BFloat16:
    return std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(data, i)) << 16);
  case ElementType::Float32:
    return load<float>(data, i);
  case ElementType::Float64:
    return load<double>(data, i);
  }
  return 0;
}

void Tensor::setNumber(int64_t i, double number) {
  void *data = memory.get();
  switch (elementType) {
  case ElementType::Bool:
    return store<uint8_t>(data, i, number != 0);
  case ElementType::Float16:
    return store(data, i, toHalf(number));
  case ElementType::BFloat16:
    return store(data, i, toBfloat(number));
  case ElementType::Float32:
    return store(data, i, static_cast<float>(number));
  case ElementType::Float64:
    return store(data, i, number);
  default:
    break;
  }
  uint64_t integer = toInteger(number);
  switch (elementSize(elementType)) {
  case 1:
    return store(data, i, static_cast<uint8_t>(integer));
  case 2:
    return store(data, i, static_cast<uint16_t>(integer));
  case 4:
    return store(data, i, static_cast<uint32_t>(integer));
  default:
    return store(data, i, integer);
  }
}

llvm::Expected<int64_t> shapeBytes(ElementType type, std::span<const int64_t> shape) {
  int64_t size = elementSize(type);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(size, extent, &size))
      return llvm::createStringError("shape " + describe(type, shape) + " is not possible");
  return size;
}

std::string describe(ElementType type, std::span<const int64_t> shape) {
  std::string text = elementName(type) + std::string(" [");
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

Difference compareElements(const Tensor &actual, const Tensor &reference, double relative,
                           double absolute) {
  return compare(actual, reference, relative, absolute);
}

Difference compareInRange(const Tensor &actual, const Tensor &reference, double tolerance) {
  double low = INFINITY, high = -INFINITY, magnitude = 0;
  for (int64_t i = 0; i < reference.elements(); ++i) {
    double value = reference.number(i);
    if (!std::isfinite(value))
      continue;
    low = std::min(low, value);
    high = std::max(high, value);
    magnitude = std::max(magnitude, std::fabs(value));
  }
  double range = std::max(magnitude, high - low);
  Difference result = compare(actual, reference, 0, tolerance * (std::isfinite(range) ? range : 0));
  result.range = std::isfinite(range) ? range : 0;
  return result;
}

} // namespace ingot
