//===- Dimensions.cpp - Symbolic dimensions as C expressions ----------------------------------===//

#include "CodeGen/C/Dimensions.h"
#include "Dialect/ModelInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot::c {

std::string dimension(AffineExpr expr, const EntryPlan &plan, StringRef prefix) {
  const std::string &name = plan.interface.name;
  auto inner = [&](AffineExpr e) { return dimension(e, plan, prefix); };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    std::string text = std::to_string(constant.getValue());
    return constant.getValue() < 0 ? "(" + text + ")" : text;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (auto definition = dimDefinition(expr))
      return name + (definition->isMax ? "_greater(" : "_lesser(") + inner(definition->a) + ", " +
             inner(definition->b) + ")";
    StringRef symbolName = dimSymbolName(expr.getContext(), symbol.getPosition());
    auto &names = plan.interface.symbols;
    return prefix.str() + plan.symbols[std::distance(names.begin(), llvm::find(names, symbolName))];
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string x = inner(binary.getLHS()), y = inner(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return "(" + x + " + " + y + ")";
  case AffineExprKind::Mul:
    return "(" + x + " * " + y + ")";
  case AffineExprKind::FloorDiv:
    return name + "_quotient(" + x + ", " + y + ")";
  case AffineExprKind::CeilDiv:
    return name + "_quotient(" + x + " + " + y + " - 1, " + y + ")";
  default:
    return "(" + x + " - (" + name + "_quotient(" + x + ", " + y + ") * " + y + "))";
  }
}

std::string dimensionFunctions(const EntryPlan &plan) {
  const std::string &name = plan.interface.name;
  bool usesQuotient = false, usesLesser = false, usesGreater = false;
  auto look = [&](AffineExpr expr) {
    std::function<void(AffineExpr)> visit = [&](AffineExpr e) {
      e.walk([&](AffineExpr part) {
        usesQuotient |= part.getKind() == AffineExprKind::FloorDiv ||
                        part.getKind() == AffineExprKind::CeilDiv ||
                        part.getKind() == AffineExprKind::Mod;
        if (isa<AffineSymbolExpr>(part))
          if (auto definition = dimDefinition(part)) {
            (definition->isMax ? usesGreater : usesLesser) = true;
            visit(definition->a);
            visit(definition->b);
          }
      });
    };
    visit(expr);
  };
  for (const Port &port : plan.interface.outputs)
    for (AffineExpr dim : getDims(port.type))
      if (!constantDim(dim))
        look(dim);
  for (const Constraint &constraint : plan.interface.constraints) {
    look(constraint.lhs);
    look(constraint.rhs);
  }
  std::string text;
  if (usesQuotient)
    text += "/* x / y, rounded down; y is positive */\nstatic int64_t " + name +
            "_quotient(int64_t x, int64_t y)\n{\n  const int64_t q = x / y;\n"
            "  return ((x % y) < 0) ? (q - 1) : q;\n}\n\n";
  if (usesLesser)
    text += "static int64_t " + name +
            "_lesser(int64_t x, int64_t y)\n{\n  return (x < y) ? x : y;\n}\n\n";
  if (usesGreater)
    text += "static int64_t " + name +
            "_greater(int64_t x, int64_t y)\n{\n  return (x > y) ? x : y;\n}\n\n";
  return text;
}

std::string shapeText(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << elementName(type.getElementType()) << " [";
  llvm::interleave(getDims(type), os, [&](AffineExpr dim) { os << printDim(dim); }, ",");
  os << "]";
  return text;
}

std::string elementType(Type element) {
  if (element.isF32())
    return "float";
  if (element.isF64())
    return "double";
  if (element.isF16() || element.isBF16())
    return "uint16_t";
  if (element.isInteger(1))
    return "uint8_t";
  return (element.isUnsignedInteger() ? "uint" : "int") +
         std::to_string(element.getIntOrFloatBitWidth()) + "_t";
}

} // namespace ingot::c
