//===- Passes.cpp - The verifiers as passes ---------------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Verify/Verify.h"

using namespace mlir;

namespace ingot {
namespace {

/// A pass that runs one verifier and changes nothing.
template <typename Derived> struct VerifyPass : PassWrapper<Derived, OperationPass<ModuleOp>> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<IngotDialect>();
  }
  void runOnOperation() override {
    if (failed(Derived::verify(this->getOperation())))
      this->signalPassFailure();
    this->markAllAnalysesPreserved();
  }
};

struct VerifyGraph : VerifyPass<VerifyGraph> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyGraph)
  StringRef getArgument() const override { return "verify-graph"; }
  StringRef getDescription() const override { return "Check the rules of the tensor level"; }
  static LogicalResult verify(ModuleOp module) { return verifyGraph(module); }
};

struct VerifyLoops : VerifyPass<VerifyLoops> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyLoops)
  StringRef getArgument() const override { return "verify-loops"; }
  StringRef getDescription() const override {
    return "Check the rules of the loop level before memory planning";
  }
  static LogicalResult verify(ModuleOp module) { return verifyLoops(module, false); }
};

struct VerifyPlanned : VerifyPass<VerifyPlanned> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPlanned)
  StringRef getArgument() const override { return "verify-planned"; }
  StringRef getDescription() const override {
    return "Check the rules of the loop level after memory planning";
  }
  static LogicalResult verify(ModuleOp module) { return verifyLoops(module, true); }
};

} // namespace

void registerVerifyPasses() {
  PassRegistration<VerifyGraph>();
  PassRegistration<VerifyLoops>();
  PassRegistration<VerifyPlanned>();
}

} // namespace ingot
