#include "Support/Progress.h"
#include <cstdio>
#include <unistd.h>

namespace ingot {

Progress::Progress() : terminal(isatty(STDERR_FILENO) == 1) {}
Progress::~Progress() { clear(); }

void Progress::show(std::string_view what, double done) {
  if (!terminal)
    return;
  auto now = std::chrono::steady_clock::now();
  // Ten lines a second are as many as one can read, and short runs show none.
  if (now - last < std::chrono::milliseconds(100))
    return;
  last = now;
  visible = true;
  std::fprintf(stderr, "\r\033[K%3.0f %% %.*s", done * 100, static_cast<int>(what.size()),
               what.data());
}

void Progress::clear() {
  if (visible)
    std::fputs("\r\033[K", stderr);
  visible = false;
}

} // namespace ingot
