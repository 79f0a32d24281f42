//===- Translate.cpp - Models as texts of another format --------------------------------------===//

#include "Export/Relay/Export.h"
#include "Import/Onnx/Import.h"
#include "Import/Relay/Import.h"
#include "ingot/Compile.h"

using namespace mlir;

namespace ingot {

Translation translateToRelay(const Source &source, const CompileOptions &options) {
  Translation result;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      result.diagnostics.push_back({Severity::Bug, source.path, "", diagnostic.str()});
    return success();
  });
  OwningOpRef<ModuleOp> module =
      isRelayText(source)
          ? importRelay(context, source, {options.name, options.dims}, result.diagnostics)
          : importOnnx(context, source, {options.name, options.dims, false}, result.diagnostics);
  if (!module)
    return result;
  std::vector<std::string> refusals;
  result.text = exportRelay(*module, refusals);
  for (const std::string &each : refusals)
    result.diagnostics.push_back({Severity::Refusal, source.path, "", each});
  return result;
}

} // namespace ingot
