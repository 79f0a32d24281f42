//===- Heap.h - Counted blocks, and functions that can fail -----------------------------------===//
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Heap/HeapDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Heap/HeapTypes.h.inc"
#define GET_OP_CLASSES
#include "Heap/Heap.h.inc"

namespace ingot::heap {

/// Functions at this level carry this attribute; the entry is called @entry.
inline constexpr llvm::StringLiteral functionAttr = "heap.function";

/// Where in a block its scalars begin: behind the header and the pointers.
inline constexpr int64_t headerBytes = 8;
/// Where the elements of a tensor block begin.
inline constexpr int64_t tensorOffset = 16;

} // namespace ingot::heap
