//===- HeapWriter.h - Functions of programs with data in C ------------------------------------===//
#pragma once

#include "CodeGen/C/Constants.h"
#include "CodeGen/C/FunctionWriter.h"
#include "CodeGen/C/Steps.h"
#include "Heap/Heap.h"

namespace ingot::c {

/// Writes one function of the heap dialect.
class HeapWriter {
public:
  HeapWriter(mlir::ModuleOp module, Support &support, const Steps &steps, Constants &constants);

  /// The name of the function for `symbol`.
  static std::string functionName(llvm::StringRef prefix, llvm::StringRef symbol) {
    return prefix.str() + "_fn_" + symbol.str();
  }
  /// `static int32_t name(...)`, for all functions to see each other.
  std::string prototype(mlir::func::FuncOp function);
  std::string define(mlir::func::FuncOp function);

private:
  std::string signature(mlir::func::FuncOp function, llvm::ArrayRef<std::string> names);
  std::string type(mlir::Type type);
  bool write(mlir::Operation *op);
  void writeSwitch(heap::SwitchOp op);
  void writeRegion(mlir::Block &block, llvm::ArrayRef<std::string> targets);
  void writeCall(heap::CallOp op);
  void writeFailure(llvm::StringRef status, mlir::ValueRange cleanup);
  void declare(mlir::Value value, llvm::StringRef base, const std::string &text);
  std::string place(mlir::Value block, uint64_t pointers, uint64_t offset, mlir::Type type);

  mlir::ModuleOp module;
  Support &support;
  const Steps &steps;
  Constants &constants;
  std::string body;
  FunctionWriter writer;
  llvm::SmallVector<std::string> params;
};

} // namespace ingot::c
