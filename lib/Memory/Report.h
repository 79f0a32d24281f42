//===- Report.h - What a plan looks like, for people ------------------------------------------===//
#pragma once

#include "ingot/Model.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// The buffers of a planned module.
struct MemoryReport {
  std::vector<BufferInfo> buffers; ///< in order of first use
  int64_t workspace = 0;           ///< bytes
  int64_t lowerBound = 0;          ///< the largest sum of buffers live at one time, in bytes
  int64_t peakStep = 0;            ///< the step during which that is; 0 without buffers
  std::vector<size_t> atPeak;      ///< those of `buffers` that make it
};

/// Reads the plan of `module` for values of its symbolic dimensions, in order. Fails with an error
/// if the module is not planned or takes other dimensions.
mlir::FailureOr<MemoryReport> reportMemory(mlir::ModuleOp module, llvm::ArrayRef<int64_t> dims);

} // namespace ingot
