#include "ModelArguments.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ingot {
namespace {

struct TranslateArguments {
  std::string model, format = "relay", output = "-";
  std::vector<std::string> dims;
};

int runTranslate(const TranslateArguments &arguments) {
  CompileOptions options;
  options.dims = parseDimensions(arguments.dims);
  Translation translation = translateToRelay({arguments.model}, options);
  if (int code = report(translation.diagnostics); code != kSuccess)
    return code;
  std::error_code error;
  llvm::raw_fd_ostream out(arguments.output, error);
  if (error) {
    llvm::errs() << "ingot: " << arguments.output << ": " << error.message() << "\n";
    return kFailure;
  }
  out << translation.text;
  out.close();
  if (out.has_error()) {
    llvm::errs() << "ingot: " << arguments.output << ": " << out.error().message() << "\n";
    out.clear_error();
    return kFailure;
  }
  return kSuccess;
}

} // namespace

void addTranslateCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand("translate", "Print a model as a text of another format.");
  command->footer(R"(Examples:
  ingot translate model.onnx --to relay -o model.relay
  ingot translate model.onnx --to relay --dim batch=1      open dimensions need values
The text imports to the same function: ingot compile model.relay. Constants are in its metadata section.)");
  auto arguments = std::make_shared<TranslateArguments>();
  command->add_option("model", arguments->model, "the model, an .onnx file or a .relay text")
      ->required()
      ->type_name("MODEL");
  command->add_option("--to", arguments->format, "the format")
      ->check(CLI::IsMember({"relay"}))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "the file to write; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--dim", arguments->dims, "a value for a symbolic dimension, e.g. --dim batch=1")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  command->callback([arguments, &exitCode] { exitCode = runTranslate(*arguments); });
}

} // namespace ingot
