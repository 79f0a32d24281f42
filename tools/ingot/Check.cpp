#include "Check.h"
#include "harness/OnnxFiles.h"
#include "harness/OnnxRuntime.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace ingot {
namespace {

constexpr double kTolerance = 1e-4; // of the value's range

// One line for a value that differs; empty if it does not.
std::string divergence(const Tensor &ours, const Tensor &theirs) {
  if (ours.type() != theirs.type() || ours.shape() != theirs.shape())
    return "is " + describe(ours.type(), ours.shape()) + ", ONNX Runtime has " +
           describe(theirs.type(), theirs.shape());
  Difference difference = compareInRange(ours, theirs, kTolerance);
  if (!difference.mismatches)
    return {};
  std::string text;
  llvm::raw_string_ostream out(text);
  out << difference.mismatches << " of " << theirs.elements() << " elements differ by more than "
      << llvm::format("%.0e", kTolerance) << " of the range "
      << llvm::format("%.6g", difference.range) << "; worst at " << difference.worst << ": "
      << llvm::format("%.9g", ours.number(difference.worst)) << ", ONNX Runtime has "
      << llvm::format("%.9g", theirs.number(difference.worst));
  return text;
}

// Runs the model with all its inner values as outputs through both, and names the first that
// differs.
llvm::Expected<int> compareIntermediates(OnnxRuntime &runtime, llvm::StringRef bytes,
                                         const ModelArguments &model, const RunArguments &run) {
  auto exposed = exposeIntermediates(bytes);
  if (!exposed)
    return exposed.takeError();
  auto session = runtime.openBytes(exposed->bytes, {.threads = 1, .optimize = false});
  if (!session)
    return session.takeError();
  int code = kSuccess;
  auto ready = makeReady({model.model, exposed->bytes}, model, run, {}, code);
  if (!ready)
    return llvm::createStringError(
        "the model could not be compiled with its inner values as outputs");
  CompiledModel &ours = *ready->built.model;
  if (auto error = ours.prepare(ready->inputs, ready->symbols))
    return error;
  if (int32_t status = ours.call())
    return llvm::createStringError("the model with its inner values as outputs returned status %d",
                                   status);
  std::map<std::string, const Tensor *> computed;
  for (auto [port, tensor] : llvm::zip_equal(ours.interface().outputs, ours.outputs()))
    computed[port.name] = &tensor;
  std::vector<std::string> names;
  for (const ExposedValue &each : exposed->values)
    names.push_back(each.value);
  auto theirs = (*session)->run(inputNames(ours.interface()), ready->inputs, names);
  if (!theirs)
    return theirs.takeError();
  size_t compared = 0, differing = 0;
  for (auto [each, reference] : llvm::zip_equal(exposed->values, *theirs)) {
    auto it = computed.find(each.value);
    if (it == computed.end())
      continue;
    ++compared;
    std::string text = divergence(*it->second, reference);
    if (text.empty())
      continue;
    if (differing++ == 0)
      llvm::outs() << "check: first to diverge: node " << each.node << ", value '" << each.value
                   << "' " << text << "\n";
  }
  llvm::outs() << "check: " << compared << " inner values compared, " << differing << " differ\n";
  return differing ? kFailure : kSuccess;
}

} // namespace

int checkAgainstOnnxRuntime(const ModelArguments &model, const RunArguments &run,
                            const ReadyModel &ready) {
  auto runtime = OnnxRuntime::load();
  if (!runtime)
    return report(runtime.takeError());
  auto session = (*runtime)->openFile(model.model);
  if (!session)
    return report(session.takeError());
  CompiledModel &ours = *ready.built.model;
  std::vector<std::string> wanted;
  for (const PortInfo &port : ours.interface().outputs)
    wanted.push_back(port.name);
  auto theirs = (*session)->run(inputNames(ours.interface()), ready.inputs, wanted);
  if (!theirs)
    return report(theirs.takeError());
  int code = kSuccess;
  for (auto [port, mine, reference] :
       llvm::zip_equal(ours.interface().outputs, ours.outputs(), *theirs)) {
    std::string text = divergence(mine, reference);
    if (text.empty()) {
      Difference difference = compareInRange(mine, reference, kTolerance);
      llvm::outs() << "check: output '" << port.name << "' " << describe(mine.type(), mine.shape())
                   << " equals ONNX Runtime " << (*runtime)->version() << "'s, largest difference "
                   << llvm::format("%.3g", difference.largest) << " in a range of "
                   << llvm::format("%.6g", difference.range) << "\n";
      continue;
    }
    llvm::outs() << "check: output '" << port.name << "' " << text << "\n";
    code = kFailure;
  }
  auto bytes = llvm::MemoryBuffer::getFile(model.model, false, false);
  if (!bytes)
    return report(llvm::createStringError(model.model + ": " + bytes.getError().message()));
  auto inner = compareIntermediates(**runtime, (*bytes)->getBuffer(), model, run);
  if (!inner) {
    // The outputs were compared all the same; this part is a help for finding an error, not the
    // check itself.
    llvm::outs() << "check: inner values not compared: " << llvm::toString(inner.takeError())
                 << "\n";
    return code;
  }
  return code == kSuccess ? *inner : code;
}

} // namespace ingot
