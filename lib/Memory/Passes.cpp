//===- Passes.cpp - Memory planning as passes -------------------------------------------------===//

#include "Memory/Check.h"
#include "Memory/Plan.h"
#include "Memory/Report.h"

using namespace mlir;

namespace ingot {
namespace {

struct PlanMemoryPass : PassWrapper<PlanMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanMemoryPass)
  StringRef getArgument() const override { return "plan-memory"; }
  StringRef getDescription() const override { return "Place all buffers in one workspace"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect>();
  }
  void runOnOperation() override {
    if (failed(planMemory(getOperation())))
      signalPassFailure();
  }
};

struct CheckMemoryPass : PassWrapper<CheckMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckMemoryPass)
  StringRef getArgument() const override { return "check-memory"; }
  StringRef getDescription() const override { return "Prove that a memory plan is sound"; }
  void runOnOperation() override {
    if (failed(checkMemory(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct ReportMemoryPass : PassWrapper<ReportMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReportMemoryPass)
  ReportMemoryPass() = default;
  ReportMemoryPass(const ReportMemoryPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "report-memory"; }
  StringRef getDescription() const override { return "Print a memory plan for people"; }
  void runOnOperation() override {
    auto report = reportMemory(getOperation(), SmallVector<int64_t>(dims.begin(), dims.end()));
    if (failed(report))
      return signalPassFailure();
    raw_ostream &os = llvm::errs();
    os << "workspace " << report->workspace << " bytes, lower bound " << report->lowerBound
       << " in step " << report->peakStep << "\n";
    for (auto [i, buffer] : llvm::enumerate(report->buffers))
      os << "offset " << buffer.offset << ", " << buffer.bytes << " bytes, steps " << buffer.first
         << " to " << buffer.last << ", " << buffer.name
         << (llvm::is_contained(report->atPeak, i) ? ", at the peak\n" : "\n");
    markAllAnalysesPreserved();
  }
  ListOption<int64_t> dims{*this, "dims", llvm::cl::desc("Values of the symbolic dimensions")};
};

} // namespace

void registerMemoryPasses() {
  PassRegistration<PlanMemoryPass>();
  PassRegistration<CheckMemoryPass>();
  PassRegistration<ReportMemoryPass>();
}

} // namespace ingot
