//===- Dialect.cpp - The ingot dialect --------------------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Dialect/Element/ElementBuilder.h"
#include "Dialect/Interfaces.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

#include "Dialect/Dialect.cpp.inc"
#include "Dialect/Interfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/Attributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "Dialect/Types.cpp.inc"

unsigned IngotDialect::Symbols::intern(StringRef name, std::optional<DimMinMax> definition) {
  auto [it, isNew] = positions.try_emplace(name, names.size());
  if (isNew) {
    names.push_back(name.str());
    definitions.push_back(definition);
  }
  return it->second;
}

void IngotDialect::initialize() {
  symbols = std::make_shared<Symbols>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/Attributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Types.cpp.inc"
      >();
  registerOperators();
}

//===----------------------------------------------------------------------------------------===//
// DimsAttr: `#ingot.dims<1, width, "width floordiv 4">`
//===----------------------------------------------------------------------------------------===//

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AffineExpr> exprs;
  auto parseOne = [&]() -> ParseResult {
    int64_t value;
    auto integer = parser.parseOptionalInteger(value);
    if (integer.has_value()) {
      exprs.push_back(dimConstant(parser.getContext(), value));
      return *integer;
    }
    std::string text;
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalString(&text))) {
      if (failed(parser.parseKeyword(&word)))
        return failure();
      text = word.str();
    }
    auto expr = parseDim(parser.getContext(), text);
    if (!expr)
      return parser.emitError(loc, "'")
             << text << "' is not a dimension: expected an expression such as "
             << "(width - 1) floordiv 2 + 1";
    exprs.push_back(*expr);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  return DimsAttr::get(parser.getContext(), exprs);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getExprs(), printer, [&](AffineExpr expr) {
    std::string text = printDim(expr);
    if (llvm::isa<AffineConstantExpr>(expr) ||
        (llvm::isa<AffineSymbolExpr>(expr) && !dimDefinition(expr)))
      printer << text;
    else
      printer << '"' << text << '"';
  });
  printer << '>';
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getExprs().size())
    return emitError() << "the tensor has " << shape.size() << " dimensions, its encoding "
                       << getExprs().size();
  for (auto [extent, expr] : llvm::zip(shape, getExprs())) {
    auto constant = constantDim(expr);
    if (ShapedType::isDynamic(extent) ? constant.has_value() : constant != extent)
      return emitError() << "extent "
                         << (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent))
                         << " does not agree with '" << printDim(expr) << "' in the encoding";
  }
  return success();
}
