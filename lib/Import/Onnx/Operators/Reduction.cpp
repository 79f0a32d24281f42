//===- Reduction.cpp - Reductions and normalisations of ONNX ----------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

namespace {
/// The operand of a reduction and what is reduced.
struct Reduced {
  Value x;
  SmallVector<int64_t> dims;
  bool keepDims;
};
} // namespace

/// Axes are an operand from `since` on.
static FailureOr<Reduced> reducedOf(Node &node, int64_t since) {
  INGOT_TRY(x, node.in(0));
  SmallVector<int64_t> list = node.integerList("axes");
  if (node.version >= since && node.has(1)) {
    INGOT_TRY(given, node.integers(1, "axes"));
    list = given;
  }
  INGOT_TRY(dims, node.axes(list, Node::rankOf(x)));
  if (dims.empty() && !node.integer("noop_with_empty_axes", 0))
    dims = llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(x)));
  return Reduced{x, dims, node.integer("keepdims", 1) != 0};
}

enum class Fold { Sum, Mean, Prod, Max, Min, L1, L2, SumSquare, LogSum, LogSumExp };

template <Fold fold> static LogicalResult importReduce(Node &node) {
  INGOT_TRY(r, reducedOf(node, fold == Fold::Sum ? 13 : 18));
  auto [x, dims, keep] = r;
  auto reduce = [&](Value v, StringRef kind) { return node.reduce(v, kind, dims, keep); };
  switch (fold) {
  case Fold::Sum:
    return node.set(reduce(x, "sum"));
  case Fold::Mean:
    return node.set(node.mean(x, dims, keep));
  case Fold::Prod: {
    std::optional<Content> content;
    if (auto known = node.content(0); known && !known->empty() && Node::rankOf(x) == 1)
      content = Content{dimProduct(node.b.getContext(), *known)};
    return node.set(0, reduce(x, "prod"), content);
  }
  case Fold::Max:
    return node.set(reduce(x, "max"));
  case Fold::Min:
    return node.set(reduce(x, "min"));
  case Fold::L1: {
    INGOT_TRY(magnitude, node.make<AbsOp>({x}));
    return node.set(reduce(magnitude, "sum"));
  }
  case Fold::L2:
  case Fold::SumSquare: {
    INGOT_TRY(square, node.mul(x, x));
    INGOT_TRY(sum, reduce(square, "sum"));
    if (fold == Fold::SumSquare)
      return node.set(sum);
    if (isa<FloatType>(Node::elementType(sum)))
      return node.set(node.make<SqrtOp>({sum}));
    INGOT_TRY(real, node.cast(sum, node.b.getF64Type()));
    INGOT_TRY(root, node.make<SqrtOp>({real}));
    return node.set(node.cast(root, Node::elementType(sum)));
  }
  case Fold::LogSum: {
    INGOT_TRY(sum, reduce(x, "sum"));
    return node.set(node.make<LogOp>({sum}));
  }
  case Fold::LogSumExp: {
    // The greatest element is taken out, so that nothing overflows.
    INGOT_TRY(greatest, node.reduce(x, "max", dims, true));
    INGOT_TRY(less, node.sub(x, greatest));
    INGOT_TRY(power, node.make<ExpOp>({less}));
    INGOT_TRY(sum, node.reduce(power, "sum", dims, true));
    INGOT_TRY(log, node.make<LogOp>({sum}));
    INGOT_TRY(whole, node.add(log, greatest));
    if (keep)
      return node.set(whole);
    SmallVector<AffineExpr> shape;
    for (auto [i, dim] : llvm::enumerate(Node::dimsOf(x)))
      if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
        shape.push_back(dim);
    return node.set(node.reshape(whole, shape));
  }
  }
}

/// What Softmax and its kin work on: before version 13 all dimensions from the axis on at once.
static FailureOr<SmallVector<int64_t>> softmaxDims(Node &node, Value x) {
  int64_t rank = Node::rankOf(x);
  if (rank == 0)
    return SmallVector<int64_t>();
  INGOT_TRY(axis, node.axis(node.integer("axis", node.version < 13 ? 1 : -1),
                            std::max<int64_t>(rank, node.version < 13 ? 2 : 1)));
  if (node.version >= 13)
    return SmallVector<int64_t>{axis};
  return llvm::to_vector(llvm::seq<int64_t>(std::min(axis, rank), rank));
}

static LogicalResult importSoftmax(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(dims, softmaxDims(node, x));
  INGOT_TRY(greatest, node.reduce(x, "max", dims, true));
  INGOT_TRY(less, node.sub(x, greatest));
  INGOT_TRY(power, node.make<ExpOp>({less}));
  INGOT_TRY(sum, node.reduce(power, "sum", dims, true));
  return node.set(node.div(power, sum));
}

static Result logSoftmax(Node &node, Value x, ArrayRef<int64_t> dims) {
  INGOT_TRY(greatest, node.reduce(x, "max", dims, true));
  INGOT_TRY(less, node.sub(x, greatest));
  INGOT_TRY(power, node.make<ExpOp>({less}));
  INGOT_TRY(sum, node.reduce(power, "sum", dims, true));
  INGOT_TRY(log, node.make<LogOp>({sum}));
  return node.sub(less, log);
}

static LogicalResult importLogSoftmax(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(dims, softmaxDims(node, x));
  return node.set(logSoftmax(node, x, dims));
}

//===----------------------------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------------------------===//

static LogicalResult importBatchNormalization(Node &node) {
  if (node.integer("training_mode", 0) || (node.version < 7 && !node.integer("is_test", 0)))
    return node.refuse("training mode is not supported");
  for (size_t i = 1; i < node.outputCount(); ++i)
    if (node.hasOutput(i))
      return node.refuse("the outputs of training mode are not supported");
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(scale, node.in(1));
  INGOT_TRY(shift, node.in(2));
  INGOT_TRY(mean, node.in(3));
  INGOT_TRY(variance, node.in(4));
  Type element = Node::elementType(x);
  // (x - mean) / sqrt(variance + epsilon) * scale + shift, as one factor and one term.
  INGOT_TRY(padded, node.add(variance, node.scalarLike(node.number("epsilon", 1e-5), variance)));
  INGOT_TRY(deviation, node.make<SqrtOp>({padded}));
  INGOT_TRY(wideScale, node.cast(scale, Node::elementType(deviation)));
  INGOT_TRY(factor, node.div(wideScale, deviation));
  INGOT_TRY(moved, node.mul(mean, factor));
  INGOT_TRY(wideShift, node.cast(shift, Node::elementType(moved)));
  INGOT_TRY(term, node.sub(wideShift, moved));
  INGOT_TRY(factorOfX, node.cast(factor, element));
  INGOT_TRY(termOfX, node.cast(term, element));
  INGOT_TRY(a, node.perChannel(factorOfX, Node::rankOf(x)));
  INGOT_TRY(c, node.perChannel(termOfX, Node::rankOf(x)));
  INGOT_TRY(scaled, node.mul(x, a));
  return node.set(node.add(scaled, c));
}

namespace {
/// A tensor less its mean, and its variance.
struct Centred {
  Value mean, centred, variance;
};
} // namespace

static FailureOr<Centred> centre(Node &node, Value x, ArrayRef<int64_t> dims) {
  INGOT_TRY(mean, node.mean(x, dims, true));
  INGOT_TRY(centred, node.sub(x, mean));
  INGOT_TRY(square, node.mul(centred, centred));
  INGOT_TRY(variance, node.mean(square, dims, true));
  return Centred{mean, centred, variance};
}

/// 1 / sqrt(variance + epsilon)
static Result inverseDeviation(Node &node, Value variance, double epsilon) {
  INGOT_TRY(padded, node.add(variance, node.scalarLike(epsilon, variance)));
  INGOT_TRY(deviation, node.make<SqrtOp>({padded}));
  return node.div(node.scalarLike(1, variance), deviation);
}

static LogicalResult importInstanceNormalization(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(scale, node.in(1));
  INGOT_TRY(shift, node.in(2));
  int64_t rank = Node::rankOf(x);
  if (rank < 3)
    return node.refuse("expected a batch, channels and spatial dimensions");
  INGOT_TRY(c, centre(node, x, llvm::to_vector(llvm::seq<int64_t>(2, rank))));
  INGOT_TRY(inverse, inverseDeviation(node, c.variance, node.number("epsilon", 1e-5)));
  INGOT_TRY(a, node.perChannel(scale, rank));
  INGOT_TRY(d, node.perChannel(shift, rank));
  INGOT_TRY(normal, node.mul(c.centred, inverse));
  INGOT_TRY(scaled, node.mul(normal, a));
  return node.set(node.add(scaled, d));
}

static LogicalResult importLayerNormalization(Node &node) {
  INGOT_TRY(given, node.in(0));
  INGOT_TRY(scale, node.in(1));
  int64_t rank = Node::rankOf(given);
  INGOT_TRY(axis, node.axis(node.integer("axis", -1), rank));
  Type element = Node::elementType(given);
  Type wide = element.isF64() ? element : Type(node.b.getF32Type());
  INGOT_TRY(x, node.cast(given, wide));
  INGOT_TRY(c, centre(node, x, llvm::to_vector(llvm::seq<int64_t>(axis, rank))));
  INGOT_TRY(inverse, inverseDeviation(node, c.variance, node.number("epsilon", 1e-5)));
  INGOT_TRY(normal, node.mul(c.centred, inverse));
  INGOT_TRY(narrow, node.cast(normal, element));
  INGOT_TRY(scaled, node.mul(narrow, scale));
  Value result = scaled;
  if (node.has(2)) {
    INGOT_TRY(shift, node.in(2));
    INGOT_TRY(shifted, node.add(scaled, shift));
    result = shifted;
  }
  if (failed(node.set(0, result)))
    return failure();
  if (node.hasOutput(1) && failed(node.set(1, c.mean)))
    return failure();
  return node.hasOutput(2) ? node.set(2, inverse) : success();
}

static LogicalResult importGroupNormalization(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(scale, node.in(1));
  INGOT_TRY(shift, node.in(2));
  int64_t rank = Node::rankOf(x), groups = node.integer("num_groups", 0);
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  auto channels = rank > 2 ? constantDim(dims[1]) : std::nullopt;
  if (!channels || groups < 1 || *channels % groups != 0)
    return node.refuse("its channels cannot be divided into groups");
  SmallVector<AffineExpr> cut{dims[0], node.constantExpr(groups),
                              node.constantExpr(*channels / groups)};
  cut.append(dims.begin() + 2, dims.end());
  INGOT_TRY(grouped, node.reshape(x, cut));
  INGOT_TRY(c, centre(node, grouped, llvm::to_vector(llvm::seq<int64_t>(2, rank + 1))));
  INGOT_TRY(inverse, inverseDeviation(node, c.variance, node.number("epsilon", 1e-5)));
  INGOT_TRY(normal, node.mul(c.centred, inverse));
  Value result = normal;
  bool isPerGroup = node.version < 21;
  auto lineUp = [&](Value v) -> Result {
    if (!isPerGroup)
      return node.perChannel(v, rank);
    SmallVector<AffineExpr> shape(rank, node.constantExpr(1));
    shape[0] = getDim(Node::typeOf(v), 0);
    return node.reshape(v, shape);
  };
  if (!isPerGroup) {
    INGOT_TRY(whole, node.reshape(result, dims));
    result = whole;
  }
  INGOT_TRY(a, lineUp(scale));
  INGOT_TRY(d, lineUp(shift));
  INGOT_TRY(scaled, node.mul(result, a));
  INGOT_TRY(shifted, node.add(scaled, d));
  return node.set(isPerGroup ? node.reshape(shifted, dims) : Result(shifted));
}

static LogicalResult importLpNormalization(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axis, node.axis(node.integer("axis", -1), Node::rankOf(x)));
  Value norm;
  if (node.integer("p", 2) == 1) {
    INGOT_TRY(magnitude, node.make<AbsOp>({x}));
    INGOT_TRY(sum, node.reduce(magnitude, "sum", {axis}, true));
    norm = sum;
  } else {
    INGOT_TRY(square, node.mul(x, x));
    INGOT_TRY(sum, node.reduce(square, "sum", {axis}, true));
    INGOT_TRY(root, node.make<SqrtOp>({sum}));
    norm = root;
  }
  return node.set(node.div(x, norm));
}

static LogicalResult importMeanVarianceNormalization(Node &node) {
  INGOT_TRY(x, node.in(0));
  SmallVector<int64_t> list = node.integerList("axes");
  if (list.empty())
    list = {0, 2, 3};
  INGOT_TRY(dims, node.axes(list, Node::rankOf(x)));
  INGOT_TRY(c, centre(node, x, dims));
  INGOT_TRY(deviation, node.make<SqrtOp>({c.variance}));
  INGOT_TRY(padded, node.add(deviation, node.scalarLike(1e-9, deviation)));
  return node.set(node.div(c.centred, padded));
}

void registerReduction(Table &table) {
  table["::ReduceSum"] = importReduce<Fold::Sum>;
  table["::ReduceMean"] = importReduce<Fold::Mean>;
  table["::ReduceProd"] = importReduce<Fold::Prod>;
  table["::ReduceMax"] = importReduce<Fold::Max>;
  table["::ReduceMin"] = importReduce<Fold::Min>;
  table["::ReduceL1"] = importReduce<Fold::L1>;
  table["::ReduceL2"] = importReduce<Fold::L2>;
  table["::ReduceSumSquare"] = importReduce<Fold::SumSquare>;
  table["::ReduceLogSum"] = importReduce<Fold::LogSum>;
  table["::ReduceLogSumExp"] = importReduce<Fold::LogSumExp>;
  table["::Softmax"] = importSoftmax;
  table["::LogSoftmax"] = importLogSoftmax;
  table["::BatchNormalization"] = importBatchNormalization;
  table["::InstanceNormalization"] = importInstanceNormalization;
  table["::LayerNormalization"] = importLayerNormalization;
  table["::GroupNormalization"] = importGroupNormalization;
  table["::LpNormalization"] = importLpNormalization;
  table["::MeanVarianceNormalization"] = importMeanVarianceNormalization;
}

} // namespace ingot::onnx_import
