//===- Elementwise.cpp - Element-wise operators of ONNX ---------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

/// Before version 7 the second operand of arithmetic lined up at `axis` if `broadcast` was set.
static Result alignLegacy(Node &node, Value x, Value y) {
  if (node.version >= 7 || !node.integer("broadcast", 0) || !node.attribute("axis"))
    return y;
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  SmallVector<AffineExpr> shape = Node::dimsOf(y);
  while (axis + static_cast<int64_t>(shape.size()) < Node::rankOf(x))
    shape.push_back(node.constantExpr(1));
  return node.reshape(y, shape);
}

/// Arithmetic on what is known of shape-like operands.
static std::optional<Content> combine(Node &node, StringRef op) {
  auto x = node.content(0), y = node.content(1);
  if (!x || !y || x->empty() || y->empty())
    return std::nullopt;
  size_t count = std::max(x->size(), y->size());
  if ((x->size() != count && x->size() != 1) || (y->size() != count && y->size() != 1))
    return std::nullopt;
  Content result;
  for (size_t i = 0; i < count; ++i) {
    AffineExpr a = (*x)[x->size() == 1 ? 0 : i], c = (*y)[y->size() == 1 ? 0 : i];
    auto divisor = constantDim(c);
    if (op == "Add")
      result.push_back(simplifyDim(a + c));
    else if (op == "Sub")
      result.push_back(simplifyDim(a - c));
    else if (op == "Mul" && (constantDim(a) || constantDim(c)))
      result.push_back(simplifyDim(a * c));
    else if (op == "Mul")
      result.push_back(a * c);
    else if (op == "Div" && divisor && *divisor > 0)
      // Extents are not negative, so that rounding down is rounding towards zero.
      result.push_back(simplifyDim(a.floorDiv(c)));
    else if (op == "Mod" && divisor && *divisor > 0)
      result.push_back(simplifyDim(a % c));
    else
      return std::nullopt;
  }
  return result;
}

template <typename Op> static LogicalResult importDirect(Node &node) {
  constexpr size_t arity = Op::template hasTrait<OpTrait::OneOperand>()           ? 1
                           : Op::template hasTrait<OpTrait::NOperands<2>::Impl>() ? 2
                                                                                  : 3;
  SmallVector<Value> operands;
  for (size_t i = 0; i < arity; ++i) {
    INGOT_TRY(operand, node.in(i));
    operands.push_back(operand);
  }
  if (arity == 2) {
    INGOT_TRY(aligned, alignLegacy(node, operands[0], operands[1]));
    operands[1] = aligned;
  }
  for (size_t i = arity == 3 ? 2 : 1; i < arity; ++i)
    if (Node::elementType(operands[i]) != Node::elementType(operands[i - 1]))
      return node.refuse("its operands differ in element type");
  return node.set(0, node.make<Op>(operands), combine(node, Op::onnxName));
}

template <typename Op> static void addDirect(Table &table) {
  // Only element-wise operators have an ONNX name; only those with one are ONNX operators.
  if constexpr (requires { Op::onnxName; })
    if (!Op::onnxName.empty())
      table[("::" + Op::onnxName).str()] = importDirect<Op>;
}

template <typename... Ops> static void addAll(Table &table) { (addDirect<Ops>(table), ...); }

template <typename Op> static LogicalResult importVariadic(Node &node) {
  INGOT_TRY(operands, node.allInputs());
  Value result = operands[0];
  for (Value operand : ArrayRef(operands).drop_front()) {
    INGOT_TRY(next, node.binary<Op>(result, operand));
    result = next;
  }
  return node.set(result);
}

static LogicalResult importMean(Node &node) {
  INGOT_TRY(operands, node.allInputs());
  Value sum = operands[0];
  for (Value operand : ArrayRef(operands).drop_front()) {
    INGOT_TRY(next, node.add(sum, operand));
    sum = next;
  }
  return node.set(node.div(sum, node.scalarLike(double(operands.size()), sum)));
}

static LogicalResult importMod(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(y, node.in(1));
  if (node.integer("fmod", 0))
    return node.set(node.binary<FmodOp>(x, y));
  if (isa<FloatType>(Node::elementType(x)))
    return node.refuse("floats need the attribute fmod");
  return node.set(0, node.binary<ModOp>(x, y), combine(node, "Mod"));
}

static LogicalResult importPow(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(y, node.in(1));
  Type base = Node::elementType(x), exponent = Node::elementType(y);
  if (base == exponent)
    return node.set(node.make<PowOp>({x, y}));
  // The result has the type of the base; what is computed must hold both.
  Type wide = isa<FloatType>(base) && !isa<FloatType>(exponent) ? base
              : isa<FloatType>(exponent) && !isa<FloatType>(base)
                  ? node.b.getF64Type()
                  : (isa<FloatType>(base) ? node.b.getF64Type() : Type(node.b.getI64Type()));
  if (base.isF32() && isa<FloatType>(exponent))
    wide = base;
  INGOT_TRY(a, node.cast(x, wide));
  INGOT_TRY(c, node.cast(y, wide));
  INGOT_TRY(power, node.make<PowOp>({a, c}));
  return node.set(node.cast(power, base));
}

static LogicalResult importBitShift(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(y, node.in(1));
  if (node.text("direction", "") == "LEFT")
    return node.set(node.binary<ShiftLeftOp>(x, y));
  return node.set(node.binary<ShiftRightOp>(x, y));
}

static LogicalResult importClip(Node &node) {
  INGOT_TRY(x, node.in(0));
  Value result = x;
  auto bound = [&](bool isMax) -> LogicalResult {
    StringRef name = isMax ? "max" : "min";
    Value limit;
    if (node.version < 11) {
      const onnx::AttributeProto *given = node.attribute(name);
      if (!given || std::abs(given->f()) >= 3.4028234663852886e38)
        return success();
      limit = node.scalarLike(given->f(), x);
    } else {
      size_t i = isMax ? 2 : 1;
      if (!node.has(i))
        return success();
      INGOT_TRY(operand, node.in(i));
      if (constantDim(elementCount(Node::typeOf(operand))) != 1)
        return node.refuse("its bounds must be scalars");
      INGOT_TRY(flat, node.reshape(operand, {}));
      limit = flat;
    }
    INGOT_TRY(next, isMax ? node.binary<MinOp>(result, limit) : node.binary<MaxOp>(result, limit));
    result = next;
    return success();
  };
  if (failed(bound(false)) || failed(bound(true)))
    return failure();
  return node.set(result);
}

static LogicalResult importIdentity(Node &node) {
  INGOT_TRY(x, node.in(0));
  return node.set(0, x, node.content(0));
}

static LogicalResult importCastTo(Node &node, Type element) {
  INGOT_TRY(x, node.in(0));
  if (!element)
    return node.refuse("the element type it casts to is not supported");
  std::optional<Content> content;
  if (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() >= 32)
    content = node.content(0);
  return node.set(0, node.cast(x, element), content);
}

static LogicalResult importCast(Node &node) {
  return importCastTo(node, elementTypeOf(node.b.getContext(), node.integer("to", 0)));
}

static LogicalResult importCastLike(Node &node) {
  INGOT_TRY(like, node.in(1));
  return importCastTo(node, Node::elementType(like));
}

static LogicalResult importDropout(Node &node) {
  INGOT_TRY(x, node.in(0));
  if (node.version >= 12 && node.has(2)) {
    INGOT_TRY(training, node.in(2));
    auto constant = training.getDefiningOp<ConstantOp>();
    auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
    double ratio = 0.5;
    if (node.has(1)) {
      INGOT_TRY(ratios, node.numbers(1, "ratio"));
      ratio = ratios.empty() ? 0 : ratios[0];
    }
    if (!value || (value.getValues<bool>()[0] && ratio != 0))
      return node.refuse("training mode is not supported");
  }
  if (node.hasOutput(1)) {
    INGOT_TRY(mask, node.broadcast(node.scalar(1, node.b.getI1Type()), Node::dimsOf(x)));
    if (failed(node.set(1, mask)))
      return failure();
  }
  return node.set(x);
}

//===----------------------------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------------------------===//

static LogicalResult importLeakyRelu(Node &node) {
  INGOT_TRY(x, node.in(0));
  double slope = node.number("alpha", 0.01);
  INGOT_TRY(scaled, node.mul(x, node.scalarLike(slope, x)));
  // For slopes up to 1 the greater of the two.
  if (slope >= 0 && slope <= 1)
    return node.set(node.binary<MaxOp>(x, scaled));
  INGOT_TRY(negative, node.binary<LessOp>(x, node.scalarLike(0, x)));
  return node.set(node.make<SelectOp>({negative, scaled, x}));
}

static LogicalResult importPRelu(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(slope, node.in(1));
  if (node.version < 7 && Node::rankOf(slope) == 1 && Node::rankOf(x) > 2) {
    INGOT_TRY(lined, node.perChannel(slope, Node::rankOf(x)));
    slope = lined;
  }
  INGOT_TRY(negative, node.binary<LessOp>(x, node.scalarLike(0, x)));
  INGOT_TRY(scaled, node.mul(x, slope));
  return node.set(node.make<SelectOp>({negative, scaled, x}));
}

/// alpha (e^(x / beta) - 1) below 0, x above, times gamma.
static LogicalResult exponentialUnit(Node &node, double alpha, double beta, double gamma) {
  INGOT_TRY(x, node.in(0));
  Value zero = node.scalarLike(0, x);
  INGOT_TRY(below, node.binary<MinOp>(x, zero));
  Value exponent = below;
  if (beta != 1) {
    INGOT_TRY(divided, node.div(below, node.scalarLike(beta, x)));
    exponent = divided;
  }
  INGOT_TRY(power, node.make<ExpOp>({exponent}));
  INGOT_TRY(less, node.sub(power, node.scalarLike(1, x)));
  INGOT_TRY(scaled, node.mul(less, node.scalarLike(alpha, x)));
  INGOT_TRY(above, node.binary<MaxOp>(x, zero));
  INGOT_TRY(sum, node.add(above, scaled));
  if (gamma == 1)
    return node.set(sum);
  return node.set(node.mul(sum, node.scalarLike(gamma, x)));
}

static LogicalResult importElu(Node &node) {
  return exponentialUnit(node, node.number("alpha", 1), 1, 1);
}
static LogicalResult importSelu(Node &node) {
  return exponentialUnit(node, node.number("alpha", 1.6732632423543772), 1,
                         node.number("gamma", 1.0507009873554805));
}
static LogicalResult importCelu(Node &node) {
  double alpha = node.number("alpha", 1);
  return exponentialUnit(node, alpha, alpha, 1);
}

static Result hardSigmoid(Node &node, Value x, double alpha, double beta) {
  INGOT_TRY(scaled, node.mul(x, node.scalarLike(alpha, x)));
  INGOT_TRY(shifted, node.add(scaled, node.scalarLike(beta, x)));
  return node.clamp(shifted, node.scalarLike(0, x), node.scalarLike(1, x));
}

static LogicalResult importHardSigmoid(Node &node) {
  INGOT_TRY(x, node.in(0));
  return node.set(hardSigmoid(node, x, node.number("alpha", 0.2), node.number("beta", 0.5)));
}

static LogicalResult importHardSwish(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(gate, hardSigmoid(node, x, 1.0 / 6, 0.5));
  return node.set(node.mul(x, gate));
}

/// log(1 + e^x), without overflow.
static Result softplus(Node &node, Value x) {
  INGOT_TRY(magnitude, node.make<AbsOp>({x}));
  INGOT_TRY(negative, node.make<NegOp>({magnitude}));
  INGOT_TRY(power, node.make<ExpOp>({negative}));
  INGOT_TRY(sum, node.add(power, node.scalarLike(1, x)));
  INGOT_TRY(log, node.make<LogOp>({sum}));
  INGOT_TRY(positive, node.binary<MaxOp>(x, node.scalarLike(0, x)));
  return node.add(positive, log);
}

static LogicalResult importSoftplus(Node &node) {
  INGOT_TRY(x, node.in(0));
  return node.set(softplus(node, x));
}

static LogicalResult importMish(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(plus, softplus(node, x));
  INGOT_TRY(tanh, node.make<TanhOp>({plus}));
  return node.set(node.mul(x, tanh));
}

static LogicalResult importSoftsign(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(magnitude, node.make<AbsOp>({x}));
  INGOT_TRY(sum, node.add(magnitude, node.scalarLike(1, x)));
  return node.set(node.div(x, sum));
}

static LogicalResult importThresholdedRelu(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(above, node.binary<GreaterOp>(x, node.scalarLike(node.number("alpha", 1), x)));
  return node.set(node.make<SelectOp>({above, x, node.scalarLike(0, x)}));
}

static LogicalResult importShrink(Node &node) {
  INGOT_TRY(x, node.in(0));
  double lambda = node.number("lambd", 0.5), bias = node.number("bias", 0);
  INGOT_TRY(below, node.binary<LessOp>(x, node.scalarLike(-lambda, x)));
  INGOT_TRY(above, node.binary<GreaterOp>(x, node.scalarLike(lambda, x)));
  INGOT_TRY(raised, node.add(x, node.scalarLike(bias, x)));
  INGOT_TRY(lowered, node.sub(x, node.scalarLike(bias, x)));
  INGOT_TRY(right, node.make<SelectOp>({above, lowered, node.scalarLike(0, x)}));
  return node.set(node.make<SelectOp>({below, raised, right}));
}

static LogicalResult importGelu(Node &node) {
  INGOT_TRY(x, node.in(0));
  Value half = node.scalarLike(0.5, x), one = node.scalarLike(1, x);
  Value inner;
  if (node.text("approximate", "none") == "tanh") {
    INGOT_TRY(square, node.mul(x, x));
    INGOT_TRY(cube, node.mul(square, x));
    INGOT_TRY(small, node.mul(cube, node.scalarLike(0.044715, x)));
    INGOT_TRY(sum, node.add(x, small));
    INGOT_TRY(scaled, node.mul(sum, node.scalarLike(0.7978845608028654, x)));
    INGOT_TRY(tanh, node.make<TanhOp>({scaled}));
    inner = tanh;
  } else {
    INGOT_TRY(scaled, node.mul(x, node.scalarLike(0.7071067811865476, x)));
    INGOT_TRY(erf, node.make<ErfOp>({scaled}));
    inner = erf;
  }
  INGOT_TRY(shifted, node.add(inner, one));
  INGOT_TRY(halved, node.mul(x, half));
  return node.set(node.mul(halved, shifted));
}

static LogicalResult importIsInf(Node &node) {
  INGOT_TRY(x, node.in(0));
  double infinity = std::numeric_limits<double>::infinity();
  bool positive = node.integer("detect_positive", 1), negative = node.integer("detect_negative", 1);
  if (positive && negative) {
    INGOT_TRY(magnitude, node.make<AbsOp>({x}));
    return node.set(node.binary<EqualOp>(magnitude, node.scalarLike(infinity, x)));
  }
  if (positive || negative)
    return node.set(node.binary<EqualOp>(x, node.scalarLike(positive ? infinity : -infinity, x)));
  return node.set(node.broadcast(node.scalar(0, node.b.getI1Type()), Node::dimsOf(x)));
}

void registerElementwise(Table &table) {
  addAll<
#define GET_OP_LIST
#include "Operators/Elementwise.cpp.inc"
      >(table);
  table["::Max"] = importVariadic<MaxOp>;
  table["::Min"] = importVariadic<MinOp>;
  table["::Sum"] = importVariadic<AddOp>;
  table["::Mean"] = importMean;
  table["::Mod"] = importMod;
  table["::Pow"] = importPow;
  table["::BitShift"] = importBitShift;
  table["::Clip"] = importClip;
  table["::Identity"] = importIdentity;
  table["::Cast"] = importCast;
  table["::CastLike"] = importCastLike;
  table["::Dropout"] = importDropout;
  table["::LeakyRelu"] = importLeakyRelu;
  table["::PRelu"] = importPRelu;
  table["::Elu"] = importElu;
  table["::Selu"] = importSelu;
  table["::Celu"] = importCelu;
  table["::HardSigmoid"] = importHardSigmoid;
  table["::HardSwish"] = importHardSwish;
  table["::Softplus"] = importSoftplus;
  table["::Mish"] = importMish;
  table["::Softsign"] = importSoftsign;
  table["::ThresholdedRelu"] = importThresholdedRelu;
  table["::Shrink"] = importShrink;
  table["::Gelu"] = importGelu;
  table["::IsInf"] = importIsInf;
}

} // namespace ingot::onnx_import
