//===- Dims.cpp - Symbolic dimensions of tensors ----------------------------------------------===//

#include "Dialect/Dims.h"
#include "Dialect/Dialect.h"
#include "llvm/Support/MathExtras.h"
#include <cctype>

using namespace mlir;

namespace ingot {

static IngotDialect::Symbols &symbolsOf(MLIRContext *context) {
  return context->getOrLoadDialect<IngotDialect>()->getSymbols();
}

AffineExpr dimSymbol(MLIRContext *context, StringRef name) {
  return getAffineSymbolExpr(symbolsOf(context).intern(name), context);
}

StringRef dimSymbolName(MLIRContext *context, unsigned position) {
  return symbolsOf(context).name(position);
}

AffineExpr dimConstant(MLIRContext *context, int64_t value) {
  return getAffineConstantExpr(value, context);
}

static AffineExpr makeMinMax(bool isMax, AffineExpr a, AffineExpr b) {
  a = simplifyDim(a);
  b = simplifyDim(b);
  if (a == b)
    return a;
  auto difference = constantDim(a - b);
  if (difference)
    return (*difference > 0) == isMax ? a : b;
  std::string name =
      (Twine(isMax ? "max" : "min") + "(" + printDim(a) + ", " + printDim(b) + ")").str();
  auto &symbols = symbolsOf(a.getContext());
  return getAffineSymbolExpr(symbols.intern(name, DimMinMax{isMax, a, b}), a.getContext());
}

AffineExpr dimMin(AffineExpr a, AffineExpr b) { return makeMinMax(false, a, b); }
AffineExpr dimMax(AffineExpr a, AffineExpr b) { return makeMinMax(true, a, b); }

std::optional<DimMinMax> dimDefinition(AffineExpr symbol) {
  auto s = dyn_cast<AffineSymbolExpr>(symbol);
  if (!s)
    return std::nullopt;
  return symbolsOf(symbol.getContext()).definition(s.getPosition());
}

/// (a floordiv b) floordiv c is a floordiv (b * c) for positive constants b and c.
static AffineExpr mergeFloorDivs(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = mergeFloorDivs(binary.getLHS()), rhs = mergeFloorDivs(binary.getRHS());
  auto outer = constantDim(rhs);
  auto inner = dyn_cast<AffineBinaryOpExpr>(lhs);
  if (expr.getKind() == AffineExprKind::FloorDiv && outer && *outer > 0 && inner) {
    if (inner.getKind() == AffineExprKind::FloorDiv) {
      auto by = dyn_cast<AffineConstantExpr>(inner.getRHS());
      int64_t product;
      if (by && by.getValue() > 0 && !llvm::MulOverflow(by.getValue(), *outer, product))
        return inner.getLHS().floorDiv(product);
    }
  }
  return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
}

static unsigned symbolCount(AffineExpr expr) {
  unsigned count = 0;
  expr.walk([&](AffineExpr e) {
    if (auto s = dyn_cast<AffineSymbolExpr>(e))
      count = std::max(count, s.getPosition() + 1);
  });
  return count;
}

AffineExpr simplifyDim(AffineExpr expr) {
  if (isa<AffineConstantExpr, AffineSymbolExpr>(expr))
    return expr;
  unsigned symbols = symbolCount(expr);
  for (int i = 0; i < 4; ++i) {
    AffineExpr next = mergeFloorDivs(simplifyAffineExpr(expr, 0, symbols));
    if (next == expr)
      break;
    expr = next;
  }
  return expr;
}

std::optional<int64_t> constantDim(AffineExpr expr) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  if (auto c = dyn_cast<AffineConstantExpr>(simplifyDim(expr)))
    return c.getValue();
  return std::nullopt;
}

std::optional<int64_t> evaluateDim(AffineExpr expr,
                                   function_ref<std::optional<int64_t>(StringRef)> binding) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  if (auto s = dyn_cast<AffineSymbolExpr>(expr)) {
    auto definition = dimDefinition(expr);
    if (!definition)
      return binding(dimSymbolName(expr.getContext(), s.getPosition()));
    auto a = evaluateDim(definition->a, binding), b = evaluateDim(definition->b, binding);
    if (!a || !b)
      return std::nullopt;
    return definition->isMax ? std::max(*a, *b) : std::min(*a, *b);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto a = evaluateDim(binary.getLHS(), binding), b = evaluateDim(binary.getRHS(), binding);
  if (!a || !b)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*a, *b, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*a, *b, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::FloorDiv:
    return *b <= 0 ? std::nullopt : std::optional(llvm::divideFloorSigned(*a, *b));
  case AffineExprKind::CeilDiv:
    return *b <= 0 ? std::nullopt : std::optional(llvm::divideCeilSigned(*a, *b));
  case AffineExprKind::Mod:
    return *b <= 0 ? std::nullopt : std::optional(llvm::mod(*a, *b));
  default:
    return std::nullopt;
  }
}

AffineExpr substituteDim(AffineExpr expr, function_ref<AffineExpr(StringRef)> replace) {
  unsigned symbols = symbolCount(expr);
  SmallVector<AffineExpr> replacements(symbols);
  for (unsigned i = 0; i < symbols; ++i)
    replacements[i] = getAffineSymbolExpr(i, expr.getContext());
  expr.walk([&](AffineExpr e) {
    auto s = dyn_cast<AffineSymbolExpr>(e);
    if (!s)
      return;
    if (auto definition = dimDefinition(s)) {
      AffineExpr a = substituteDim(definition->a, replace),
                 b = substituteDim(definition->b, replace);
      replacements[s.getPosition()] = makeMinMax(definition->isMax, a, b);
    } else if (AffineExpr r = replace(dimSymbolName(expr.getContext(), s.getPosition()))) {
      replacements[s.getPosition()] = r;
    }
  });
  return simplifyDim(expr.replaceSymbols(replacements));
}

void collectDimSymbols(AffineExpr expr, llvm::SetVector<StringRef> &names) {
  expr.walk([&](AffineExpr e) {
    auto s = dyn_cast<AffineSymbolExpr>(e);
    if (!s)
      return;
    if (auto definition = dimDefinition(s)) {
      collectDimSymbols(definition->a, names);
      collectDimSymbols(definition->b, names);
    } else {
      names.insert(dimSymbolName(expr.getContext(), s.getPosition()));
    }
  });
}

//===----------------------------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------------------------===//

static void print(AffineExpr expr, int level, std::string &out) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr)) {
    out += std::to_string(c.getValue());
    return;
  }
  if (auto s = dyn_cast<AffineSymbolExpr>(expr)) {
    out += dimSymbolName(expr.getContext(), s.getPosition());
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  int own = isSum ? 1 : 2;
  if (own < level)
    out += '(';
  print(binary.getLHS(), own, out);
  AffineExpr rhs = binary.getRHS();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (auto c = dyn_cast<AffineConstantExpr>(rhs);
        c && c.getValue() < 0 && c.getValue() != INT64_MIN) {
      out += " - ";
      rhs = getAffineConstantExpr(-c.getValue(), expr.getContext());
    } else {
      out += " + ";
    }
    break;
  case AffineExprKind::Mul:
    out += " * ";
    break;
  case AffineExprKind::FloorDiv:
    out += " floordiv ";
    break;
  case AffineExprKind::CeilDiv:
    out += " ceildiv ";
    break;
  default:
    out += " mod ";
    break;
  }
  print(rhs, isSum ? 1 : 3, out);
  if (own < level)
    out += ')';
}

std::string printDim(AffineExpr expr) {
  std::string out;
  print(expr, 0, out);
  return out;
}

namespace {
/// Recursive descent over the text of one dimension; gives up on nesting deeper than any sane
/// shape.
class DimParser {
public:
  DimParser(MLIRContext *context, StringRef text) : context(context), rest(text) {}

  std::optional<AffineExpr> parse() {
    auto expr = sum(0);
    skip();
    return expr && rest.empty() ? expr : std::nullopt;
  }

private:
  static constexpr int maxDepth = 64;

  void skip() { rest = rest.ltrim(); }
  bool accept(StringRef token) {
    skip();
    return rest.consume_front(token);
  }
  bool acceptWord(StringRef word) {
    skip();
    if (!rest.starts_with(word) ||
        (rest.size() > word.size() && isNameCharacter(rest[word.size()])))
      return false;
    rest = rest.drop_front(word.size());
    return true;
  }
  static bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  }

  std::optional<AffineExpr> sum(int depth) {
    auto lhs = product(depth);
    while (lhs) {
      bool minus = false;
      if (!accept("+")) {
        if (!accept("-"))
          break;
        minus = true;
      }
      auto rhs = product(depth);
      if (!rhs)
        return std::nullopt;
      lhs = minus ? *lhs - *rhs : *lhs + *rhs;
    }
    return lhs;
  }

  std::optional<AffineExpr> product(int depth) {
    auto lhs = factor(depth);
    while (lhs) {
      AffineExprKind kind;
      if (accept("*"))
        kind = AffineExprKind::Mul;
      else if (acceptWord("floordiv"))
        kind = AffineExprKind::FloorDiv;
      else if (acceptWord("ceildiv"))
        kind = AffineExprKind::CeilDiv;
      else if (acceptWord("mod"))
        kind = AffineExprKind::Mod;
      else
        break;
      auto rhs = factor(depth);
      if (!rhs)
        return std::nullopt;
      if (kind != AffineExprKind::Mul)
        if (auto c = constantDim(*rhs); c && *c <= 0)
          return std::nullopt;
      lhs = getAffineBinaryOpExpr(kind, *lhs, *rhs);
    }
    return lhs;
  }

  std::optional<AffineExpr> factor(int depth) {
    if (depth > maxDepth)
      return std::nullopt;
    if (accept("-")) {
      auto value = factor(depth + 1);
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (accept("(")) {
      auto inner = sum(depth + 1);
      return inner && accept(")") ? inner : std::nullopt;
    }
    skip();
    StringRef word = rest.take_while(isNameCharacter);
    if (word.empty())
      return std::nullopt;
    rest = rest.drop_front(word.size());
    int64_t value;
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      return word.getAsInteger(10, value) ? std::nullopt
                                          : std::optional(dimConstant(context, value));
    if ((word == "min" || word == "max") && accept("(")) {
      auto a = sum(depth + 1);
      if (!a || !accept(","))
        return std::nullopt;
      auto b = sum(depth + 1);
      if (!b || !accept(")"))
        return std::nullopt;
      return word == "min" ? dimMin(*a, *b) : dimMax(*a, *b);
    }
    return dimSymbol(context, word);
  }

  MLIRContext *context;
  StringRef rest;
};
} // namespace

std::optional<AffineExpr> parseDim(MLIRContext *context, StringRef text) {
  auto expr = DimParser(context, text).parse();
  return expr ? std::optional(simplifyDim(*expr)) : std::nullopt;
}

//===----------------------------------------------------------------------------------------===//
// Tensor types
//===----------------------------------------------------------------------------------------===//

SmallVector<AffineExpr> getDims(RankedTensorType type) {
  if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
    return SmallVector<AffineExpr>(dims.getExprs());
  return llvm::map_to_vector(type.getShape(),
                             [&](int64_t d) { return dimConstant(type.getContext(), d); });
}

AffineExpr getDim(RankedTensorType type, unsigned index) {
  if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
    return dims.getExprs()[index];
  return dimConstant(type.getContext(), type.getDimSize(index));
}

RankedTensorType makeTensorType(ArrayRef<AffineExpr> dims, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> simple;
  bool isStatic = true;
  for (AffineExpr d : dims) {
    simple.push_back(simplifyDim(d));
    auto c = constantDim(simple.back());
    isStatic &= c.has_value();
    shape.push_back(c.value_or(ShapedType::kDynamic));
  }
  Attribute encoding = isStatic ? Attribute() : DimsAttr::get(element.getContext(), simple);
  return RankedTensorType::get(shape, element, encoding);
}

bool isPossibleShape(ArrayRef<AffineExpr> dims) {
  int64_t count = 1;
  for (AffineExpr d : dims)
    if (auto extent = constantDim(d))
      if (*extent < 0 || llvm::MulOverflow(count, std::max<int64_t>(*extent, 1), count) ||
          count > (int64_t(1) << 40))
        return false;
  return true;
}

RankedTensorType withElementType(RankedTensorType type, Type element) {
  return RankedTensorType::get(type.getShape(), element, type.getEncoding());
}

AffineExpr dimProduct(MLIRContext *context, ArrayRef<AffineExpr> dims) {
  AffineExpr product = dimConstant(context, 1);
  for (AffineExpr d : dims)
    product = product * d;
  return simplifyDim(product);
}

AffineExpr elementCount(RankedTensorType type) {
  return dimProduct(type.getContext(), getDims(type));
}

} // namespace ingot
