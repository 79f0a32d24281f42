//===- Weights.cpp - Scales and shifts into weights -------------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Simplify/Patterns.h"

using namespace mlir;

namespace ingot {

namespace {

bool isFloat(Value v) { return isa<FloatType>(tensorType(v).getElementType()); }
/// True if `op` multiplies its first operand by weights, its second.
bool takesWeights(Operation *op) { return isa_and_nonnull<ConvOp, ConvTransposeOp, MatmulOp>(op); }
/// True if `weights` may be replaced by others; those that several operators share would be stored
/// several times. Operators that rewriting has left without users do not count.
bool isOwnConstant(Value weights) {
  auto isAlive = [](Operation *user) { return !user->use_empty(); };
  return llvm::count_if(weights.getUsers(), isAlive) <= 1 && isConstantTree(weights);
}
Value reshape(OpBuilder &b, Location loc, Value x, ArrayRef<AffineExpr> dims) {
  auto shape = DimsAttr::get(b.getContext(), llvm::map_to_vector(dims, simplifyDim));
  return b.createOrFold<ReshapeOp>(loc, x, shape);
}
/// `v`, which varies along its last dimension only, as a vector or a scalar.
Value flatPerChannel(OpBuilder &b, Location loc, Value v) {
  SmallVector<AffineExpr> dims = getDims(tensorType(v));
  return reshape(b, loc, v, dims.empty() ? ArrayRef<AffineExpr>() : ArrayRef(dims).take_back(1));
}

/// A scale of each output channel goes into constant weights.
struct ScaleIntoWeights : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &b) const override {
    for (bool swapped : {false, true}) {
      Value product = swapped ? op.getY() : op.getX(), scale = swapped ? op.getX() : op.getY();
      Operation *source = product.getDefiningOp();
      if (!takesWeights(source) || !product.hasOneUse() || product.getType() != op.getType() ||
          !isFloat(product))
        continue;
      AffineExpr channels = getDim(tensorType(product), tensorType(product).getRank() - 1);
      Value weights = source->getOperand(1);
      auto transposed = dyn_cast<ConvTransposeOp>(source);
      if (!isOwnConstant(weights) || !isConstantTree(scale) || !isPerLastDim(scale, channels) ||
          (transposed && transposed.getGroups() != 1))
        continue;
      Value scaled = b.create<MulOp>(op.getLoc(), weights, flatPerChannel(b, op.getLoc(), scale));
      Operation *fresh = b.clone(*source);
      fresh->setOperand(1, scaled);
      b.replaceOp(op, fresh->getResults());
      return success();
    }
    return failure();
  }
};

/// A scale of each input channel goes into constant weights; padding is zero, scaled or not.
template <typename Op> struct InputScaleIntoWeights : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Value x = op->getOperand(0), weights = op->getOperand(1);
    auto product = x.getDefiningOp<MulOp>();
    if (!product || !product->hasOneUse() || !isFloat(x) || !isOwnConstant(weights))
      return failure();
    Value scale = product.getY(), unscaled = product.getX();
    AffineExpr channels = getDim(tensorType(x), tensorType(x).getRank() - 1);
    if (unscaled.getType() != x.getType() || isConstantTree(unscaled) || !isConstantTree(scale) ||
        !isPerLastDim(scale, channels))
      return failure();
    bool isSingle = constantDim(elementCount(tensorType(scale))) == 1, isDepthwise = false;
    if constexpr (std::is_same_v<Op, ConvOp>) {
      isDepthwise = op.isDepthwise();
      if (!isSingle && !isDepthwise && op.getGroups() != 1)
        return failure();
    }
    Value perChannel = flatPerChannel(b, op.getLoc(), scale);
    // Weights name the input channels in their last dimension but one.
    if (!isSingle && !isDepthwise)
      perChannel = reshape(b, op.getLoc(), perChannel, {channels, dimConstant(b.getContext(), 1)});
    Value scaled = b.create<MulOp>(op.getLoc(), weights, perChannel);
    b.modifyOpInPlace(op, [&] {
      op->setOperand(0, unscaled);
      op->setOperand(1, scaled);
    });
    return success();
  }
};

/// (y + b) * s is y * s + b * s where b and s are constant: the scale moves towards the weights.
struct ScaleBeforeShift : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &b) const override {
    for (bool swapped : {false, true}) {
      auto sum = (swapped ? op.getY() : op.getX()).getDefiningOp<AddOp>();
      Value scale = swapped ? op.getX() : op.getY();
      if (!sum || !sum->hasOneUse() || sum.getType() != op.getType() || !isConstantTree(scale) ||
          !isFloat(op.getResult()))
        continue;
      Value y = sum.getX(), shift = sum.getY();
      if (isConstantTree(y))
        std::swap(y, shift);
      if (!isConstantTree(shift) || y.getType() != op.getType() ||
          !takesWeights(y.getDefiningOp()) || !y.hasOneUse() ||
          !isOwnConstant(y.getDefiningOp()->getOperand(1)) ||
          !isPerLastDim(scale, getDim(tensorType(y), tensorType(y).getRank() - 1)))
        continue;
      Value scaled = b.create<MulOp>(op.getLoc(), op.getType(), y, scale);
      Value moved = b.create<MulOp>(op.getLoc(), shift, scale);
      b.replaceOpWithNewOp<AddOp>(op, op.getType(), scaled, moved);
      return success();
    }
    return failure();
  }
};

/// (x + a) + b is x + (a + b) where a and b are constant. Elsewhere than behind weights, models may
/// add large numbers on purpose, to round.
struct MergeShifts : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<AddOp>();
    if (!inner || !inner->hasOneUse() || !isConstantTree(op.getY()) ||
        !isConstantTree(inner.getY()) || inner.getX().getType() != op.getType() ||
        !takesWeights(inner.getX().getDefiningOp()))
      return failure();
    Value sum = b.create<AddOp>(op.getLoc(), inner.getY(), op.getY());
    b.replaceOpWithNewOp<AddOp>(op, op.getType(), inner.getX(), sum);
    return success();
  }
};

/// y - b is y + -b where b is constant, so that it merges with other shifts.
struct SubtractionOfShift : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &b) const override {
    if (!takesWeights(op.getX().getDefiningOp()) || !isFloat(op.getY()) ||
        !isConstantTree(op.getY()))
      return failure();
    Value negated = b.create<NegOp>(op.getLoc(), op.getY());
    b.replaceOpWithNewOp<AddOp>(op, op.getType(), op.getX(), negated);
    return success();
  }
};

/// A transposed convolution whose windows do not overlap: a matrix product for each input position,
/// its columns then laid out as the window.
struct UnoverlappedTranspose : OpRewritePattern<ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvTransposeOp op, PatternRewriter &b) const override {
    RankedTensorType x = tensorType(op.getX()), w = tensorType(op.getW());
    auto isAll = [](ArrayRef<int64_t> list, int64_t value) {
      return llvm::all_of(list, [&](int64_t v) { return v == value; });
    };
    if (x.getRank() != 4 || op.getGroups() != 1 || !isAll(op.getLow(), 0) ||
        !isAll(op.getHigh(), 0) || !isAll(op.getOutputPadding(), 0) ||
        !isAll(op.getDilations(), 1) || op.getStrides() != w.getShape().take_front(2))
      return failure();
    Location loc = op.getLoc();
    SmallVector<AffineExpr> d = getDims(x), k = getDims(w);
    // [KH, KW, C, O] to [C, KH * KW * O].
    Value moved = b.create<TransposeOp>(loc, op.getW(), ArrayRef<int64_t>{2, 0, 1, 3});
    Value matrix = reshape(b, loc, moved, {d[3], k[0] * k[1] * k[3]});
    Value product = b.create<MatmulOp>(loc, op.getX(), matrix);
    Value cut = reshape(b, loc, product, {d[0], d[1], d[2], k[0], k[1], k[3]});
    Value placed = b.create<TransposeOp>(loc, cut, ArrayRef<int64_t>{0, 1, 3, 2, 4, 5});
    b.replaceOpWithNewOp<ReshapeOp>(
        op, op.getType(), placed,
        DimsAttr::get(b.getContext(), getDims(tensorType(op.getResult()))));
    return success();
  }
};

/// A right operand with leading dimensions of extent 1 is one matrix for all.
struct SharedMatrix : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &b) const override {
    SmallVector<AffineExpr> dims = getDims(tensorType(op.getB()));
    if (dims.size() <= 2 || tensorType(op.getA()).getRank() < static_cast<int64_t>(dims.size()) ||
        llvm::any_of(ArrayRef(dims).drop_back(2), [](AffineExpr d) { return constantDim(d) != 1; }))
      return failure();
    Value matrix = reshape(b, op.getLoc(), op.getB(), ArrayRef(dims).take_back(2));
    b.modifyOpInPlace(op, [&] { op->setOperand(1, matrix); });
    return success();
  }
};

} // namespace

void addWeightPatterns(RewritePatternSet &patterns) {
  patterns
      .add<ScaleIntoWeights, InputScaleIntoWeights<ConvOp>, InputScaleIntoWeights<ConvTransposeOp>,
           InputScaleIntoWeights<MatmulOp>, ScaleBeforeShift, MergeShifts, SubtractionOfShift,
           UnoverlappedTranspose, SharedMatrix>(patterns.getContext());
}

} // namespace ingot
