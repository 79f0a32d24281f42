//===- Verify.h - Contracts between the stages ------------------------------------------------===//
//
// Each function checks what must hold after a stage and reports every violation as an error on the
// operation, ending in the name of the rule: `... [loop level: masks]`. A violation is a bug of the
// compiler, never of the user's model.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

namespace ingot {

/// The tensor level: operators of the ingot dialect in functions, tensors with consistent symbolic
/// dimensions.
mlir::LogicalResult verifyGraph(mlir::ModuleOp module);

/// The loop level as docs/loop-level.md defines it, before memory planning (`planned` false) or
/// after.
mlir::LogicalResult verifyLoops(mlir::ModuleOp module, bool planned);

/// Registers the passes verify-graph, verify-loops and verify-planned.
void registerVerifyPasses();

} // namespace ingot
