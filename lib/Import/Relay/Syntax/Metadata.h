//===- Metadata.h - The JSON section of a Relay text ------------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Ast.h"

namespace ingot::relay {

/// What `meta[Type][index]` refers to: tensors of `relay.Constant`, attributes of operators,
/// integers of `IntImm`. Made from the text after `#[metadata]`, a graph of nodes as TVM's SaveJSON
/// writes it: {"root": n, "nodes": [{"type_key", "attrs", "keys", "data"}], "b64ndarrays": [...]}.
class Metadata {
public:
  explicit Metadata(mlir::MLIRContext &context) : context(context) {}

  /// Reports what is wrong with the section at `place`.
  void read(llvm::StringRef text, Place place, Reporter &reporter);

  /// Null if there is none.
  mlir::ElementsAttr constant(llvm::StringRef key, int64_t index) const;
  std::optional<int64_t> integer(llvm::StringRef key, int64_t index) const;
  /// The attributes that the object holds, all as they are written there; null if there is none.
  const Attrs *attributes(llvm::StringRef key, int64_t index) const;
  bool contains(llvm::StringRef key, int64_t index) const;

private:
  struct Object {
    mlir::ElementsAttr tensor;
    std::optional<int64_t> integer;
    Attrs attrs;
  };
  const Object *find(llvm::StringRef key, int64_t index) const;

  mlir::MLIRContext &context;
  llvm::StringMap<std::vector<Object>> tables;
};

/// The element type called `name` in Relay ("float32", "uint8", "bool"); null if there is none
/// that the dialect knows.
mlir::Type elementTypeNamed(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace ingot::relay
