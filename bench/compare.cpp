//===- compare.cpp - Side by side with ONNX Runtime -------------------------------------------===//
//
// Every model runs in both programs, alternating, in this one process, on one thread. Prints
// milliseconds, minimum and median, and ratios of minima: above 1 means faster than ONNX Runtime.
//
//===----------------------------------------------------------------------------------------===//

#include "harness/CompiledModel.h"
#include "harness/FmaPeak.h"
#include "harness/Inputs.h"
#include "harness/OnnxRuntime.h"
#include "harness/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ingot;

namespace {

/// A model and the shape it is run at.
struct Entry {
  const char *file;
  std::vector<std::pair<const char *, int64_t>> dims;
};

/// The shapes that users of these models see.
const Entry entries[] = {
    {"ppocr-det.onnx",
     {{"p2o_DynamicDimension_0", 1},
      {"p2o_DynamicDimension_1", 640},
      {"p2o_DynamicDimension_2", 640}}},
    {"ppocr-rec.onnx", {{"p2o_DynamicDimension_0", 1}, {"p2o_DynamicDimension_1", 320}}},
    {"ppocr-cls.onnx",
     {{"p2o_DynamicDimension_0", 1},
      {"p2o_DynamicDimension_1", 48},
      {"p2o_DynamicDimension_2", 192}}},
    {"melspectrogram.onnx", {{"batch_size", 1}, {"samples", 16000}}},
    {"embedding.onnx", {{"unk__314", 1}}},
    {"alexa.onnx", {}},
    {"jarvis.onnx", {}},
    {"mycroft.onnx", {}},
    {"timer.onnx", {}},
    {"weather.onnx", {}},
    {"hello-deepa.onnx", {}},
};

struct Row {
  std::string name;
  Timings reference, llvm, c;
  double startup = 0;
};

bool fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  return false;
}

double millisecondsSince(Timings::Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Timings::Clock::now() - start).count();
}

bool measure(const Entry &entry, const std::string &folder, int rounds, OnnxRuntime &runtime,
             Row &row) {
  std::string path = folder + "/" + entry.file;
  row.name = llvm::sys::path::stem(entry.file).str();
  std::vector<std::unique_ptr<CompiledModel>> models;
  std::vector<ScratchFolder> folders;
  std::vector<Tensor> inputs;
  std::vector<int64_t> symbols;
  std::map<std::string, int64_t> given(entry.dims.begin(), entry.dims.end());
  for (Backend backend : {Backend::Llvm, Backend::C}) {
    auto scratch = ScratchFolder::create();
    if (!scratch)
      return fail(scratch.takeError());
    BuildOptions options;
    options.backend = backend;
    options.compile.name = "model";
    auto built = buildModel({path}, scratch->path(), options);
    if (!built)
      return fail(built.takeError());
    if (!built->model) {
      for (const Diagnostic &each : built->compiled.diagnostics)
        llvm::errs() << each.text() << "\n";
      return false;
    }
    if (inputs.empty()) {
      auto solved = solveSymbols(built->model->interface(), {}, given);
      if (!solved)
        return fail(solved.takeError());
      symbols = *solved;
      auto made = makeInputs(built->model->interface(), {}, symbols, 1);
      if (!made)
        return fail(made.takeError());
      inputs = std::move(*made);
    }
    auto start = Timings::Clock::now();
    if (auto error = built->model->prepare(inputs, symbols))
      return fail(std::move(error));
    if (int32_t status = built->model->call()) {
      llvm::errs() << row.name << ": status " << status << "\n";
      return false;
    }
    if (backend == Backend::Llvm)
      row.startup = millisecondsSince(start);
    models.push_back(std::move(built->model));
    folders.push_back(std::move(*scratch));
  }
  auto start = Timings::Clock::now();
  auto session = runtime.openFile(path);
  if (!session)
    return fail(session.takeError());
  std::vector<std::string> names = inputNames(models[0]->interface());
  if (auto error = (*session)->bind(names, inputs))
    return fail(std::move(error));
  if (auto error = (*session)->call())
    return fail(std::move(error));
  row.startup = millisecondsSince(start) / row.startup;

  // Short models are repeated within a sample, so that the clock's own cost does not count.
  Timings probe;
  probe.time([&] { models[0]->call(); });
  int repeats = std::clamp(static_cast<int>(0.5 / probe.minimum()), 1, 200);
  auto sample = [&](Timings &into, auto call) {
    auto before = Timings::Clock::now();
    for (int i = 0; i < repeats; ++i)
      call();
    into.add((Timings::Clock::now() - before) / repeats);
  };
  for (int round = 0; round < rounds; ++round) {
    sample(row.reference, [&] { llvm::consumeError((*session)->call()); });
    sample(row.llvm, [&] { models[0]->call(); });
    sample(row.c, [&] { models[1]->call(); });
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::list<std::string> wanted(llvm::cl::Positional, llvm::cl::desc("[MODEL...]"));
  llvm::cl::opt<std::string> folder("models", llvm::cl::Required,
                                    llvm::cl::desc("Folder of the models"));
  llvm::cl::opt<int> rounds("rounds", llvm::cl::init(30),
                            llvm::cl::desc("Samples of each program"));
  llvm::cl::ParseCommandLineOptions(argc, argv, "Times models side by side with ONNX Runtime\n");
  auto runtime = OnnxRuntime::load();
  if (!runtime)
    return !fail(runtime.takeError());
  llvm::outs()
      << "ONNX Runtime " << (*runtime)->version()
      << ", one thread; milliseconds, minimum (median)\n"
      << "model            ONNX Runtime          archive               C (gcc)            ratio  "
         "ratio C  start-up\n";
  llvm::outs().flush();
  double logSum = 0, worst = 1e30;
  int count = 0;
  std::string worstName;
  for (const Entry &entry : entries) {
    std::string stem = llvm::sys::path::stem(entry.file).str();
    if (!wanted.empty() && !llvm::is_contained(wanted, stem))
      continue;
    Row row;
    if (!measure(entry, folder, rounds, **runtime, row))
      return 1;
    double ratio = row.reference.minimum() / row.llvm.minimum();
    double ratioC = row.reference.minimum() / row.c.minimum();
    llvm::outs() << llvm::format(
        "%-15s %9.4f (%9.4f) %9.4f (%9.4f) %9.4f (%9.4f) %7.2f %7.2f %8.0fx\n", row.name.c_str(),
        row.reference.minimum(), row.reference.median(), row.llvm.minimum(), row.llvm.median(),
        row.c.minimum(), row.c.median(), ratio, ratioC, row.startup);
    llvm::outs().flush();
    logSum += std::log(ratio);
    ++count;
    if (ratio < worst) {
      worst = ratio;
      worstName = row.name;
    }
  }
  if (count == 0) {
    llvm::errs() << "no such model\n";
    return 2;
  }
  llvm::outs() << llvm::format("models=%d geomean=%.3f worst=%.3f %s\n", count,
                               std::exp(logSum / count), worst, worstName.c_str());
  return 0;
}
