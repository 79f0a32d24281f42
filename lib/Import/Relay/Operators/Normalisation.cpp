//===- Normalisation.cpp - Softmax and normalisations of Relay --------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

template <bool isLog> static LogicalResult importSoftmax(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), Call::rankOf(x)));
  // The greatest element is taken out, so that nothing overflows.
  INGOT_TRY(greatest, call.reduce(x, "max", {axis}, true));
  INGOT_TRY(less, call.sub(x, greatest));
  INGOT_TRY(power, call.make<ExpOp>({less}));
  INGOT_TRY(sum, call.reduce(power, "sum", {axis}, true));
  if (!isLog)
    return call.set(call.div(power, sum));
  INGOT_TRY(log, call.make<LogOp>({sum}));
  return call.set(call.sub(less, log));
}

/// A vector so that it lines up with dimension `axis` of a tensor of `rank`.
static Result along(Call &call, Value vector, int64_t axis, int64_t rank) {
  if (Call::rankOf(vector) != 1)
    return call.refuse("expected one number for each position along the axis");
  SmallVector<AffineExpr> shape(rank, call.constantExpr(1));
  shape[axis] = Call::dimsOf(vector)[0];
  return call.reshape(vector, shape);
}

static LogicalResult importBiasAdd(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(bias, call.in(1));
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), Call::rankOf(x)));
  INGOT_TRY(lined, along(call, bias, axis, Call::rankOf(x)));
  return call.set(call.add(x, lined));
}

/// x * gamma + beta along `axis`, each if its attribute says so.
static Result affine(Call &call, Value x, size_t gammaAt, int64_t axis) {
  Value result = x;
  if (call.flag("scale", true)) {
    INGOT_TRY(gamma, call.in(gammaAt));
    INGOT_TRY(lined, along(call, gamma, axis, Call::rankOf(x)));
    INGOT_TRY(scaled, call.mul(result, lined));
    result = scaled;
  }
  if (call.flag("center", true)) {
    INGOT_TRY(beta, call.in(gammaAt + 1));
    INGOT_TRY(lined, along(call, beta, axis, Call::rankOf(x)));
    INGOT_TRY(moved, call.add(result, lined));
    result = moved;
  }
  return result;
}

static LogicalResult importBatchNorm(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(mean, call.in(3));
  INGOT_TRY(variance, call.in(4));
  int64_t rank = Call::rankOf(x);
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), rank));
  INGOT_TRY(padded, call.add(variance, call.scalarLike(call.number("epsilon", 1e-5), variance)));
  INGOT_TRY(deviation, call.make<SqrtOp>({padded}));
  // One factor and one term for each channel.
  Value factor = call.scalarLike(1, deviation);
  if (call.flag("scale", true)) {
    INGOT_TRY(gamma, call.in(1));
    factor = gamma;
  }
  INGOT_TRY(scale, call.div(factor, deviation));
  INGOT_TRY(moved, call.mul(mean, scale));
  INGOT_TRY(opposite, call.make<NegOp>({moved}));
  Value term = opposite;
  if (call.flag("center", true)) {
    INGOT_TRY(beta, call.in(2));
    INGOT_TRY(sum, call.sub(beta, moved));
    term = sum;
  }
  INGOT_TRY(a, along(call, scale, axis, rank));
  INGOT_TRY(c, along(call, term, axis, rank));
  INGOT_TRY(scaled, call.mul(x, a));
  INGOT_TRY(result, call.add(scaled, c));
  return call.setTuple({result, mean, variance});
}

/// (x - mean) / sqrt(variance + epsilon) over `dims`.
static Result normalise(Call &call, Value x, ArrayRef<int64_t> dims) {
  INGOT_TRY(mean, call.mean(x, dims, true));
  INGOT_TRY(centred, call.sub(x, mean));
  INGOT_TRY(square, call.mul(centred, centred));
  INGOT_TRY(variance, call.mean(square, dims, true));
  INGOT_TRY(padded, call.add(variance, call.scalarLike(call.number("epsilon", 1e-5), variance)));
  INGOT_TRY(deviation, call.make<SqrtOp>({padded}));
  INGOT_TRY(inverse, call.div(call.scalarLike(1, deviation), deviation));
  return call.mul(centred, inverse);
}

static LogicalResult importLayerNorm(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), Call::rankOf(x)));
  INGOT_TRY(normal, normalise(call, x, {axis}));
  return call.set(affine(call, normal, 1, axis));
}

static LogicalResult importInstanceNorm(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), Call::rankOf(x)));
  SmallVector<int64_t> dims;
  for (int64_t i = 1; i < Call::rankOf(x); ++i)
    if (i != axis)
      dims.push_back(i);
  INGOT_TRY(normal, normalise(call, x, dims));
  return call.set(affine(call, normal, 1, axis));
}

static LogicalResult importGroupNorm(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x), groups = call.integer("num_groups", 0);
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), rank));
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  auto channels = constantDim(dims[axis]);
  if (!channels || groups < 1 || *channels % groups != 0)
    return call.refuse("its channels cannot be divided into groups");
  SmallVector<AffineExpr> cut = dims;
  cut[axis] = call.constantExpr(*channels / groups);
  cut.insert(cut.begin() + axis, call.constantExpr(groups));
  INGOT_TRY(grouped, call.reshape(x, cut));
  SmallVector<int64_t> folded;
  for (int64_t i = 1; i <= rank; ++i)
    if (i != axis)
      folded.push_back(i);
  INGOT_TRY(normal, normalise(call, grouped, folded));
  INGOT_TRY(whole, call.reshape(normal, dims));
  return call.set(affine(call, whole, 1, axis));
}

static LogicalResult importL2Normalize(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x);
  SmallVector<int64_t> list =
      call.integerList("axis", llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  INGOT_TRY(dims, call.axes(list, rank));
  INGOT_TRY(square, call.mul(x, x));
  INGOT_TRY(sum, call.reduce(square, "sum", dims, true));
  INGOT_TRY(bounded, call.binary<MaxOp>(sum, call.scalarLike(call.number("eps", 1e-10), sum)));
  INGOT_TRY(norm, call.make<SqrtOp>({bounded}));
  return call.set(call.div(x, norm));
}

void registerNormalisation(OperatorTable &table) {
  table["nn.softmax"] = importSoftmax<false>;
  table["nn.fast_softmax"] = importSoftmax<false>;
  table["nn.log_softmax"] = importSoftmax<true>;
  table["nn.bias_add"] = importBiasAdd;
  table["nn.batch_norm"] = importBatchNorm;
  table["nn.layer_norm"] = importLayerNorm;
  table["nn.instance_norm"] = importInstanceNorm;
  table["nn.group_norm"] = importGroupNorm;
  table["nn.l2_normalize"] = importL2Normalize;
}

} // namespace ingot::relay
