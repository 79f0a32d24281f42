//===- Kernels.cpp - What each operation does to one element ----------------------------------===//

#include "Kernels.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace ingot::interpreter {
namespace {

/// Stand for the half formats, whose values are computed with as float.
struct Half {};
struct Brain {};
/// An index, 64 bits here.
struct Position {};

template <typename T> struct Repr {
  using type = T;
};
template <> struct Repr<Half> {
  using type = float;
};
template <> struct Repr<Brain> {
  using type = float;
};
template <> struct Repr<Position> {
  using type = int64_t;
};
template <typename T> using ReprOf = typename Repr<T>::type;

double roundTo(const llvm::fltSemantics &format, double value) {
  APFloat result(value);
  bool loses;
  result.convert(format, APFloat::rmNearestTiesToEven, &loses);
  result.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return result.convertToDouble();
}

template <typename T> ReprOf<T> get(Cell cell) {
  if constexpr (std::is_same_v<ReprOf<T>, float>)
    return cell.f;
  else if constexpr (std::is_same_v<T, double>)
    return cell.d;
  else
    return static_cast<ReprOf<T>>(cell.i);
}

template <typename T, typename V> void put(Cell &cell, V value) {
  if constexpr (std::is_same_v<T, Half>)
    cell.f = static_cast<float>(roundTo(APFloat::IEEEhalf(), value));
  else if constexpr (std::is_same_v<T, Brain>)
    cell.f = static_cast<float>(roundTo(APFloat::BFloat(), value));
  else if constexpr (std::is_same_v<T, float>)
    cell.f = static_cast<float>(value);
  else if constexpr (std::is_same_v<T, double>)
    cell.d = static_cast<double>(value);
  else if constexpr (std::is_same_v<T, bool>)
    cell.i = value & 1;
  else
    cell.i = static_cast<ReprOf<T>>(value);
}

/// A kernel from operands `A...` to `R` by `F`, a lambda without captures.
template <typename R, typename... A, typename F> Kernel kernel(F) {
  return [](const Cell *operands, Cell &result) -> const char * {
    [&]<size_t... I>(std::index_sequence<I...>) {
      put<R>(result, F()(get<A>(operands[I])...));
    }(std::index_sequence_for<A...>());
    return nullptr;
  };
}

/// The same with a condition on the operands, by `C`, that says what is undefined.
template <typename R, typename A, typename B, typename C, typename F> Kernel checked(C, F) {
  return [](const Cell *operands, Cell &result) -> const char * {
    auto a = get<A>(operands[0]);
    auto b = get<B>(operands[1]);
    if (const char *problem = C()(a, b))
      return problem;
    put<R>(result, F()(a, b));
    return nullptr;
  };
}

/// `f.template operator()<T>()` for the integer type of `kind`; null for others.
template <typename F> Kernel forInteger(Kind kind, F f) {
  switch (kind) {
  case Kind::I1:
    return f.template operator()<bool>();
  case Kind::I8:
    return f.template operator()<int8_t>();
  case Kind::I16:
    return f.template operator()<int16_t>();
  case Kind::I32:
    return f.template operator()<int32_t>();
  case Kind::I64:
    return f.template operator()<int64_t>();
  case Kind::Index:
    return f.template operator()<Position>();
  default:
    return nullptr;
  }
}

template <typename F> Kernel forFloat(Kind kind, F f) {
  switch (kind) {
  case Kind::F16:
    return f.template operator()<Half>();
  case Kind::BF16:
    return f.template operator()<Brain>();
  case Kind::F32:
    return f.template operator()<float>();
  case Kind::F64:
    return f.template operator()<double>();
  default:
    return nullptr;
  }
}

template <typename T> auto asUnsigned(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

/// Integers wrap: what is computed in 64 unsigned bits is cut to the type.
template <typename T> uint64_t wide(T value) { return static_cast<uint64_t>(value); }

constexpr auto divisible = [](auto a, auto b) -> const char * {
  using T = decltype(a);
  if (b == 0)
    return "division by zero";
  if constexpr (std::is_signed_v<T>)
    if (a == std::numeric_limits<T>::min() && b == -1)
      return "division overflows";
  return nullptr;
};
constexpr auto nonZero = [](auto, auto b) -> const char * {
  return b == 0 ? "division by zero" : nullptr;
};
constexpr auto shiftable = [](auto a, auto b) -> const char * {
  return wide(b) >= 8 * sizeof(a) ? "shift by the width or more" : nullptr;
};

Kernel integerBinary(StringRef name, Kind kind) {
  return forInteger(kind, [&]<typename T>() -> Kernel {
    auto plain = [](auto f) { return kernel<T, T, T>(f); };
    if (name == "addi")
      return plain([](auto a, auto b) { return wide(a) + wide(b); });
    if (name == "subi")
      return plain([](auto a, auto b) { return wide(a) - wide(b); });
    if (name == "muli")
      return plain([](auto a, auto b) { return wide(a) * wide(b); });
    if (name == "divsi")
      return checked<T, T, T>(divisible, [](auto a, auto b) { return a / b; });
    if (name == "remsi")
      return checked<T, T, T>(divisible, [](auto a, auto b) { return a % b; });
    if (name == "divui")
      return checked<T, T, T>(nonZero,
                              [](auto a, auto b) { return asUnsigned(a) / asUnsigned(b); });
    if (name == "remui")
      return checked<T, T, T>(nonZero,
                              [](auto a, auto b) { return asUnsigned(a) % asUnsigned(b); });
    if (name == "minsi")
      return plain([](auto a, auto b) { return std::min(a, b); });
    if (name == "maxsi")
      return plain([](auto a, auto b) { return std::max(a, b); });
    if (name == "minui")
      return plain([](auto a, auto b) { return std::min(asUnsigned(a), asUnsigned(b)); });
    if (name == "maxui")
      return plain([](auto a, auto b) { return std::max(asUnsigned(a), asUnsigned(b)); });
    if (name == "andi")
      return plain([](auto a, auto b) { return a & b; });
    if (name == "ori")
      return plain([](auto a, auto b) { return a | b; });
    if (name == "xori")
      return plain([](auto a, auto b) { return a ^ b; });
    if (name == "shli")
      return checked<T, T, T>(shiftable, [](auto a, auto b) { return wide(a) << b; });
    if (name == "shrsi")
      return checked<T, T, T>(shiftable, [](auto a, auto b) { return a >> b; });
    if (name == "shrui")
      return checked<T, T, T>(shiftable, [](auto a, auto b) { return asUnsigned(a) >> b; });
    return nullptr;
  });
}

/// With a NaN for either operand a NaN results, and -0 is less than 0.
template <typename T> T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <typename T> T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

Kernel floatBinary(StringRef name, Kind kind) {
  return forFloat(kind, [&]<typename T>() -> Kernel {
    auto plain = [](auto f) { return kernel<T, T, T>(f); };
    if (name == "addf")
      return plain([](auto a, auto b) { return a + b; });
    if (name == "subf")
      return plain([](auto a, auto b) { return a - b; });
    if (name == "mulf")
      return plain([](auto a, auto b) { return a * b; });
    if (name == "divf")
      return plain([](auto a, auto b) { return a / b; });
    if (name == "remf")
      return plain([](auto a, auto b) { return std::fmod(a, b); });
    if (name == "minimumf")
      return plain([](auto a, auto b) { return minimum(a, b); });
    if (name == "maximumf")
      return plain([](auto a, auto b) { return maximum(a, b); });
    if (name == "minnumf")
      return plain([](auto a, auto b) { return std::fmin(a, b); });
    if (name == "maxnumf")
      return plain([](auto a, auto b) { return std::fmax(a, b); });
    if (name == "copysign")
      return plain([](auto a, auto b) { return std::copysign(a, b); });
    if (name == "powf")
      return plain([](auto a, auto b) { return std::pow(a, b); });
    if (name == "atan2")
      return plain([](auto a, auto b) { return std::atan2(a, b); });
    return nullptr;
  });
}

Kernel floatUnary(StringRef name, Kind kind) {
  return forFloat(kind, [&]<typename T>() -> Kernel {
    auto plain = [](auto f) { return kernel<T, T>(f); };
    if (name == "negf")
      return plain([](auto a) { return -a; });
    if (name == "absf")
      return plain([](auto a) { return std::fabs(a); });
    if (name == "sqrt")
      return plain([](auto a) { return std::sqrt(a); });
    if (name == "floor")
      return plain([](auto a) { return std::floor(a); });
    if (name == "ceil")
      return plain([](auto a) { return std::ceil(a); });
    if (name == "roundeven")
      return plain([](auto a) { return std::nearbyint(a); });
    if (name == "trunc")
      return plain([](auto a) { return std::trunc(a); });
    if (name == "exp")
      return plain([](auto a) { return std::exp(a); });
    if (name == "log")
      return plain([](auto a) { return std::log(a); });
    if (name == "sin")
      return plain([](auto a) { return std::sin(a); });
    if (name == "cos")
      return plain([](auto a) { return std::cos(a); });
    if (name == "tan")
      return plain([](auto a) { return std::tan(a); });
    if (name == "asin")
      return plain([](auto a) { return std::asin(a); });
    if (name == "acos")
      return plain([](auto a) { return std::acos(a); });
    if (name == "atan")
      return plain([](auto a) { return std::atan(a); });
    if (name == "sinh")
      return plain([](auto a) { return std::sinh(a); });
    if (name == "cosh")
      return plain([](auto a) { return std::cosh(a); });
    if (name == "tanh")
      return plain([](auto a) { return std::tanh(a); });
    if (name == "asinh")
      return plain([](auto a) { return std::asinh(a); });
    if (name == "acosh")
      return plain([](auto a) { return std::acosh(a); });
    if (name == "atanh")
      return plain([](auto a) { return std::atanh(a); });
    if (name == "erf")
      return plain([](auto a) { return std::erf(a); });
    return nullptr;
  });
}

Kernel compareIntegers(arith::CmpIPredicate predicate, Kind kind) {
  using P = arith::CmpIPredicate;
  return forInteger(kind, [&]<typename T>() -> Kernel {
    auto plain = [](auto f) { return kernel<bool, T, T>(f); };
    switch (predicate) {
    case P::eq:
      return plain([](auto a, auto b) { return a == b; });
    case P::ne:
      return plain([](auto a, auto b) { return a != b; });
    case P::slt:
      return plain([](auto a, auto b) { return a < b; });
    case P::sle:
      return plain([](auto a, auto b) { return a <= b; });
    case P::sgt:
      return plain([](auto a, auto b) { return a > b; });
    case P::sge:
      return plain([](auto a, auto b) { return a >= b; });
    case P::ult:
      return plain([](auto a, auto b) { return asUnsigned(a) < asUnsigned(b); });
    case P::ule:
      return plain([](auto a, auto b) { return asUnsigned(a) <= asUnsigned(b); });
    case P::ugt:
      return plain([](auto a, auto b) { return asUnsigned(a) > asUnsigned(b); });
    case P::uge:
      return plain([](auto a, auto b) { return asUnsigned(a) >= asUnsigned(b); });
    }
    return nullptr;
  });
}

Kernel compareFloats(arith::CmpFPredicate predicate, Kind kind) {
  using P = arith::CmpFPredicate;
  return forFloat(kind, [&]<typename T>() -> Kernel {
    auto plain = [](auto f) { return kernel<bool, T, T>(f); };
    switch (predicate) {
    case P::AlwaysFalse:
      return plain([](auto, auto) { return false; });
    case P::OEQ:
      return plain([](auto a, auto b) { return a == b; });
    case P::OGT:
      return plain([](auto a, auto b) { return a > b; });
    case P::OGE:
      return plain([](auto a, auto b) { return a >= b; });
    case P::OLT:
      return plain([](auto a, auto b) { return a < b; });
    case P::OLE:
      return plain([](auto a, auto b) { return a <= b; });
    case P::ONE:
      return plain([](auto a, auto b) { return a < b || a > b; });
    case P::ORD:
      return plain([](auto a, auto b) { return !std::isnan(a) && !std::isnan(b); });
    case P::UEQ:
      return plain([](auto a, auto b) { return !(a < b || a > b); });
    case P::UGT:
      return plain([](auto a, auto b) { return !(a <= b); });
    case P::UGE:
      return plain([](auto a, auto b) { return !(a < b); });
    case P::ULT:
      return plain([](auto a, auto b) { return !(a >= b); });
    case P::ULE:
      return plain([](auto a, auto b) { return !(a > b); });
    case P::UNE:
      return plain([](auto a, auto b) { return a != b; });
    case P::UNO:
      return plain([](auto a, auto b) { return std::isnan(a) || std::isnan(b); });
    case P::AlwaysTrue:
      return plain([](auto, auto) { return true; });
    }
    return nullptr;
  });
}

/// The nearest value of `T` to a truncated float, 0 for a NaN: what is out of range is undefined,
/// but the model's own meaning may leave it so.
template <typename T> T saturate(double value) {
  if (std::isnan(value))
    return 0;
  double low = static_cast<double>(std::numeric_limits<T>::min());
  if (value <= low)
    return std::numeric_limits<T>::min();
  // The largest 64-bit integers have no double of their own; this is the first beyond.
  double beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
  return value >= beyond ? std::numeric_limits<T>::max() : static_cast<T>(value);
}

Kernel floatToInteger(StringRef name, Kind from, Kind to) {
  return forFloat(from, [&]<typename F>() -> Kernel {
    return forInteger(to, [&]<typename T>() -> Kernel {
      if (name == "fptosi")
        return kernel<T, F>([](auto a) { return saturate<ReprOf<T>>(a); });
      return kernel<T, F>([](auto a) { return saturate<decltype(asUnsigned(ReprOf<T>()))>(a); });
    });
  });
}

Kernel integerToFloat(StringRef name, Kind from, Kind to) {
  return forInteger(from, [&]<typename F>() -> Kernel {
    return forFloat(to, [&]<typename T>() -> Kernel {
      if (name == "uitofp")
        return kernel<T, F>([](auto a) { return static_cast<ReprOf<T>>(asUnsigned(a)); });
      // A set boolean is -1.
      return kernel<T, F>([](auto a) {
        if constexpr (std::is_same_v<decltype(a), bool>)
          return static_cast<ReprOf<T>>(-int(a));
        else
          return static_cast<ReprOf<T>>(a);
      });
    });
  });
}

Kernel integerToInteger(StringRef name, Kind from, Kind to) {
  return forInteger(from, [&]<typename F>() -> Kernel {
    return forInteger(to, [&]<typename T>() -> Kernel {
      if (name == "extui" || name == "index_castui")
        return kernel<T, F>([](auto a) { return wide(asUnsigned(a)); });
      return kernel<T, F>([](auto a) {
        if constexpr (std::is_same_v<decltype(a), bool>)
          return -int64_t(a);
        else
          return int64_t(a);
      });
    });
  });
}

Kernel floatToFloat(Kind from, Kind to) {
  return forFloat(from, [&]<typename F>() -> Kernel {
    return forFloat(to,
                    [&]<typename T>() -> Kernel { return kernel<T, F>([](auto a) { return a; }); });
  });
}

template <Kind from, Kind to> const char *reinterpret(const Cell *operands, Cell &result) {
  std::byte bits[8] = {};
  writeCell(from, operands[0], bits);
  result = readCell(to, bits);
  return nullptr;
}

Kernel bitcastKernel(Kind from, Kind to) {
  auto is = [&](Kind a, Kind b) { return from == a && to == b; };
  if (is(Kind::F32, Kind::I32))
    return reinterpret<Kind::F32, Kind::I32>;
  if (is(Kind::I32, Kind::F32))
    return reinterpret<Kind::I32, Kind::F32>;
  if (is(Kind::F64, Kind::I64))
    return reinterpret<Kind::F64, Kind::I64>;
  if (is(Kind::I64, Kind::F64))
    return reinterpret<Kind::I64, Kind::F64>;
  if (is(Kind::F16, Kind::I16))
    return reinterpret<Kind::F16, Kind::I16>;
  if (is(Kind::I16, Kind::F16))
    return reinterpret<Kind::I16, Kind::F16>;
  if (is(Kind::BF16, Kind::I16))
    return reinterpret<Kind::BF16, Kind::I16>;
  if (is(Kind::I16, Kind::BF16))
    return reinterpret<Kind::I16, Kind::BF16>;
  if (is(Kind::F16, Kind::BF16))
    return reinterpret<Kind::F16, Kind::BF16>;
  if (is(Kind::BF16, Kind::F16))
    return reinterpret<Kind::BF16, Kind::F16>;
  if (from == to)
    return [](const Cell *operands, Cell &result) -> const char * {
      result = operands[0];
      return nullptr;
    };
  return nullptr;
}

Kernel castKernel(StringRef name, Kind from, Kind to) {
  if (name == "bitcast")
    return bitcastKernel(from, to);
  bool fromFloat = from >= Kind::F16, toFloat = to >= Kind::F16;
  if (fromFloat && toFloat)
    return floatToFloat(from, to);
  if (fromFloat)
    return floatToInteger(name, from, to);
  if (toFloat)
    return integerToFloat(name, from, to);
  return integerToInteger(name, from, to);
}

template <typename T> Cell readInteger(const std::byte *memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return {.i = value};
}

template <typename T> void writeInteger(int64_t value, std::byte *memory) {
  T narrow = static_cast<T>(value);
  std::memcpy(memory, &narrow, sizeof narrow);
}

const llvm::fltSemantics &halfFormat(Kind kind) {
  return kind == Kind::F16 ? APFloat::IEEEhalf() : APFloat::BFloat();
}

} // namespace

std::optional<Kind> kindOf(Type type) {
  type = getElementTypeOrSelf(type);
  if (type.isIndex())
    return Kind::Index;
  if (type.isF16())
    return Kind::F16;
  if (type.isBF16())
    return Kind::BF16;
  if (type.isF32())
    return Kind::F32;
  if (type.isF64())
    return Kind::F64;
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return Kind::I1;
  case 8:
    return Kind::I8;
  case 16:
    return Kind::I16;
  case 32:
    return Kind::I32;
  case 64:
    return Kind::I64;
  default:
    return std::nullopt;
  }
}

int64_t sizeOf(Kind kind) {
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
    return 1;
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
  case Kind::Index:
  case Kind::F64:
    return 8;
  }
  return 0;
}

Cell readCell(Kind kind, const std::byte *memory) {
  Cell cell = {.i = 0};
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
    return readInteger<int8_t>(memory);
  case Kind::I16:
    return readInteger<int16_t>(memory);
  case Kind::I32:
    return readInteger<int32_t>(memory);
  case Kind::I64:
  case Kind::Index:
    return readInteger<int64_t>(memory);
  case Kind::F16:
  case Kind::BF16: {
    uint16_t bits;
    std::memcpy(&bits, memory, sizeof bits);
    bool loses;
    APFloat value(halfFormat(kind), APInt(16, bits));
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    cell.f = value.convertToFloat();
    return cell;
  }
  case Kind::F32:
    std::memcpy(&cell.f, memory, sizeof cell.f);
    return cell;
  case Kind::F64:
    std::memcpy(&cell.d, memory, sizeof cell.d);
    return cell;
  }
  return cell;
}

void writeCell(Kind kind, Cell cell, std::byte *memory) {
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
    return writeInteger<int8_t>(cell.i, memory);
  case Kind::I16:
    return writeInteger<int16_t>(cell.i, memory);
  case Kind::I32:
    return writeInteger<int32_t>(cell.i, memory);
  case Kind::I64:
  case Kind::Index:
    return writeInteger<int64_t>(cell.i, memory);
  case Kind::F16:
  case Kind::BF16: {
    bool loses;
    APFloat value(cell.f);
    value.convert(halfFormat(kind), APFloat::rmNearestTiesToEven, &loses);
    return writeInteger<uint16_t>(value.bitcastToAPInt().getZExtValue(), memory);
  }
  case Kind::F32:
    std::memcpy(memory, &cell.f, sizeof cell.f);
    return;
  case Kind::F64:
    std::memcpy(memory, &cell.d, sizeof cell.d);
    return;
  }
}

Cell constantCell(Kind kind, Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    APInt bits = integer.getValue();
    return {.i = kind == Kind::I1 ? int64_t(bits.getBoolValue()) : bits.getSExtValue()};
  }
  APFloat number = cast<FloatAttr>(value).getValue();
  if (kind == Kind::F64)
    return {.d = number.convertToDouble()};
  bool loses;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  return {.f = number.convertToFloat()};
}

Kernel findKernel(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return nullptr;
  auto from = kindOf(op->getOperand(0).getType()), to = kindOf(op->getResult(0).getType());
  if (!from || !to)
    return nullptr;
  if (isa<arith::SelectOp>(op))
    return [](const Cell *operands, Cell &result) -> const char * {
      result = operands[operands[0].i ? 1 : 2];
      return nullptr;
    };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareIntegers(compare.getPredicate(), *from);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compareFloats(compare.getPredicate(), *from);
  if (isa<math::FmaOp, vector::FMAOp>(op))
    return forFloat(*to, []<typename T>() {
      return kernel<T, T, T, T>([](auto a, auto b, auto c) { return std::fma(a, b, c); });
    });
  if (isa<math::AbsIOp>(op))
    return forInteger(*to, []<typename T>() {
      return kernel<T, T>([](auto a) { return a < 0 ? 0 - wide(a) : wide(a); });
    });
  if (isa<CastOpInterface>(op))
    return castKernel(name, *from, *to);
  if (op->getNumOperands() == 1)
    return floatUnary(name, *to);
  return *to >= Kind::F16 ? floatBinary(name, *to) : integerBinary(name, *to);
}

Kernel findReductionKernel(Operation *op) {
  using K = vector::CombiningKind;
  auto kind = kindOf(op->getResult(0).getType());
  if (!kind)
    return nullptr;
  bool isFloat = *kind >= Kind::F16;
  auto pick = [&](StringRef name) {
    return isFloat ? floatBinary(name, *kind) : integerBinary(name, *kind);
  };
  switch (cast<vector::ReductionOp>(op).getKind()) {
  case K::ADD:
    return pick(isFloat ? "addf" : "addi");
  case K::MUL:
    return pick(isFloat ? "mulf" : "muli");
  case K::MINUI:
    return pick("minui");
  case K::MINSI:
    return pick("minsi");
  case K::MINNUMF:
    return pick("minnumf");
  case K::MAXUI:
    return pick("maxui");
  case K::MAXSI:
    return pick("maxsi");
  case K::MAXNUMF:
    return pick("maxnumf");
  case K::AND:
    return pick("andi");
  case K::OR:
    return pick("ori");
  case K::MAXIMUMF:
    return pick("maximumf");
  case K::MINIMUMF:
    return pick("minimumf");
  case K::XOR:
    return nullptr;
  }
  return nullptr;
}

} // namespace ingot::interpreter
