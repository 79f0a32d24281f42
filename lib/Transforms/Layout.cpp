//===- Layout.cpp - Transpositions where the model asks for them ------------------------------===//
//
// Importers wrap channels-last operators in transpositions. Here every transposition sinks towards
// the results through operators that do not care, until it meets its inverse.
//
//===----------------------------------------------------------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_LAYOUT
#include "Transforms/Passes.h.inc"

namespace {

SmallVector<AffineExpr> dimsOf(Value v) { return getDims(tensorType(v)); }
DimsAttr dimsAttr(MLIRContext *context, ArrayRef<AffineExpr> dims) {
  return DimsAttr::get(context, dims);
}

SmallVector<int64_t> inverse(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, p] : llvm::enumerate(permutation))
    result[p] = i;
  return result;
}

template <typename T> SmallVector<T> permute(ArrayRef<T> list, ArrayRef<int64_t> permutation) {
  SmallVector<T> result;
  for (int64_t p : permutation)
    result.push_back(list[p]);
  return result;
}

/// True if transposing `v` by `permutation` keeps its elements in order.
bool isFree(Value v, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t p : permutation) {
    if (tensorType(v).getDimSize(p) == 1)
      continue;
    if (p < last)
      return false;
    last = p;
  }
  return true;
}

/// A transposition of what is one already is made as one: as two, they would sink again.
Value transpose(OpBuilder &b, Location loc, Value v, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> merged(permutation);
  if (auto inner = v.getDefiningOp<TransposeOp>()) {
    merged = permute<int64_t>(inner.getPermutation(), permutation);
    v = inner.getX();
    if (llvm::equal(merged, llvm::seq<int64_t>(0, merged.size())))
      return v;
  }
  permutation = merged;
  return b.createOrFold<TransposeOp>(loc, v, permutation);
}

/// True if `v` is there transposed by `permutation` already, channels moved from second to last
/// place: something else reads it so. Only in this direction, as the other way would lead back.
bool isThereChannelsLast(Value v, ArrayRef<int64_t> permutation) {
  auto rank = static_cast<int64_t>(permutation.size());
  if (rank < 4 || tensorType(v).getRank() != rank || permutation.back() != 1)
    return false;
  return llvm::any_of(v.getUsers(), [&](Operation *user) {
    auto turned = dyn_cast<TransposeOp>(user);
    return turned && turned.getPermutation() == permutation;
  });
}

/// The operands of a broadcasting operator of rank `rank` as they stand before a transposition
/// `permutation` of the result; nothing if one would have to be moved in memory.
std::optional<SmallVector<Value>> operandsBefore(OpBuilder &b, Operation *op, int64_t rank,
                                                 ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> back = inverse(permutation);
  bool hasTransposed = false;
  for (bool isDry : {true, false}) {
    SmallVector<Value> result;
    for (Value operand : op->getOperands()) {
      auto type = tensorType(operand);
      auto turned = operand.getDefiningOp<TransposeOp>();
      if (turned && turned.getPermutation() == permutation) {
        hasTransposed = true;
        result.push_back(turned.getX());
        continue;
      }
      if (constantDim(elementCount(type)) == 1 && type.getRank() == 0) {
        result.push_back(operand);
        continue;
      }
      SmallVector<AffineExpr> shape(rank - type.getRank(), dimConstant(b.getContext(), 1));
      llvm::append_range(shape, getDims(type));
      if (isDry) {
        // Constants are moved at compile time.
        bool isUnmoved = true;
        int64_t last = -1;
        for (int64_t p : back) {
          if (constantDim(shape[p]) == 1)
            continue;
          isUnmoved &= p > last;
          last = p;
        }
        if (!isUnmoved && !isConstantTree(operand) && !isThereChannelsLast(operand, back))
          return std::nullopt;
        continue;
      }
      Value full =
          b.createOrFold<ReshapeOp>(op->getLoc(), operand, dimsAttr(b.getContext(), shape));
      result.push_back(transpose(b, op->getLoc(), full, back));
    }
    if (isDry && !hasTransposed)
      return std::nullopt;
    if (!isDry)
      return result;
  }
  return std::nullopt;
}

/// The permutation of the first operand that is a transposition of a tensor of the result's rank.
std::optional<SmallVector<int64_t>> permutationOf(Operation *op, int64_t rank) {
  for (Value operand : op->getOperands())
    // Those of constants are no reason to move anything.
    if (auto turned = operand.getDefiningOp<TransposeOp>();
        turned && tensorType(turned.getResult()).getRank() == rank &&
        !isConstantTree(turned.getX()))
      return SmallVector<int64_t>(turned.getPermutation());
  return std::nullopt;
}

struct SinkThroughElementwise : OpInterfaceRewritePattern<ScalarOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ScalarOpInterface op, PatternRewriter &b) const override {
    RankedTensorType type = tensorType(op->getResult(0));
    auto permutation = permutationOf(op, type.getRank());
    if (!permutation)
      return failure();
    auto operands = operandsBefore(b, op, type.getRank(), *permutation);
    if (!operands)
      return failure();
    SmallVector<AffineExpr> dims = permute<AffineExpr>(getDims(type), inverse(*permutation));
    OperationState state(op.getLoc(), op->getName());
    state.addOperands(*operands);
    state.addTypes(makeTensorType(dims, type.getElementType()));
    state.addAttributes(op->getAttrs());
    Operation *before = b.create(state);
    b.replaceOpWithNewOp<TransposeOp>(op, op->getResultTypes()[0], before->getResult(0),
                                      *permutation);
    return success();
  }
};

struct SinkThroughReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned || !op.getKeepDims())
      return failure();
    SmallVector<int64_t> dims;
    for (int64_t dim : op.getDims())
      dims.push_back(turned.getPermutation()[dim]);
    llvm::sort(dims);
    Value before = b.create<ReduceOp>(op.getLoc(), turned.getX(), op.getKindAttr(),
                                      b.getDenseI64ArrayAttr(dims), b.getBoolAttr(true));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

struct SinkThroughArgReduce : OpRewritePattern<ArgReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ArgReduceOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned || !op.getKeepDim())
      return failure();
    IRMapping mapping;
    mapping.map(op.getX(), turned.getX());
    auto before = cast<ArgReduceOp>(b.clone(*op, mapping));
    before.setAxis(turned.getPermutation()[op.getAxis()]);
    SmallVector<AffineExpr> dims = dimsOf(op.getResult());
    before.getResult().setType(
        makeTensorType(permute<AffineExpr>(dims, inverse(turned.getPermutation())),
                       tensorType(op.getResult()).getElementType()));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

struct SinkThroughConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &b) const override {
    auto permutation = permutationOf(op, tensorType(op.getResult()).getRank());
    if (!permutation)
      return failure();
    SmallVector<int64_t> back = inverse(*permutation);
    for (Value operand : op.getX()) {
      auto turned = operand.getDefiningOp<TransposeOp>();
      if (!(turned && turned.getPermutation() == ArrayRef(*permutation)) &&
          !isConstantTree(operand) && !isFree(operand, back))
        return failure();
    }
    SmallVector<Value> operands;
    for (Value operand : op.getX())
      operands.push_back(transpose(b, op.getLoc(), operand, back));
    Value before = b.create<ConcatOp>(op.getLoc(), operands,
                                      b.getI64IntegerAttr((*permutation)[op.getAxis()]));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, *permutation);
    return success();
  }
};

struct SinkThroughPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned)
      return failure();
    SmallVector<int64_t> back = inverse(turned.getPermutation());
    Value before = b.create<PadOp>(
        op.getLoc(), turned.getX(), op.getValue(),
        dimsAttr(b.getContext(), permute<AffineExpr>(op.getLow().getExprs(), back)),
        dimsAttr(b.getContext(), permute<AffineExpr>(op.getHigh().getExprs(), back)),
        op.getModeAttr());
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

struct SinkThroughSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned)
      return failure();
    SmallVector<int64_t> back = inverse(turned.getPermutation());
    Value before = b.create<SliceOp>(
        op.getLoc(), turned.getX(),
        dimsAttr(b.getContext(), permute<AffineExpr>(op.getStarts().getExprs(), back)),
        b.getDenseI64ArrayAttr(permute<int64_t>(op.getSteps(), back)),
        dimsAttr(b.getContext(), permute<AffineExpr>(op.getSizes().getExprs(), back)));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

struct SinkThroughBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    ArrayRef<AffineExpr> shape = op.getShape().getExprs();
    if (!turned || shape.size() != turned.getPermutation().size())
      return failure();
    SmallVector<int64_t> back = inverse(turned.getPermutation());
    Value before = b.create<BroadcastOp>(op.getLoc(), turned.getX(),
                                         dimsAttr(b.getContext(), permute(shape, back)));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

struct SinkThroughResize : OpRewritePattern<ResizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ResizeOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned)
      return failure();
    SmallVector<int64_t> back = inverse(turned.getPermutation());
    SmallVector<double> roi;
    if (!op.getRoi().empty()) {
      size_t rank = back.size();
      if (op.getRoi().size() != 2 * rank)
        return failure();
      roi = permute<double>(op.getRoi().take_front(rank), back);
      llvm::append_range(roi, permute<double>(op.getRoi().take_back(rank), back));
    }
    SmallVector<AffineExpr> sizes = permute(op.getSizes().getExprs(), back);
    IRMapping mapping;
    mapping.map(op.getX(), turned.getX());
    auto before = cast<ResizeOp>(b.clone(*op, mapping));
    before.setSizesAttr(dimsAttr(b.getContext(), sizes));
    before.setScales(permute<double>(op.getScales(), back));
    before.setRoi(roi);
    before.getResult().setType(makeTensorType(sizes, tensorType(op.getX()).getElementType()));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, turned.getPermutation());
    return success();
  }
};

/// Dimensions of a reshape's operand, other than those of extent 1, and what they became: the same
/// number of elements, so that each group is reshaped by itself.
struct Regrouping {
  SmallVector<int64_t> from, to;
};

/// Nothing if symbolic extents hide how dimensions are grouped.
std::optional<SmallVector<Regrouping>> regroup(ArrayRef<AffineExpr> from, ArrayRef<AffineExpr> to) {
  SmallVector<Regrouping> groups;
  size_t i = 0, j = 0;
  auto skipUnits = [](ArrayRef<AffineExpr> dims, size_t &at) {
    while (at < dims.size() && constantDim(dims[at]) == 1)
      ++at;
  };
  while (true) {
    skipUnits(from, i);
    skipUnits(to, j);
    if (i == from.size() && j == to.size())
      return groups;
    if (i == from.size() || j == to.size())
      return std::nullopt;
    Regrouping group{{static_cast<int64_t>(i)}, {static_cast<int64_t>(j)}};
    AffineExpr left = from[i++], right = to[j++];
    while (left != right) {
      auto l = constantDim(left), r = constantDim(right);
      // Extents that are not both known: one dimension that became several, or the reverse.
      bool growLeft = l && r ? *l < *r : group.to.size() == 1 && from.size() - i > to.size() - j;
      if (growLeft ? i == from.size() : j == to.size())
        return std::nullopt;
      AffineExpr &side = growLeft ? left : right;
      (growLeft ? group.from : group.to).push_back(growLeft ? i : j);
      side = simplifyDim(side * (growLeft ? from[i++] : to[j++]));
    }
    groups.push_back(group);
  }
}

/// A reshape that merges only neighbours in the transposition's operand goes before it.
struct SinkThroughReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &b) const override {
    auto turned = op.getX().getDefiningOp<TransposeOp>();
    if (!turned)
      return failure();
    SmallVector<AffineExpr> to = dimsOf(op.getResult()), operand = dimsOf(turned.getX());
    auto groups = regroup(dimsOf(turned.getResult()), to);
    if (!groups)
      return failure();
    // The dimension of the transposition's operand where each result dimension begins; -1: new.
    SmallVector<int64_t> source(to.size(), -1);
    for (const Regrouping &group : *groups) {
      int64_t first = turned.getPermutation()[group.from.front()], at = first;
      for (int64_t dim : ArrayRef(group.from).drop_front()) {
        do
          ++at;
        while (at < static_cast<int64_t>(operand.size()) && constantDim(operand[at]) == 1);
        if (turned.getPermutation()[dim] != at)
          return failure();
      }
      for (int64_t dim : group.to)
        source[dim] = first;
    }
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, source.size()));
    llvm::sort(order, [&](int64_t x, int64_t y) {
      return std::pair(source[x], x) < std::pair(source[y], y);
    });
    Value before = b.createOrFold<ReshapeOp>(
        op.getLoc(), turned.getX(), dimsAttr(b.getContext(), permute<AffineExpr>(to, order)));
    b.replaceOpWithNewOp<TransposeOp>(op, op.getType(), before, inverse(order));
    return success();
  }
};

struct Layout : impl::LayoutBase<Layout> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    patterns.add<SinkThroughElementwise, SinkThroughReduce, SinkThroughArgReduce, SinkThroughConcat,
                 SinkThroughPad, SinkThroughSlice, SinkThroughBroadcast, SinkThroughResize,
                 SinkThroughReshape>(context);
    GreedyRewriteConfig config;
    config.maxIterations = GreedyRewriteConfig::kNoLimit;
    // A transposition passes each operator once; more is a cycle of patterns, and a bug.
    int64_t operations = 0;
    getOperation().walk([&](Operation *) { ++operations; });
    config.maxNumRewrites = 1000 + 200 * operations;
    config.useTopDownTraversal = true;
    (void)applyPatternsAndFoldGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

} // namespace ingot
