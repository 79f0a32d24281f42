//===- Simplify.cpp - Operators in their simplest form
//-----------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_SIMPLIFY
#include "Transforms/Passes.h.inc"

namespace {

RankedTensorType tensorType(Value v) { return cast<RankedTensorType>(v.getType()); }
DimsAttr dimsAttr(MLIRContext *context, ArrayRef<AffineExpr> dims) {
  return DimsAttr::get(context, llvm::map_to_vector(dims, simplifyDim));
}
Value reshape(OpBuilder &b, Location loc, Value x, ArrayRef<AffineExpr> dims) {
  return b.createOrFold<ReshapeOp>(loc, x, dimsAttr(b.getContext(), dims));
}
/// `v`, which varies along its last dimension only, as a vector or a scalar.
Value flatPerChannel(OpBuilder &b, Location loc, Value v) {
  SmallVector<AffineExpr> dims = getDims(tensorType(v));
  return reshape(b, loc, v, dims.empty() ? ArrayRef<AffineExpr>() : ArrayRef(dims).take_back(1));
}

/// Folds keep their dimensions; dropping them is a reshape, which is free.
struct KeepFoldedDims : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    if (op.getKeepDims())
      return failure();
    Value kept = b.create<ReduceOp>(op.getLoc(), op.getX(), op.getKindAttr(), op.getDimsAttr(),
                                    b.getBoolAttr(true));
    auto shape = dimsAttr(b.getContext(), getDims(tensorType(op.getResult())));
    b.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), kept, shape);
    return success();
  }
};

/// A scale of each output channel goes into constant weights.
struct ScaleIntoWeights : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &b) const override {
    for (bool swapped : {false, true}) {
      Value product = swapped ? op.getY() : op.getX(), scale = swapped ? op.getX() : op.getY();
      Operation *source = product.getDefiningOp();
      if (!isa_and_nonnull<ConvOp, ConvTransposeOp, MatmulOp>(source) || !product.hasOneUse() ||
          product.getType() != op.getType() ||
          !isa<FloatType>(tensorType(product).getElementType()))
        continue;
      AffineExpr channels = getDim(tensorType(product), tensorType(product).getRank() - 1);
      Value weights = source->getOperand(1);
      auto transposed = dyn_cast<ConvTransposeOp>(source);
      if (!isConstantTree(weights) || !isConstantTree(scale) || !isPerLastDim(scale, channels) ||
          (transposed && transposed.getGroups() != 1))
        continue;
      b.setInsertionPoint(source);
      if (Operation *def = scale.getDefiningOp(); !def->isBeforeInBlock(source))
        b.setInsertionPoint(op);
      Value scaled = b.create<MulOp>(op.getLoc(), weights, flatPerChannel(b, op.getLoc(), scale));
      b.setInsertionPoint(op);
      Operation *fresh = b.clone(*source);
      fresh->setOperand(1, scaled);
      b.replaceOp(op, fresh->getResults());
      return success();
    }
    return failure();
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
          !isa<FloatType>(tensorType(op.getResult()).getElementType()))
        continue;
      Value y = sum.getX(), shift = sum.getY();
      if (isConstantTree(y))
        std::swap(y, shift);
      if (!isConstantTree(shift) || y.getType() != op.getType() ||
          !isa_and_nonnull<ConvOp, ConvTransposeOp, MatmulOp>(y.getDefiningOp()))
        continue;
      Value scaled = b.create<MulOp>(op.getLoc(), y, scale);
      Value moved = b.create<MulOp>(op.getLoc(), shift, scale);
      b.replaceOpWithNewOp<AddOp>(op, scaled, moved);
      return success();
    }
    return failure();
  }
};

/// (x + a) + b is x + (a + b) where a and b are constant.
struct MergeShifts : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<AddOp>();
    if (!inner || !inner->hasOneUse() || !isConstantTree(op.getY()) ||
        !isConstantTree(inner.getY()) || inner.getX().getType() != op.getType())
      return failure();
    Value sum = b.create<AddOp>(op.getLoc(), inner.getY(), op.getY());
    b.replaceOpWithNewOp<AddOp>(op, inner.getX(), sum);
    return success();
  }
};

/// Constants stand on the right.
template <typename Op> struct ConstantRight : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    if (!isConstantTree(op.getX()) || isConstantTree(op.getY()))
      return failure();
    b.replaceOpWithNewOp<Op>(op, op.getY(), op.getX());
    return success();
  }
};

/// Neutral elements, where the other operand has the result's shape already.
template <typename Op> struct DropNeutral : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    constexpr bool isSum = std::is_same_v<Op, AddOp> || std::is_same_v<Op, SubOp>;
    auto value = splatFloat(op.getY());
    if (!value || *value != (isSum ? 0.0 : 1.0) || op.getX().getType() != op.getType())
      return failure();
    b.replaceOp(op, op.getX());
    return success();
  }
};

/// x / c is x * (1 / c): one more rounding, and a multiplication.
struct DivideByConstant : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &b) const override {
    auto value = splatFloat(op.getY());
    Type element = tensorType(op.getY()).getElementType();
    if (!value || !element.isF32() || std::abs(*value) < 1e-30 || std::abs(*value) > 1e30)
      return failure();
    auto type = tensorType(op.getY());
    Value inverse = b.create<ConstantOp>(
        op.getLoc(), DenseElementsAttr::get(type, b.getFloatAttr(element, 1.0 / *value)));
    b.replaceOpWithNewOp<MulOp>(op, op.getX(), inverse);
    return success();
  }
};

struct SimplePower : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &b) const override {
    auto exponent = splatFloat(op.getY());
    if (!exponent || op.getX().getType() != op.getType())
      return failure();
    if (*exponent == 2)
      b.replaceOpWithNewOp<MulOp>(op, op.getX(), op.getX());
    else if (*exponent == 1)
      b.replaceOp(op, op.getX());
    else if (*exponent == 0.5)
      b.replaceOpWithNewOp<SqrtOp>(op, op.getX());
    else
      return failure();
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
        op.getStrides() != w.getShape().take_front(2))
      return failure();
    Location loc = op.getLoc();
    SmallVector<AffineExpr> d = getDims(x), k = getDims(w);
    // [KH, KW, C, O] to [C, KH * KW * O].
    Value moved = b.create<TransposeOp>(loc, op.getW(), ArrayRef<int64_t>{2, 0, 1, 3});
    Value matrix = reshape(b, loc, moved, {d[3], k[0] * k[1] * k[3]});
    Value product = b.create<MatmulOp>(loc, op.getX(), matrix);
    Value cut = reshape(b, loc, product, {d[0], d[1], d[2], k[0], k[1], k[3]});
    Value placed = b.create<TransposeOp>(loc, cut, ArrayRef<int64_t>{0, 1, 3, 2, 4, 5});
    b.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), placed,
                                    dimsAttr(b.getContext(), getDims(tensorType(op.getResult()))));
    return success();
  }
};

struct Simplify : impl::SimplifyBase<Simplify> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (isa<IngotDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, context);
    patterns
        .add<KeepFoldedDims, ScaleIntoWeights, ScaleBeforeShift, MergeShifts, ConstantRight<AddOp>,
             ConstantRight<MulOp>, DropNeutral<AddOp>, DropNeutral<SubOp>, DropNeutral<MulOp>,
             DropNeutral<DivOp>, DivideByConstant, SimplePower, UnoverlappedTranspose>(context);
    (void)applyPatternsAndFoldGreedily(getOperation(), std::move(patterns));
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createCSEPass());
    if (failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }
};

} // namespace

} // namespace ingot
