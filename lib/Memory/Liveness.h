//===- Liveness.h - When the buffers of the entry hold what is still needed -------------------===//
#pragma once

#include "Memory/Packing/Packing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExpr.h"

namespace ingot {

/// A buffer that the entry allocates.
struct Buffer {
  mlir::memref::AllocOp alloc;
  mlir::AffineExpr bytes; ///< a multiple of `bufferAlign`, constant or over the entry's dimensions
  /// From the first access to the last, in positions of the entry's operations (counted from 0,
  /// nested ones included). A branch that cannot need the contents is left out, a loop is one piece
  /// unless the buffer is allocated inside.
  llvm::SmallVector<Lifetime, 1> live;
};

/// When the buffers of one entry are live.
class EntryLiveness {
public:
  explicit EntryLiveness(mlir::func::FuncOp entry) { number(entry.getBody().front()); }

  /// For what one operation of the entry defines and others use, see Buffer::live; empty without
  /// uses.
  llvm::SmallVector<Lifetime, 1> of(mlir::Value buffer) const;
  /// The position of an operation, and with it those inside.
  Lifetime positions(mlir::Operation *op) const { return ranges.lookup(op); }

private:
  void number(mlir::Block &block);
  llvm::DenseMap<mlir::Operation *, Lifetime> ranges;
  int64_t next = 0;
};

/// Offsets and sizes in the workspace are multiples of this many bytes.
constexpr int64_t bufferAlign = 64;

/// The buffers that `entry` allocates and uses, in the order of allocation. Fails with an error at
/// an allocation that has an impossible size, or that something other than calls, loads and stores
/// uses.
mlir::FailureOr<std::vector<Buffer>> findBuffers(mlir::func::FuncOp entry);

} // namespace ingot
