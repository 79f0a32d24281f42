//===- HeapLowering.h - Functions of programs with data in LLVM IR ----------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// Rewrites the functions of the heap dialect as functions with branches: the run first, then the
/// arguments, then where to put each result; they return a status. Blocks are pointers. Calls
/// functions of HeapSupport.ll.
void lowerHeap(mlir::ModuleOp module);

} // namespace ingot
