// The subcommands of `ingot`, one file each.
#pragma once
#include <CLI/CLI.hpp>

namespace ingot {

// What a process says to its caller.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,     // the model was refused, or a check failed
  kUsage = 2,       // the command line makes no sense
  kInternalBug = 70 // ours
};

// Each adds its subcommand to `app` and leaves the outcome in `exitCode` when it runs.
void addCompileCommand(CLI::App &app, int &exitCode);
void addRunCommand(CLI::App &app, int &exitCode);
void addInspectCommand(CLI::App &app, int &exitCode);
void addBenchCommand(CLI::App &app, int &exitCode);
void addTranslateCommand(CLI::App &app, int &exitCode);

} // namespace ingot
