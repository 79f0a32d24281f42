//===- FunctionLowering.h - One function of a program
//------------------------------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include "Heap/Heap.h"
#include "Lower/Program/Ownership.h"
#include "Lower/StepNames.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

/// What the functions of one program share.
struct ProgramContext {
  mlir::ModuleOp module;
  const TargetInfo &target;
  const Ownership &ownership;
  StepNames names;
  llvm::DenseMap<mlir::Attribute, mlir::memref::GlobalOp> globals;
  int64_t steps = 0;

  ProgramContext(mlir::ModuleOp module, const TargetInfo &target, const Ownership &ownership)
      : module(module), target(target), ownership(ownership) {}
};

/// Lowers the body of one function, in order, keeping account of which blocks it owns. A value that
/// is used for the last time is moved; others are retained where they are handed on, and released
/// after their last use. What can fail releases all that is owned.
class FunctionLowering {
public:
  FunctionLowering(ProgramContext &program, mlir::func::FuncOp source);

  /// The function that replaces the source, which stays as it is.
  llvm::FailureOr<mlir::func::FuncOp> run();

private:
  /// Blocks that the function owns at some point of it. Those that are pinned live on behind the
  /// current region.
  struct Owned {
    llvm::SetVector<mlir::Value> values;
    llvm::DenseSet<mlir::Value> pinned;
    /// Empty blocks that can serve again, or nulls, and the layouts they fit; the first
    /// `hiddenSpare` of them only behind the current region.
    llvm::SmallVector<std::pair<mlir::Value, BlockLayout>> spare;
    size_t hiddenSpare = 0;
  };
  using Deaths = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>>;

  //===--- Control (FunctionLowering.cpp) ---===//
  llvm::LogicalResult lowerBlock(mlir::Block &block, bool isTail);
  llvm::LogicalResult lowerOp(mlir::Operation &op, bool isTail);
  llvm::LogicalResult lowerRegions(mlir::Operation *op, mlir::Value selector,
                                   llvm::ArrayRef<int64_t> cases,
                                   llvm::MutableArrayRef<mlir::Region> regions, bool isTail,
                                   llvm::function_ref<void(unsigned)> begin);
  llvm::LogicalResult lowerMatch(MatchOp op, bool isTail);
  void beginCase(MatchOp op, unsigned index, mlir::Value block);
  void lowerCall(CallOp op, bool isTail);
  void lowerTerminator(mlir::Operation *terminator, bool isTail);
  llvm::SmallVector<mlir::Value> allocateConstants(mlir::Operation *op);
  void fill(mlir::Value block, const BlockLayout &layout,
            llvm::MutableArrayRef<mlir::OpOperand> operands, llvm::ArrayRef<mlir::Value> constants);
  void lowerConstruct(ConstructOp op);
  void lowerRef(mlir::Operation *op);

  //===--- Ownership ---===//
  /// Notes when `v`, owned in `block`, is used for the last time there.
  void track(mlir::Value v, mlir::Block &block);
  /// Operators that need `v` alive: users of it, of reshaped forms, of parts borrowed from it.
  void collectUsers(mlir::Value v, llvm::SmallVectorImpl<mlir::Operation *> &users);
  bool isOwned(mlir::Value root) const { return owned.values.contains(root); }
  bool dies(mlir::Value root, mlir::Operation *op) const;
  /// The block of the operand for its operator to take over: moved, or retained; `constant`, made
  /// by allocateConstants, if that is not null.
  mlir::Value take(mlir::OpOperand &operand, mlir::Value constant);
  void releaseDead(mlir::Operation *op);
  void release(mlir::Value root);
  llvm::SmallVector<mlir::Value> cleanup() const;
  /// Says that `op`'s result is an owned block.
  void define(mlir::Value result, mlir::Value block);
  mlir::Value allocate(const BlockLayout &layout, int64_t tag, bool mayReuse);
  void freeSpare(size_t keep);

  //===--- Groups (Groups.cpp) ---===//
  llvm::LogicalResult lowerGroup(GroupOp group);
  bool isScalarGroup(GroupOp group) const;
  void lowerScalars(GroupOp group);
  mlir::Value bufferOf(mlir::Value tensor);
  /// Where `result` is computed: over the block of `over`, if that is not null.
  mlir::Value outputBuffer(mlir::Value result, mlir::Value over, mlir::StringRef name);
  mlir::Value overwritable(GroupOp group, llvm::ArrayRef<unsigned> operands) const;
  mlir::Value makeUnique(mlir::Value block, mlir::MemRefType type);
  bool needsBlock(mlir::Value result) const;
  bool isLocal(mlir::Value tensor) const;
  mlir::Value scalarOf(mlir::Value v);
  mlir::Value constantBlock(ConstantOp op);
  mlir::Value constantBuffer(ConstantOp op);
  mlir::Value allocateTensor(mlir::MemRefType type);

  mlir::Location loc() const { return current; }

  ProgramContext &program;
  mlir::func::FuncOp source, function;
  mlir::OpBuilder b;
  mlir::Location current;
  Owned owned;
  Deaths deaths;
  /// What stands for a value: a scalar, a block, or the memory of a tensor that never leaves.
  llvm::DenseMap<mlir::Value, mlir::Value> lowered;
  /// Regions whose arguments were moved out of the value they match.
  llvm::DenseSet<mlir::Region *> consuming;
  int64_t scratchBytes = 0;
};

/// Copies all elements from one buffer to another of its type by a loop.
void copyAll(mlir::OpBuilder &b, mlir::Location loc, mlir::Value from, mlir::Value to);

} // namespace ingot
