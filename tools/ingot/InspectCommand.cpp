#include "ModelArguments.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ingot {
namespace {

struct InspectArguments {
  ModelArguments model;
  bool nodes = false;
};

struct OperatorTotal {
  int64_t nodes = 0, parameters = 0, multiplyAccumulates = 0;
  bool counted = true; // no node's count depends on a symbol
};

std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string shapeText(const PortInfo &port, const InterfaceInfo &info) {
  std::vector<std::string> extents;
  for (const Extent &extent : port.shape)
    extents.push_back(extent.text(info.symbols));
  return elementName(port.type) + (" [" + joined(extents) + "]");
}

std::string countText(std::optional<int64_t> count) {
  return count ? std::to_string(*count) : "by shape";
}

void printOperators(const std::vector<NodeInfo> &nodes) {
  std::map<std::string, OperatorTotal> totals;
  OperatorTotal sum;
  for (const NodeInfo &node : nodes)
    for (OperatorTotal *total : {&totals[node.op], &sum}) {
      ++total->nodes;
      total->parameters += node.parameters;
      total->multiplyAccumulates += node.multiplyAccumulates.value_or(0);
      total->counted &= node.multiplyAccumulates.has_value();
    }
  auto print = [](const std::string &name, const OperatorTotal &total) {
    std::optional<int64_t> count;
    if (total.counted)
      count = total.multiplyAccumulates;
    llvm::outs() << llvm::format(
        "%-24s %8lld %12lld %16s\n", name.c_str(), static_cast<long long>(total.nodes),
        static_cast<long long>(total.parameters), countText(count).c_str());
  };
  llvm::outs() << "operator                    nodes   parameters    multiply-adds\n";
  for (const auto &[name, total] : totals)
    print(name, total);
  print("all", sum);
}

void printNodes(const std::vector<NodeInfo> &nodes) {
  for (const NodeInfo &node : nodes)
    llvm::outs() << node.op << " " << node.name << "  " << joined(node.shapes) << "  parameters "
                 << node.parameters << ", multiply-adds " << countText(node.multiplyAccumulates)
                 << "\n";
}

// The workspace at the step where most of it is in use, and what is in it then.
void printPeak(const Inspection &inspection) {
  const Compiled &compiled = inspection.compiled;
  int64_t peakStep = 0, peakBytes = -1;
  for (int64_t step = 1; step <= static_cast<int64_t>(compiled.steps.size()); ++step) {
    int64_t bytes = 0;
    for (const BufferInfo &buffer : compiled.buffers)
      if (buffer.first <= step && step <= buffer.last)
        bytes += buffer.bytes;
    if (bytes > peakBytes) {
      peakBytes = bytes;
      peakStep = step;
    }
  }
  if (peakBytes <= 0)
    return;
  llvm::outs() << "most is in use in step " << peakStep << " ("
               << compiled.steps[peakStep - 1].function << "), " << peakBytes << " bytes:\n";
  for (const BufferInfo &buffer : compiled.buffers)
    if (buffer.first <= peakStep && peakStep <= buffer.last)
      llvm::outs() << llvm::format("  %12lld bytes at %12lld  %s, steps %lld to %lld\n",
                                   static_cast<long long>(buffer.bytes),
                                   static_cast<long long>(buffer.offset), buffer.name.c_str(),
                                   static_cast<long long>(buffer.first),
                                   static_cast<long long>(buffer.last));
}

void printCompiled(const Inspection &inspection) {
  const Compiled &compiled = inspection.compiled;
  const InterfaceInfo &info = compiled.interface;
  for (const PortInfo &port : info.inputs)
    llvm::outs() << "input      " << port.name << "  " << shapeText(port, info) << "\n";
  for (const PortInfo &port : info.outputs)
    llvm::outs() << "output     " << port.name << "  " << shapeText(port, info) << "\n";
  if (!info.symbols.empty())
    llvm::outs() << "dimensions " << joined(info.symbols) << "\n";
  llvm::outs() << "steps      " << compiled.steps.size() << "\n"
               << "code       " << inspection.codeBytes << " bytes\n"
               << "constants  " << compiled.constantBytes << " bytes\n"
               << "workspace  ";
  if (info.workspaceSize < 0) {
    llvm::outs() << "depends on the dimensions; give them with --dim to see it\n";
    return;
  }
  llvm::outs() << info.workspaceSize << " bytes";
  if (inspection.lowerBoundBytes > 0)
    llvm::outs() << llvm::format(", %.3f of the lower bound ",
                                 static_cast<double>(info.workspaceSize) /
                                     inspection.lowerBoundBytes)
                 << inspection.lowerBoundBytes;
  llvm::outs() << "\n";
  printPeak(inspection);
}

int runInspect(const InspectArguments &arguments) {
  Progress progress;
  Inspection inspection = inspect({arguments.model.model}, arguments.model.options(progress));
  progress.clear();
  if (arguments.nodes)
    printNodes(inspection.nodes);
  if (!inspection.nodes.empty())
    printOperators(inspection.nodes);
  int code = report(inspection.diagnostics);
  if (code == kSuccess)
    printCompiled(inspection);
  return code;
}

} // namespace

void addInspectCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand("inspect", "Tell what is in a model and what it needs.");
  command->footer(R"(Examples:
  ingot inspect det.onnx                                 operators, inputs, outputs, dimensions
  ingot inspect det.onnx --dim height=640 --dim width=640     with workspace and multiply-adds for that size
  ingot inspect det.onnx --nodes                         one line for each node as well)");
  auto arguments = std::make_shared<InspectArguments>();
  arguments->model.addTo(*command);
  command->add_flag("--nodes", arguments->nodes, "list every node with its shapes");
  command->callback([arguments, &exitCode] { exitCode = runInspect(*arguments); });
}

} // namespace ingot
