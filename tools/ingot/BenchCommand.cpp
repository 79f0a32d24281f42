#include "ModelArguments.h"
#include "harness/FmaPeak.h"
#include "harness/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ingot {
namespace {

struct BenchArguments {
  ModelArguments model;
  RunArguments run;
  int runs = 50;
  bool steps = true;
};

// Multiply-adds of the whole model, and by "Conv /conv1/Conv" as steps name their nodes.
struct Work {
  std::map<std::string, int64_t> byNode;
  int64_t total = 0;
  bool known = true;
};

Work countWork(const BenchArguments &arguments, const ReadyModel &ready) {
  Progress progress;
  CompileOptions options = arguments.model.options(progress);
  // Counts depend on the dimensions, which the inputs have fixed by now.
  for (auto [name, value] : llvm::zip_equal(ready.built.model->interface().symbols, ready.symbols))
    options.dims[name] = value;
  Work work;
  for (const NodeInfo &node : inspect({arguments.model.model}, options).nodes) {
    work.known &= node.multiplyAccumulates.has_value();
    work.total += node.multiplyAccumulates.value_or(0);
    work.byNode[node.op + " " + node.name] += node.multiplyAccumulates.value_or(0);
  }
  return work;
}

// Receives the hooks that generated C calls around each step. The entry passes its context through,
// so that is where this is found: the two functions come first.
struct StepClock {
  void (*begin)(StepClock *, int) = [](StepClock *self, int) {
    self->start = Timings::Clock::now();
  };
  void (*end)(StepClock *, int) = [](StepClock *self, int step) {
    auto duration = Timings::Clock::now() - self->start;
    if (static_cast<size_t>(step) <= self->steps.size())
      self->steps[step - 1].add(duration);
  };
  Timings::Clock::time_point start;
  std::vector<Timings> steps;
};

double gflops(int64_t multiplyAdds, double milliseconds) {
  return 2.0 * static_cast<double>(multiplyAdds) / milliseconds / 1e6;
}

// Compiles the model to C once more, with the step hooks defined, and prints where the time goes.
int printSteps(const BenchArguments &arguments, const std::string &name, const Work &work,
               double peak) {
  std::string prefix = llvm::StringRef(name).upper();
  std::string type = "((void (**)(void *, int))context)";
  RunArguments run = arguments.run;
  run.backend = Backend::C;
  int code = kSuccess;
  auto ready = makeReady({arguments.model.model}, arguments.model, run,
                         {"-D" + prefix + "_STEP_BEGIN(step)=" + type + "[0](context, step);",
                          "-D" + prefix + "_STEP_END(step)=" + type + "[1](context, step);"},
                         code);
  if (!ready)
    return code;
  CompiledModel &model = *ready->built.model;
  if (auto error = model.prepare(ready->inputs, ready->symbols))
    return report(std::move(error));
  StepClock clock;
  model.call(&clock);
  clock.steps.resize(ready->built.compiled.steps.size());
  for (int i = 0; i < arguments.runs; ++i)
    model.call(&clock);
  double total = 0;
  for (const Timings &each : clock.steps)
    total += each.runs() ? each.minimum() : 0;
  std::vector<size_t> order(clock.steps.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto cost = [&](size_t i) { return clock.steps[i].runs() ? clock.steps[i].minimum() : 0; };
  llvm::sort(order, [&](size_t a, size_t b) { return cost(a) > cost(b); });
  llvm::outs() << "\nsteps of the C back end, by time\n"
               << "    min ms  share   GFLOP/s   peak  step\n";
  for (size_t i : order) {
    const StepInfo &step = ready->built.compiled.steps[i];
    int64_t multiplyAdds = 0;
    for (const std::string &node : step.nodes)
      if (auto it = work.byNode.find(node); it != work.byNode.end())
        multiplyAdds += it->second;
    double rate = cost(i) > 0 ? gflops(multiplyAdds, cost(i)) : 0;
    llvm::outs() << llvm::format("%10.4f %5.1f%% %9.1f %5.1f%%  %s", cost(i),
                                 total > 0 ? cost(i) / total * 100 : 0, rate, rate / peak * 100,
                                 step.function.c_str())
                 << " (" << llvm::join(step.nodes, ", ") << ")\n";
  }
  return kSuccess;
}

int runBench(const BenchArguments &arguments) {
  int code = kSuccess;
  auto ready = makeReady({arguments.model.model}, arguments.model, arguments.run, {}, code);
  if (!ready)
    return code;
  CompiledModel &model = *ready->built.model;
  if (auto error = model.prepare(ready->inputs, ready->symbols))
    return report(std::move(error));
  Progress progress;
  double peak = measureFmaPeak();
  constexpr int kWarmUps = 3;
  int32_t status = 0;
  for (int i = 0; i < kWarmUps && !status; ++i)
    status = model.call();
  if (status)
    return report(llvm::createStringError("%s_run returned status %d",
                                          model.interface().name.c_str(), status));
  Timings timings;
  for (int i = 0; i < arguments.runs; ++i) {
    timings.time([&] { model.call(); });
    progress.show("timing", static_cast<double>(i) / arguments.runs);
  }
  progress.clear();
  Work work = countWork(arguments, *ready);
  llvm::outs() << model.interface().name << ": " << timings.runs() << " runs, minimum "
               << llvm::format("%.4f ms, median %.4f ms", timings.minimum(), timings.median());
  if (work.known && work.total > 0) {
    double rate = gflops(work.total, timings.minimum());
    llvm::outs() << llvm::format(
        "; %.1f million multiply-adds, %.1f GFLOP/s, %.1f %% of the core's FMA peak of %.1f",
        work.total / 1e6, rate, rate / peak * 100, peak);
  }
  llvm::outs() << "\n";
  return arguments.steps ? printSteps(arguments, model.interface().name, work, peak) : kSuccess;
}

} // namespace

void addBenchCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("bench", "Measure how fast a compiled model runs, step by step.");
  command->footer(R"(One thread. For steady figures pin it to a core: taskset -c 1 ingot bench ...
Examples:
  ingot bench kws.onnx
  ingot bench det.onnx --dim batch=1 --dim height=640 --dim width=640 --backend c --runs 100
Side by side with ONNX Runtime: bench/compare.sh)");
  auto arguments = std::make_shared<BenchArguments>();
  arguments->model.addTo(*command);
  arguments->run.addTo(*command);
  command->add_option("--runs", arguments->runs, "how many runs to time")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_flag("!--no-steps", arguments->steps, "leave out the table of steps");
  command->callback([arguments, &exitCode] { exitCode = runBench(*arguments); });
}

} // namespace ingot
