//===- Program.cpp - Programs with data in C --------------------------------------------------===//

#include "CodeGen/C/Program/Program.h"
#include "CodeGen/C/Constants.h"
#include "CodeGen/C/Dimensions.h"
#include "CodeGen/C/Program/HeapWriter.h"
#include "CodeGen/C/Steps.h"

using namespace mlir;

namespace ingot {

using namespace c;

llvm::StringRef heapHeader() {
  static constexpr char text[] =
#include "CodeGen/C/HeapHeader.inc"
      ;
  return text;
}

llvm::StringRef valueHeader() {
  static constexpr char text[] =
#include "CodeGen/C/ValueHeader.inc"
      ;
  return text;
}

llvm::StringRef mallocHeader() {
  static constexpr char text[] =
#include "CodeGen/C/MallocHeader.inc"
      ;
  return text;
}

/// Checks, then the entry with the caller's memory.
static std::string runFunction(const ProgramInterface &program, Support &support) {
  const std::string &name = program.model.name;
  std::string macro = StringRef(name).upper(), text, call;
  text += "int32_t " + name + "_run(const " + name + "_inputs *inputs, " + name +
          "_outputs *outputs, const ingot_heap *heap)\n{\n  int32_t status;\n  if (";
  std::string separator;
  for (const EntryCheck &check : program.checks) {
    std::string bad;
    switch (check.kind) {
    case EntryCheck::NullHeap:
      bad = "heap == NULL";
      break;
    case EntryCheck::NullInputs:
      bad = "inputs == NULL";
      break;
    case EntryCheck::NullOutputs:
      bad = "outputs == NULL";
      break;
    case EntryCheck::NullInput:
      bad = "inputs->" + program.inputs[check.index].member + " == NULL";
      break;
    default:
      bad = "outputs->" + program.outputs[check.index].member + " == NULL";
      break;
    }
    text += separator + bad + ") {\n    status = " + macro + "_" + check.name + ";\n";
    separator = "  } else if (";
  }
  text += "  } else {\n    const ingot_run run = ingot_begin(heap);\n";
  if (program.inputs.empty())
    text += "    (void)inputs;\n";
  text += "    status = " + HeapWriter::functionName(name, "entry") + "(&run";
  auto cast = [&](const ProgramPort &port, StringRef base, bool isConst) {
    std::string member = base.str() + port.member;
    if (!port.isTensor())
      return ", (ingot_block *)(uintptr_t)" + member;
    Type element = cast_or_null<RankedTensorType>(port.type).getElementType();
    std::string stored = support.storage(
        isa<IntegerType>(element)
            ? IntegerType::get(element.getContext(), std::max(8u, element.getIntOrFloatBitWidth()))
            : element);
    if (elementType(element) == stored)
      return ", " + member;
    return std::string(", (") + (isConst ? "const " : "") + stored + " *)" + member;
  };
  for (const ProgramPort &port : program.inputs)
    text += cast(port, "inputs->", true);
  std::string data, after;
  for (const ProgramPort &port : program.outputs) {
    if (port.isTensor()) {
      text += cast(port, "outputs->", false);
      continue;
    }
    std::string local = "out_" + port.member;
    data += ", &" + local;
    after += "      outputs->" + port.member + " = (void *)" + local + ";\n";
  }
  size_t at = text.rfind("    status = ");
  for (const ProgramPort &port : program.outputs)
    if (!port.isTensor())
      text.insert(at, "    ingot_block *out_" + port.member + " = NULL;\n");
  text += data + ");\n";
  if (!after.empty())
    text += "    if (status == 0) {\n" + after + "    }\n";
  return text + "  }\n  return status;\n}\n";
}

FailureOr<CFiles> emitProgram(ModuleOp module, const ProgramInterface &program,
                              const Compiled &compiled, const COptions &options, bool headerOnly) {
  CFiles files;
  const std::string &name = program.model.name;
  Support support(name, indexBits(module, 0));
  Steps steps(module, compiled, support);
  Constants constants(support);
  files.header = programHeader(program, options, steps.libraryCalls());
  files.cxxHeader = programCxxHeader(program);
  if (headerOnly)
    return files;
  if (steps.hasVectors() && options.isPlain)
    return module.emitError("plain C was asked for, but the loops hold vectors");
  for (auto global : module.getOps<memref::GlobalOp>())
    constants.add(global);
  std::string kernels = steps.text(), prototypes, functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(heap::functionAttr))
      continue;
    if (function.getName() != "entry")
      prototypes += HeapWriter(module, support, steps, constants).prototype(function);
    functions += HeapWriter(module, support, steps, constants).define(function);
  }
  std::string run = runFunction(program, support);
  std::string &text = files.source;
  text = "/*\n * " + name + ".c: program \"" + name + "\", compiled ahead of time by Ingot " +
         INGOT_VERSION + "; see " + name + ".h\n */\n";
  text += steps.prologue();
  if (std::string tables = constants.text(); !tables.empty())
    text += rule("Constants") + tables;
  text += kernels + rule("Functions") + prototypes + "\n" + functions + rule("Entry") + run;
  constants.addSideFiles(files);
  return files;
}

} // namespace ingot
