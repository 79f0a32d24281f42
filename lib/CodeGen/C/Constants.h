//===- Constants.h - Constant tables in C -----------------------------------------------------===//
#pragma once

#include "CodeGen/C/EmitC.h"
#include "CodeGen/C/Types.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ingot::c {

/// The tables of a module: small ones as text, large ones as bytes of a side file that an assembler
/// file includes, or all of them in one file that the caller loads.
class Constants {
public:
  Constants(Support &support, bool inFile) : support(support), inFile(inFile) {}

  void add(mlir::memref::GlobalOp global);
  /// Declarations and definitions for the source.
  std::string text() const;
  /// The C expression for the address of `name`.
  std::string address(llvm::StringRef name) const { return addresses.lookup(name); }
  void addSideFiles(CFiles &files) const;

private:
  Support &support;
  bool inFile;
  std::string tables, externs, assembly, bytes;
  llvm::StringMap<std::string> addresses;
};

} // namespace ingot::c
