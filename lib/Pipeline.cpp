//===- Pipeline.cpp - The road from tensors to planned loops ----------------------------------===//

#include "Pipeline.h"
#include "Evaluate.h"
#include "Lower/Lower.h"
#include "Lower/Program/LowerProgram.h"
#include "Memory/Check.h"
#include "Memory/Plan.h"
#include "Transforms/Passes.h"
#include "Verify/Verify.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ingot {

namespace {

/// Runs stages one by one, each with its contract.
class Road {
public:
  Road(ModuleOp module, const PipelineOptions &options, double from, double to)
      : module(module), options(options), done(from), to(to) {}

  Road &step(StringRef stage, function_ref<LogicalResult()> run) {
    if (failed(result))
      return *this;
    if (options.progress)
      options.progress(stage, done);
    done += (to - done) / 8;
    result = run();
    return *this;
  }

  Road &pass(StringRef stage, std::unique_ptr<Pass> pass) {
    return step(stage, [&] {
      PassManager manager(module.getContext(), ModuleOp::getOperationName());
      manager.enableVerifier(options.verifyEach);
      manager.addPass(std::move(pass));
      return manager.run(module);
    });
  }

  Road &holds(function_ref<LogicalResult(ModuleOp)> contract) {
    if (succeeded(result) && options.verifyEach)
      result = contract(module);
    return *this;
  }

  LogicalResult result = success();

private:
  ModuleOp module;
  const PipelineOptions &options;
  double done, to;
};

LogicalResult holdsLoops(ModuleOp module) { return verifyLoops(module, /*planned=*/false); }
LogicalResult holdsPlanned(ModuleOp module) { return verifyLoops(module, /*planned=*/true); }

PackOptions packOptions(const TargetInfo &target) {
  PackOptions options;
  options.vectorBits = target.vectorBits;
  options.vectorRegisters = target.vectorRegisters;
  return options;
}

} // namespace

LogicalResult optimiseTensors(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0.05, 0.6);
  // What the caller's dimensions must satisfy is in the interface.
  road.pass("collect constraints", createCollectConstraints());
  // Operators in their simplest form.
  road.pass("simplify", createSimplify()).holds(verifyGraph);
  // Channels last everywhere; transpositions only where the model itself asks for them.
  road.pass("choose layouts", createLayout()).holds(verifyGraph);
  // Scales and shifts in the weights.
  road.pass("simplify", createSimplify()).holds(verifyGraph);
  // Right operands of products as kernels read them.
  road.pass("pack", createPack(packOptions(options.target))).holds(verifyGraph);
  // Nothing is computed at run time that depends on constants only.
  road.step("fold constants", [&] { return foldConstants(module, evaluate); }).holds(verifyGraph);
  road.pass("simplify", createSimplify()).holds(verifyGraph);
  // Only groups, constants, reshapes and control flow.
  road.pass("fuse", createFuse());
  road.pass("collapse dimensions", createCollapseDims());
  road.pass("choose in place", createInPlace()).holds(verifyGraph);
  return road.result;
}

LogicalResult reduceProgram(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0, 0.05);
  // Functions that are values become data.
  road.pass("defunctionalise", createDefunctionalise());
  road.pass("simplify", createSimplify());
  // What only goes round and round over tensors is a graph.
  road.pass("find loops", createTailLoops());
  return road.result;
}

LogicalResult optimiseProgram(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0.05, 0.6);
  road.pass("choose layouts", createLayout());
  road.pass("simplify", createSimplify());
  road.pass("pack", createPack(packOptions(options.target)));
  road.step("fold constants", [&] { return foldConstants(module, evaluate); });
  road.pass("simplify", createSimplify());
  road.pass("fuse", createFuse());
  road.pass("collapse dimensions", createCollapseDims());
  return road.result;
}

LogicalResult lowerProgram(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0.6, 0.9);
  // Blocks, and functions that can fail; groups as loops.
  road.step("lower", [&] { return lowerProgram(module, options.target); });
  road.pass("share subexpressions", createCSEPass());
  road.pass("hoist", createLoopInvariantCodeMotionPass());
  return road.result;
}

LogicalResult lower(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0.6, 0.8);
  // Loops over flat buffers: the closed list of docs/loop-level.md.
  road.step("lower", [&] { return lowerToLoops(module, options.target); });
  road.pass("share subexpressions", createCSEPass());
  road.pass("hoist", createLoopInvariantCodeMotionPass());
  road.pass("share subexpressions", createCSEPass()).holds(holdsLoops);
  return road.result;
}

LogicalResult plan(ModuleOp module, const PipelineOptions &options) {
  Road road(module, options, 0.8, 0.9);
  // Every buffer has its place in the workspace.
  road.step("plan memory", [&] { return planMemory(module); });
  road.pass("share subexpressions", createCSEPass()).holds(holdsPlanned);
  road.step("check the plan", [&] { return checkMemory(module); });
  return road.result;
}

} // namespace ingot
