//===- Header.cpp - The header of a compiled model --------------------------------------------===//

#include "CodeGen/C/Header.h"
#include "CodeGen/C/Dimensions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot::c {

/// Bytes of a tensor of `type`; empty if they depend on symbols.
static std::string bytesText(RankedTensorType type) {
  auto count = constantDim(elementCount(type));
  if (!count)
    return "";
  return std::to_string(*count * std::max(1u, type.getElementTypeBitWidth() / 8)) + " bytes";
}

/// Text that cannot end a comment.
static std::string commentSafe(StringRef text) {
  std::string result;
  for (char c : text)
    result += (c == '/' && !result.empty() && result.back() == '*') || !llvm::isPrint(c) ? ' ' : c;
  return result;
}

std::string header(const EntryPlan &plan, const Compiled &compiled, const COptions &options,
                   StringRef calls) {
  const ModelInterface &model = plan.interface;
  const std::string &name = model.name;
  std::string M = StringRef(name).upper();
  bool isSymbolic = !plan.symbols.empty();
  bool hasWorkspaceFunction = model.workspaceSize < 0;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/*\n * " << name << ".h: model \"" << name << "\", compiled ahead of time by Ingot "
     << INGOT_VERSION << "\n *\n";
  os << " * source     " << commentSafe(model.source);
  if (!model.sha256.empty())
    os << ", sha256 " << model.sha256.substr(0, 16) << " (first 8 bytes)";
  os << ", opset " << model.opset << "\n";
  if (!options.command.empty())
    os << " * command    " << commentSafe(options.command) << "\n";
  size_t widest = 0;
  for (const std::string &member : plan.members())
    widest = std::max(widest, member.size());
  auto ports = [&](StringRef label, ArrayRef<Port> list, const std::vector<std::string> &members) {
    for (auto [port, member] : llvm::zip(list, members)) {
      os << " * " << llvm::left_justify(label, 11) << llvm::left_justify(member, widest + 2)
         << shapeText(port.type);
      if (std::string bytes = bytesText(port.type); !bytes.empty())
        os << "   " << bytes;
      os << "\n";
    }
  };
  ports("in", model.inputs, plan.inputs);
  ports("out", model.outputs, plan.outputs);
  os << " * workspace  ";
  if (hasWorkspaceFunction)
    os << name << "_workspace_size() bytes, ";
  else
    os << model.workspaceSize << " bytes, ";
  os << model.workspaceAlign
     << "-byte aligned, owned by the caller, contents undefined between calls\n";
  os << " * constants  " << compiled.constantBytes << " bytes, read-only\n";
  os << " * heap       none; writable static data: none; recursion: none\n";
  os << " * threads    " << name
     << "_run may be called from several threads at once, each with a workspace of its own\n";
  os << " * calls      " << (calls.empty() ? StringRef("nothing") : calls) << "\n";
  os << " *\n * The compiler's licence does not extend to this file.\n */\n";
  os << "#ifndef " << M << "_H\n#define " << M
     << "_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n";
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << "#define " << M << "_API_VERSION 1\n";
  if (!hasWorkspaceFunction)
    os << "#define " << M << "_WORKSPACE_SIZE " << model.workspaceSize << "u\n";
  os << "#define " << M << "_WORKSPACE_ALIGN " << model.workspaceAlign << "u\n";
  auto lengths = [&](ArrayRef<Port> list, const std::vector<std::string> &members, StringRef of) {
    for (auto [port, member] : llvm::zip(list, members))
      if (auto count = constantDim(elementCount(port.type)))
        os << "#define " << M << "_" << cMacro(member) << "_LENGTH " << *count
           << "u /* elements of " << name << "_" << of << "." << member << " */\n";
  };
  lengths(model.inputs, plan.inputs, "inputs");
  lengths(model.outputs, plan.outputs, "outputs");
  if (isSymbolic)
    os << "#define " << M << "_DIM_MAX " << plan.symbolLimit
       << " /* the largest value of any dimension */\n";

  os << "\n/* Results of " << name << "_run. Outputs are written only when it is " << M
     << "_OK. */\nenum {\n  " << M << "_OK = 0";
  for (const EntryCheck &check : plan.checks)
    os << ",\n  " << M << "_" << check.name << " = " << check.status << " /* "
       << commentSafe(check.meaning) << " */";
  os << "\n};\n\n";
  if (isSymbolic) {
    os << "/* The dimensions that the model leaves open. */\ntypedef struct {\n";
    for (auto [member, symbol] : llvm::zip(plan.symbols, model.symbols))
      os << "  int64_t " << member << "; /* \"" << commentSafe(symbol) << "\" */\n";
    os << "} " << name << "_dims;\n\n";
  }
  os << "/* Read by " << name << "_run, never written, not kept. */\ntypedef struct {\n";
  for (auto [port, member] : llvm::zip(model.inputs, plan.inputs)) {
    os << "  const " << elementType(port.type.getElementType()) << " *" << member << "; /* "
       << shapeText(port.type);
    if (!port.doc.empty())
      os << ": " << commentSafe(port.doc);
    os << " */\n";
  }
  if (isSymbolic)
    os << "  " << name << "_dims dims;\n";
  if (plan.hasWeightsPointer)
    os << "  const void *weights; /* the contents of " << name
       << ".weights, aligned to 64 bytes */\n";
  if (model.inputs.empty() && !isSymbolic && !plan.hasWeightsPointer)
    os << "  char unused; /* the model has no inputs */\n";
  os << "} " << name << "_inputs;\n\n";
  os << "/* Written by " << name
     << "_run; must not overlap each other, the inputs or the workspace. */\ntypedef struct {\n";
  for (auto [port, member] : llvm::zip(model.outputs, plan.outputs)) {
    os << "  " << elementType(port.type.getElementType()) << " *" << member << "; /* "
       << shapeText(port.type);
    if (!port.doc.empty())
      os << ": " << commentSafe(port.doc);
    os << " */\n";
  }
  os << "} " << name << "_outputs;\n\n";
  if (hasWorkspaceFunction)
    os << "/* Bytes of workspace for these dimensions, each of them from 1 to " << M
       << "_DIM_MAX. */\nsize_t " << name << "_workspace_size(const " << name
       << "_dims *dims);\n\n";
  os << "/*\n * Runs the model once.\n *\n"
     << " * workspace       scratch memory, aligned to " << M << "_WORKSPACE_ALIGN\n"
     << " * workspace_size  its size in bytes, at least "
     << (hasWorkspaceFunction ? name + "_workspace_size(&inputs->dims)" : M + "_WORKSPACE_SIZE")
     << "\n"
     << " * context         passed unchanged to every external function; this model calls none, "
        "NULL is fine\n */\n";
  os << "int32_t " << name << "_run(const " << name << "_inputs *inputs, const " << name
     << "_outputs *outputs,\n            void *workspace, size_t workspace_size, void "
        "*context);\n\n";
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << M << "_H */\n";
  return text;
}

} // namespace ingot::c
