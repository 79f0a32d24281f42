#include "ModelArguments.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ingot {

void ModelArguments::addTo(CLI::App &command) {
  command.add_option("model", model, "the model, an .onnx file or a .relay text")
      ->required()
      ->type_name("MODEL");
  command.add_option("--name", name, "prefix of all generated symbols; default: the file's name")
      ->type_name("NAME");
  command
      .add_option("--dim", dims,
                  "give a symbolic dimension a value at compile time, e.g. --dim batch=1; those "
                  "not named stay symbolic")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  command
      .add_option("--target", target,
                  "processor: native, x86-64-v2, x86-64-v3, x86-64-v4, aarch64, or an LLVM triple")
      ->type_name("TARGET")
      ->capture_default_str();
  command.add_flag("--verify-each", verifyEach,
                   "check the compiler's own contracts between stages");
}

CompileOptions ModelArguments::options(Progress &progress) const {
  CompileOptions options;
  options.name = name;
  options.target = target;
  options.dims = parseDimensions(dims);
  options.verifyEach = verifyEach;
  options.progress = [&progress](std::string_view stage, double done) {
    progress.show(stage, done);
  };
  return options;
}

void RunArguments::addTo(CLI::App &command) {
  command
      .add_option("--input", inputs,
                  "NAME=@FILE.npy, NAME=@FILE.pb, NAME=random, NAME=random:LOW:HIGH, NAME=zeros, "
                  "NAME=ones, NAME=3.5 or NAME=[1,2,3]; inputs not named are random")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command
      .add_option("--at", at,
                  "value of a dimension that stays symbolic in the compiled model, e.g. --at "
                  "width=320; those that an input file shows need none")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  command.add_option("--seed", seed, "seed of random inputs")->capture_default_str();
  command
      .add_option("--backend", backend,
                  "llvm: machine code by LLVM; c: C source, compiled by gcc or clang")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Backend>{{"llvm", Backend::Llvm}, {"c", Backend::C}}))
      ->option_text("llvm|c [llvm]");
}

std::map<std::string, int64_t> parseDimensions(const std::vector<std::string> &arguments) {
  std::map<std::string, int64_t> result;
  for (llvm::StringRef argument : arguments) {
    auto [name, value] = argument.rsplit('=');
    int64_t extent = 0;
    if (name.empty() || value.getAsInteger(10, extent) || extent < 0)
      throw CLI::ValidationError("'" + argument.str() + "': expected NAME=N with N at least 0");
    result[name.str()] = extent;
  }
  return result;
}

int report(const std::vector<Diagnostic> &diagnostics) {
  int code = kSuccess;
  for (const Diagnostic &each : diagnostics) {
    llvm::errs() << "ingot: " << each.text() << "\n";
    if (each.severity == Severity::Bug)
      code = kInternalBug;
    else if (each.severity == Severity::Refusal && code == kSuccess)
      code = kFailure;
  }
  return code;
}

int report(llvm::Error error) {
  llvm::errs() << "ingot: " << llvm::toString(std::move(error)) << "\n";
  return kFailure;
}

std::optional<ReadyModel> makeReady(const Source &source, const ModelArguments &model,
                                    const RunArguments &run, std::vector<std::string> compilerFlags,
                                    int &exitCode) {
  auto fail = [&](llvm::Error error) {
    exitCode = report(std::move(error));
    return std::nullopt;
  };
  InputValues values;
  for (const std::string &argument : run.inputs) {
    auto parsed = parseInput(argument);
    if (!parsed)
      return fail(parsed.takeError());
    values[parsed->first] = std::move(parsed->second);
  }
  std::map<std::string, int64_t> at = parseDimensions(run.at);
  auto folder = ScratchFolder::create();
  if (!folder)
    return fail(folder.takeError());
  Progress progress;
  BuildOptions options;
  options.backend = run.backend;
  options.compile = model.options(progress);
  options.compilerFlags = std::move(compilerFlags);
  auto built = buildModel(source, folder->path(), options);
  progress.clear();
  if (!built)
    return fail(built.takeError());
  exitCode = report(built->compiled.diagnostics);
  if (!built->model)
    return std::nullopt;
  const InterfaceInfo &interface = built->model->interface();
  auto symbols = solveSymbols(interface, values, at);
  if (!symbols)
    return fail(symbols.takeError());
  auto inputs = makeInputs(interface, std::move(values), *symbols, run.seed);
  if (!inputs)
    return fail(inputs.takeError());
  return ReadyModel{std::move(*folder), std::move(*built), std::move(*inputs), std::move(*symbols)};
}

} // namespace ingot
