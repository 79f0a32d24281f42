//===- ingot-import.cpp - Prints what a model file becomes
//-------------------------------------===//

#include "Dialect/Dialect.h"
#include "Import/Onnx/Import.h"
#include "Import/Relay/Import.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> path(llvm::cl::Positional, llvm::cl::Required,
                                  llvm::cl::desc("<model.onnx or model.relay>"));
  llvm::cl::opt<bool> locations("locations", llvm::cl::desc("Print the names of nodes"));
  llvm::cl::ParseCommandLineOptions(argc, argv, "Prints a model as ingot dialect\n");
  mlir::MLIRContext context;
  std::vector<ingot::Diagnostic> diagnostics;
  ingot::Source source{path};
  auto module = ingot::isRelayText(source) ? ingot::importRelay(context, source, {}, diagnostics)
                                           : ingot::importOnnx(context, source, {}, diagnostics);
  for (const ingot::Diagnostic &each : diagnostics)
    llvm::errs() << each.text() << "\n";
  if (!module)
    return 1;
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(16);
  if (locations)
    flags.enableDebugInfo(true, true);
  module->print(llvm::outs(), flags);
  return 0;
}
