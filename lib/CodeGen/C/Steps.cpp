//===- Steps.cpp - The functions of fused groups in C -----------------------------------------===//

#include "CodeGen/C/Steps.h"
#include "CodeGen/C/FunctionWriter.h"
#include "CodeGen/Interface.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace ingot::c {

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

unsigned indexBits(ModuleOp module, int64_t largest) {
  ModuleOp(module).walk([&](Operation *op) {
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

std::string Steps::functionName(StringRef symbol) const {
  return support.prefix + "_" + cIdentifier(symbol);
}

bool Steps::hasVectors() const {
  bool result = false;
  ModuleOp(module).walk([&](Operation *op) {
    result |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
  });
  return result;
}

std::string Steps::signature(func::FuncOp function, FunctionWriter &writer) {
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

std::string Steps::step(func::FuncOp function) {
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

std::string Steps::text() {
  std::vector<func::FuncOp> steps;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.step"))
      steps.push_back(function);
  llvm::sort(steps, [](func::FuncOp a, func::FuncOp b) {
    return a->getAttrOfType<IntegerAttr>("ingot.step").getInt() <
           b->getAttrOfType<IntegerAttr>("ingot.step").getInt();
  });
  std::string result;
  for (func::FuncOp function : steps)
    result += step(function);
  return result;
}

std::string Steps::libraryCalls() const {
  std::set<std::string> calls;
  ModuleOp(module).walk([&](Operation *op) {
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

std::string Steps::prologue() const {
  const std::string &name = support.prefix;
  std::string macro = StringRef(name).upper(), text;
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
  if (hasVectors())
    text += "/* Vectors never cross the boundary of this file. */\n"
            "#pragma GCC diagnostic ignored \"-Wpsabi\"\n\n";
  if (std::string declarations = support.declarations(); !declarations.empty())
    text += declarations;
  return text;
}

} // namespace ingot::c
