//===- Lexer.cpp - Words of the Relay text format ---------------------------------------------===//

#include "Import/Relay/Syntax/Lexer.h"
#include "llvm/ADT/StringExtras.h"

namespace ingot::relay {

namespace {

bool isLetter(char c) { return llvm::isAlpha(c) || c == '_' || c == '/'; }
bool isNamePart(char c) { return isLetter(c) || llvm::isDigit(c); }

class Lexer {
public:
  Lexer(const SourceText &source, Reporter &reporter)
      : source(source), text(source.text), reporter(reporter) {}

  std::vector<Token> run();

private:
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  void add(Word word, size_t start, size_t from, size_t to) {
    tokens.push_back({word, static_cast<uint32_t>(from), static_cast<uint32_t>(to - from),
                      static_cast<uint32_t>(start)});
  }
  void error(size_t at, const llvm::Twine &message) {
    reporter.error({&source, static_cast<uint32_t>(at)}, message);
  }
  void skipBlockComment();
  void lexHash();
  void lexName(Word word, size_t start);
  void lexNumber();
  void lexString();
  void lexOne();
  bool followsDot() const {
    return !tokens.empty() && tokens.back().word == Word::Symbol &&
           text[tokens.back().start] == '.' && tokens.back().start + 1 == position;
  }

  const SourceText &source;
  llvm::StringRef text;
  Reporter &reporter;
  size_t position = 0;
  std::vector<Token> tokens;
};

} // namespace

void Lexer::skipBlockComment() {
  size_t start = position, depth = 0;
  while (position < text.size()) {
    if (text.substr(position).starts_with("/*")) {
      ++depth;
      position += 2;
    } else if (text.substr(position).starts_with("*/")) {
      position += 2;
      if (--depth == 0)
        return;
    } else {
      ++position;
    }
  }
  error(start, "this comment is not closed");
}

void Lexer::lexHash() {
  size_t start = position;
  llvm::StringRef rest = text.substr(position);
  if (rest.starts_with("#[metadata]")) {
    add(Word::Metadata, start, start + 11, text.size());
    position = text.size();
    return;
  }
  size_t close = rest.find(']');
  llvm::StringRef inside = rest.starts_with("#[") && close != llvm::StringRef::npos
                               ? rest.slice(2, close)
                               : llvm::StringRef();
  auto [key, value] = inside.split('=');
  value = value.trim();
  if (key.trim() == "version" && value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    size_t from = value.data() + 1 - text.data();
    add(Word::Version, start, from, from + value.size() - 2);
    position = start + close + 1;
    return;
  }
  error(start, "only #[version = \"0.0.5\"] and #[metadata] can stand here");
  position = close == llvm::StringRef::npos ? text.size() : start + close + 1;
}

/// Names of variables may hold dots and colons where nothing else could be meant: a dot before a
/// letter, and before a digit in the name of a function, which has no members; a colon before a
/// digit.
void Lexer::lexName(Word word, size_t start) {
  size_t from = position;
  auto joins = [&] {
    char next = at(position + 1);
    if (word == Word::Name)
      return false;
    if (at(position) == '.')
      return (isLetter(next) && next != '/') || (word == Word::Global && llvm::isDigit(next));
    return at(position) == ':' && llvm::isDigit(next);
  };
  while (isNamePart(at(position)) || joins()) {
    // `a//b` is a name and a comment.
    if (at(position) == '/' && (at(position + 1) == '/' || at(position + 1) == '*'))
      break;
    ++position;
  }
  add(word, start, from, position);
}

void Lexer::lexNumber() {
  size_t start = position;
  while (at(position) == '-')
    ++position;
  bool isFloat = false, hasPoint = false;
  if (followsDot()) {
    while (llvm::isDigit(at(position)))
      ++position;
  } else if (text.substr(position).starts_with("inf")) {
    position += 3;
    hasPoint = true;
  } else {
    while (llvm::isDigit(at(position)))
      ++position;
    if (at(position) == '.') {
      hasPoint = true;
      ++position;
      while (llvm::isDigit(at(position)))
        ++position;
    }
    if (at(position) == 'e' || at(position) == 'E') {
      hasPoint = true;
      ++position;
      if (at(position) == '-' || at(position) == '+')
        ++position;
      while (llvm::isDigit(at(position)))
        ++position;
    }
  }
  size_t digitsEnd = position;
  if (at(position) == 'f' || at(position) == 'i' || at(position) == 'u') {
    isFloat = at(position) == 'f';
    ++position;
    while (llvm::isDigit(at(position)))
      ++position;
  }
  if (isNamePart(at(position)) && at(position) != '/') {
    while (isNamePart(at(position)))
      ++position;
    error(start, "'" + text.slice(start, position) + "' is no number");
    return add(Word::Invalid, start, start, position);
  }
  if (hasPoint && !isFloat) {
    error(start, "'" + text.slice(start, position) +
                     "' is an invalid integer: a float ends in f, as in " +
                     text.slice(start, digitsEnd) + "f");
    return add(Word::Invalid, start, start, position);
  }
  add(isFloat ? Word::Float : Word::Integer, start, start, position);
}

void Lexer::lexString() {
  size_t start = position, end = text.find('"', position + 1);
  if (end == llvm::StringRef::npos || text.slice(start, end).contains('\n')) {
    error(start, "this string is not closed");
    position = std::min(text.find('\n', position), text.size());
    return add(Word::Invalid, start, start, position);
  }
  add(Word::String, start, start + 1, end);
  position = end + 1;
}

void Lexer::lexOne() {
  size_t start = position;
  char c = text[position];
  llvm::StringRef rest = text.substr(position);
  if (rest.starts_with("//")) {
    position = std::min(text.find('\n', position), text.size());
  } else if (rest.starts_with("/*")) {
    skipBlockComment();
  } else if (c == '#') {
    lexHash();
  } else if (c == '"') {
    lexString();
  } else if (c == '%' && llvm::isDigit(at(position + 1))) {
    size_t from = ++position;
    while (llvm::isDigit(at(position)))
      ++position;
    add(Word::Graph, start, from, position);
  } else if ((c == '%' || c == '@') && isLetter(at(position + 1))) {
    ++position;
    lexName(c == '%' ? Word::Local : Word::Global, start);
  } else if (llvm::isDigit(c)) {
    lexNumber();
  } else if (c == '-') {
    size_t dashes = position;
    while (at(dashes) == '-')
      ++dashes;
    if (llvm::isDigit(at(dashes)) || text.substr(dashes).starts_with("inff"))
      return lexNumber();
    if (at(position + 1) == '>') {
      position += 2;
      return add(Word::Symbol, start, start, position);
    }
    ++position;
    add(Word::Symbol, start, start, position);
  } else if (rest.starts_with("inff")) {
    lexNumber();
  } else if (isLetter(c) && c != '/') {
    lexName(Word::Name, start);
    if (text.slice(start, position) == "match" && at(position) == '?') {
      ++position;
      tokens.back().size = 6;
    }
  } else {
    static constexpr llvm::StringLiteral pairs[] = {"=>", "==", "!=", "<=", ">="};
    for (llvm::StringRef pair : pairs)
      if (rest.starts_with(pair)) {
        position += 2;
        return add(Word::Symbol, start, start, position);
      }
    ++position;
    if (llvm::StringRef("(){}[]<>,;:.=?+*/").contains(c))
      return add(Word::Symbol, start, start, position);
    bool isPrintable = c > 32 && c < 127;
    error(start, isPrintable ? "the character '" + llvm::Twine(c) + "' cannot stand here"
                             : "a byte that is no character of the format");
  }
}

std::vector<Token> Lexer::run() {
  while (position < text.size()) {
    char c = text[position];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      ++position;
    else
      lexOne();
    if (reporter.isFull())
      break;
  }
  if (tokens.empty() || tokens.back().word != Word::Metadata)
    add(Word::End, text.size(), text.size(), text.size());
  return std::move(tokens);
}

std::vector<Token> tokenize(const SourceText &source, Reporter &reporter) {
  return Lexer(source, reporter).run();
}

} // namespace ingot::relay
