// Runs cases in processes of their own, some at a time, with limits on time and memory.
#pragma once
#include "Case.h"
#include <functional>

namespace ingot {

struct Limits {
  int jobs = 1;
  int seconds = 120;        // a case that takes longer counts as crashed
  int64_t megabytes = 4096; // of address space; 0: no limit
};

// Runs `work` on each case in a forked process whose scratch folder is made and removed here, and
// hands the outcomes to `done` in the order they arrive. A process that dies, hangs or exceeds its
// memory is an outcome like another.
llvm::Error
runInProcesses(const std::vector<Case> &cases, const Limits &limits,
               const std::function<Outcome(const Case &, const std::string &scratch)> &work,
               const std::function<void(const Case &, const Outcome &)> &done);

} // namespace ingot
