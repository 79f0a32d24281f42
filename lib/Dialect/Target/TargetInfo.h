//===- TargetInfo.h - What lowering knows of the machine --------------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace ingot {

/// The machine that compiled models run on, as far as schedules depend on it.
struct TargetInfo {
  /// An LLVM triple, processor and feature string; empty: the default.
  std::string triple, cpu, features;
  /// Width of a vector register; 0: no vectors at all, as for C without extensions.
  int64_t vectorBits = 0;
  int64_t vectorRegisters = 16;
  bool hasFma = false;
  /// Width of the type that counts elements.
  int64_t indexBits = 64;
  /// Bytes of data cache of one core.
  int64_t cacheL1 = 32 << 10, cacheL2 = 512 << 10;
};

} // namespace ingot
