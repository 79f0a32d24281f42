//===- Jit.h - Running planned code in this process -------------------------------------------===//
#pragma once

#include "CodeGen/Interface.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace ingot {

/// A planned module compiled for this machine, quickly rather than well.
class Jit {
public:
  /// Consumes the module's contents. Emits an error at it on failure.
  static mlir::FailureOr<std::unique_ptr<Jit>> create(mlir::ModuleOp planned);
  ~Jit();

  const EntryPlan &plan() const { return entryPlan; }
  /// The typed entry; see Interface.h for what the structs hold.
  int32_t run(const void *inputs, const void *outputs, void *workspace, size_t size) const {
    return entry(inputs, outputs, workspace, size, nullptr);
  }

private:
  Jit();
  EntryPlan entryPlan;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  int32_t (*entry)(const void *, const void *, void *, size_t, void *) = nullptr;
};

} // namespace ingot
