//===- Types.h - Types and literals of C ------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>

namespace ingot::c {

/// What the text of one model refers to and therefore must declare before: vector types and small
/// functions, by the model's prefix.
class Support {
public:
  Support(std::string prefix, unsigned indexBits)
      : prefix(std::move(prefix)), indexBits(indexBits) {}

  const std::string prefix;
  const unsigned indexBits;

  /// The C type of a scalar or vector as it is computed with.
  std::string type(mlir::Type type);
  /// What stands before the name of a variable that holds a scalar, a vector or a block: "float ",
  /// "ingot_block *const ".
  std::string declared(mlir::Type type, bool isConst);
  /// The C type of an element in memory: half floats as their bits.
  std::string storage(mlir::Type element);
  /// The vector of unsigned integers of the same shape.
  std::string unsignedVector(mlir::VectorType type);
  /// A vector type to access memory with: not aligned, may alias. `once`: what is read is kept in a
  /// register, where a C compiler might rather read it again for each use.
  std::string memoryVector(mlir::VectorType type, bool once = false);
  /// The name of the small function `name` for operands of `type`; declared once.
  std::string function(llvm::StringRef name, mlir::Type type);
  /// The same, for a conversion.
  std::string conversion(mlir::Type from, mlir::Type to);

  /// Declarations of all vector types and definitions of all functions asked for.
  std::string declarations() const;
  bool usesMath = false, usesString = false;

private:
  void define(const std::string &name, const std::string &text);
  std::vector<std::pair<std::string, std::string>> types, functions;
  std::set<std::string> defined;
};

/// `value` as the shortest literal that reads back as the same number.
std::string literal(float value);
std::string literal(double value);
std::string literal(const llvm::APInt &value, bool isSigned = true);

/// "f32", "i8" and the like, for names.
std::string shortName(mlir::Type type);

} // namespace ingot::c
