//===- Node.h - One node of an ONNX graph, as its importer sees it ----------------------------===//
#pragma once

#include "Import/TensorBuilder.h"
#include "onnx/onnx.pb.h"
#include "llvm/ADT/StringMap.h"

namespace ingot::onnx_import {

class Graph;

/// The elements of a small tensor of integers, as far as they follow from shapes and constants.
using Content = llvm::SmallVector<mlir::AffineExpr>;

/// A node being imported: its operands, attributes with the defaults of its operator, and ways to
/// make operators from it. Functions that return failure have reported why.
class Node : public TensorBuilder {
public:
  Node(Graph &graph, const onnx::NodeProto &proto, int64_t version, mlir::Location loc);

  Graph &graph;
  const onnx::NodeProto &proto;
  /// The version of the operator set it is to be understood by.
  int64_t version;

  //===--------------------------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------------------------===//

  size_t inputCount() const { return proto.input_size(); }
  size_t outputCount() const { return proto.output_size(); }
  /// False for operands left out.
  bool has(size_t i) const;
  bool hasOutput(size_t i) const;
  /// Operand `i`; reports and returns failure if there is none.
  Result in(size_t i);
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> allInputs();
  /// What is known of the elements of operand `i`.
  std::optional<Content> content(size_t i);
  /// The elements of operand `i`, which must be constant integers.
  llvm::FailureOr<llvm::SmallVector<int64_t>> integers(size_t i, llvm::StringRef what);
  llvm::FailureOr<llvm::SmallVector<double>> numbers(size_t i, llvm::StringRef what);
  /// The elements of operand `i` as symbolic expressions.
  llvm::FailureOr<Content> expressions(size_t i, llvm::StringRef what);

  //===--------------------------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------------------------===//

  const onnx::AttributeProto *attribute(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name, int64_t otherwise) const;
  double number(llvm::StringRef name, double otherwise) const;
  std::string text(llvm::StringRef name, llvm::StringRef otherwise) const;
  /// Empty if there is none.
  llvm::SmallVector<int64_t> integerList(llvm::StringRef name) const;
  llvm::SmallVector<double> numberList(llvm::StringRef name) const;

  /// Gives output `i` its value, with what is known of its elements.
  llvm::LogicalResult set(size_t i, Result value, std::optional<Content> content = std::nullopt);
  llvm::LogicalResult set(Result value) { return set(0, value); }
};

/// The element type that ONNX numbers so; null for strings and those not supported.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int64_t dataType);

using Handler = llvm::LogicalResult (*)(Node &);
/// Handlers by "domain::Operator", the default domain being empty.
using Table = llvm::StringMap<Handler>;

} // namespace ingot::onnx_import
