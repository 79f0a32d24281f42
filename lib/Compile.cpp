//===- Compile.cpp - The library's face -------------------------------------------------------===//

#include "ingot/Compile.h"
#include "CodeGen/C/EmitC.h"
#include "CodeGen/C/Program/Program.h"
#include "CodeGen/LLVM/EmitLLVM.h"
#include "CodeGen/LLVM/Target.h"
#include "CodeGen/Weights.h"
#include "Import/Onnx/Import.h"
#include "Import/Relay/Import.h"
#include "Inspect.h"
#include "Lower/Program/LowerProgram.h"
#include "Memory/Report.h"
#include "ModelInfo.h"
#include "Package/Package.h"
#include "Pipeline.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace ingot {

namespace {

/// One compilation, from the file to the planned loops.
class Compilation {
public:
  Compilation(const Source &source, const CompileOptions &options, Compiled &result)
      : source(source), options(options), result(result),
        context(MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        bug(diagnostic.str());
      return success();
    });
  }

  /// True if planned loops were made, or a lowered program.
  bool run(std::vector<NodeInfo> *nodes);
  /// Adds what `emit` asks for to `files`.
  void emitAll(FileSet &files);

  int64_t lowerBound = 0, codeBytes = 0;
  void measureCode();

private:
  /// The rest of run() for a program that is more than a graph.
  bool runProgram();
  void bug(const Twine &message) {
    result.diagnostics.push_back({Severity::Bug, source.path, "", message.str()});
  }
  void refuse(llvm::Error error) {
    result.diagnostics.push_back(
        {Severity::Refusal, source.path, "", llvm::toString(std::move(error))});
  }
  void progress(StringRef stage, double done) {
    if (options.progress)
      options.progress(stage, done);
  }
  /// The optimised object of the planned module.
  llvm::Expected<std::string> object();
  bool wants(Emit emit) const { return llvm::is_contained(options.emit, emit); }

  const Source &source;
  const CompileOptions &options;
  Compiled &result;
  MLIRContext context;
  PipelineOptions pipeline;
  OwningOpRef<ModuleOp> module;
  EntryPlan plan;
  /// Of a program with data; there is no plan then.
  std::optional<ProgramInterface> program;
  std::string tensorText, loopText, objectBytes;
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(64).elideLargeResourceString(64).enableDebugInfo(false);
  module.print(os, flags);
  return text;
}

} // namespace

bool Compilation::run(std::vector<NodeInfo> *nodes) {
  if (std::string name = cIdentifier(options.name); !options.name.empty() && name != options.name) {
    refuse(llvm::createStringError("the name '" + options.name +
                                   "' cannot begin the symbols of C: take '" + name +
                                   "', or another of letters, digits and single underscores"));
    return false;
  }
  auto target = parseTarget(options.target);
  if (!target) {
    refuse(target.takeError());
    return false;
  }
  pipeline.target = *target;
  pipeline.verifyEach = options.verifyEach;
  pipeline.progress = options.progress;
  // C without extensions has no vectors; every other output shares one form with them.
  if (options.dialect == CDialect::C11 && options.emit == std::vector{Emit::C})
    pipeline.target.vectorBits = 0;
  progress("import", 0);
  std::vector<OnnxNode> onnxNodes;
  if (isRelayText(source)) {
    if (options.exposeIntermediates) {
      refuse(llvm::createStringError("the inner values of a Relay program cannot be exposed"));
      return false;
    }
    module = importRelay(context, source, {options.name, options.dims}, result.diagnostics);
  } else {
    OnnxOptions onnx{options.name, options.dims, options.exposeIntermediates};
    module = importOnnx(context, source, onnx, result.diagnostics, &onnxNodes);
  }
  if (nodes && module)
    *nodes = describeNodes(*module, onnxNodes);
  if (!module)
    return false;
  if (isProgram(*module) && failed(reduceProgram(*module, pipeline)))
    return false;
  if (isProgram(*module))
    return runProgram();
  if (failed(optimiseTensors(*module, pipeline)))
    return false;
  if (wants(Emit::IR))
    tensorText = print(*module);
  if (failed(lower(*module, pipeline)))
    return false;
  if (wants(Emit::IR))
    loopText = print(*module);
  if (failed(ingot::plan(*module, pipeline)))
    return false;
  auto interface = ModelInterface::read(*module);
  if (failed(interface))
    return false;
  bool hasWeights = !module->getOps<memref::GlobalOp>().empty();
  plan = planEntry(*interface, hasWeights && options.weights == Weights::File);
  result.interface = describe(*interface, plan.members());
  result.steps = describeSteps(*module, onnxNodes);
  // Where sizes depend on dimensions there is no one list of places.
  if (interface->symbols.empty()) {
    auto report = reportMemory(*module, {});
    if (failed(report))
      return false;
    result.buffers = std::move(report->buffers);
    lowerBound = report->lowerBound;
  }
  result.constantBytes = constantBytes(*module);
  return result.ok();
}

bool Compilation::runProgram() {
  if (options.weights == Weights::File) {
    refuse(llvm::createStringError("a program with data cannot keep its weights in a file"));
    return false;
  }
  if (failed(optimiseProgram(*module, pipeline)))
    return false;
  if (wants(Emit::IR))
    tensorText = print(*module);
  if (failed(lowerProgram(*module, pipeline)))
    return false;
  auto interface = readProgramInterface(*module);
  if (failed(interface))
    return false;
  program = std::move(*interface);
  result.interface = describe(*program);
  result.steps = describeSteps(*module, {});
  result.constantBytes = constantBytes(*module);
  return result.ok();
}

llvm::Expected<std::string> Compilation::object() {
  if (!objectBytes.empty())
    return objectBytes;
  auto machine = makeMachine(pipeline.target, llvm::CodeGenOptLevel::Aggressive);
  if (!machine)
    return machine.takeError();
  progress("generate code", 0.9);
  llvm::LLVMContext llvmContext;
  OwningOpRef<ModuleOp> copy = module->clone();
  auto translated = program ? emitLLVM(*copy, *program, pipeline.target, **machine, llvmContext)
                            : emitLLVM(*copy, plan, pipeline.target, **machine, llvmContext);
  if (failed(translated))
    return llvm::createStringError("LLVM IR could not be made");
  optimise(**translated, **machine, /*quickly=*/false);
  auto bytes = makeObject(**translated, **machine);
  if (bytes)
    objectBytes = *bytes;
  return bytes;
}

void Compilation::emitAll(FileSet &files) {
  const std::string &name = program ? program->model.name : plan.interface.name;
  auto add = [&](const std::string &file, StringRef bytes) {
    if (auto error = files.add(file, bytes))
      refuse(std::move(error));
  };
  if (wants(Emit::IR)) {
    add(name + ".tensors.mlir", tensorText);
    if (!program)
      add(name + ".loops.mlir", loopText);
    add(name + ".planned.mlir", print(*module));
  }
  bool needsHeader =
      wants(Emit::C) || wants(Emit::Object) || wants(Emit::Library) || wants(Emit::Shared);
  if (!needsHeader)
    return;
  COptions c{options.dialect == CDialect::C11, options.command};
  progress("generate C", 0.9);
  auto text = program ? emitProgram(*module, *program, result, c, /*headerOnly=*/!wants(Emit::C))
                      : emitC(*module, plan, result, c, /*headerOnly=*/!wants(Emit::C));
  if (failed(text))
    return;
  add(name + ".h", text->header);
  if (program) {
    add("ingot_heap.h", heapHeader());
    add("ingot_malloc.h", mallocHeader());
    add(name + ".hpp", text->cxxHeader);
    add("ingot_value.hpp", valueHeader());
  }
  if (plan.hasWeightsPointer)
    add(name + ".weights", weightsFile(*module));
  if (wants(Emit::C)) {
    add(name + ".c", text->source);
    for (auto &[file, bytes] : text->sideFiles)
      add(file, bytes);
  }
  if (!wants(Emit::Object) && !wants(Emit::Library) && !wants(Emit::Shared))
    return;
  auto bytes = object();
  if (!bytes)
    return bug(llvm::toString(bytes.takeError()));
  if (wants(Emit::Object))
    add(name + ".o", *bytes);
  if (wants(Emit::Library)) {
    auto archive = makeArchive(name + ".o", *bytes);
    if (!archive)
      return bug(llvm::toString(archive.takeError()));
    add("lib" + name + ".a", *archive);
  }
  if (wants(Emit::Shared)) {
    auto scratch = files.scratchFile(name + ".link.o", *bytes);
    if (!scratch)
      return refuse(scratch.takeError());
    auto place = files.reserve("lib" + name + ".so");
    if (!place)
      return refuse(place.takeError());
    if (auto error = linkShared(*scratch, *place))
      refuse(std::move(error));
  }
}

void Compilation::measureCode() {
  auto bytes = object();
  if (!bytes)
    return bug(llvm::toString(bytes.takeError()));
  codeBytes = textBytes(*bytes);
}

Compiled compile(const Source &source, const std::string &folder, const CompileOptions &options) {
  Compiled result;
  Compilation compilation(source, options, result);
  if (!compilation.run(nullptr))
    return result;
  FileSet files(folder);
  compilation.emitAll(files);
  if (!result.ok())
    return result;
  auto written = files.commit();
  if (!written) {
    result.diagnostics.push_back(
        {Severity::Refusal, source.path, "", llvm::toString(written.takeError())});
    return result;
  }
  result.files = *written;
  return result;
}

Inspection inspect(const Source &source, const CompileOptions &options) {
  Inspection inspection;
  Compilation compilation(source, options, inspection.compiled);
  if (compilation.run(&inspection.nodes)) {
    compilation.measureCode();
    inspection.lowerBoundBytes = compilation.lowerBound;
    inspection.codeBytes = compilation.codeBytes;
  }
  inspection.diagnostics = inspection.compiled.diagnostics;
  return inspection;
}

} // namespace ingot
