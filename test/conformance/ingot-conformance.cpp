// Runs ONNX's backend test cases through Ingot and counts what comes out.
#include "Support/Progress.h"
#include "Workers.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <map>
#include <thread>

namespace {

using namespace ingot;

struct Counts {
  int64_t passed = 0, wrong = 0, refused = 0, crashed = 0;

  void add(Verdict verdict) {
    ++(verdict == Verdict::Passed    ? passed
       : verdict == Verdict::Wrong   ? wrong
       : verdict == Verdict::Refused ? refused
                                     : crashed);
  }
  int64_t total() const { return passed + wrong + refused + crashed; }
};

struct Results {
  std::map<std::string, Counts> categories;
  Counts all;
  std::map<std::string, std::vector<std::string>> refusals; // cases by reason
  std::map<std::string, std::string> failures;              // case to reason, wrong and crashed
  std::map<std::string, Outcome> byCase;

  void add(const Case &each, const Outcome &outcome) {
    std::string name = each.category + "/" + each.name;
    categories[each.category].add(outcome.verdict);
    all.add(outcome.verdict);
    if (outcome.verdict == Verdict::Refused)
      refusals[outcome.reason].push_back(each.name);
    else if (outcome.verdict != Verdict::Passed)
      failures[name] =
          (outcome.verdict == Verdict::Wrong ? "wrong: " : "crashed: ") + outcome.reason;
    byCase[name] = outcome;
  }
};

void printCategories(const Results &results) {
  llvm::outs() << "category             total passed  wrong refused crashed\n";
  for (const auto &[name, counts] : results.categories)
    llvm::outs() << llvm::format(
        "%-20s %5lld %6lld %6lld %7lld %7lld\n", name.c_str(),
        static_cast<long long>(counts.total()), static_cast<long long>(counts.passed),
        static_cast<long long>(counts.wrong), static_cast<long long>(counts.refused),
        static_cast<long long>(counts.crashed));
}

void printRefusals(const Results &results) {
  if (results.refusals.empty())
    return;
  std::vector<std::pair<size_t, std::string>> order;
  for (const auto &[reason, cases] : results.refusals)
    order.push_back({cases.size(), reason});
  llvm::sort(order, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  llvm::outs() << "\nrefused, by reason\n";
  for (const auto &[count, reason] : order)
    llvm::outs() << llvm::format("%5zu  ", count) << reason << "  ("
                 << results.refusals.at(reason)[0] << (count > 1 ? ", ...)\n" : ")\n");
}

// One line a case: "node/test_abs passed".
llvm::Error writeResults(const std::string &path, const Results &results) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return llvm::createStringError(path + ": " + error.message());
  for (const auto &[name, outcome] : results.byCase) {
    const char *verdict = outcome.verdict == Verdict::Passed    ? "passed"
                          : outcome.verdict == Verdict::Wrong   ? "wrong"
                          : outcome.verdict == Verdict::Refused ? "refused"
                                                                : "crashed";
    out << name << " " << verdict << (outcome.reason.empty() ? "" : " ") << outcome.reason << "\n";
  }
  return llvm::Error::success();
}

// "node=60": at least 60 % of the category's cases passed. True if so.
bool meets(const std::string &requirement, const Results &results) {
  auto [category, share] = llvm::StringRef(requirement).split('=');
  auto it = results.categories.find(category.str());
  double needed = 0, reached = 0;
  share.getAsDouble(needed);
  if (it != results.categories.end())
    reached =
        100.0 * static_cast<double>(it->second.passed) / static_cast<double>(it->second.total());
  if (reached >= needed)
    return true;
  llvm::outs() << "too few passed: " << category << " " << llvm::format("%.1f", reached)
               << " %, required " << share << " %\n";
  return false;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(
      "Runs ONNX's backend test cases through Ingot: compiles each model, runs it, compares.\n"
      "Exit code 1 if a case was wrong or crashed; a refusal with a message is no failure.");
  std::string data = "/usr/share/libonnx-testdata/data", filter, resultsFile, backendName = "llvm",
              dialect = "gnu";
  std::vector<std::string> requirements;
  BuildOptions options;
  bool viaRelay = false;
  Limits limits;
  limits.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  app.add_option("--backend", backendName, "through which back end")
      ->check(CLI::IsMember({"llvm", "c"}))
      ->capture_default_str();
  app.add_option("--c-dialect", dialect, "of the C back end")
      ->check(CLI::IsMember({"gnu", "c11"}))
      ->capture_default_str();
  app.add_option("--cc-flag", options.compilerFlags, "an argument more for the C compiler")
      ->take_all();
  app.add_flag(
      "--via-relay", viaRelay,
      "translate each model to Relay, and compile that; a text that is not accepted is wrong");
  app.add_option("--filter", filter, "only cases with this in CATEGORY/NAME");
  app.add_option("--data", data, "folder with CATEGORY/test_NAME/model.onnx")
      ->capture_default_str();
  app.add_option("--jobs", limits.jobs, "processes at a time")->check(CLI::Range(1, 1024));
  app.add_option("--timeout", limits.seconds, "seconds for one case")->capture_default_str();
  app.add_option("--memory", limits.megabytes,
                 "megabytes of address space for one case; 0: no limit")
      ->capture_default_str();
  app.add_option("--results", resultsFile, "write one line for each case to this file");
  app.add_option("--require", requirements, "CATEGORY=PERCENT: fail if fewer passed")->take_all();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  auto list = findCases(data, filter);
  if (!list) {
    llvm::errs() << "conformance: " << llvm::toString(list.takeError()) << "\n";
    return 2;
  }
  options.backend = backendName == "c" ? Backend::C : Backend::Llvm;
  options.compile.dialect = dialect == "c11" ? CDialect::C11 : CDialect::Gnu;
  Results results;
  Progress progress;
  llvm::Error error = runInProcesses(
      list->cases, limits,
      [&](const Case &each, const std::string &scratch) {
        return runCase(each, options, viaRelay, scratch);
      },
      [&](const Case &each, const Outcome &outcome) {
        results.add(each, outcome);
        progress.show(each.name, static_cast<double>(results.all.total()) /
                                     static_cast<double>(list->cases.size()));
      });
  progress.clear();
  if (error) {
    llvm::errs() << "conformance: " << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  printCategories(results);
  printRefusals(results);
  if (!results.failures.empty())
    llvm::outs() << "\n";
  for (const auto &[name, reason] : results.failures)
    llvm::outs() << name << "  " << reason << "\n";
  if (!list->empty.empty())
    llvm::outs() << "\nnot counted: " << list->empty.size() << " folders without a model (such as "
                 << list->empty[0].category << "/" << list->empty[0].name
                 << "): their models are not part of the data\n";
  if (!resultsFile.empty())
    if (auto failed = writeResults(resultsFile, results)) {
      llvm::errs() << "conformance: " << llvm::toString(std::move(failed)) << "\n";
      return 2;
    }
  bool enough = true;
  for (const std::string &requirement : requirements)
    enough &= meets(requirement, results);
  const Counts &all = results.all;
  llvm::outs() << "\nbackend=" << backendName << " total=" << all.total()
               << " passed=" << all.passed << " wrong=" << all.wrong << " refused=" << all.refused
               << " crashed=" << all.crashed << "\n";
  return all.wrong == 0 && all.crashed == 0 && enough ? 0 : 1;
}
