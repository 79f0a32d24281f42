//===- ProgramInterface.h - The typed entry of a compiled program -----------------------------===//
//
// What the generated header of a program with data declares, and what both code generators check on
// entry. NAME_inputs holds a pointer for each input: to elements, or to a value of a data type.
// NAME_outputs holds a pointer to elements for each tensor, and the value itself for data.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "CodeGen/Interface.h"
#include "Operators/Functional.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {

struct ProgramPort {
  std::string name;   ///< as in the program
  std::string member; ///< of the struct
  mlir::Type type;    ///< a tensor, or a data type

  bool isTensor() const { return llvm::isa<mlir::RankedTensorType>(type); }
};

struct ProgramInterface {
  ModelInterface model;
  std::vector<ProgramPort> inputs, outputs;
  /// Those that a caller can meet, after those that they hold.
  std::vector<DataTypeOp> dataTypes;
  /// Tensors in the fields of these.
  llvm::SetVector<mlir::Type> tensors;
  std::vector<EntryCheck> checks;
};

/// True if planned `module` has the entry of a program.
bool isLoweredProgram(mlir::ModuleOp module);
/// Reads the attributes of @entry.
mlir::FailureOr<ProgramInterface> readProgramInterface(mlir::ModuleOp module);

} // namespace ingot
