#include "harness/FmaPeak.h"
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ingot {
namespace {

// Enough independent chains to cover latency times throughput (4 cycles, 2 a cycle), few enough for
// 16 registers.
constexpr int kChains = 12;

template <int Lanes, bool Fused = true>
[[gnu::always_inline]] inline float multiplyAdd(int64_t rounds) {
  using Vector [[gnu::vector_size(Lanes * sizeof(float))]] = float;
  Vector sums[kChains];
  for (int i = 0; i < kChains; ++i)
    sums[i] = Vector{} + static_cast<float>(i);
  Vector factor = Vector{} + 0.999f, addend = Vector{} + 0.001f;
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (int i = 0; i < kChains; ++i)
      sums[i] =
          Fused ? __builtin_elementwise_fma(sums[i], factor, addend) : sums[i] * factor + addend;
  Vector total{};
  for (int i = 0; i < kChains; ++i)
    total += sums[i];
  return total[0];
}

struct Kernel {
  float (*run)(int64_t rounds);
  int lanes;
};

#if defined(__x86_64__)
[[gnu::target("avx512f"), gnu::noinline]] float run512(int64_t rounds) {
  return multiplyAdd<16>(rounds);
}
[[gnu::target("avx2,fma"), gnu::noinline]] float run256(int64_t rounds) {
  return multiplyAdd<8>(rounds);
}
// Baseline x86-64 has no fused instruction; a call to fmaf would be measured instead.
constexpr bool kBaseFused = false;
#else
constexpr bool kBaseFused = true;
#endif
[[gnu::noinline]] float runBase(int64_t rounds) { return multiplyAdd<4, kBaseFused>(rounds); }

Kernel widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {run512, 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {run256, 8};
#endif
  return {runBase, 4};
}

} // namespace

double measureFmaPeak() {
  using Clock = std::chrono::steady_clock;
  Kernel kernel = widest();
  constexpr int64_t kRounds = 400000;
  constexpr int kTrials = 20;
  double best = 0;
  volatile float sink = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    auto start = Clock::now();
    sink = kernel.run(kRounds);
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::max(best, 2.0 * kRounds * kChains * kernel.lanes / seconds / 1e9);
  }
  static_cast<void>(sink);
  return best;
}

} // namespace ingot
