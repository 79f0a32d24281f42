//===- EmitC.cpp - Planned loops to C ---------------------------------------------------------===//

#include "CodeGen/C/EmitC.h"
#include "CodeGen/C/Constants.h"
#include "CodeGen/C/Dimensions.h"
#include "CodeGen/C/FunctionWriter.h"
#include "CodeGen/C/Header.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot {

using namespace c;

namespace {

std::string rule(StringRef title) {
  std::string text = "/* ---- " + title.str() + " ";
  return text + std::string(text.size() < 94 ? 94 - text.size() : 1, '-') + " */\n\n";
}

std::string commentSafe(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '/' && !result.empty() && result.back() == '*' ? ' ' : c;
  return result;
}

/// Elements that an index must be able to count need 64 bits, or not.
unsigned indexBits(ModuleOp module, const EntryPlan &plan) {
  if (!plan.symbols.empty() || plan.interface.workspaceSize < 0)
    return 64;
  int64_t largest = plan.interface.workspaceSize;
  module.walk([&](Operation *op) {
    auto note = [&](Type type) {
      if (auto memref = dyn_cast<MemRefType>(type); memref && memref.hasStaticShape())
        largest =
            std::max(largest, memref.getNumElements() * (memref.getElementTypeBitWidth() / 8));
    };
    for (Type type : op->getOperandTypes())
      note(type);
    for (Type type : op->getResultTypes())
      note(type);
  });
  return largest < (int64_t(1) << 30) ? 32 : 64;
}

class Emitter {
public:
  Emitter(ModuleOp module, const EntryPlan &plan, const Compiled &compiled, const COptions &options)
      : module(module), plan(plan), compiled(compiled), options(options), name(plan.interface.name),
        macro(StringRef(name).upper()), support(name, indexBits(module, plan)), constants(support) {
  }

  LogicalResult run(CFiles &files, bool headerOnly);

private:
  std::string step(func::FuncOp function);
  std::string signature(func::FuncOp function, FunctionWriter &writer);
  std::string argumentCheck();
  std::string entry();
  std::string workspaceSize();
  std::string banner();
  std::string callsText();
  std::string functionName(StringRef symbol) { return name + "_" + cIdentifier(symbol); }

  ModuleOp module;
  const EntryPlan &plan;
  const Compiled &compiled;
  const COptions &options;
  std::string name, macro;
  Support support;
  Constants constants;
};

} // namespace

std::string Emitter::signature(func::FuncOp function, FunctionWriter &writer) {
  std::string text = "static void " + functionName(function.getName()) + "(";
  std::string separator;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    auto hint = function.getArgAttrOfType<StringAttr>(i, "ingot.name");
    std::string id = writer.uniqueName(hint ? cIdentifier(hint.getValue()) : "arg");
    writer.bind(argument, id);
    text += separator;
    separator = ", ";
    if (auto memref = dyn_cast<MemRefType>(argument.getType()))
      text += std::string(function.getArgAttr(i, "ingot.write") ? "" : "const ") +
              support.storage(memref.getElementType()) + " *restrict " + id;
    else
      text += "const " + support.type(argument.getType()) + " " + id;
  }
  return text + (separator.empty() ? "void)" : ")");
}

std::string Emitter::step(func::FuncOp function) {
  std::string text;
  auto number = function->getAttrOfType<IntegerAttr>("ingot.step");
  text += rule("Step " + std::to_string(number.getInt()));
  text += "/*\n";
  if (auto nodes = function->getAttrOfType<ArrayAttr>("ingot.nodes"); nodes && !nodes.empty())
    for (const std::string &node : compiled.steps[number.getInt() - 1].nodes)
      text += " * " + commentSafe(node) + "\n";
  if (auto comment = function->getAttrOfType<StringAttr>("ingot.comment")) {
    SmallVector<StringRef> lines;
    comment.getValue().split(lines, '\n');
    for (StringRef each : lines)
      text += " * " + commentSafe(each) + "\n";
  }
  text += " */\n";
  std::string body;
  FunctionWriter writer(support, body);
  text += signature(function, writer) + "\n{\n";
  writer.write(function.getBody().front());
  return text + body + "}\n\n";
}

std::string Emitter::argumentCheck() {
  std::string text = dimensionFunctions(plan);
  text += "static int32_t " + name + "_check(const " + name + "_inputs *inputs, const " + name +
          "_outputs *outputs,\n    const void *workspace, size_t workspace_size)\n{\n";
  text += "  int32_t status = " + macro + "_OK;\n";
  std::string head = "  if (";
  bool usesWorkspace = false;
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
    }
    text += head + bad + ") {\n    status = " + macro + "_" + check.name + ";\n";
    head = "  } else if (";
  }
  text += "  } else {\n    /* all arguments are usable */\n  }\n";
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
      writer.line(functionName(call.getCallee()) + "(" + arguments + ");");
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

std::string Emitter::callsText() {
  std::set<std::string> calls;
  module.walk([&](Operation *op) {
    if (!isa<math::MathDialect>(op->getDialect()) || isa<math::FmaOp, math::AbsIOp>(op))
      return;
    StringRef base = op->getName().stripDialect();
    bool isDouble = getElementTypeOrSelf(op->getResult(0).getType()).isF64();
    std::string text = base == "absf"        ? "fabs"
                       : base == "roundeven" ? "rint"
                       : base == "powf"      ? "pow"
                                             : base.str();
    calls.insert(text + (isDouble ? "" : "f"));
  });
  std::string text;
  for (const std::string &call : calls)
    text += (text.empty() ? "" : ", ") + call;
  return text.empty() ? text : text + " (libm)";
}

LogicalResult Emitter::run(CFiles &files, bool headerOnly) {
  files.header = header(plan, compiled, options, callsText());
  if (headerOnly)
    return success();
  bool hasVectors = false;
  module.walk([&](Operation *op) {
    hasVectors |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
  });
  if (hasVectors && options.isPlain)
    return module.emitError("plain C was asked for, but the loops hold vectors");
  if (plan.hasWeightsPointer)
    constants.findInFile(module);
  else
    for (auto global : module.getOps<memref::GlobalOp>())
      constants.add(global);
  std::string kernels;
  std::vector<func::FuncOp> steps;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.step"))
      steps.push_back(function);
  llvm::sort(steps, [](func::FuncOp a, func::FuncOp b) {
    return a->getAttrOfType<IntegerAttr>("ingot.step").getInt() <
           b->getAttrOfType<IntegerAttr>("ingot.step").getInt();
  });
  for (func::FuncOp function : steps)
    kernels += step(function);
  std::string size = workspaceSize(), check = argumentCheck(), main = entry();
  std::string text = banner();
  text += "#include \"" + name + ".h\"\n\n";
  if (support.usesMath)
    text += "#include <math.h>\n";
  if (support.usesString)
    text += "#include <string.h>\n";
  text += "\n#if " + macro + "_API_VERSION != 1\n#error \"" + name + ".h and " + name +
          ".c come from different compilations\"\n#endif\n\n";
  text += "/* Hooks: define before compiling this file; empty by default. */\n#ifndef " + macro +
          "_CONSTANT\n#define " + macro +
          "_CONSTANT /* e.g. __attribute__((section(\".ext_flash\"))) */\n#endif\n#ifndef " +
          macro + "_STEP_BEGIN\n#define " + macro +
          "_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */\n#define " + macro +
          "_STEP_END(step)\n#endif\n\n";
  text += "_Static_assert(sizeof(float) == 4u, \"float must be IEEE 754 binary32\");\n\n";
  if (hasVectors)
    text += "/* Vectors never cross the boundary of this file. */\n"
            "#pragma GCC diagnostic ignored \"-Wpsabi\"\n\n";
  if (std::string declarations = support.declarations(); !declarations.empty())
    text += declarations;
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
