#include "ModelArguments.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ingot {
namespace {

struct CompileArguments {
  ModelArguments model;
  std::string folder = ".";
  std::vector<Emit> emit = {Emit::Library};
  CDialect dialect = CDialect::Gnu;
  Weights weights = Weights::Embed;
};

constexpr std::pair<llvm::StringLiteral, Emit> kEmits[] = {{"c", Emit::C},
                                                           {"obj", Emit::Object},
                                                           {"lib", Emit::Library},
                                                           {"so", Emit::Shared},
                                                           {"ir", Emit::IR}};

// The command for the banner of generated files: without folders, so that it does not depend on
// where this runs.
std::string banner(const CompileArguments &arguments) {
  std::string text = "ingot compile " + llvm::sys::path::filename(arguments.model.model).str();
  if (!arguments.model.name.empty())
    text += " --name " + arguments.model.name;
  for (const std::string &dim : arguments.model.dims)
    text += " --dim " + dim;
  if (arguments.model.target != "native")
    text += " --target " + arguments.model.target;
  text += " --emit ";
  for (Emit emit : arguments.emit)
    for (auto [name, value] : kEmits)
      if (value == emit)
        text += (llvm::StringRef(text).ends_with(" ") ? "" : ",") + name.str();
  if (arguments.dialect == CDialect::C11)
    text += " --c-dialect c11";
  if (arguments.weights == Weights::File)
    text += " --weights file";
  return text;
}

int runCompile(const CompileArguments &arguments) {
  Progress progress;
  CompileOptions options = arguments.model.options(progress);
  options.emit = arguments.emit;
  options.dialect = arguments.dialect;
  options.weights = arguments.weights;
  options.command = banner(arguments);
  Compiled compiled = compile({arguments.model.model}, arguments.folder, options);
  progress.clear();
  int code = report(compiled.diagnostics);
  if (code != kSuccess)
    return code;
  for (const std::string &file : compiled.files) {
    uint64_t size = 0;
    if (!llvm::sys::fs::file_size(file, size))
      llvm::outs() << llvm::format("%10llu  ", static_cast<unsigned long long>(size)) << file
                   << "\n";
  }
  llvm::outs() << compiled.interface.name << ": " << compiled.steps.size() << " steps, constants "
               << compiled.constantBytes << " bytes, ";
  if (compiled.interface.usesHeap)
    llvm::outs() << "memory from an ingot_heap\n";
  else if (compiled.interface.workspaceSize >= 0)
    llvm::outs() << "workspace " << compiled.interface.workspaceSize << " bytes\n";
  else
    llvm::outs() << "workspace from " << compiled.interface.name << "_workspace_size\n";
  return kSuccess;
}

} // namespace

void addCompileCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand("compile", "Compile a model to native code or C.");
  command->footer(R"(Examples:
  ingot compile kws.onnx -o out                         out/kws.h and out/libkws.a for this machine
  ingot compile kws.onnx -o out --emit c                out/kws.h and out/kws.c, readable C
  ingot compile kws.onnx -o out --emit c --c-dialect c11     the same without vector extensions
  ingot compile det.onnx -o out --emit lib,so --dim batch=1 --target x86-64-v3
  ingot compile tree.relay -o out                       a Relay program; with out/tree.hpp for C++20 if it has data
The header tells how to call the model: one function, `int32_t kws_run(...)`, and one workspace,
or a heap of two functions for programs with data.)");
  auto arguments = std::make_shared<CompileArguments>();
  arguments->model.addTo(*command);
  command->add_option("-o,--output", arguments->folder, "folder for the files; created if need be")
      ->type_name("DIR")
      ->capture_default_str();
  std::map<std::string, Emit> emits(std::begin(kEmits), std::end(kEmits));
  command
      ->add_option(
          "--emit", arguments->emit,
          "what to write: C source, object, static library, shared library, the IR of each stage")
      ->transform(CLI::CheckedTransformer(emits))
      ->delimiter(',')
      ->option_text("c,obj,lib,so,ir [lib]");
  command
      ->add_option("--c-dialect", arguments->dialect,
                   "gnu: with GCC's vector extension; c11: pure C11")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, CDialect>{{"gnu", CDialect::Gnu}, {"c11", CDialect::C11}}))
      ->option_text("gnu|c11 [gnu]");
  command
      ->add_option("--weights", arguments->weights,
                   "embed: in the object; file: in a file of their own")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Weights>{{"embed", Weights::Embed}, {"file", Weights::File}}))
      ->option_text("embed|file [embed]");
  command->callback([arguments, &exitCode] { exitCode = runCompile(*arguments); });
}

} // namespace ingot
