//===- RelayFuzzer.cpp - Any bytes as a text of Relay -----------------------------------------===//

#include "Dialect/Dialect.h"
#include "Import/Relay/Import.h"
#include "mlir/IR/MLIRContext.h"

/// libFuzzer's entry: the importer answers with diagnostics or a module, whatever the bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<ingot::Diagnostic> diagnostics;
  ingot::Source source{"fuzz.relay", std::string(reinterpret_cast<const char *>(data), size)};
  if (!source.bytes.empty())
    ingot::importRelay(context, source, {}, diagnostics);
  return 0;
}
