//===- Parser.h - Relay text to trees ---------------------------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Metadata.h"

namespace ingot::relay {

/// Adds the definitions of `source` to `program`. Goes on after an error, so that one run reports
/// them all. A text that is one expression, without `def`, becomes @main, its free variables the
/// parameters. `import` asks `library` for the text of that name, null if there is none.
/// `isProgram`: the header `#[version = "0.0.5"]` is required of a text with definitions.
void parse(const SourceText &source, Program &program, Reporter &reporter,
           mlir::MLIRContext &context, bool isProgram,
           llvm::function_ref<const SourceText *(llvm::StringRef)> library);

} // namespace ingot::relay
