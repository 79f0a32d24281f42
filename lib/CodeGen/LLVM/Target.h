//===- Target.h - Names of targets ------------------------------------------------------------===//
#pragma once

#include "Dialect/Target/TargetInfo.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace ingot {

/// What `name` means: native, x86-64, x86-64-v2, -v3, -v4, aarch64, or an LLVM triple, with a
/// processor after a colon. The error lists what is known.
llvm::Expected<TargetInfo> parseTarget(llvm::StringRef name);

/// The machine of `target`, with position independent code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const TargetInfo &target,
                                                                 llvm::CodeGenOptLevel level);

} // namespace ingot
