#include "Workers.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INGOT_ADDRESS_SANITIZER 1 // reserves terabytes of address space
#endif
#endif

namespace ingot {
namespace {

using Clock = std::chrono::steady_clock;

struct Worker {
  const Case *work = nullptr;
  pid_t process = -1;
  int outcome = -1; // read end of a pipe
  int errors = -1;  // memory file the process has as standard error
  std::string scratch;
  Clock::time_point deadline;
  bool late = false;
};

[[noreturn]] void work(const Case &each, const std::string &scratch, int outcomePipe, int errors,
                       const Limits &limits,
                       const std::function<Outcome(const Case &, const std::string &)> &run) {
  setpgid(0, 0);
  dup2(errors, STDERR_FILENO);
#ifndef INGOT_ADDRESS_SANITIZER
  if (limits.megabytes > 0) {
    rlimit memory;
    memory.rlim_cur = memory.rlim_max = static_cast<rlim_t>(limits.megabytes) << 20;
    setrlimit(RLIMIT_AS, &memory);
  }
#endif
  rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  Outcome outcome = run(each, scratch);
  std::string message(1, static_cast<char>(outcome.verdict));
  message += outcome.reason.substr(0, 2000);
  if (write(outcomePipe, message.data(), message.size()) < 0)
    _exit(1);
  _exit(0);
}

std::string readAll(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  return text;
}

// The last line a dead process wrote, for the report.
std::string lastWords(int errors) {
  lseek(errors, 0, SEEK_SET);
  std::string text = readAll(errors);
  llvm::StringRef tail = llvm::StringRef(text).trim();
  // An assertion is worth more than the stack dump below it.
  if (size_t at = tail.find("Assertion"); at != llvm::StringRef::npos)
    return tail.drop_front(at).split('\n').first.take_front(300).str();
  return tail.rsplit('\n').second.empty() ? tail.take_front(300).str()
                                          : tail.rsplit('\n').second.take_front(300).str();
}

Outcome collect(Worker &worker, const Limits &limits) {
  std::string message = readAll(worker.outcome);
  int status = 0;
  waitpid(worker.process, &status, 0);
  close(worker.outcome);
  Outcome outcome;
  if (worker.late) {
    outcome.reason = "took longer than " + std::to_string(limits.seconds) + " s";
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !message.empty()) {
    outcome.verdict = static_cast<Verdict>(message[0]);
    outcome.reason = message.substr(1);
  } else {
    std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                          : "exit code " + std::to_string(WEXITSTATUS(status));
    std::string words = lastWords(worker.errors);
    outcome.reason = how + (words.empty() ? "" : ": " + words);
  }
  close(worker.errors);
  llvm::sys::fs::remove_directories(worker.scratch);
  return outcome;
}

} // namespace

llvm::Error runInProcesses(const std::vector<Case> &cases, const Limits &limits,
                           const std::function<Outcome(const Case &, const std::string &)> &run,
                           const std::function<void(const Case &, const Outcome &)> &done) {
  auto root = ScratchFolder::create();
  if (!root)
    return root.takeError();
  std::vector<Worker> running;
  size_t next = 0;
  while (next < cases.size() || !running.empty()) {
    while (next < cases.size() && static_cast<int>(running.size()) < limits.jobs) {
      Worker worker;
      worker.work = &cases[next];
      worker.scratch = root->path() + "/" + std::to_string(next++);
      if (auto error = llvm::sys::fs::create_directory(worker.scratch))
        return llvm::createStringError(worker.scratch + ": " + error.message());
      int ends[2];
      if (pipe2(ends, O_CLOEXEC) != 0)
        return llvm::createStringError("no pipe");
      worker.outcome = ends[0];
      worker.errors = memfd_create("errors", MFD_CLOEXEC);
      worker.deadline = Clock::now() + std::chrono::seconds(limits.seconds);
      worker.process = fork();
      if (worker.process < 0)
        return llvm::createStringError("cannot start a process");
      if (worker.process == 0)
        work(*worker.work, worker.scratch, ends[1], worker.errors, limits, run);
      close(ends[1]);
      running.push_back(std::move(worker));
    }
    std::vector<pollfd> waiting;
    for (const Worker &worker : running)
      waiting.push_back({worker.outcome, POLLIN, 0});
    poll(waiting.data(), waiting.size(), 200);
    for (size_t i = running.size(); i-- > 0;) {
      Worker &worker = running[i];
      if (!worker.late && Clock::now() > worker.deadline) {
        worker.late = true;
        kill(-worker.process, SIGKILL);
        kill(worker.process, SIGKILL);
      } else if (!waiting[i].revents) {
        continue;
      }
      done(*worker.work, collect(worker, limits));
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  return llvm::Error::success();
}

} // namespace ingot
