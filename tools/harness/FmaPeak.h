// What one core can do at most, measured, as the yardstick for kernels.
#pragma once

namespace ingot {

// Floating-point operations per second of this core on float32 fused multiply-adds in registers, in
// GFLOP/s; an addition and a multiplication count as two. Takes some 20 ms.
double measureFmaPeak();

} // namespace ingot
