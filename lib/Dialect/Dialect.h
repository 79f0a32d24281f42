//===- Dialect.h - The ingot dialect ----------------------------------------------------------===//
#pragma once

#include "Dialect/Dims.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include <memory>

#include "Dialect/Dialect.h.inc"

/// Symbol names and, for those made by dimMin and dimMax, their definitions, by position. Not
/// synchronised: shapes are built by one thread per context (passes on functions must not run in
/// parallel with each other).
struct ingot::IngotDialect::Symbols {
  unsigned intern(llvm::StringRef name, std::optional<DimMinMax> definition = std::nullopt);
  llvm::StringRef name(unsigned position) const { return names[position]; }
  std::optional<DimMinMax> definition(unsigned position) const { return definitions[position]; }

private:
  llvm::StringMap<unsigned> positions;
  std::vector<std::string> names;
  std::vector<std::optional<DimMinMax>> definitions;
};

#define GET_ATTRDEF_CLASSES
#include "Dialect/Attributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Dialect/Types.h.inc"
