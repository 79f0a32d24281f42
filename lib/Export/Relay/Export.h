//===- Export.h - From the ingot dialect to Relay text ----------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace ingot {

/// `module`, as an importer made it, as a Relay text of version 0.0.5 that imports to the same
/// function; constants are in its metadata. Names of outputs are lost: Relay has none. Relay has no
/// names for dimensions, so every shape must be constant. Empty if something has no words in
/// Relay; `refusals` then says what, one line each.
std::string exportRelay(mlir::ModuleOp module, std::vector<std::string> &refusals);

} // namespace ingot
