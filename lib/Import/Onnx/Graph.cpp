//===- Graph.cpp - Importing graphs, functions and branches -----------------------------------===//

#include "Import/Onnx/Graph.h"

using namespace mlir;

namespace ingot::onnx_import {

void Session::report(StringRef node, const Twine &message) {
  diagnostics.push_back({Severity::Refusal, source.path, node.str(), message.str()});
}

const Binding *Graph::find(StringRef name) const {
  for (const Graph *scope = this; scope; scope = scope->function ? nullptr : scope->outer)
    if (auto it = scope->names.find(name); it != scope->names.end())
      return &it->second;
  return nullptr;
}

bool Graph::isPoisoned(StringRef name) const {
  for (const Graph *scope = this; scope; scope = scope->outer)
    if (scope->poisoned.contains(name))
      return true;
  return false;
}

int64_t Graph::opsetOf(StringRef domain) const {
  for (const Graph *scope = this; scope; scope = scope->outer)
    if (scope->function)
      if (auto it = scope->ownOpsets.find(domain); it != scope->ownOpsets.end())
        return it->second;
  auto it = session.opsets.find(domain);
  return it == session.opsets.end() ? 0 : it->second;
}

LogicalResult Graph::importInitializers(const onnx::GraphProto &graph) {
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    ElementsAttr elements = readTensor(session, tensor, "");
    if (!elements) {
      poisoned.insert(tensor.name());
      continue;
    }
    if (definesLocally(tensor.name())) {
      session.report("", "'" + tensor.name() + "' is defined twice");
      return failure();
    }
    Location loc = NameLoc::get(b.getStringAttr(tensor.name()));
    bind(tensor.name(),
         {b.create<ConstantOp>(loc, elements), contentOf(&session.context, elements)});
  }
  for (const onnx::SparseTensorProto &sparse : graph.sparse_initializer()) {
    session.report("", "sparse initializer '" + sparse.values().name() + "' is not supported");
    poisoned.insert(sparse.values().name());
  }
  return success();
}

/// Names that `graph` takes from outside.
static void collectCaptures(const onnx::GraphProto &graph, llvm::StringSet<> &names, int depth) {
  if (depth > 64)
    return;
  for (const onnx::NodeProto &node : graph.node()) {
    for (const std::string &input : node.input())
      names.insert(input);
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        collectCaptures(attribute.g(), names, depth + 1);
      for (const onnx::GraphProto &each : attribute.graphs())
        collectCaptures(each, names, depth + 1);
    }
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    names.insert(output.name());
}

LogicalResult Graph::importNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes) {
  llvm::StringMap<int> producer;
  bool isSound = true;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (const std::string &output : node.output()) {
      if (output.empty())
        continue;
      if (definesLocally(output) || !producer.insert({output, static_cast<int>(i)}).second) {
        session.report(node.name(), "'" + output + "' is defined twice");
        isSound = false;
      }
    }
  if (!isSound)
    return failure();

  // Kahn's algorithm, in file order where that is free: files list nodes in order, if they are
  // honest.
  std::vector<int> waiting(nodes.size(), 0);
  std::vector<std::vector<int>> users(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    llvm::StringSet<> names;
    for (const std::string &input : node.input())
      names.insert(input);
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        collectCaptures(attribute.g(), names, 0);
    for (const auto &name : names)
      if (auto it = producer.find(name.getKey()); it != producer.end()) {
        ++waiting[i];
        users[it->second].push_back(static_cast<int>(i));
      }
  }
  std::set<int> ready;
  for (size_t i = 0; i < waiting.size(); ++i)
    if (waiting[i] == 0)
      ready.insert(static_cast<int>(i));
  size_t done = 0;
  LogicalResult result = success();
  while (!ready.empty()) {
    int i = *ready.begin();
    ready.erase(ready.begin());
    ++done;
    const onnx::NodeProto &node = nodes[i];
    std::string name = node.name();
    if (name.empty())
      for (const std::string &output : node.output())
        if (name.empty())
          name = output;
    if (!prefix.empty())
      name = prefix + "/" + name;
    if (failed(importNode(node, name))) {
      result = failure();
      for (const std::string &output : node.output())
        poisoned.insert(output);
    }
    for (int user : users[i])
      if (--waiting[user] == 0)
        ready.insert(user);
  }
  if (done != static_cast<size_t>(nodes.size())) {
    for (size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i] > 0) {
        session.report(nodes[static_cast<int>(i)].name(),
                       "the graph has a cycle through this node");
        break;
      }
    return failure();
  }
  return result;
}

LogicalResult Graph::importNode(const onnx::NodeProto &proto, StringRef name) {
  constexpr int64_t maxNodes = 1 << 20;
  if (++session.nodeCount > maxNodes) {
    if (session.nodeCount == maxNodes + 1)
      session.report(name, "the model has more than " + Twine(maxNodes) +
                               " nodes, calls of functions expanded");
    return failure();
  }
  if (session.nodes)
    session.nodes->push_back({name.str(), proto.op_type()});
  // What depends on a node that failed is not reported again; but it is reported if it is not
  // supported itself, so that one run tells all.
  bool dependsOnFailure =
      llvm::any_of(proto.input(), [&](const std::string &input) { return isPoisoned(input); });
  StringRef domain = proto.domain() == "ai.onnx" ? StringRef() : StringRef(proto.domain());
  std::string key = (domain + "::" + proto.op_type()).str();
  if (auto it = session.functions.find(key); it != session.functions.end())
    return dependsOnFailure ? failure() : importCall(proto, *it->second, name);
  Handler handler = session.table.lookup(key);
  int64_t version = opsetOf(domain);
  if (!handler || version == 0) {
    session.report(name,
                   "operator " +
                       (domain.empty() ? Twine(proto.op_type()) : domain + "." + proto.op_type()) +
                       (handler ? " belongs to an operator set the model does not import"
                                : " is not supported"));
    return failure();
  }
  if (dependsOnFailure)
    return failure();
  Location loc = NameLoc::get(b.getStringAttr(name));
  Node node(*this, proto, version, loc);
  bool hasReported = false;
  ScopedDiagnosticHandler capture(&session.context, [&](mlir::Diagnostic &diagnostic) {
    if (!hasReported)
      session.report(name, proto.op_type() + ": " + diagnostic.str());
    hasReported = true;
    return success();
  });
  if (failed(handler(node))) {
    if (!hasReported)
      session.report(name, proto.op_type() + " could not be imported");
    return failure();
  }
  for (const std::string &output : proto.output()) {
    if (output.empty())
      continue;
    const Binding *binding = find(output);
    if (!binding || !definesLocally(output)) {
      session.report(name, proto.op_type() + ": its output '" + output + "' is not supported");
      return failure();
    }
    if (depth == 0 && session.options.exposeIntermediates)
      session.intermediates.push_back({output, binding->value});
  }
  return success();
}

LogicalResult Graph::importCall(const onnx::NodeProto &proto, const onnx::FunctionProto &function,
                                StringRef name) {
  int nesting = 0;
  for (const Graph *scope = this; scope; scope = scope->outer) {
    if (scope->function == &function) {
      session.report(name, "function " + function.name() + " calls itself");
      return failure();
    }
    if (++nesting > 64) {
      session.report(name, "functions are nested more than 64 deep");
      return failure();
    }
  }
  Graph body(session, b, this, name, depth + 1);
  body.call = &proto;
  body.function = &function;
  for (const onnx::OperatorSetIdProto &set : function.opset_import())
    body.ownOpsets[set.domain() == "ai.onnx" ? "" : set.domain()] = set.version();
  for (int i = 0; i < function.input_size() && i < proto.input_size(); ++i) {
    if (proto.input(i).empty())
      continue;
    const Binding *binding = find(proto.input(i));
    if (!binding) {
      session.report(name, "operand '" + proto.input(i) + "' is not defined");
      return failure();
    }
    body.bind(function.input(i), *binding);
  }
  // The body with the attributes of the call in place of references to them.
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes = function.node();
  std::function<void(onnx::NodeProto &, int)> resolve = [&](onnx::NodeProto &node, int level) {
    auto *attributes = node.mutable_attribute();
    for (int i = attributes->size(); i-- > 0;) {
      onnx::AttributeProto &attribute = *attributes->Mutable(i);
      if (attribute.has_g() && level < 32)
        for (onnx::NodeProto &inner : *attribute.mutable_g()->mutable_node())
          resolve(inner, level + 1);
      if (attribute.ref_attr_name().empty())
        continue;
      const onnx::AttributeProto *found = nullptr;
      for (const onnx::AttributeProto &given : proto.attribute())
        if (given.name() == attribute.ref_attr_name())
          found = &given;
      if (!found) {
        attributes->DeleteSubrange(i, 1);
        continue;
      }
      std::string own = attribute.name();
      attribute = *found;
      attribute.set_name(own);
    }
  };
  for (onnx::NodeProto &node : nodes)
    resolve(node, 0);
  if (failed(body.importNodes(nodes)))
    return failure();
  for (int i = 0; i < function.output_size() && i < proto.output_size(); ++i) {
    if (proto.output(i).empty())
      continue;
    const Binding *binding = body.find(function.output(i));
    if (!binding) {
      session.report(name, "function " + function.name() + " does not define its output '" +
                               function.output(i) + "'");
      return failure();
    }
    bind(proto.output(i), *binding);
    if (depth == 0 && session.options.exposeIntermediates)
      session.intermediates.push_back({proto.output(i), binding->value});
  }
  return success();
}

LogicalResult Graph::importBranch(const onnx::GraphProto &graph, Block &block, StringRef node) {
  if (depth > 32) {
    session.report(node, "control flow is nested more than 32 deep");
    return failure();
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&block);
  Graph inner(session, b, this, node, depth + 1);
  if (failed(inner.importInitializers(graph)) || failed(inner.importNodes(graph.node())))
    return failure();
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    const Binding *binding = inner.find(output.name());
    if (!binding) {
      session.report(node, "a branch does not define its output '" + output.name() + "'");
      return failure();
    }
    results.push_back(binding->value);
  }
  b.create<YieldOp>(NameLoc::get(b.getStringAttr(node)), results);
  return success();
}

} // namespace ingot::onnx_import
