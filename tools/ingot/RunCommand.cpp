#include "Check.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ingot {
namespace {

struct RunCommandArguments {
  ModelArguments model;
  RunArguments run;
  std::string folder, check;
};

void printTensor(const PortInfo &port, const Tensor &tensor) {
  constexpr int64_t kShown = 16;
  llvm::outs() << port.name << "  " << describe(tensor.type(), tensor.shape()) << " ";
  for (int64_t i = 0; i < std::min(kShown, tensor.elements()); ++i)
    llvm::outs() << " " << llvm::format("%.6g", tensor.number(i));
  llvm::outs() << (tensor.elements() > kShown ? " ...\n" : "\n");
}

llvm::Error saveOutputs(const std::string &folder, const CompiledModel &model) {
  if (auto error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(folder + ": " + error.message());
  for (auto [port, tensor] : llvm::zip_equal(model.interface().outputs, model.outputs())) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, port.member + ".npy");
    if (auto error = writeNpy(path.str().str(), tensor))
      return error;
  }
  return llvm::Error::success();
}

int runModel(const RunCommandArguments &arguments) {
  int code = kSuccess;
  auto ready = makeReady({arguments.model.model}, arguments.model, arguments.run, {}, code);
  if (!ready)
    return code;
  CompiledModel &model = *ready->built.model;
  if (auto error = model.prepare(ready->inputs, ready->symbols))
    return report(std::move(error));
  if (int32_t status = model.call())
    return report(llvm::createStringError("%s_run returned status %d",
                                          model.interface().name.c_str(), status));
  for (auto [port, tensor] : llvm::zip_equal(model.interface().outputs, model.outputs()))
    printTensor(port, tensor);
  if (!arguments.folder.empty())
    if (auto error = saveOutputs(arguments.folder, model))
      return report(std::move(error));
  return arguments.check.empty() ? kSuccess
                                 : checkAgainstOnnxRuntime(arguments.model, arguments.run, *ready);
}

} // namespace

void addRunCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand("run", "Compile a model, run it once, print its outputs.");
  command->footer(
      R"(The model runs with exactly the workspace its header states, between two guard pages.
Examples:
  ingot run kws.onnx                                            random inputs, seed 1
  ingot run kws.onnx --input audio=@clip.npy --output-dir out   files in and out
  ingot run det.onnx --dim batch=1 --at height=640 --at width=640 --backend c
  ingot run kws.onnx --check onnxruntime                        compare, node by node; exit code 1 if they differ)");
  auto arguments = std::make_shared<RunCommandArguments>();
  arguments->model.addTo(*command);
  arguments->run.addTo(*command);
  command->add_option("--output-dir", arguments->folder, "write each output there as NAME.npy")
      ->type_name("DIR");
  command
      ->add_option("--check", arguments->check, "compare outputs and inner values with a reference")
      ->check(CLI::IsMember({"onnxruntime"}))
      ->option_text("onnxruntime");
  command->callback([arguments, &exitCode] { exitCode = runModel(*arguments); });
}

} // namespace ingot
