//===- Heap.cpp - Counted blocks, and functions that can fail ---------------------------------===//

#include "Heap/Heap.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot::heap;

#include "Heap/HeapDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "Heap/HeapTypes.cpp.inc"
#define GET_OP_CLASSES
#include "Heap/Heap.cpp.inc"

void HeapDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Heap/HeapTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Heap/Heap.cpp.inc"
      >();
}
