//===- OnnxFuzzer.cpp - Any bytes as a model of ONNX ------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Import/Onnx/Import.h"
#include "mlir/IR/MLIRContext.h"

/// libFuzzer's entry: the importer answers with diagnostics or a module, whatever the bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<ingot::Diagnostic> diagnostics;
  ingot::Source source{"fuzz.onnx", std::string(reinterpret_cast<const char *>(data), size)};
  if (!source.bytes.empty())
    ingot::importOnnx(context, source, {}, diagnostics);
  return 0;
}
