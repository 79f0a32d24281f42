#include "Case.h"
#include "harness/Inputs.h"
#include "harness/OnnxFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace ingot {
namespace {

namespace fs = llvm::sys::fs;

constexpr double kRelative = 1e-3, kAbsolute = 1e-7;

std::vector<std::string> subfolders(const std::string &folder, llvm::StringRef prefix) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    llvm::StringRef name = llvm::StringRef(it->path()).rsplit('/').second;
    if (name.starts_with(prefix) && fs::is_directory(it->path()))
      names.push_back(name.str());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// input_0.pb, input_1.pb, ... of a data set.
llvm::Expected<std::vector<Tensor>> readNumbered(const std::string &stem) {
  std::vector<Tensor> tensors;
  for (int i = 0;; ++i) {
    std::string path = stem + std::to_string(i) + ".pb";
    if (!fs::exists(path))
      return tensors;
    auto tensor = readTensorFile(path);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
}

Outcome wrong(const std::string &reason) { return {Verdict::Wrong, reason}; }
Outcome wrong(llvm::Error error) { return wrong(llvm::toString(std::move(error))); }

Outcome refusal(const std::vector<Diagnostic> &diagnostics) {
  std::string reason;
  bool isRefused = true;
  for (const Diagnostic &each : diagnostics) {
    isRefused &= each.severity != Severity::Bug;
    if (each.severity != Severity::Warning && !llvm::StringRef(reason).contains(each.message))
      reason += (reason.empty() ? "" : "; ") + each.message;
  }
  return {isRefused ? Verdict::Refused : Verdict::Crashed, reason};
}

Outcome compareOutput(const PortInfo &port, const Tensor &actual, const Tensor &expected) {
  if (actual.type() != expected.type() || actual.shape() != expected.shape())
    return wrong("output '" + port.name + "' is " + describe(actual.type(), actual.shape()) +
                 " instead of " + describe(expected.type(), expected.shape()));
  // The reference rounds bfloat16 towards zero: one unit in the last place of its 8 bits.
  double relative = actual.type() == ElementType::BFloat16 ? 0x1p-7 : kRelative;
  Difference difference = compareElements(actual, expected, relative, kAbsolute);
  if (!difference.mismatches)
    return {Verdict::Passed, {}};
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "output '" << port.name << "' " << describe(actual.type(), actual.shape()) << ": "
      << difference.mismatches << " elements differ, worst at " << difference.worst << ": "
      << actual.number(difference.worst) << " instead of " << expected.number(difference.worst);
  return wrong(reason);
}

Outcome runDataSet(CompiledModel &model, const std::string &folder) {
  const InterfaceInfo &info = model.interface();
  auto inputs = readNumbered(folder + "/input_");
  if (!inputs)
    return wrong(inputs.takeError());
  auto expected = readNumbered(folder + "/output_");
  if (!expected)
    return wrong(expected.takeError());
  if (inputs->size() != info.inputs.size() || expected->size() != info.outputs.size())
    return wrong("the data has " + std::to_string(inputs->size()) + " inputs and " +
                 std::to_string(expected->size()) + " outputs, the compiled model " +
                 std::to_string(info.inputs.size()) + " and " +
                 std::to_string(info.outputs.size()));
  // numpy has no bfloat16: the files hold its bits as uint16.
  auto restore = [](const PortInfo &port, Tensor &tensor) {
    if (port.type == ElementType::BFloat16 && tensor.type() == ElementType::UInt16)
      tensor.reinterpret(port.type);
  };
  for (auto [port, tensor] : llvm::zip_equal(info.outputs, *expected))
    restore(port, tensor);
  InputValues values;
  for (auto [port, tensor] : llvm::zip_equal(info.inputs, *inputs)) {
    restore(port, tensor);
    values[port.name] = std::move(tensor);
  }
  auto symbols = solveSymbols(info, values, {});
  if (!symbols)
    return {Verdict::Refused,
            "the data does not fit the model: " + llvm::toString(symbols.takeError())};
  auto fed = makeInputs(info, std::move(values), *symbols, 0);
  if (!fed)
    return wrong(fed.takeError());
  if (auto error = model.prepare(*fed, *symbols))
    return wrong(std::move(error));
  if (int32_t status = model.call())
    return wrong("returned status " + std::to_string(status));
  for (auto [port, actual, wanted] : llvm::zip_equal(info.outputs, model.outputs(), *expected))
    if (Outcome outcome = compareOutput(port, actual, wanted); outcome.verdict != Verdict::Passed)
      return outcome;
  return {Verdict::Passed, {}};
}

} // namespace

llvm::Expected<CaseList> findCases(const std::string &data, const std::string &filter) {
  CaseList list;
  for (const std::string &category : subfolders(data, ""))
    for (const std::string &name : subfolders(data + "/" + category, "test_")) {
      Case each{category, name, data + "/" + category + "/" + name};
      if (!llvm::StringRef(category + "/" + name).contains(filter))
        continue;
      bool hasModel = fs::exists(each.folder + "/model.onnx");
      (hasModel ? list.cases : list.empty).push_back(std::move(each));
    }
  if (list.cases.empty())
    return llvm::createStringError(data + ": no CATEGORY/test_NAME/model.onnx there" +
                                   (filter.empty() ? "" : " with '" + filter + "' in its name"));
  return list;
}

Outcome runCase(const Case &each, BuildOptions options, bool viaRelay, const std::string &scratch) {
  options.compile.name = "model";
  options.compile.verifyEach = true;
  options.optimize = "-O1";
  Source source{each.folder + "/model.onnx"};
  if (viaRelay) {
    Translation translation = translateToRelay(source, options.compile);
    if (translation.text.empty())
      return refusal(translation.diagnostics);
    source = {"model.relay", std::move(translation.text)};
  }
  auto built = buildModel(source, scratch, options);
  // The model was accepted, but what came out does not compile or load.
  if (!built)
    return {Verdict::Crashed, llvm::toString(built.takeError())};
  if (!built->model) {
    Outcome outcome = refusal(built->compiled.diagnostics);
    return viaRelay ? wrong("the translation: " + outcome.reason) : outcome;
  }
  std::vector<std::string> sets = subfolders(each.folder, "test_data_set_");
  if (sets.empty())
    return wrong("no test data");
  for (const std::string &set : sets)
    if (Outcome outcome = runDataSet(*built->model, each.folder + "/" + set);
        outcome.verdict != Verdict::Passed)
      return outcome;
  return {Verdict::Passed, {}};
}

} // namespace ingot
