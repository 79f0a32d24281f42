// A line on the terminal that tells what a long run is at.
#pragma once
#include <chrono>
#include <string_view>

namespace ingot {

// Writes to standard error, and only when that is a terminal; the line is gone when the object is.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  // `done` is the share of the work finished, 0 to 1. Cheap to call often.
  void show(std::string_view what, double done);
  // Removes the line, before something else is printed.
  void clear();

private:
  bool terminal = false;
  bool visible = false;
  std::chrono::steady_clock::time_point last;
};

} // namespace ingot
