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
/// What the generated C++ header includes: the text of runtime/cpp.
llvm::StringRef valueHeader();

namespace c {
/// The text of NAME.h.
std::string programHeader(const ProgramInterface &program, const COptions &options,
                          llvm::StringRef calls);
/// The text of NAME.hpp: the same for C++20, as value types over NAME.h.
std::string programCxxHeader(const ProgramInterface &program);
} // namespace c

} // namespace ingot
