//===- ingot-interpret.cpp - Runs a module of the loop level ----------------------------------===//
//
// ingot-interpret model.mlir --dims 48,320 --inputs @x.npy,@mask.npy --output-dir out
// ingot-interpret model.onnx --dims 48,320
//
// An .onnx file goes through the compiler first. Without --inputs they are random numbers.
//
// Writes one .npy per output to the folder given, or prints the first elements of each. Exit status
// 1 for a module that is not of the loop level or does something undefined, 2 for wrong arguments.
//
//===----------------------------------------------------------------------------------------===//

#include "CodeGen/LLVM/Target.h"
#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Import/Onnx/Import.h"
#include "Interpreter.h"
#include "ModelInfo.h"
#include "Pipeline.h"
#include "Support/Tensor.h"
#include "Verify/Verify.h"
#include "harness/Inputs.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace ingot;

namespace {

llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::Required,
                                llvm::cl::desc("<module.mlir or model.onnx>"));
llvm::cl::list<int64_t> dims("dims", llvm::cl::CommaSeparated,
                             llvm::cl::desc("Values of the symbolic dimensions, in order"));
llvm::cl::list<std::string> inputFiles("inputs", llvm::cl::CommaSeparated,
                                       llvm::cl::desc("@x.npy of each input, in order"));
llvm::cl::opt<std::string> outputFolder("output-dir", llvm::cl::desc("Folder for the outputs"));
llvm::cl::opt<int> vectorBits("vector-bits", llvm::cl::init(-1),
                              llvm::cl::desc("Width of vectors for an .onnx file, 0 for none"));
llvm::cl::opt<bool> allowUnwritten("allow-unwritten",
                                   llvm::cl::desc("Reads of what was never written are fine"));

int complain(int status, const Twine &text) {
  llvm::errs() << "ingot-interpret: " << text << '\n';
  return status;
}

/// A zeroed tensor as `port` has with the dimensions given.
llvm::Expected<Tensor> tensorFor(const PortInfo &port) {
  std::vector<int64_t> shape;
  for (const Extent &extent : port.shape) {
    auto value = extent.evaluate(std::vector<int64_t>(dims.begin(), dims.end()));
    if (!value)
      return llvm::createStringError(port.name + ": a dimension has no value");
    shape.push_back(*value);
  }
  auto size = shapeBytes(port.type, shape);
  if (!size)
    return size.takeError();
  return Tensor(port.type, std::move(shape));
}

/// The inputs named on the command line, or random ones.
llvm::Expected<std::vector<Tensor>> readInputs(const InterfaceInfo &info) {
  if (inputFiles.empty())
    return makeInputs(info, {}, dims, /*seed=*/1);
  std::vector<Tensor> tensors;
  for (auto [name, port] : llvm::zip(inputFiles, info.inputs)) {
    auto expected = tensorFor(port);
    if (!expected)
      return expected.takeError();
    auto tensor = readNpy(StringRef(name).ltrim('@').str());
    if (!tensor)
      return tensor.takeError();
    if (tensor->type() != expected->type() || tensor->shape() != expected->shape())
      return llvm::createStringError(name + ": has " + describe(tensor->type(), tensor->shape()) +
                                     ", '" + port.name + "' takes " +
                                     describe(expected->type(), expected->shape()));
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// The planned loops of an .onnx file; null after an error.
OwningOpRef<ModuleOp> compileOnnx(MLIRContext &context) {
  std::vector<ingot::Diagnostic> diagnostics;
  auto module = importOnnx(context, {file}, {}, diagnostics);
  for (const ingot::Diagnostic &each : diagnostics)
    llvm::errs() << each.text() << '\n';
  auto target = parseTarget("native");
  if (!module || !target) {
    llvm::consumeError(target.takeError());
    return nullptr;
  }
  PipelineOptions options;
  options.target = *target;
  if (vectorBits >= 0)
    options.target.vectorBits = vectorBits;
  if (failed(optimiseTensors(*module, options)) || failed(lower(*module, options)) ||
      failed(plan(*module, options)))
    return nullptr;
  return module;
}

int interpret(ModuleOp module, const ModelInterface &interface) {
  std::vector<std::string> members;
  for (const Port &port : llvm::concat<const Port>(interface.inputs, interface.outputs))
    members.push_back(port.name);
  InterfaceInfo info = describe(interface, members);
  if (!inputFiles.empty() && inputFiles.size() != info.inputs.size())
    return complain(2, "the model takes " + Twine(info.inputs.size()) + " inputs");
  if (dims.size() != info.symbols.size())
    return complain(2, "the model has " + Twine(info.symbols.size()) + " dimensions");
  std::vector<int64_t> values(dims.begin(), dims.end());
  for (const ConstraintInfo &constraint : info.constraints)
    if (constraint.left.evaluate(values) != constraint.right.evaluate(values))
      return complain(2, "with these dimensions " + constraint.left.text(info.symbols) +
                             " is not " + constraint.right.text(info.symbols));
  auto inputTensors = readInputs(info);
  if (!inputTensors)
    return complain(2, llvm::toString(inputTensors.takeError()));
  std::vector<Tensor> tensors = std::move(*inputTensors);
  for (const PortInfo &port : info.outputs) {
    auto tensor = tensorFor(port);
    if (!tensor)
      return complain(2, llvm::toString(tensor.takeError()));
    tensors.push_back(std::move(*tensor));
  }

  auto interpreter = interpreter::Interpreter::create(module);
  if (!interpreter)
    return complain(1, llvm::toString(interpreter.takeError()));
  int64_t size = 0;
  if (auto planned = interpreter->workspaceSize(dims))
    size = *planned;
  else
    llvm::consumeError(planned.takeError());
  auto bytes = shapeBytes(ElementType::UInt8, {{size}});
  if (!bytes)
    return complain(1, "the workspace: " + llvm::toString(bytes.takeError()));
  Tensor workspace(ElementType::UInt8, {size});
  SmallVector<interpreter::Bytes> arguments;
  for (Tensor &tensor : tensors)
    arguments.push_back({tensor.data(), tensor.bytes()});
  auto inputs = ArrayRef(arguments).take_front(interface.inputs.size());
  auto outputs = ArrayRef(arguments).drop_front(interface.inputs.size());
  if (auto error = interpreter->run(inputs, outputs, {workspace.data(), size}, dims,
                                    {.trapUnwritten = !allowUnwritten}))
    return complain(1, llvm::toString(std::move(error)));

  for (auto [i, port] : llvm::enumerate(interface.outputs)) {
    const Tensor &tensor = tensors[interface.inputs.size() + i];
    if (!outputFolder.empty()) {
      std::string path = outputFolder + "/" + std::to_string(i) + ".npy";
      if (auto error = writeNpy(path, tensor))
        return complain(1, llvm::toString(std::move(error)));
      continue;
    }
    llvm::outs() << port.name << " " << describe(tensor.type(), tensor.shape()) << ":";
    constexpr int64_t shown = 64;
    for (int64_t e = 0; e < std::min(tensor.elements(), shown); ++e)
      llvm::outs() << " " << llvm::format("%g", tensor.number(e));
    llvm::outs() << (tensor.elements() > shown ? " ...\n" : "\n");
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, "Runs a module of the loop level\n",
                                         &llvm::errs()))
    return 2;
  MLIRContext context;
  context.loadDialect<IngotDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  bool isOnnx = StringRef(file).ends_with(".onnx");
  auto module = isOnnx ? compileOnnx(context) : parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  auto interface = ModelInterface::read(*module);
  if (failed(interface))
    return 1;
  bool isPlanned = true;
  module->walk([&](memref::AllocOp) { isPlanned = false; });
  if (failed(verifyLoops(*module, isPlanned)))
    return 1;
  return interpret(*module, *interface);
}
