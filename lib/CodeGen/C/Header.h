//===- Header.h - The header of a compiled model ----------------------------------------------===//
#pragma once

#include "CodeGen/C/EmitC.h"

namespace ingot::c {

/// The text of NAME.h. `calls` lists the functions of the C library that the code calls.
std::string header(const EntryPlan &plan, const Compiled &compiled, const COptions &options,
                   llvm::StringRef calls);

} // namespace ingot::c
