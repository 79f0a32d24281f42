// The part of the command line that several subcommands share: which model, how to compile it, what
// to feed it.
#pragma once
#include "Commands.h"
#include "Support/Progress.h"
#include "harness/CompiledModel.h"
#include "harness/Inputs.h"

namespace ingot {

// A model and how to compile it.
struct ModelArguments {
  std::string model, name, target = "native";
  std::vector<std::string> dims; // NAME=N
  bool verifyEach = false;

  void addTo(CLI::App &command);
  // The options, and progress shown on the terminal for as long as `progress` lives.
  CompileOptions options(Progress &progress) const;
};

// The values to run a model on, and the back end to run it through.
struct RunArguments {
  std::vector<std::string> inputs, at;
  uint64_t seed = 1;
  Backend backend = Backend::Llvm;

  void addTo(CLI::App &command);
};

// A model compiled, loaded, and with inputs.
struct ReadyModel {
  ScratchFolder folder;
  BuiltModel built;
  std::vector<Tensor> inputs;
  std::vector<int64_t> symbols;
};

// Compiles and loads `source` and makes its inputs. Prints what went wrong and sets `exitCode` when
// there is no result.
std::optional<ReadyModel> makeReady(const Source &source, const ModelArguments &model,
                                    const RunArguments &run, std::vector<std::string> compilerFlags,
                                    int &exitCode);

// Parses "NAME=N" for a dimension; throws CLI::ValidationError, which ends in exit code 2.
std::map<std::string, int64_t> parseDimensions(const std::vector<std::string> &arguments);

// Prints diagnostics on standard error; the exit code they amount to.
int report(const std::vector<Diagnostic> &diagnostics);
// The same for an error of the machinery around the compiler.
int report(llvm::Error error);

} // namespace ingot
