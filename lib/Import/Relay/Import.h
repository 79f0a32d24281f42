//===- Import.h - From Relay text to the ingot dialect ----------------------------------------===//
#pragma once

#include "ingot/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ingot {

/// True for a text that begins with the header of Relay, or whose name ends in .relay or .rly.
bool isRelayText(const Source &source);

struct RelayOptions {
  /// Prefix of all symbols; empty: made from the file's name.
  std::string name;
  /// Values for symbolic dimensions.
  std::map<std::string, int64_t> dims;
};

/// Reads `source` into a module with a function @main and the attribute `ingot.model`. A program
/// that is more than a graph has further functions, data types, and operators of the family
/// Functional. Appends all that is wrong with the text to `diagnostics`, and returns null if there
/// is anything.
mlir::OwningOpRef<mlir::ModuleOp> importRelay(mlir::MLIRContext &context, const Source &source,
                                              const RelayOptions &options,
                                              std::vector<Diagnostic> &diagnostics);

} // namespace ingot
