//===- ProgramNames.h - The C names of a program's values -------------------------------------===//
#pragma once

#include "CodeGen/ProgramInterface.h"
#include "llvm/ADT/StringSet.h"

namespace ingot::c {

/// Names for the types and constructors that a caller can meet, without the program's own name in
/// front: legal in C and C++, and no two the same, also when theirs differ only in characters that
/// C does not know.
class ProgramNames {
public:
  explicit ProgramNames(const ProgramInterface &program);

  /// Every counted type, each before those first met in its fields.
  llvm::ArrayRef<mlir::Type> types() const { return order.getArrayRef(); }
  /// "float32_4x8", "List_int32", "ref_int32". Of a counted type of the interface.
  const std::string &of(mlir::Type type) const { return names.find(type)->second; }
  /// Of the constructor `tag` of `type`.
  const std::string &constructor(mlir::Type type, size_t tag) const {
    return constructors.find(type)->second[tag];
  }

private:
  void add(mlir::Type type);
  /// `base`, or that with a number, so that no name made of it and an ending is taken; takes them.
  std::string unique(const std::string &base, llvm::ArrayRef<std::string> endings);

  llvm::StringSet<> taken;
  llvm::SetVector<mlir::Type> order;
  llvm::DenseMap<mlir::Type, std::string> names;
  llvm::DenseMap<mlir::Type, std::vector<std::string>> constructors;
};

} // namespace ingot::c
