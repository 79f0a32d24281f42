// Time of repeated calls.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

namespace ingot {

// Milliseconds, one a run.
class Timings {
public:
  using Clock = std::chrono::steady_clock;

  void add(Clock::duration duration) {
    samples.push_back(std::chrono::duration<double, std::milli>(duration).count());
  }
  // Runs `call` and adds the time it took.
  template <typename Call> void time(Call &&call) {
    auto start = Clock::now();
    call();
    add(Clock::now() - start);
  }
  size_t runs() const { return samples.size(); }
  // Undefined before the first run.
  double minimum() const { return *std::min_element(samples.begin(), samples.end()); }
  double median() const {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

private:
  std::vector<double> samples;
};

} // namespace ingot
