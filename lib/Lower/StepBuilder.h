//===- StepBuilder.h - Building the function of one fused group -------------------------------===//
#pragma once

#include "Dialect/Element/LoopBuilder.h"
#include "Dialect/Target/TargetInfo.h"
#include "Operators/Structure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ingot {

/// Builds the body of the function of one ingot.group. Tensors inside the group have no memory:
/// their elements are built where they are used, once for each set of indices.
class StepBuilder : public LoopBuilder {
public:
  /// `buffers` holds the memref of each operand of `group`, `results` of each result; a result may
  /// share the memref of an operand (in place). Gives `function` its body; its arguments are the
  /// distinct memrefs of both lists in order; an index argument is added for each symbol used.
  StepBuilder(mlir::OpBuilder &builder, mlir::func::FuncOp function, GroupOp group,
              llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> results,
              const TargetInfo &target, int64_t lanes);

  GroupOp group;
  const TargetInfo &target;

  mlir::Value read(mlir::Value tensor, llvm::ArrayRef<Index> at) override;
  mlir::Value symbol(llvm::StringRef name) override;
  std::optional<unsigned> partOf(mlir::Operation *concat) override {
    return concat == splitConcat ? std::optional(part) : std::nullopt;
  }
  /// Says that what is built from now on lies in operand `index` of `concat`; null ends that.
  void setPart(mlir::Operation *concat, unsigned index) {
    splitConcat = concat;
    part = index;
  }
  void write(unsigned result, llvm::ArrayRef<Index> at, mlir::Value value) override;
  mlir::Value readBack(unsigned result, llvm::ArrayRef<Index> at) override;

  /// Says that the element of `tensor` (inside the group) at `at` is `value`, from here on in the
  /// current block and those nested in it.
  void define(mlir::Value tensor, llvm::ArrayRef<Index> at, mlir::Value value);
  /// Builds the elements at `at`, of their rank, of some of the group's results, and stores them.
  /// If one has no vector form: `takeApart` builds it lane by lane from what was defined, else
  /// vectorFailed().
  void storeResults(llvm::ArrayRef<unsigned> results, llvm::ArrayRef<Index> at, bool takeApart);
  /// The same for every result; all have the rank of `at`.
  void storeResults(llvm::ArrayRef<Index> at, bool takeApart);

  /// The memref of a group operand or of result `index`, as an argument of the function.
  mlir::Value memoryOf(mlir::Value groupArgument) const { return memory.lookup(groupArgument); }
  mlir::Value resultMemory(unsigned index) const { return resultMemories[index]; }
  bool anyInPlace() const { return llvm::is_contained(inPlace, true); }

  /// Names of the symbols used, in the order of the index arguments added for them.
  llvm::ArrayRef<std::string> symbolsUsed() const { return symbolNames; }

  /// Builds with `lanes` elements at once until the returned object goes; 1 for scalars.
  struct WidthScope {
    WidthScope(StepBuilder &sb, int64_t lanes) : sb(sb), before(sb.width) { sb.width = lanes; }
    ~WidthScope() { sb.width = before; }
    StepBuilder &sb;
    int64_t before;
  };

  /// Loads the element of tensor element type `element` at `linear`: `lanes()` neighbours if it has
  /// lanes.
  mlir::Value load(mlir::Value memref, mlir::Type element, Index linear);
  void store(mlir::Value memref, mlir::Type element, Index linear, mlir::Value value);

private:
  struct Known {
    llvm::SmallVector<Index> at;
    mlir::Value value;
    bool isDefinition;
  };
  mlir::Value lookUp(mlir::Value tensor, llvm::ArrayRef<Index> at);
  void storeResult(unsigned index, llvm::ArrayRef<Index> at, bool takeApart);
  void storeLaneByLane(unsigned index, llvm::ArrayRef<Index> at);

  mlir::func::FuncOp function;
  llvm::DenseMap<mlir::Value, mlir::Value> memory;
  llvm::SmallVector<mlir::Value> resultMemories;
  llvm::SmallVector<bool> inPlace;
  mlir::Operation *splitConcat = nullptr;
  unsigned part = 0;
  std::vector<std::string> symbolNames;
  llvm::StringMap<mlir::Value> symbols;
  llvm::MapVector<mlir::Value, std::vector<Known>> known;
};

} // namespace ingot
