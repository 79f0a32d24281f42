// Two models in one program, called from eight threads at once.
#ifdef ONE_UNIT
#include "plus_one.c"
#include "twice.c"
#else
#include "plus_one.h"
#include "twice.h"
#endif
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&wrong, t] {
      const int64_t count = 1 + 7 * t;
      std::vector<float> x(count, 5.0f), y(count), z(count);
      plus_one_inputs a = {x.data(), {count}};
      plus_one_outputs b = {y.data()};
      twice_inputs c = {x.data(), {count}};
      twice_outputs d = {z.data()};
      for (int i = 0; i < 2000; ++i) {
        wrong += plus_one_run(&a, &b, nullptr, 0, nullptr) != PLUS_ONE_OK;
        wrong += twice_run(&c, &d, nullptr, 0, nullptr) != TWICE_OK;
        for (int64_t j = 0; j < count; ++j) {
          wrong += y[j] != 6.0f || z[j] != 10.0f;
          y[j] = z[j] = 0.0f;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%d wrong\n", wrong.load());
  return wrong != 0;
}
