//===- Elementwise.cpp - Element-wise operators of Relay --------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// An operator of the dialect that means the same.
template <typename Op> static LogicalResult importUnary(Call &call) {
  INGOT_TRY(x, call.in(0));
  return call.set(call.make<Op>({x}));
}

template <typename Op> static LogicalResult importBinary(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  return call.set(call.binary<Op>(x, y));
}

static LogicalResult importNotEqual(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  INGOT_TRY(equal, call.binary<EqualOp>(x, y));
  return call.set(call.make<NotOp>({equal}));
}

static LogicalResult importCast(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(element, call.element("dtype", {}));
  if (!element)
    return call.refuse("it has no attribute dtype");
  return call.set(call.cast(x, element));
}

void registerElementwise(OperatorTable &table) {
  table["add"] = importBinary<AddOp>;
  table["subtract"] = importBinary<SubOp>;
  table["multiply"] = importBinary<MulOp>;
  table["divide"] = importBinary<DivOp>;
  table["maximum"] = importBinary<MaxOp>;
  table["minimum"] = importBinary<MinOp>;
  table["power"] = importBinary<PowOp>;
  table["equal"] = importBinary<EqualOp>;
  table["not_equal"] = importNotEqual;
  table["less"] = importBinary<LessOp>;
  table["less_equal"] = importBinary<LessOrEqualOp>;
  table["greater"] = importBinary<GreaterOp>;
  table["greater_equal"] = importBinary<GreaterOrEqualOp>;
  table["logical_and"] = importBinary<AndOp>;
  table["logical_or"] = importBinary<OrOp>;
  table["logical_xor"] = importBinary<XorOp>;
  table["logical_not"] = importUnary<NotOp>;
  table["negative"] = importUnary<NegOp>;
  table["abs"] = importUnary<AbsOp>;
  table["exp"] = importUnary<ExpOp>;
  table["log"] = importUnary<LogOp>;
  table["sqrt"] = importUnary<SqrtOp>;
  table["sigmoid"] = importUnary<SigmoidOp>;
  table["tanh"] = importUnary<TanhOp>;
  table["erf"] = importUnary<ErfOp>;
  table["nn.relu"] = importUnary<ReluOp>;
  table["cast"] = importCast;
}

} // namespace ingot::relay
