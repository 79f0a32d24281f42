//===- Program.h - Programs with data in C ----------------------------------------------------===//
#pragma once

#include "CodeGen/C/EmitC.h"
#include "CodeGen/ProgramInterface.h"

namespace ingot {

/// The lowered program `module` as C11. With `headerOnly` nothing but the header is made.
mlir::FailureOr<CFiles> emitProgram(mlir::ModuleOp module, const ProgramInterface &program,
                                    const Compiled &compiled, const COptions &options,
                                    bool headerOnly);

/// What the generated code of programs includes, and a heap over malloc for their callers: the
/// texts of runtime/c.
llvm::StringRef heapHeader();
llvm::StringRef mallocHeader();

namespace c {
/// The text of NAME.h.
std::string programHeader(const ProgramInterface &program, const COptions &options,
                          llvm::StringRef calls);
/// The C type of a value of `type` as it crosses the interface, with the space before a name:
/// "float ", "demo_List_int32 *".
std::string portType(const ProgramInterface &program, mlir::Type type);
} // namespace c

} // namespace ingot
