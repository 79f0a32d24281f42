//===- ModelInterface.h - What the caller of a compiled model sees ----------------------------===//
#pragma once

#include "Dialect/Dims.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace ingot {

/// One input or output of a model.
struct Port {
  std::string name;
  mlir::RankedTensorType type;
  /// A line for people, may be empty.
  std::string doc;
};

/// Two dimensions that must be equal for the model to make sense; checked on entry.
struct Constraint {
  mlir::AffineExpr lhs, rhs;
};

/// The interface of a model: the module attribute `ingot.model`, which only this file reads and
/// writes.
struct ModelInterface {
  /// A C identifier; prefix of every symbol.
  std::string name;
  /// File name without folders, its SHA-256 in hexadecimal (may be empty) and its default opset
  /// version.
  std::string source, sha256;
  int64_t opset = 0;
  /// Names of the symbolic dimensions the caller gives, in the order of the entry's index
  /// arguments.
  llvm::SmallVector<std::string> symbols;
  llvm::SmallVector<Port> inputs, outputs;
  llvm::SmallVector<Constraint> constraints;
  /// Bytes; -1 when a function of the symbols (the module then has one with `ingot.workspace_size`)
  /// or not planned yet.
  int64_t workspaceSize = -1;
  int64_t workspaceAlign = 64;

  /// Emits an error at the module if the attribute is missing or malformed.
  static mlir::FailureOr<ModelInterface> read(mlir::ModuleOp module);
  void write(mlir::ModuleOp module) const;
};

/// The name of an element type, for people and in formats that name them: "float32", "bfloat16",
/// "uint8", "bool".
std::string elementName(mlir::Type element);

} // namespace ingot
