//===- Grammar.h - The parser of the Relay text format ----------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Lexer.h"
#include "Import/Relay/Syntax/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

namespace ingot::relay {

/// Nesting beyond this is refused: no stage of the compiler may run out of stack.
constexpr unsigned maxNesting = 256;

/// Recursive descent; one text, one parser.
class Parser {
public:
  Parser(const SourceText &source, Program &program, Reporter &reporter, mlir::MLIRContext &context,
         bool isProgram, llvm::function_ref<const SourceText *(llvm::StringRef)> library)
      : source(source), program(program), reporter(reporter), context(context),
        isProgram(isProgram), library(library), metadata(context) {}

  void run();

private:
  //===--- Tokens ---===//
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(position + ahead, tokens.size() - 1)];
  }
  llvm::StringRef text(const Token &t) const {
    return llvm::StringRef(source.text).substr(t.offset, t.size);
  }
  bool is(llvm::StringRef symbol, size_t ahead = 0) const {
    const Token &t = peek(ahead);
    return t.word == Word::Symbol && text(t) == symbol;
  }
  bool isWord(llvm::StringRef keyword, size_t ahead = 0) const {
    return peek(ahead).word == Word::Name && text(peek(ahead)) == keyword;
  }
  bool atEnd() const { return peek().word == Word::End || peek().word == Word::Metadata; }
  Place place() const { return {&source, peek().start}; }
  void next() {
    if (position + 1 < tokens.size())
      ++position;
  }
  bool accept(llvm::StringRef symbol) {
    if (!is(symbol))
      return false;
    next();
    return true;
  }
  bool acceptWord(llvm::StringRef keyword) {
    if (!isWord(keyword))
      return false;
    next();
    return true;
  }
  bool expect(llvm::StringRef symbol, const llvm::Twine &where);
  std::nullptr_t error(Place at, const llvm::Twine &message) {
    reporter.error(at, message);
    return nullptr;
  }
  std::string found() const;
  /// Goes to the next `;` or the end of the enclosing braces.
  void skipItem();
  /// Goes to the next definition.
  void skipDefinition();
  /// Goes beyond the brace, bracket or parenthesis that closes the one at hand.
  void skipNested();

  //===--- Scopes ---===//
  struct Scope {
    llvm::StringMap<Var *> vars;
    FunctionExpr *function; ///< of which this is the body
  };
  Var *declare(Var *var) {
    scopes.back().vars[var->name] = var;
    return var;
  }
  Var *find(llvm::StringRef name, Place at);

  //===--- Grammar ---===//
  void parseTop();
  void parseImport();
  void parseDefinition();
  void parseTypeDefinition(bool isExtern);
  FunctionExpr *parseFunction(llvm::StringRef name, Place at);
  std::vector<std::string> parseTypeParams();
  TypeExpr *parseType();
  TypeExpr *parseTensorType();
  bool parseTypeList(std::vector<const TypeExpr *> &types, llvm::StringRef close);
  Expr *parseBlock(llvm::StringRef close);
  bool parseBinding(std::vector<BlockExpr::Binding> &bindings);
  Expr *parseBinary(int level);
  Expr *parseCall();
  Expr *parseAtom();
  Expr *parsePrimary();
  Expr *parseNumber();
  Expr *parseIf();
  Expr *parseMatch();
  Expr *parseParenthesis();
  Expr *parseMeta();
  Expr *parseName();
  Pattern *parsePattern();
  bool parseArguments(CallExpr *call);
  bool parseAttr(Attrs &attrs);
  bool parseAttrValue(AttrValue &value);
  bool isAttr() const;
  std::optional<int64_t> parseCount(const llvm::Twine &what);
  std::string parseHierarchicalName();

  template <typename T> T *finish(T *expr, llvm::ArrayRef<Expr *> children);

  const SourceText &source;
  Program &program;
  Reporter &reporter;
  mlir::MLIRContext &context;
  bool isProgram;
  llvm::function_ref<const SourceText *(llvm::StringRef)> library;
  Metadata metadata;
  std::vector<Token> tokens;
  size_t position = 0;
  unsigned nesting = 0;
  std::vector<Scope> scopes;
  /// Parameters of @main, where the text is one expression.
  FunctionExpr *expression = nullptr;
  unsigned sizeSoFar = 0;
};

template <typename T> T *Parser::finish(T *expr, llvm::ArrayRef<Expr *> children) {
  ++sizeSoFar;
  for (Expr *child : children) {
    if (!child)
      return nullptr;
    expr->height = std::max(expr->height, child->height + 1);
  }
  if (expr->height > maxNesting)
    return error(expr->place, "this is nested more than " + llvm::Twine(maxNesting) +
                                  " deep: bind parts of it by let");
  return expr;
}

} // namespace ingot::relay
