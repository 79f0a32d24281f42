//===- EmitC.cpp - Planned loops to C ---------------------------------------------------------===//

#include "CodeGen/C/EmitC.h"
#include "CodeGen/C/Constants.h"
#include "CodeGen/C/Dimensions.h"
#include "CodeGen/C/FunctionWriter.h"
#include "CodeGen/C/Header.h"
#include "CodeGen/C/Steps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot {

using namespace c;

namespace {

class Emitter {
public:
  Emitter(ModuleOp module, const EntryPlan &plan, const Compiled &compiled, const COptions &options)
      : module(module), plan(plan), compiled(compiled), options(options), name(plan.interface.name),
        macro(StringRef(name).upper()),
        support(name, plan.symbols.empty() && plan.interface.workspaceSize >= 0
                          ? indexBits(module, plan.interface.workspaceSize)
                          : 64),
        steps(module, compiled, support), constants(support) {}

  LogicalResult run(CFiles &files, bool headerOnly);

private:
  std::string argumentCheck();
  std::string entry();
  std::string workspaceSize();
  std::string banner();

  ModuleOp module;
  const EntryPlan &plan;
  const Compiled &compiled;
  const COptions &options;
  std::string name, macro;
  Support support;
  Steps steps;
  Constants constants;
};

} // namespace

std::string Emitter::argumentCheck() {
  std::string text = dimensionFunctions(plan);
  text += "static int32_t " + name + "_check(const " + name + "_inputs *inputs, const " + name +
          "_outputs *outputs,\n    const void *workspace, size_t workspace_size)\n{\n";
  text += "  int32_t status = " + macro + "_OK;\n";
  std::string head = "  if (";
  bool usesInputs = false, usesOutputs = false, usesWorkspace = false;
  for (const EntryCheck &check : plan.checks) {
    std::string bad;
    switch (check.kind) {
    case EntryCheck::NullInputs:
      bad = "inputs == NULL";
      break;
    case EntryCheck::NullOutputs:
      bad = "outputs == NULL";
      break;
    case EntryCheck::NullInput:
      bad = "inputs->" + plan.inputs[check.index] + " == NULL";
      break;
    case EntryCheck::NullOutput:
      bad = "outputs->" + plan.outputs[check.index] + " == NULL";
      break;
    case EntryCheck::NullWeights:
      bad = "inputs->weights == NULL";
      break;
    case EntryCheck::DimOutOfRange:
      bad = "(inputs->dims." + plan.symbols[check.index] + " < 1) || (inputs->dims." +
            plan.symbols[check.index] + " > " + macro + "_DIM_MAX)";
      break;
    case EntryCheck::NegativeExtent:
      for (AffineExpr expr : getDims(plan.interface.outputs[check.index].type))
        if (!constantDim(expr))
          bad += (bad.empty() ? "(" : " || (") + dimension(expr, plan, "inputs->dims.") + " < 0)";
      break;
    case EntryCheck::DimsDisagree: {
      const Constraint &constraint = plan.interface.constraints[check.index];
      bad = dimension(constraint.lhs, plan, "inputs->dims.") +
            " != " + dimension(constraint.rhs, plan, "inputs->dims.");
      break;
    }
    case EntryCheck::NullWorkspace:
      usesWorkspace = true;
      bad = "workspace == NULL";
      break;
    case EntryCheck::WorkspaceTooSmall:
      bad = "workspace_size < " + (plan.interface.workspaceSize < 0
                                       ? name + "_workspace_size(&inputs->dims)"
                                       : macro + "_WORKSPACE_SIZE");
      break;
    case EntryCheck::WorkspaceMisaligned:
      bad = "((uintptr_t)workspace % " + macro + "_WORKSPACE_ALIGN) != 0u";
      break;
    case EntryCheck::NullHeap:
      llvm_unreachable("graphs have no heap");
    }
    usesInputs |= StringRef(bad).contains("inputs");
    usesOutputs |= StringRef(bad).contains("outputs");
    text += head + bad + ") {\n    status = " + macro + "_" + check.name + ";\n";
    head = "  } else if (";
  }
  text += "  } else {\n    /* all arguments are usable */\n  }\n";
  if (!usesInputs)
    text += "  (void)inputs;\n";
  if (!usesOutputs)
    text += "  (void)outputs;\n";
  if (!usesWorkspace)
    text += "  (void)workspace;\n  (void)workspace_size;\n";
  return text + "  return status;\n}\n\n";
}

std::string Emitter::workspaceSize() {
  auto function = module.lookupSymbol<func::FuncOp>("workspace_size");
  if (!function)
    return "";
  std::string body;
  FunctionWriter writer(support, body);
  for (auto [argument, symbol] : llvm::zip(function.getArguments(), plan.symbols))
    writer.bind(argument, "dims->" + symbol);
  writer.write(function.getBody().front());
  std::string result = writer.expression(function.getBody().front().getTerminator()->getOperand(0));
  return "size_t " + name + "_workspace_size(const " + name + "_dims *dims)\n{\n" + body +
         (plan.symbols.empty() ? "  (void)dims;\n" : "") + "  return (size_t)(" + result +
         ");\n}\n\n";
}

std::string Emitter::entry() {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  std::string body;
  FunctionWriter writer(support, body);
  size_t position = 0;
  for (const char *reserved : {"inputs", "outputs", "workspace", "context", "status"})
    writer.uniqueName(reserved);
  auto bindPort = [&](StringRef base, const std::string &member, Type element, bool isInput) {
    // The caller's unsigned types and booleans are the same bytes.
    std::string stored = support.storage(element), text = base.str() + member;
    Type declared =
        (isInput
             ? plan.interface.inputs
             : plan.interface.outputs)[isInput ? position : position - plan.interface.inputs.size()]
            .type.getElementType();
    if (elementType(declared) != stored)
      text = std::string("(") + (isInput ? "const " : "") + stored + " *)" + text;
    writer.bind(function.getArgument(position++), text);
  };
  for (const std::string &member : plan.inputs)
    bindPort("inputs->", member,
             cast<MemRefType>(function.getArgument(position).getType()).getElementType(), true);
  for (const std::string &member : plan.outputs)
    bindPort("outputs->", member,
             cast<MemRefType>(function.getArgument(position).getType()).getElementType(), false);
  writer.bind(function.getArgument(position++), "workspace");
  for (const std::string &symbol : plan.symbols)
    writer.bind(function.getArgument(position++), "inputs->dims." + symbol);
  writer.depth = 2;
  writer.special = [&](Operation *op) {
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      auto hint = op->getAttrOfType<StringAttr>("ingot.name");
      std::string id = writer.uniqueName(hint ? cIdentifier(hint.getValue()) : "buffer");
      std::string type = support.storage(view.getType().getElementType());
      std::string offset = writer.operand(view.getByteShift());
      writer.line(type + " *const " + id + " = (" + type +
                  " *)(void *)((unsigned char *)workspace + " + offset + ");");
      writer.bind(view.getResult(), id);
      return true;
    }
    if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
      writer.bind(global.getResult(), constants.address(global.getName()));
      return true;
    }
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      std::string number =
          std::to_string(callee->getAttrOfType<IntegerAttr>("ingot.step").getInt());
      std::string arguments;
      for (Value operand : call.getOperands())
        arguments += (arguments.empty() ? "" : ", ") + writer.expression(operand);
      writer.line(macro + "_STEP_BEGIN(" + number + ")");
      writer.line(steps.functionName(call.getCallee()) + "(" + arguments + ");");
      writer.line(macro + "_STEP_END(" + number + ")");
      return true;
    }
    return false;
  };
  writer.write(function.getBody().front());
  return "int32_t " + name + "_run(const " + name + "_inputs *inputs, const " + name +
         "_outputs *outputs,\n    void *workspace, size_t workspace_size, void *context)\n{\n" +
         "  const int32_t status = " + name +
         "_check(inputs, outputs, workspace, workspace_size);\n  (void)context;\n  if (status == " +
         macro + "_OK) {\n" + body + "  }\n  return status;\n}\n";
}

std::string Emitter::banner() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/*\n * " << name << ".c: model \"" << name << "\", compiled ahead of time by Ingot "
     << INGOT_VERSION << "; see " << name << ".h\n *\n";
  if (!compiled.buffers.empty()) {
    os << " * Memory map of the workspace\n *   bytes                    live             buffer\n";
    for (const BufferInfo &buffer : compiled.buffers) {
      std::string range =
          std::to_string(buffer.offset) + " .. " + std::to_string(buffer.offset + buffer.bytes - 1);
      std::string live =
          "step " + std::to_string(buffer.first) + " to " + std::to_string(buffer.last);
      os << " *   " << llvm::left_justify(range, 23) << "  " << llvm::left_justify(live, 15) << "  "
         << buffer.name << "\n";
    }
    os << " *\n";
  }
  os << " * Steps\n";
  for (auto [i, step] : llvm::enumerate(compiled.steps)) {
    os << " *   " << llvm::right_justify(std::to_string(i + 1), 3) << "  " << name << "_"
       << cIdentifier(StringRef(step.function).drop_front(name.size() + 1)) << "  ";
    std::string line;
    for (const std::string &node : step.nodes)
      line += (line.empty() ? "" : ", ") + node;
    os << commentSafe(line) << "\n";
  }
  os << " */\n";
  return text;
}

LogicalResult Emitter::run(CFiles &files, bool headerOnly) {
  files.header = header(plan, compiled, options, steps.libraryCalls());
  if (headerOnly)
    return success();
  bool hasVectors = steps.hasVectors();
  if (hasVectors && options.isPlain)
    return module.emitError("plain C was asked for, but the loops hold vectors");
  if (plan.hasWeightsPointer)
    constants.findInFile(module);
  else
    for (auto global : module.getOps<memref::GlobalOp>())
      constants.add(global);
  std::string kernels = steps.text();
  std::string size = workspaceSize(), check = argumentCheck(), main = entry();
  std::string text = banner();
  text += steps.prologue();
  if (std::string tables = constants.text(); !tables.empty())
    text += rule("Constants") + tables;
  text += kernels + rule("Entry") + size + check + main;
  files.source = std::move(text);
  constants.addSideFiles(files);
  return success();
}

FailureOr<CFiles> emitC(ModuleOp module, const EntryPlan &plan, const Compiled &compiled,
                        const COptions &options, bool headerOnly) {
  CFiles files;
  if (failed(Emitter(module, plan, compiled, options).run(files, headerOnly)))
    return failure();
  return files;
}

} // namespace ingot
