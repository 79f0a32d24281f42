//===- ingot-random-test.cpp - Random Relay programs against their definition -----------------===//
//
// Usage: ingot-random-test [--backend c|llvm] [--programs N] [--batch N] [--seed N] [--print]
//
// Programs are compiled in batches, as one text whose @main gives the results of all. With --print
// the program of --seed is printed, and nothing is compiled.
//
//===----------------------------------------------------------------------------------------===//

#include "Program.h"
#include "harness/CompiledModel.h"
#include "harness/Inputs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace ingot;

namespace {

struct Case {
  uint64_t seed;
  random::Program program;
  random::Results expected;
};

constexpr random::Arguments arguments = {7, -3, {2, -1, 40}};

std::string textOf(llvm::ArrayRef<Case> cases) {
  std::string text = "#[version = \"0.0.5\"]\nimport \"prelude.relay\"\n", calls, results;
  for (const Case &each : cases) {
    const std::string result = "%r" + std::to_string(each.seed);
    text += random::print(each.program);
    calls += "  let " + result + " = @" + each.program.functions.back().name + "(%a, %b, %v);\n";
    for (const char *member : {".0", ".1", ".2"})
      results += (results.empty() ? "" : ", ") + result + member;
  }
  return text + "def @main(%a: int32, %b: int32, %v: Tensor[(3), int32]) {\n" + calls + "  (" +
         results + ")\n}\n";
}

/// What is wrong; `culprit` is the case where it shows, if one does.
std::string check(llvm::ArrayRef<Case> cases, const BuildOptions &options, const Case *&culprit) {
  auto folder = ScratchFolder::create();
  if (!folder)
    return llvm::toString(folder.takeError());
  auto built = buildModel({"random.relay", textOf(cases)}, folder->path(), options);
  if (!built)
    return llvm::toString(built.takeError());
  if (!built->model)
    return built->compiled.diagnostics.empty() ? "refused" : built->compiled.diagnostics[0].message;
  CompiledModel &model = *built->model;
  auto numbers = [](std::vector<double> list) {
    return InputRule{InputRule::Kind::List, 0, 0, std::move(list)};
  };
  InputValues values;
  values["a"] = numbers({double(arguments.a)});
  values["b"] = numbers({double(arguments.b)});
  values["v"] = numbers({arguments.v.begin(), arguments.v.end()});
  auto inputs = makeInputs(model.interface(), std::move(values), {}, /*seed=*/1);
  if (!inputs)
    return llvm::toString(inputs.takeError());
  if (auto error = model.prepare(*inputs, {}))
    return llvm::toString(std::move(error));
  if (int32_t status = model.call())
    return "status " + std::to_string(status);
  if (model.heap().live != 0)
    return std::to_string(model.heap().live) + " blocks were not given back";
  for (size_t i = 0; i < cases.size(); ++i) {
    auto number = [&](size_t output, int64_t k) {
      return static_cast<int64_t>(model.outputs()[3 * i + output].number(k));
    };
    const random::Results &expected = cases[i].expected;
    bool isSame = number(0, 0) == expected.number && (number(1, 0) != 0) == expected.truth;
    for (size_t k = 0; k < expected.vector.size(); ++k)
      isSame &= number(2, static_cast<int64_t>(k)) == expected.vector[k];
    if (!isSame) {
      culprit = &cases[i];
      return "other results";
    }
  }
  return "";
}

} // namespace

int main(int argc, char **argv) {
  BuildOptions options;
  options.optimize = "-O1";
  options.compile.verifyEach = true;
  uint64_t programs = 100, batch = 5, seed = 1;
  bool isPrinted = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    const llvm::StringRef value = i + 1 < argc ? argv[i + 1] : "";
    uint64_t *number = argument == "--programs" ? &programs
                       : argument == "--batch"  ? &batch
                       : argument == "--seed"   ? &seed
                                                : nullptr;
    if (argument == "--print") {
      isPrinted = true;
    } else if (argument == "--backend" && (value == "c" || value == "llvm")) {
      options.backend = value == "c" ? Backend::C : Backend::Llvm;
      ++i;
    } else if (number && !value.getAsInteger(10, *number) && *number != 0) {
      ++i;
    } else {
      llvm::errs() << "ingot-random-test: what is " << argument << " " << value << "?\n";
      return 2;
    }
  }
  if (isPrinted) {
    Case only{seed, random::generate(seed, "_" + std::to_string(seed)), {}};
    llvm::outs() << textOf(only);
    return 0;
  }
  uint64_t compared = 0, failed = 0, tooLong = 0;
  while (compared < programs) {
    std::vector<Case> cases;
    while (cases.size() < std::min(batch, programs - compared)) {
      Case next{seed, random::generate(seed, "_" + std::to_string(seed)), {}};
      ++seed;
      if (random::evaluate(next.program, arguments, next.expected))
        cases.push_back(std::move(next));
      else
        ++tooLong;
    }
    const Case *culprit = nullptr;
    std::string wrong = check(cases, options, culprit);
    // Which of the batch it is, one after the other.
    for (size_t i = 0; !wrong.empty() && !culprit && i < cases.size(); ++i)
      if (const Case *ignored = nullptr; !check(cases[i], options, ignored).empty())
        culprit = &cases[i];
    if (!wrong.empty()) {
      ++failed;
      llvm::errs() << "seed " << (culprit ? culprit->seed : cases.front().seed)
                   << (culprit ? "" : " and those after it") << ": " << wrong << "\n";
    }
    compared += cases.size();
    if (compared % (50 * batch) < batch)
      llvm::errs() << compared << " programs\n";
  }
  llvm::outs() << compared << " programs, " << failed << " batches with a difference, " << tooLong
               << " too long to run\n";
  return failed != 0;
}
