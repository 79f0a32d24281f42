//===- Movement.cpp - Less movement of elements -----------------------------------------------===//

#include "Dialect/ShapeInference.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Simplify/Patterns.h"

using namespace mlir;

namespace ingot {

namespace {

DimsAttr dimsOf(Value v) { return DimsAttr::get(v.getContext(), getDims(tensorType(v))); }
bool isAll(ArrayRef<AffineExpr> exprs, int64_t value) {
  return llvm::all_of(exprs, [&](AffineExpr e) { return constantDim(e) == value; });
}

/// Folds keep their dimensions; dropping them is a reshape, which is free.
struct KeepFoldedDims : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    if (op.getKeepDims())
      return failure();
    Value kept = b.create<ReduceOp>(op.getLoc(), op.getX(), op.getKindAttr(), op.getDimsAttr(),
                                    b.getBoolAttr(true));
    auto shape = dimsOf(op.getResult());
    b.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), kept, shape);
    return success();
  }
};

struct KeepSearchedDim : OpRewritePattern<ArgReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ArgReduceOp op, PatternRewriter &b) const override {
    if (op.getKeepDim())
      return failure();
    Value kept =
        b.create<ArgReduceOp>(op.getLoc(), op.getX(), op.getAxisAttr(), b.getBoolAttr(true),
                              op.getSelectLastAttr(), op.getIsMaxAttr());
    b.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), kept, dimsOf(op.getResult()));
    return success();
  }
};

/// Dimensions of extent 1 fold to themselves.
struct DropUnitFold : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    for (int64_t dim : op.getDims())
      if (tensorType(op.getX()).getDimSize(dim) != 1)
        return failure();
    b.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(), dimsOf(op.getResult()));
    return success();
  }
};

/// A fold of a fold of the same kind is one over both sets of dimensions.
struct MergeFolds : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<ReduceOp>();
    if (!inner || !inner->hasOneUse() || inner.getKind() != op.getKind() || !op.getKeepDims() ||
        !inner.getKeepDims())
      return failure();
    SmallVector<int64_t> dims(op.getDims());
    llvm::append_range(dims, inner.getDims());
    llvm::sort(dims);
    dims.erase(llvm::unique(dims), dims.end());
    b.replaceOpWithNewOp<ReduceOp>(op, op.getType(), inner.getX(), op.getKindAttr(),
                                   b.getDenseI64ArrayAttr(dims), b.getBoolAttr(true));
    return success();
  }
};

/// Element-wise operators repeat elements themselves.
struct ImplicitBroadcast : OpInterfaceRewritePattern<ScalarOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ScalarOpInterface op, PatternRewriter &b) const override {
    SmallVector<AffineExpr> dims = getDims(tensorType(op->getResult(0)));
    for (OpOperand &operand : op->getOpOperands()) {
      auto broadcast = operand.get().getDefiningOp<BroadcastOp>();
      if (!broadcast)
        continue;
      SmallVector<Value> operands(op->getOperands());
      operands[operand.getOperandNumber()] = broadcast.getX();
      auto inferred = broadcastDims(std::nullopt, operands);
      if (failed(inferred) || *inferred != dims)
        continue;
      b.modifyOpInPlace(op, [&] { operand.set(broadcast.getX()); });
      return success();
    }
    return failure();
  }
};

/// A concatenation among the operands of another one, and operands without elements.
struct FlattenConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &b) const override {
    constexpr size_t limit = 256;
    auto axis = static_cast<int64_t>(op.getAxis());
    SmallVector<Value> operands;
    bool isChanged = false;
    for (Value operand : op.getX()) {
      auto inner = operand.getDefiningOp<ConcatOp>();
      if (inner && inner->hasOneUse() && static_cast<int64_t>(inner.getAxis()) == axis &&
          op.getX().size() + inner.getX().size() <= limit) {
        llvm::append_range(operands, inner.getX());
        isChanged = true;
      } else if (tensorType(operand).getDimSize(axis) == 0 && op.getX().size() > 1 &&
                 !(operands.empty() && operand == op.getX().back())) {
        isChanged = true;
      } else {
        operands.push_back(operand);
      }
    }
    if (!isChanged)
      return failure();
    b.replaceOpWithNewOp<ConcatOp>(op, op.getType(), operands, op.getAxisAttr());
    return success();
  }
};

/// A slice of a slice is one slice.
struct MergeSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<SliceOp>();
    if (!inner)
      return failure();
    SmallVector<AffineExpr> starts;
    SmallVector<int64_t> steps;
    for (size_t i = 0; i < op.getSteps().size(); ++i) {
      int64_t innerStep = inner.getSteps()[i], step;
      if (llvm::MulOverflow(innerStep, op.getSteps()[i], step))
        return failure();
      starts.push_back(
          simplifyDim(inner.getStarts().getExprs()[i] + op.getStarts().getExprs()[i] * innerStep));
      steps.push_back(step);
    }
    b.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getX(),
                                  DimsAttr::get(b.getContext(), starts),
                                  b.getDenseI64ArrayAttr(steps), op.getSizesAttr());
    return success();
  }
};

/// Padding of nothing, and repeating once.
struct DropEmptyPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &b) const override {
    if (!isAll(op.getLow().getExprs(), 0) || !isAll(op.getHigh().getExprs(), 0) ||
        op.getX().getType() != op.getType())
      return failure();
    b.replaceOp(op, op.getX());
    return success();
  }
};
struct DropSingleTile : OpRewritePattern<TileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TileOp op, PatternRewriter &b) const override {
    if (!isAll(op.getRepeats().getExprs(), 1) || op.getX().getType() != op.getType())
      return failure();
    b.replaceOp(op, op.getX());
    return success();
  }
};

/// The spatial amounts of a padding that windows can do themselves: constant, neither of the batch
/// nor of the channels, nothing removed.
struct WindowPadding {
  SmallVector<int64_t> low, high;

  static std::optional<WindowPadding> of(PadOp pad, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
    constexpr int64_t limit = 1 << 20;
    if (pad.getMode() != "constant")
      return std::nullopt;
    WindowPadding result{SmallVector<int64_t>(low), SmallVector<int64_t>(high)};
    ArrayRef<AffineExpr> before = pad.getLow().getExprs(), after = pad.getHigh().getExprs();
    for (size_t i = 0; i < before.size(); ++i) {
      auto l = constantDim(before[i]), h = constantDim(after[i]);
      if (!l || !h || *l < 0 || *h < 0 || *l > limit || *h > limit)
        return std::nullopt;
      if (i == 0 || i + 1 == before.size()) {
        if (*l != 0 || *h != 0)
          return std::nullopt;
        continue;
      }
      result.low[i - 1] += *l;
      result.high[i - 1] += *h;
    }
    return result;
  }
};

struct PadIntoConv : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvOp op, PatternRewriter &b) const override {
    auto pad = op.getX().getDefiningOp<PadOp>();
    if (!pad || !isSplatOf(pad.getValue(), 0))
      return failure();
    auto padding = WindowPadding::of(pad, op.getLow(), op.getHigh());
    if (!padding)
      return failure();
    b.modifyOpInPlace(op, [&] {
      op->setOperand(0, pad.getX());
      op.setLow(padding->low);
      op.setHigh(padding->high);
    });
    return success();
  }
};

struct PadIntoMaxPool : OpRewritePattern<MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxPoolOp op, PatternRewriter &b) const override {
    auto pad = op.getX().getDefiningOp<PadOp>();
    auto value = pad ? splatFloat(pad.getValue()) : std::nullopt;
    if (!value || !std::isinf(*value) || *value > 0 || op.getCeilMode())
      return failure();
    auto padding = WindowPadding::of(pad, op.getLow(), op.getHigh());
    if (!padding)
      return failure();
    b.modifyOpInPlace(op, [&] {
      op->setOperand(0, pad.getX());
      op.setLow(padding->low);
      op.setHigh(padding->high);
    });
    return success();
  }
};

/// Zeros that count stay to be counted; so the pool must have no padding that does not.
struct PadIntoAveragePool : OpRewritePattern<AveragePoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AveragePoolOp op, PatternRewriter &b) const override {
    auto pad = op.getX().getDefiningOp<PadOp>();
    auto isZero = [](int64_t v) { return v == 0; };
    bool isCounted = op.getCountIncludePad() ||
                     (llvm::all_of(op.getLow(), isZero) && llvm::all_of(op.getHigh(), isZero));
    if (!pad || !isSplatOf(pad.getValue(), 0) || !isCounted || op.getCeilMode())
      return failure();
    auto padding = WindowPadding::of(pad, op.getLow(), op.getHigh());
    if (!padding)
      return failure();
    b.modifyOpInPlace(op, [&] {
      op->setOperand(0, pad.getX());
      op.setLow(padding->low);
      op.setHigh(padding->high);
      op.setCountIncludePad(true);
    });
    return success();
  }
};

} // namespace

void addMovementPatterns(RewritePatternSet &patterns) {
  patterns
      .add<KeepFoldedDims, DropUnitFold, MergeFolds, ImplicitBroadcast, FlattenConcat, MergeSlices,
           DropEmptyPad, DropSingleTile, PadIntoConv, PadIntoMaxPool, PadIntoAveragePool>(
          patterns.getContext());
}

} // namespace ingot
