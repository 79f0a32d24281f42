//===- Import.cpp - From ONNX to the ingot dialect --------------------------------------------===//

#include "Import/Onnx/Import.h"
#include "Dialect/ModelInterface.h"
#include "Import/ModelFile.h"
#include "Import/Onnx/Graph.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

using namespace mlir;

namespace ingot {

using namespace onnx_import;

/// Messages of protobuf about files that are no models.
static void quietProtobuf() {
  static auto *before = google::protobuf::SetLogHandler(nullptr);
  (void)before;
}

static bool parseModel(StringRef bytes, onnx::ModelProto &model) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(INT_MAX);
  coded.SetRecursionLimit(200);
  return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

OwningOpRef<ModuleOp> importOnnx(MLIRContext &context, const Source &source,
                                 const OnnxOptions &options,
                                 std::vector<ingot::Diagnostic> &diagnostics,
                                 std::vector<OnnxNode> *nodes) {
  quietProtobuf();
  context.loadDialect<IngotDialect, func::FuncDialect>();
  Session session{context, source, options, diagnostics, nodes, {}, {}, {}, 0, {}, {}, {}};
  ModelFile file(source, diagnostics);
  if (!file)
    return nullptr;
  StringRef bytes = file.bytes();
  if (bytes.size() > INT_MAX) {
    session.report("", "larger than 2 GiB: keep the weights in external data");
    return nullptr;
  }
  onnx::ModelProto model;
  if (!parseModel(bytes, model)) {
    session.report("", "not an ONNX model, or cut short");
    return nullptr;
  }
  if (!model.has_graph() || (model.graph().node().empty() && model.graph().output().empty())) {
    session.report("", "it holds no graph");
    return nullptr;
  }
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    session.opsets[set.domain() == "ai.onnx" ? "" : set.domain()] = set.version();
  if (!session.opsets.contains(""))
    session.opsets[""] = 1;
  constexpr int64_t newest = 28;
  if (session.opsets[""] > newest || session.opsets[""] < 1) {
    session.report("", "operator set " + Twine(session.opsets[""]) + " is newer than " +
                           Twine(newest) + ", the last one supported");
    return nullptr;
  }
  for (const onnx::FunctionProto &function : model.functions()) {
    std::string domain = function.domain() == "ai.onnx" ? "" : function.domain();
    if (!session.functions.insert({domain + "::" + function.name(), &function}).second) {
      session.report("", "function " + function.name() + " is defined twice");
      return nullptr;
    }
  }
  registerFamilies(session.table);

  ModelInterface &interface = session.interface;
  file.describe(interface, options.name);
  interface.opset = session.opsets[""];

  OpBuilder b(&context);
  Location loc = NameLoc::get(b.getStringAttr(interface.source));
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  const onnx::GraphProto &proto = model.graph();
  llvm::StringSet<> initialized;
  for (const onnx::TensorProto &tensor : proto.initializer())
    initialized.insert(tensor.name());
  size_t before = diagnostics.size();
  SmallVector<Type> inputTypes;
  std::vector<std::string> inputNames;
  for (const onnx::ValueInfoProto &input : proto.input()) {
    // Old files list their weights among the inputs.
    if (initialized.contains(input.name()))
      continue;
    RankedTensorType type = readType(session, input.type(), input.name());
    if (!type)
      continue;
    if (llvm::is_contained(inputNames, input.name())) {
      session.report("", "input '" + input.name() + "' is declared twice");
      continue;
    }
    interface.inputs.push_back({input.name(), type, input.doc_string()});
    inputTypes.push_back(type);
    inputNames.push_back(input.name());
  }
  for (const auto &[name, value] : options.dims)
    if (value < 1) {
      session.report("", "--dim " + name + "=" + std::to_string(value) + " is not positive");
    }
  if (diagnostics.size() != before)
    return nullptr;

  b.setInsertionPointToStart(module->getBody());
  auto main = b.create<func::FuncOp>(loc, "main", b.getFunctionType(inputTypes, TypeRange()));
  Block *body = main.addEntryBlock();
  b.setInsertionPointToStart(body);
  Graph graph(session, b, nullptr, "", 0);
  for (auto [name, argument] : llvm::zip(inputNames, body->getArguments()))
    graph.bind(name, {argument, std::nullopt});
  LogicalResult imported = graph.importInitializers(proto);
  if (succeeded(imported))
    imported = graph.importNodes(proto.node());
  SmallVector<Value> results;
  auto addOutput = [&](StringRef name, Value value, StringRef doc) {
    interface.outputs.push_back({name.str(), cast<RankedTensorType>(value.getType()), doc.str()});
    results.push_back(value);
  };
  llvm::StringSet<> outputNames;
  for (const onnx::ValueInfoProto &output : proto.output()) {
    const Binding *binding = graph.find(output.name());
    if (!binding || !binding->value) {
      if (succeeded(imported))
        session.report("", "output '" + output.name() + "' is not defined");
      continue;
    }
    if (!outputNames.insert(output.name()).second) {
      session.report("", "output '" + output.name() + "' is declared twice");
      continue;
    }
    addOutput(output.name(), binding->value, output.doc_string());
  }
  for (auto &[name, value] : session.intermediates)
    if (outputNames.insert(name).second)
      addOutput(name, value, "");
  if (results.empty() && diagnostics.size() == before)
    session.report("", "it has no outputs");
  if (diagnostics.size() != before || failed(imported))
    return nullptr;
  b.create<func::ReturnOp>(loc, results);
  main.setFunctionType(b.getFunctionType(inputTypes, ValueRange(results).getTypes()));
  // Symbols that only dropped inputs had are not asked for.
  interface.write(*module);
  return module;
}

} // namespace ingot
