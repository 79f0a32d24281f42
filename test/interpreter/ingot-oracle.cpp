//===- ingot-oracle.cpp - ONNX's test cases through the interpreter ---------------------------===//
//
// ingot-oracle [--data DIR] [--filter TEXT] [--vector-bits N] [--verbose]
//
// Takes each case of ONNX's backend tests through the compiler up to planned loops, and executes
// those by the interpreter. It tells defects of lowering and planning from those of the code
// generators, and finds accesses out of bounds and reads of memory that was never written, which
// compiled code may survive. Each case runs in a process of its own. Exit status 1 if any case
// gives wrong results, does something undefined, or crashes.
//
//===----------------------------------------------------------------------------------------===//

#include "../conformance/Case.h"
#include "CodeGen/LLVM/Target.h"
#include "Dialect/Dialect.h"
#include "Import/Onnx/Import.h"
#include "Interpreter.h"
#include "ModelInfo.h"
#include "Pipeline.h"
#include "harness/Inputs.h"
#include "harness/OnnxFiles.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace ingot;

namespace {

llvm::cl::opt<std::string> data("data", llvm::cl::init("/usr/share/libonnx-testdata/data"),
                                llvm::cl::desc("Folder of the cases"));
llvm::cl::opt<std::string> filter("filter", llvm::cl::desc("Only cases with this in the name"));
llvm::cl::opt<int>
    vectorBits("vector-bits", llvm::cl::init(-1),
               llvm::cl::desc("Width of vectors, 0 for none; default: this machine's"));
llvm::cl::opt<bool> verbose("verbose", llvm::cl::desc("Print refused cases too"));

/// How a case ends, and the exit status of its process.
enum class Ending : int { Passed, Wrong, Refused, Undefined, Crashed };
constexpr const char *endings[] = {"passed", "wrong", "refused", "undefined", "crashed"};
/// Seconds of one case.
constexpr unsigned timeLimit = 60;

struct Result {
  Ending ending;
  std::string reason;
};

std::vector<Tensor> readNumbered(const std::string &stem, std::string &problem) {
  std::vector<Tensor> tensors;
  for (int i = 0; llvm::sys::fs::exists(stem + std::to_string(i) + ".pb"); ++i) {
    auto tensor = readTensorFile(stem + std::to_string(i) + ".pb");
    if (!tensor) {
      problem = llvm::toString(tensor.takeError());
      break;
    }
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// The test data has bfloat16 as its bits in uint16.
Tensor withType(Tensor tensor, ElementType type) {
  if (type != ElementType::BFloat16 || tensor.type() != ElementType::UInt16)
    return tensor;
  Tensor result(type, tensor.shape());
  std::memcpy(result.data(), tensor.data(), tensor.bytes());
  return result;
}

/// Executes `module` on one set of inputs and compares with what must come out.
Result runDataSet(interpreter::Interpreter &interpreter, const InterfaceInfo &info,
                  const std::string &folder) {
  std::string problem;
  std::vector<Tensor> inputs = readNumbered(folder + "/input_", problem);
  std::vector<Tensor> expected = readNumbered(folder + "/output_", problem);
  if (!problem.empty())
    return {Ending::Refused, problem};
  if (inputs.size() != info.inputs.size() || expected.size() != info.outputs.size())
    return {Ending::Wrong, "another number of inputs or outputs"};
  InputValues values;
  for (auto [port, tensor] : llvm::zip_equal(info.inputs, inputs))
    values[port.name] = withType(std::move(tensor), port.type);
  // Some cases have inputs of another shape than their model declares.
  auto symbols = solveSymbols(info, values, {});
  if (!symbols)
    return {Ending::Refused, llvm::toString(symbols.takeError())};
  auto fed = makeInputs(info, std::move(values), *symbols, 0);
  if (!fed)
    return {Ending::Refused, llvm::toString(fed.takeError())};
  std::vector<Tensor> actual;
  SmallVector<interpreter::Bytes> in, out;
  for (Tensor &tensor : *fed)
    in.push_back({tensor.data(), tensor.bytes()});
  for (const PortInfo &port : info.outputs) {
    std::vector<int64_t> shape;
    for (const Extent &extent : port.shape)
      shape.push_back(extent.evaluate(*symbols).value_or(-1));
    auto size = shapeBytes(port.type, shape);
    if (!size)
      return {Ending::Wrong, llvm::toString(size.takeError())};
    actual.emplace_back(port.type, shape);
  }
  for (Tensor &tensor : actual)
    out.push_back({tensor.data(), tensor.bytes()});
  auto size = interpreter.workspaceSize(*symbols);
  if (!size)
    return {Ending::Undefined, llvm::toString(size.takeError())};
  Tensor workspace(ElementType::UInt8, {*size});
  if (auto error = interpreter.run(in, out, {workspace.data(), *size}, *symbols))
    return {Ending::Undefined, llvm::toString(std::move(error))};
  for (auto [a, given] : llvm::zip_equal(actual, expected)) {
    Tensor e = withType(std::move(given), a.type());
    if (a.type() != e.type() || a.shape() != e.shape())
      return {Ending::Wrong,
              describe(a.type(), a.shape()) + " instead of " + describe(e.type(), e.shape())};
    // As ONNX's own runner compares; it was given bfloat16 truncated instead of rounded.
    double relative = a.type() == ElementType::BFloat16 ? 0x1p-7 : 1e-3;
    Difference difference = compareElements(a, e, relative, 1e-7);
    if (difference.mismatches)
      return {Ending::Wrong, std::to_string(difference.mismatches) + " elements differ"};
  }
  return {Ending::Passed, ""};
}

Result runCase(const Case &each) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string complaints;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    complaints += diagnostic.str() + "; ";
    return success();
  });
  std::vector<ingot::Diagnostic> diagnostics;
  auto module = importOnnx(context, {each.folder + "/model.onnx"}, {}, diagnostics);
  if (!module)
    return {Ending::Refused, diagnostics.empty() ? "" : diagnostics.front().message};
  PipelineOptions options;
  auto target = parseTarget("native");
  if (!target)
    return {Ending::Crashed, llvm::toString(target.takeError())};
  options.target = *target;
  if (vectorBits >= 0)
    options.target.vectorBits = vectorBits;
  options.verifyEach = true;
  if (failed(optimiseTensors(*module, options)) || failed(lower(*module, options)) ||
      failed(plan(*module, options)))
    return {Ending::Crashed, complaints};
  auto interface = ModelInterface::read(*module);
  if (failed(interface))
    return {Ending::Crashed, complaints};
  std::vector<std::string> members;
  for (const Port &port : llvm::concat<const Port>(interface->inputs, interface->outputs))
    members.push_back(port.name);
  InterfaceInfo info = describe(*interface, members);
  auto interpreter = interpreter::Interpreter::create(*module);
  if (!interpreter)
    return {Ending::Undefined, llvm::toString(interpreter.takeError())};
  for (int set = 0;; ++set) {
    std::string folder = each.folder + "/test_data_set_" + std::to_string(set);
    if (!llvm::sys::fs::is_directory(folder))
      return {Ending::Passed, ""};
    if (Result result = runDataSet(*interpreter, info, folder); result.ending != Ending::Passed)
      return result;
  }
}

/// In a process of its own: what it prints is the reason, its status the ending.
Result runApart(const Case &each) {
  int pipes[2];
  if (pipe(pipes) != 0)
    return {Ending::Crashed, "no pipe"};
  pid_t child = fork();
  if (child == 0) {
    close(pipes[0]);
    alarm(timeLimit);
    Result result = runCase(each);
    llvm::raw_fd_ostream(pipes[1], /*shouldClose=*/true)
        << StringRef(result.reason).take_front(4000);
    _exit(static_cast<int>(result.ending));
  }
  close(pipes[1]);
  std::string reason;
  char buffer[4096];
  for (ssize_t n; (n = read(pipes[0], buffer, sizeof buffer)) > 0;)
    reason.append(buffer, n);
  close(pipes[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return {Ending::Crashed, "no process"};
  if (!WIFEXITED(status))
    return {Ending::Crashed, "signal " + std::to_string(WTERMSIG(status))};
  return {static_cast<Ending>(WEXITSTATUS(status)), reason};
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "ONNX's test cases through the interpreter\n");
  auto list = findCases(data, filter);
  if (!list) {
    llvm::errs() << llvm::toString(list.takeError()) << '\n';
    return 2;
  }
  std::map<Ending, int> counts;
  for (const Case &each : list->cases) {
    Result result = runApart(each);
    ++counts[result.ending];
    if (result.ending == Ending::Passed || (result.ending == Ending::Refused && !verbose))
      continue;
    llvm::outs() << endings[static_cast<int>(result.ending)] << " " << each.category << "/"
                 << each.name << ": " << result.reason << '\n';
    llvm::outs().flush();
  }
  llvm::outs() << "backend=interpreter total=" << list->cases.size();
  for (auto [i, name] : llvm::enumerate(endings))
    llvm::outs() << " " << name << "=" << counts[static_cast<Ending>(i)];
  llvm::outs() << '\n';
  return counts[Ending::Wrong] || counts[Ending::Undefined] || counts[Ending::Crashed] ? 1 : 0;
}
