//===- EmitLLVM.h - Planned loops to LLVM IR --------------------------------------------------===//
#pragma once

#include "CodeGen/Interface.h"
#include "CodeGen/ProgramInterface.h"
#include "Dialect/Target/TargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace ingot {

/// The planned `module` as LLVM IR for `machine`, not yet optimised: the typed entry NAME_run and,
/// where dimensions are symbolic, NAME_workspace_size; everything else is internal. Consumes the
/// module's contents.
mlir::FailureOr<std::unique_ptr<llvm::Module>>
emitLLVM(mlir::ModuleOp module, const EntryPlan &plan, const TargetInfo &target,
         llvm::TargetMachine &machine, llvm::LLVMContext &context);

/// The same for the lowered program `module`.
mlir::FailureOr<std::unique_ptr<llvm::Module>>
emitLLVM(mlir::ModuleOp module, const ProgramInterface &program, const TargetInfo &target,
         llvm::TargetMachine &machine, llvm::LLVMContext &context);

/// Adds NAME_run to `module`, whose function `entry` it calls, and the support functions for
/// blocks.
llvm::Error addProgramEntry(llvm::Module &module, const ProgramInterface &program);

/// Adds NAME_run and NAME_workspace_size to `module`, whose functions `main` and `workspace_size`
/// they call.
void addTypedEntry(llvm::Module &module, const EntryPlan &plan);

/// Optimises at -O3, or quickly.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, bool quickly);

} // namespace ingot
