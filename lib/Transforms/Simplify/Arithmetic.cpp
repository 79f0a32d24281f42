//===- Arithmetic.cpp - Simpler arithmetic ----------------------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Simplify/Patterns.h"

using namespace mlir;

namespace ingot {

namespace {

Type elementType(Value v) { return cast<RankedTensorType>(v.getType()).getElementType(); }

/// A scale that neither overflows nor loses digits when it is merged or inverted in float32.
bool isOrdinary(double value) { return std::abs(value) > 1e-30 && std::abs(value) < 1e30; }

/// Constants stand on the right.
template <typename Op> struct ConstantRight : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    if (!isConstantTree(op.getX()) || isConstantTree(op.getY()))
      return failure();
    b.replaceOpWithNewOp<Op>(op, op.getType(), op.getY(), op.getX());
    return success();
  }
};

/// Neutral elements, where the other operand has the result's shape already.
template <typename Op> struct DropNeutral : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    constexpr bool isSum = std::is_same_v<Op, AddOp> || std::is_same_v<Op, SubOp>;
    if (!isSplatOf(op.getY(), isSum ? 0 : 1) || op.getX().getType() != op.getType())
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
    if (!value || !elementType(op.getY()).isF32() || !isOrdinary(*value))
      return failure();
    Value inverse = splatLike(b, op.getLoc(), op.getY(), 1.0 / *value);
    b.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getX(), inverse);
    return success();
  }
};

/// (x * a) * b is x * (a * b) where a and b are single numbers.
struct MergeScales : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<MulOp>();
    auto outerScale = splatFloat(op.getY());
    auto innerScale = inner ? splatFloat(inner.getY()) : std::nullopt;
    if (!outerScale || !innerScale || !inner->hasOneUse() || inner.getType() != op.getType() ||
        inner.getX().getType() != op.getType() || !elementType(op.getY()).isF32())
      return failure();
    double scale = *outerScale * *innerScale;
    if (!isOrdinary(*outerScale) || !isOrdinary(*innerScale) || !isOrdinary(scale))
      return failure();
    Value merged = splatLike(b, op.getLoc(), op.getY(), scale);
    b.replaceOpWithNewOp<MulOp>(op, op.getType(), inner.getX(), merged);
    return success();
  }
};

/// max(max(x, a), b) is max(x, max(a, b)) where a and b are constant; so is min.
template <typename Op> struct MergeBounds : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    auto inner = op.getX().template getDefiningOp<Op>();
    auto outerBound = splatFloat(op.getY());
    auto innerBound = inner ? splatFloat(inner.getY()) : std::nullopt;
    if (!outerBound || !innerBound || std::isnan(*outerBound) || std::isnan(*innerBound) ||
        inner.getX().getType() != op.getType())
      return failure();
    constexpr bool isMax = std::is_same_v<Op, MaxOp>;
    double bound = isMax ? std::max(*outerBound, *innerBound) : std::min(*outerBound, *innerBound);
    Value merged = splatLike(b, op.getLoc(), op.getY(), bound);
    b.replaceOpWithNewOp<Op>(op, op.getType(), inner.getX(), merged);
    return success();
  }
};

/// relu(relu(x)) is relu(x).
struct ReluOfRelu : OpRewritePattern<ReluOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReluOp op, PatternRewriter &b) const override {
    if (!op.getX().getDefiningOp<ReluOp>())
      return failure();
    b.replaceOp(op, op.getX());
    return success();
  }
};

/// Operators that undo themselves.
template <typename Op> struct Involution : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    auto inner = op.getX().template getDefiningOp<Op>();
    if (!inner || inner.getX().getType() != op.getType())
      return failure();
    b.replaceOp(op, inner.getX());
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
      b.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getX(), op.getX());
    else if (*exponent == 1)
      b.replaceOp(op, op.getX());
    else if (*exponent == 0.5)
      b.replaceOpWithNewOp<SqrtOp>(op, op.getType(), op.getX());
    else if (*exponent == -1)
      b.replaceOpWithNewOp<ReciprocalOp>(op, op.getType(), op.getX());
    else
      return failure();
    return success();
  }
};

/// True if every value of the element type `from` is one of `to`.
bool isExact(Type from, Type to) {
  if (from.isInteger(1))
    return true;
  auto fromInteger = dyn_cast<IntegerType>(from), toInteger = dyn_cast<IntegerType>(to);
  if (fromInteger && toInteger) {
    bool fromUnsigned = fromInteger.isUnsigned(), toUnsigned = toInteger.isUnsigned();
    return fromUnsigned == toUnsigned
               ? toInteger.getWidth() >= fromInteger.getWidth()
               : fromUnsigned && toInteger.getWidth() > fromInteger.getWidth();
  }
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  return fromFloat && toFloat && toFloat.getWidth() > fromFloat.getWidth();
}

struct SimpleCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &b) const override {
    if (op.getX().getType() == op.getType()) {
      b.replaceOp(op, op.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<CastOp>();
    if (!inner || !isExact(elementType(inner.getX()), elementType(inner)))
      return failure();
    b.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getX(), op.getToAttr());
    return success();
  }
};

} // namespace

void addArithmeticPatterns(RewritePatternSet &patterns) {
  patterns
      .add<ConstantRight<AddOp>, ConstantRight<MulOp>, ConstantRight<MinOp>, ConstantRight<MaxOp>,
           DropNeutral<AddOp>, DropNeutral<SubOp>, DropNeutral<MulOp>, DropNeutral<DivOp>,
           DivideByConstant, MergeScales, MergeBounds<MinOp>, MergeBounds<MaxOp>, ReluOfRelu,
           Involution<NegOp>, Involution<NotOp>, SimplePower, SimpleCast>(patterns.getContext());
}

} // namespace ingot
