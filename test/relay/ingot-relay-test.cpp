//===- ingot-relay-test.cpp - Relay programs against what they must give ----------------------===//
//
// Usage: ingot-relay-test [--backend c|llvm] [--cc-flag FLAG]... FOLDER...
//
// Each .relay file in and below the folders says in comments what must come of it. Of a program:
//   // input: 1 2 3        the elements of an input of @main, one line for each
//   // output: 55          the elements of an output, one line for each
//   // status: -2          instead of outputs, what the run returns
//   // allocations: 2      how many blocks a run may take, if that matters
// Of a text that must be rejected, one line for each error, in order, and no other:
//   // error: 3:12: the message
// A program with data must give back every block it took, also when the run fails: it is run again
// with each of its allocations refused in turn.
//
//===----------------------------------------------------------------------------------------===//

#include "harness/CompiledModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ingot;

namespace {

struct Expectation {
  std::vector<std::vector<double>> inputs, outputs;
  std::vector<std::string> errors;
  int32_t status = 0;
  int64_t allocations = INT64_MAX;
};

std::vector<double> numbers(llvm::StringRef text) {
  std::vector<double> result;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    double value = 0;
    if (word == "True")
      value = 1;
    else if (word != "False" && word.getAsDouble(value))
      value = std::strtod(word.str().c_str(), nullptr);
    result.push_back(value);
  }
  return result;
}

Expectation read(llvm::StringRef text) {
  Expectation expectation;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.consume_front("// input:"))
      expectation.inputs.push_back(numbers(line));
    else if (line.consume_front("// output:"))
      expectation.outputs.push_back(numbers(line));
    else if (line.consume_front("// status:"))
      line.trim().getAsInteger(10, expectation.status);
    else if (line.consume_front("// allocations:"))
      line.trim().getAsInteger(10, expectation.allocations);
    else if (line.consume_front("// error:"))
      expectation.errors.push_back(line.trim().str());
  }
  return expectation;
}

class Runner {
public:
  BuildOptions options;
  /// What is wrong with `path`; nothing if all is as it says.
  std::string check(const std::string &path);
  int64_t injected = 0;

private:
  std::string checkErrors(const Compiled &compiled, const Expectation &expected);
  std::string checkRun(CompiledModel &model, const Expectation &expected);
  std::string checkFailures(CompiledModel &model);
};

/// The messages without their texts and carets: "3:12: message".
std::string Runner::checkErrors(const Compiled &compiled, const Expectation &expected) {
  std::vector<std::string> found;
  for (const Diagnostic &diagnostic : compiled.diagnostics) {
    llvm::StringRef place = llvm::StringRef(diagnostic.file).rsplit(".relay:").second;
    std::string line = place.empty() ? "" : place.str() + ": ";
    found.push_back(line + llvm::StringRef(diagnostic.message).split('\n').first.str());
  }
  if (found == expected.errors)
    return "";
  std::string text = "found these errors:\n";
  for (const std::string &each : found)
    text += "// error: " + each + "\n";
  return text;
}

std::string Runner::checkRun(CompiledModel &model, const Expectation &expected) {
  model.heap().allocations = 0;
  int32_t status = model.call();
  if (model.heap().allocations > expected.allocations)
    return std::to_string(model.heap().allocations) + " allocations, not " +
           std::to_string(expected.allocations);
  if (status != expected.status)
    return "status " + std::to_string(status) + ", not " + std::to_string(expected.status);
  if (model.heap().live != 0)
    return std::to_string(model.heap().live) + " blocks were not given back";
  if (status != 0)
    return "";
  if (model.outputs().size() != expected.outputs.size())
    return std::to_string(model.outputs().size()) + " outputs, not " +
           std::to_string(expected.outputs.size());
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    const Tensor &tensor = model.outputs()[i];
    const std::vector<double> &wanted = expected.outputs[i];
    if (tensor.elements() != static_cast<int64_t>(wanted.size()))
      return "output " + std::to_string(i) + " has " + std::to_string(tensor.elements()) +
             " elements, not " + std::to_string(wanted.size());
    for (size_t k = 0; k < wanted.size(); ++k) {
      double value = tensor.number(static_cast<int64_t>(k));
      bool isSame = value == wanted[k] || (std::isnan(value) && std::isnan(wanted[k])) ||
                    std::abs(value - wanted[k]) <= 1e-5 * std::max(1.0, std::abs(wanted[k]));
      if (!isSame)
        return "output " + std::to_string(i) + "[" + std::to_string(k) + "] is " +
               std::to_string(value) + ", not " + std::to_string(wanted[k]);
    }
  }
  return "";
}

std::string Runner::checkFailures(CompiledModel &model) {
  CountedHeap &heap = model.heap();
  heap.allocations = 0;
  model.call();
  // Of programs that allocate much, the first and then ever fewer.
  int64_t count = heap.allocations;
  for (int64_t n = 1; n <= count; n += n < 400 ? 1 : n / 7) {
    heap.allocations = 0;
    heap.refused = n;
    int32_t status = model.call();
    heap.refused = -1;
    ++injected;
    if (status != INGOT_OUT_OF_MEMORY)
      return "status " + std::to_string(status) + " when allocation " + std::to_string(n) +
             " is refused";
    if (heap.live != 0)
      return std::to_string(heap.live) + " blocks were not given back when allocation " +
             std::to_string(n) + " is refused";
  }
  return "";
}

std::string Runner::check(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return "cannot read it";
  Expectation expected = read((*file)->getBuffer());
  auto folder = ScratchFolder::create();
  if (!folder)
    return llvm::toString(folder.takeError());
  auto built = buildModel({path}, folder->path(), options);
  if (!built)
    return llvm::toString(built.takeError());
  if (!built->model || !expected.errors.empty())
    return checkErrors(built->compiled, expected);
  CompiledModel &model = *built->model;
  std::vector<Tensor> inputs;
  for (const PortInfo &port : model.interface().inputs) {
    std::vector<int64_t> shape;
    for (const Extent &extent : port.shape)
      shape.push_back(extent.evaluate({}).value_or(0));
    inputs.emplace_back(port.type, shape);
    if (inputs.size() > expected.inputs.size() ||
        inputs.back().elements() != static_cast<int64_t>(expected.inputs[inputs.size() - 1].size()))
      return "it does not say what the input '" + port.name + "' is";
    for (int64_t k = 0; k < inputs.back().elements(); ++k)
      inputs.back().setNumber(k, expected.inputs[inputs.size() - 1][k]);
  }
  if (auto error = model.prepare(inputs, {}))
    return llvm::toString(std::move(error));
  std::string wrong = checkRun(model, expected);
  if (wrong.empty() && model.interface().usesHeap && expected.status == 0)
    wrong = checkFailures(model);
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  Runner runner;
  runner.options.optimize = "-O1";
  runner.options.compile.verifyEach = true;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--backend" && i + 1 < argc) {
      runner.options.backend = llvm::StringRef(argv[++i]) == "c" ? Backend::C : Backend::Llvm;
    } else if (argument == "--cc-flag" && i + 1 < argc) {
      runner.options.compilerFlags.push_back(argv[++i]);
    } else if (argument.ends_with(".relay")) {
      files.push_back(argument.str());
    } else {
      std::error_code error;
      for (llvm::sys::fs::recursive_directory_iterator it(argument, error), end;
           it != end && !error; it.increment(error))
        if (llvm::StringRef(it->path()).ends_with(".relay"))
          files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  int64_t failed = 0;
  for (const std::string &path : files)
    if (std::string wrong = runner.check(path); !wrong.empty()) {
      ++failed;
      llvm::errs() << path << ": " << wrong << "\n";
    }
  llvm::outs() << files.size() - failed << " of " << files.size() << " as they should be, "
               << runner.injected << " refused allocations\n";
  return failed != 0 || files.empty();
}
