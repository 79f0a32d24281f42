//===- Import.cpp - From Relay text to the ingot dialect --------------------------------------===//

#include "Import/Relay/Import.h"
#include "Dialect/Dialect.h"
#include "Import/ModelFile.h"
#include "Import/Relay/Elaborate/Elaborate.h"
#include "Import/Relay/Syntax/Parser.h"
#include "Import/Relay/Types/Infer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace ingot {

using namespace relay;

static const char *const prelude =
#include "Import/Relay/Prelude.inc"
    ;

bool isRelayText(const Source &source) {
  StringRef path = source.path;
  return StringRef(source.bytes).ltrim().starts_with("#[version") || path.ends_with(".relay") ||
         path.ends_with(".rly");
}

/// The text of the library `name`: the prelude, or a file beside the program.
static const SourceText *readLibrary(StringRef name, const Source &source, Reporter &reporter) {
  if (name == "prelude.relay" || name == "prelude" || name == "prelude.rly")
    return &reporter.addText("prelude.relay", prelude);
  // A name without folders cannot lead out of the program's own.
  if (name.empty() || name.contains('/') || name.contains('\\') || name.contains('\0') ||
      name.starts_with("."))
    return nullptr;
  llvm::SmallString<256> path(llvm::sys::path::parent_path(source.path));
  llvm::sys::path::append(path, name);
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status, /*follow=*/false) ||
      status.type() != llvm::sys::fs::file_type::regular_file)
    return nullptr;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? &reporter.addText(path.str().str(), (*buffer)->getBuffer().str()) : nullptr;
}

OwningOpRef<ModuleOp> importRelay(MLIRContext &context, const Source &source,
                                  const RelayOptions &options,
                                  std::vector<ingot::Diagnostic> &diagnostics) {
  context.loadDialect<IngotDialect, func::FuncDialect>();
  size_t before = diagnostics.size();
  ModelFile file(source, diagnostics);
  if (!file)
    return nullptr;
  if (file.bytes().size() > size_t(1) << 31) {
    diagnostics.push_back({Severity::Refusal, source.path, "", "larger than 2 GiB"});
    return nullptr;
  }
  for (const auto &[name, value] : options.dims)
    if (value < 1)
      diagnostics.push_back({Severity::Refusal, source.path, "",
                             "--dim " + name + "=" + std::to_string(value) + " is not positive"});
  Reporter reporter(diagnostics);
  Program program;
  parse(reporter.addText(source.path, file.bytes().str()), program, reporter, context,
        /*isProgram=*/true, [&](StringRef name) { return readLibrary(name, source, reporter); });
  if (diagnostics.size() != before)
    return nullptr;
  TypeContext types;
  inferTypes(program, types, reporter, context);
  if (diagnostics.size() != before)
    return nullptr;
  ModelInterface interface;
  file.describe(interface, options.name);
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(NameLoc::get(StringAttr::get(&context, interface.source)));
  if (failed(elaborate(program, types, reporter, {options.dims}, *module, interface)) &&
      diagnostics.size() == before)
    diagnostics.push_back({Severity::Bug, source.path, "", "the program could not be elaborated"});
  if (diagnostics.size() != before)
    return nullptr;
  interface.write(*module);
  return module;
}

} // namespace ingot
