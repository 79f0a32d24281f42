//===- Elaborate.h - Typed Relay programs to the ingot dialect --------------------------------===//
//
// Evaluates a program as far as it is known at compile time: calls of known functions are inlined
// or become calls of an instance for the types and the known functions among the arguments; a match
// on what a constructor just made chooses its clause; tuples vanish. So polymorphism is gone
// afterwards, functions that take functions are specialised for them, and a program that only uses
// functions to structure a network becomes one graph.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "Dialect/ModelInterface.h"
#include "Import/Relay/Types/Type.h"

namespace ingot::relay {

struct ElaborateOptions {
  /// Values for symbolic dimensions.
  std::map<std::string, int64_t> dims;
};

/// Makes the functions of `module` from @main of the typed `program`, and the ports and symbols of
/// `interface`. Fails with a report.
llvm::LogicalResult elaborate(Program &program, TypeContext &types, Reporter &reporter,
                              const ElaborateOptions &options, mlir::ModuleOp module,
                              ModelInterface &interface);

} // namespace ingot::relay
