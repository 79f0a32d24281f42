//===- ingot-interpret.cpp - Runs a module of the loop level ----------------------------------===//
//
// ingot-interpret model.mlir --dims 48,320 --inputs @x.npy,@mask.npy --output-dir out
//
// Writes one .npy per output to the folder given, or prints the first elements of each. Exit status
// 1 for a module that is not of the loop level or does something undefined, 2 for wrong arguments.
//
//===----------------------------------------------------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Interpreter.h"
#include "Support/Tensor.h"
#include "Verify/Verify.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace ingot;

namespace {

llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::Required,
                                llvm::cl::desc("<module.mlir>"));
llvm::cl::list<int64_t> dims("dims", llvm::cl::CommaSeparated,
                             llvm::cl::desc("Values of the symbolic dimensions, in order"));
llvm::cl::list<std::string> inputFiles("inputs", llvm::cl::CommaSeparated,
                                       llvm::cl::desc("@x.npy of each input, in order"));
llvm::cl::opt<std::string> outputFolder("output-dir", llvm::cl::desc("Folder for the outputs"));
llvm::cl::opt<bool> allowUnwritten("allow-unwritten",
                                   llvm::cl::desc("Reads of what was never written are fine"));

int complain(int status, const Twine &text) {
  llvm::errs() << "ingot-interpret: " << text << '\n';
  return status;
}

std::optional<ElementType> elementType(Type type) {
  if (type.isF16())
    return ElementType::Float16;
  if (type.isBF16())
    return ElementType::BFloat16;
  if (type.isF32())
    return ElementType::Float32;
  if (type.isF64())
    return ElementType::Float64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return ElementType::Bool;
  case 8:
    return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
  case 16:
    return isUnsigned ? ElementType::UInt16 : ElementType::Int16;
  case 32:
    return isUnsigned ? ElementType::UInt32 : ElementType::Int32;
  case 64:
    return isUnsigned ? ElementType::UInt64 : ElementType::Int64;
  default:
    return std::nullopt;
  }
}

/// A zeroed tensor as `port` has with the dimensions given.
llvm::Expected<Tensor> tensorFor(const Port &port, const ModelInterface &interface) {
  auto type = elementType(port.type.getElementType());
  if (!type)
    return llvm::createStringError(port.name + ": an element type without a file format");
  std::vector<int64_t> shape;
  for (AffineExpr dim : getDims(port.type)) {
    auto extent = evaluateDim(dim, [&](StringRef name) -> std::optional<int64_t> {
      for (size_t i = 0; i < interface.symbols.size(); ++i)
        if (name == interface.symbols[i])
          return dims[i];
      return std::nullopt;
    });
    if (!extent)
      return llvm::createStringError(port.name + ": a dimension has no value");
    shape.push_back(*extent);
  }
  auto size = shapeBytes(*type, shape);
  if (!size)
    return size.takeError();
  return Tensor(*type, std::move(shape));
}

int interpret(ModuleOp module, const ModelInterface &interface) {
  if (inputFiles.size() != interface.inputs.size())
    return complain(2, "the model takes " + Twine(interface.inputs.size()) + " inputs");
  if (dims.size() != interface.symbols.size())
    return complain(2, "the model has " + Twine(interface.symbols.size()) + " dimensions");
  std::vector<Tensor> tensors;
  for (auto [name, port] : llvm::zip(inputFiles, interface.inputs)) {
    auto expected = tensorFor(port, interface);
    if (!expected)
      return complain(2, llvm::toString(expected.takeError()));
    auto tensor = readNpy(StringRef(name).ltrim('@').str());
    if (!tensor)
      return complain(2, llvm::toString(tensor.takeError()));
    if (tensor->type() != expected->type() || tensor->shape() != expected->shape())
      return complain(2, name + ": has " + describe(tensor->type(), tensor->shape()) + ", '" +
                             port.name + "' takes " +
                             describe(expected->type(), expected->shape()));
    tensors.push_back(std::move(*tensor));
  }
  for (const Port &port : interface.outputs) {
    auto tensor = tensorFor(port, interface);
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
  auto module = parseSourceFile<ModuleOp>(file, &context);
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
