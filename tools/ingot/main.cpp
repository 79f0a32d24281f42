// The command line of Ingot. Everything it does, the library does: see include/ingot/Compile.h.
#include "Commands.h"
#include <iostream>

int main(int argc, char **argv) {
  CLI::App app("Ingot compiles neural networks ahead of time to standalone C and native code.",
               "ingot");
  app.require_subcommand(1);
  app.set_version_flag("--version", "ingot " INGOT_VERSION);
  app.footer(R"(Start with:
  ingot inspect model.onnx            what is inside, and what it needs
  ingot run model.onnx                does it compile and run?
  ingot compile model.onnx -o out     a header and an archive for your program
`ingot SUBCOMMAND --help` has examples. Exit codes: 0 success, 1 the model was refused or a check failed,
2 wrong command line, 70 an error of Ingot's own.)");
  int exitCode = ingot::kSuccess;
  ingot::addCompileCommand(app, exitCode);
  ingot::addRunCommand(app, exitCode);
  ingot::addInspectCommand(app, exitCode);
  ingot::addBenchCommand(app, exitCode);
  ingot::addTranslateCommand(app, exitCode);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? ingot::kSuccess : ingot::kUsage;
  }
  return exitCode;
}
