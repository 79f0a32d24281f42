//===- EmitC.h - Planned loops to C -----------------------------------------------------------===//
#pragma once

#include "CodeGen/Interface.h"
#include "ingot/Compile.h"

namespace ingot {

struct COptions {
  /// No GNU vector extension; the module must hold no vectors then.
  bool isPlain = false;
  /// Quoted in the banner; empty: left out.
  std::string command;
};

struct CFiles {
  std::string header, source;
  /// The header for C++20; of programs with data only.
  std::string cxxHeader;
  /// Further files by name: tables too large to be read as text.
  std::vector<std::pair<std::string, std::string>> sideFiles;
};

/// The planned `module` as C11. `compiled` tells the steps and buffers for the banner. With
/// `headerOnly` nothing but the header is made.
mlir::FailureOr<CFiles> emitC(mlir::ModuleOp module, const EntryPlan &plan,
                              const Compiled &compiled, const COptions &options, bool headerOnly);

} // namespace ingot
