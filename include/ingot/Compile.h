// The library's face: a model file in, files or an analysis out, everything that went wrong as
// values.
#pragma once
#include "ingot/Model.h"
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot {

// What compile() writes into the output folder, for a model named kws.
enum class Emit {
  C,       // kws.h, kws.c and, for weights too large to read, kws_weights.{S,bin}
  Object,  // kws.h, kws.o
  Library, // kws.h, libkws.a
  Shared,  // kws.h, libkws.so
  IR,      // kws.tensors.mlir, kws.loops.mlir, kws.planned.mlir
};

enum class CDialect { Gnu, C11 };   // with or without the GNU vector extension
enum class Weights { Embed, File }; // in the object, or a file beside it (kws.weights)
enum class Severity { Refusal, Bug, Warning };

// A refusal is about the user's model or options, a bug is ours. `node` is empty when it concerns
// the whole file.
struct Diagnostic {
  Severity severity = Severity::Refusal;
  std::string file, node, message;

  // One line: "kws.onnx: node '/conv1/Conv': ...".
  std::string text() const;
};

// A model by path, or by its bytes; then `path` is only the name used in messages and its folder
// the one in which external data is looked for.
struct Source {
  std::string path;
  std::string bytes = {};
};

struct CompileOptions {
  std::string name; // prefix of all symbols; empty: made from the file's name
  std::vector<Emit> emit = {};
  std::string target = "native";    // native, x86-64-v3, x86-64-v4, aarch64, ... or an LLVM triple
  CDialect dialect = CDialect::Gnu; // of emitted C
  Weights weights = Weights::Embed;
  std::map<std::string, int64_t>
      dims;            // values for symbolic dimensions; those not named stay symbolic
  std::string command; // quoted in the banner of generated files; empty: left out
  bool exposeIntermediates =
      false; // every node's float or integer output becomes an output of the model too
  bool verifyEach = false; // check the stage contracts after every pass

  // Called from time to time with a stage's name ("import", "fuse", ...) and the share of the work
  // done, 0 to 1.
  std::function<void(std::string_view stage, double done)> progress;
};

struct Compiled {
  std::vector<Diagnostic> diagnostics;
  InterfaceInfo interface;
  std::vector<std::string> files; // written, in the output folder
  std::vector<StepInfo> steps;
  std::vector<BufferInfo> buffers; // empty when the workspace depends on symbols
  int64_t constantBytes = 0;

  bool ok() const;      // no refusal, no bug
  bool refused() const; // a refusal and no bug
};

// Compiles `source` and writes what options.emit asks for into `folder`, which is created if need
// be. When the result is not ok() nothing new is left there.
Compiled compile(const Source &source, const std::string &folder, const CompileOptions &options);

struct Inspection {
  std::vector<Diagnostic> diagnostics;
  std::vector<NodeInfo> nodes; // in topological order, control flow bodies included
  Compiled compiled; // what compile() would report, nothing written; empty if the model was refused
  int64_t lowerBoundBytes = 0; // largest sum of buffers alive at once: no plan can need less
  int64_t codeBytes = 0;       // machine code of all steps for options.target
};

// Imports, plans and generates code in memory, for `ingot inspect`. Also of use on a model that is
// then refused: `nodes` holds what could be imported.
Inspection inspect(const Source &source, const CompileOptions &options);

struct Translation {
  std::vector<Diagnostic> diagnostics;
  std::string text; // empty if the model was refused
};

// A graph of tensors as a Relay text that imports to the same function. Its dimensions must be
// constant: options.dims gives values to those that are not.
Translation translateToRelay(const Source &source, const CompileOptions &options);

} // namespace ingot
