//===- Graph.h - Importing graphs, functions and branches -------------------------------------===//
#pragma once

#include "Dialect/ModelInterface.h"
#include "Import/Onnx/Import.h"
#include "Import/Onnx/Node.h"
#include "llvm/ADT/StringSet.h"

namespace ingot::onnx_import {

/// What one import shares among all its graphs.
struct Session {
  mlir::MLIRContext &context;
  const Source &source;
  const OnnxOptions &options;
  std::vector<Diagnostic> &diagnostics;
  std::vector<OnnxNode> *nodes;
  /// Versions of the operator sets the model imports, by domain.
  llvm::StringMap<int64_t> opsets;
  /// Model-local functions by "domain::name".
  llvm::StringMap<const onnx::FunctionProto *> functions;
  Table table;
  /// Nodes imported so far, of all graphs and calls: a bound on what a small file may expand to.
  int64_t nodeCount = 0;
  ModelInterface interface;
  llvm::StringMap<mlir::Value> exposed;
  std::vector<std::pair<std::string, mlir::Value>> intermediates;

  void report(llvm::StringRef node, const llvm::Twine &message);
};

/// What a name of a graph stands for.
struct Binding {
  mlir::Value value;
  std::optional<Content> content;
};

/// A graph, a branch of control flow, or the body of a function: one scope of names.
class Graph {
public:
  Graph(Session &session, mlir::OpBuilder &b, Graph *outer, llvm::StringRef prefix, int depth)
      : session(session), b(b), outer(outer), prefix(prefix), depth(depth) {}

  Session &session;
  mlir::OpBuilder &b;

  /// Imports every node, in an order in which operands come first. Reports all that fails.
  llvm::LogicalResult importNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes);
  llvm::LogicalResult importInitializers(const onnx::GraphProto &graph);
  /// The subgraph `graph` as a region of control flow; its outputs become a yield.
  llvm::LogicalResult importBranch(const onnx::GraphProto &graph, mlir::Block &block,
                                   llvm::StringRef node);

  void bind(llvm::StringRef name, Binding binding) { names[name] = std::move(binding); }
  /// The binding of `name` here or further out; null if there is none.
  const Binding *find(llvm::StringRef name) const;
  bool definesLocally(llvm::StringRef name) const { return names.contains(name); }

  /// The attributes of the call that this function body is imported for; null outside functions.
  const onnx::NodeProto *call = nullptr;
  const onnx::FunctionProto *function = nullptr;
  /// Operator sets of a function body, which override the model's.
  llvm::StringMap<int64_t> ownOpsets;

private:
  llvm::LogicalResult importNode(const onnx::NodeProto &proto, llvm::StringRef name);
  llvm::LogicalResult importCall(const onnx::NodeProto &proto, const onnx::FunctionProto &function,
                                 llvm::StringRef name);
  int64_t opsetOf(llvm::StringRef domain) const;

  Graph *outer;
  std::string prefix;
  int depth;
  llvm::StringMap<Binding> names;
  /// Names whose nodes failed: what depends on them is not reported again.
  llvm::StringSet<> poisoned;
  bool isPoisoned(llvm::StringRef name) const;
};

/// The tensor `proto` as a constant of the dialect; reports at `node` and returns null if it is
/// malformed. Reads external data from the folder of the session's source.
mlir::ElementsAttr readTensor(Session &session, const onnx::TensorProto &proto,
                              llvm::StringRef node);

/// The type that `proto` declares; unnamed dimensions get names from `name`. Null if it is no
/// tensor.
mlir::RankedTensorType readType(Session &session, const onnx::TypeProto &proto,
                                llvm::StringRef name);

/// The elements of a small integer constant.
std::optional<Content> contentOf(mlir::MLIRContext *context, mlir::ElementsAttr elements);

/// Fills `table` with the operators of every family.
void registerFamilies(Table &table);

} // namespace ingot::onnx_import
