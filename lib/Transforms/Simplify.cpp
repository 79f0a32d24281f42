//===- Simplify.cpp - Operators in their simplest form ----------------------------------------===//

#include "Dialect/Dialect.h"
#include "Transforms/Passes.h"
#include "Transforms/Simplify/Patterns.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_SIMPLIFY
#include "Transforms/Passes.h.inc"

namespace {

struct Simplify : impl::SimplifyBase<Simplify> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (isa<IngotDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, context);
    addArithmeticPatterns(patterns);
    addWeightPatterns(patterns);
    addMovementPatterns(patterns);
    addControlPatterns(patterns);
    (void)applyPatternsAndFoldGreedily(getOperation(), std::move(patterns));
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createCSEPass());
    if (failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }
};

} // namespace

} // namespace ingot
