//===- Control.cpp - Conditions and matches that are known, and what nobody reads -------------===//

#include "Operators/Control.h"
#include "Operators/Functional.h"
#include "Operators/Structure.h"
#include "Transforms/Simplify/Patterns.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ingot {

namespace {

/// `op` becomes the body of `region`, whose arguments are `arguments`.
LogicalResult becomeRegion(Operation *op, Region &region, ValueRange arguments,
                           PatternRewriter &rewriter) {
  Block *body = &region.front();
  Operation *yield = body->getTerminator();
  if (op->getResultTypes() != yield->getOperandTypes())
    return failure();
  SmallVector<Value> results(yield->getOperands());
  rewriter.eraseOp(yield);
  for (auto [argument, value] : llvm::zip(body->getArguments(), arguments))
    std::replace(results.begin(), results.end(), Value(argument), value);
  rewriter.inlineBlockBefore(body, op, arguments);
  rewriter.replaceOp(op, results);
  return success();
}

struct KnownConstructor : OpRewritePattern<MatchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatchOp op, PatternRewriter &rewriter) const override {
    auto made = op.getValue().getDefiningOp<ConstructOp>();
    if (!made)
      return failure();
    ArrayRef<int64_t> tags = op.getTags();
    size_t which = llvm::find(tags, static_cast<int64_t>(made.getTag())) - tags.begin();
    if (which >= op.getCases().size())
      return failure();
    return becomeRegion(op, op.getCases()[which],
                        which < tags.size() ? ValueRange(made.getFields()) : ValueRange(),
                        rewriter);
  }
};

struct KnownCondition : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)) || condition.getNumElements() != 1)
      return failure();
    bool holds = *condition.value_begin<bool>();
    return becomeRegion(op, holds ? op.getThenRegion() : op.getElseRegion(), {}, rewriter);
  }
};

/// Results that nobody reads go, and with them what was computed for them alone.
template <class OpType> struct UnusedResults : OpRewritePattern<OpType> {
  using OpRewritePattern<OpType>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpType op, PatternRewriter &rewriter) const override {
    SmallVector<unsigned> unused;
    SmallVector<Value> kept;
    for (OpResult result : op->getResults())
      if (result.use_empty())
        unused.push_back(result.getResultNumber());
      else
        kept.push_back(result);
    if (unused.empty())
      return failure();
    OperationState state(op.getLoc(), op->getName(), op->getOperands(), TypeRange(ValueRange(kept)),
                         op->getAttrs());
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *smaller = rewriter.create(state);
    for (auto [from, to] : llvm::zip(op->getRegions(), smaller->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      Operation *yield = to.front().getTerminator();
      rewriter.modifyOpInPlace(yield, [&] {
        for (unsigned i : llvm::reverse(unused))
          yield->eraseOperand(i);
      });
    }
    for (auto [result, value] : llvm::zip(kept, smaller->getResults()))
      rewriter.replaceAllUsesWith(result, value);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addControlPatterns(RewritePatternSet &patterns) {
  patterns.add<KnownConstructor, KnownCondition, UnusedResults<MatchOp>, UnusedResults<IfOp>>(
      patterns.getContext());
}

} // namespace ingot
