//===- Ownership.h - Which parameters a function takes over -----------------------------------===//
//
// Values are counted as in Perceus (Reinking, Xie, de Moura, Leijen: Perceus, garbage free
// reference counting with reuse, 2021). Parameters are borrowed where the function needs no
// ownership (Ullrich, de Moura: Counting immutable beans, 2019): the caller keeps them alive.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "Heap/Layout.h"
#include "Operators/Functional.h"
#include "Operators/Structure/Overwrite.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace ingot {

class Ownership {
public:
  explicit Ownership(mlir::ModuleOp module);

  /// True if parameter `index` of the function is owned by it: it releases or stores it.
  bool isOwned(llvm::StringRef function, unsigned index) const {
    auto it = owned.find(function);
    return it != owned.end() && it->second[index];
  }
  /// True if `use` takes the value over: its operator stores it, returns it or hands it on.
  bool isConsuming(mlir::OpOperand &use) const;
  /// True if owning `v` would save work: it is consumed, or taken apart into parts that are, or
  /// its block could serve again, also for the result of a group.
  bool wantsOwnership(mlir::Value v) const;
  /// True if some operation in `region` makes a block that fits into one of `layout`.
  bool canReuse(mlir::Region &region, const BlockLayout &layout) const;

  DataTypeOp dataType(mlir::Type type) const {
    return dataTypes.lookup(llvm::cast<DataType>(type).getSymbol());
  }

  /// True if `callee` can come back to `function` by calls.
  bool isRecursive(llvm::StringRef function, llvm::StringRef callee) const {
    auto x = groups.find(function), y = groups.find(callee);
    return x != groups.end() && y != groups.end() && x->second == y->second;
  }

private:
  void findGroups(llvm::ArrayRef<mlir::func::FuncOp> functions);
  bool improve(mlir::func::FuncOp function);

  llvm::StringMap<llvm::SmallVector<bool>> owned;
  llvm::StringMap<DataTypeOp> dataTypes;
  /// Functions that call each other have the same number.
  llvm::StringMap<size_t> groups;
};

} // namespace ingot
