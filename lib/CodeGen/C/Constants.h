//===- Constants.h - Constant tables in C -----------------------------------------------------===//
#pragma once

#include "CodeGen/C/EmitC.h"
#include "CodeGen/C/Types.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ingot::c {

/// The tables of a module: small ones as text, large ones as bytes of a side file that an assembler
/// file includes, or all of them where the caller has loaded the file of weights.
class Constants {
public:
  explicit Constants(Support &support) : support(support) {}

  void add(mlir::memref::GlobalOp global);
  /// Finds every table of `module` behind the entry's `inputs->weights`.
  void findInFile(mlir::ModuleOp module);
  /// Declarations and definitions for the source.
  std::string text() const;
  /// The C expression for the address of `name`.
  std::string address(llvm::StringRef name) const { return addresses.lookup(name); }
  void addSideFiles(CFiles &files) const;

private:
  Support &support;
  std::string tables, externs, assembly, bytes;
  llvm::StringMap<std::string> addresses;
};

} // namespace ingot::c
