//===- Source.h - Texts of a Relay program, and what is wrong with them -----------------------===//
#pragma once

#include "ingot/Compile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <deque>

namespace ingot::relay {

/// One text: the program, or a library that it imports.
struct SourceText {
  std::string name, text;
  std::vector<uint32_t> lineStarts;
};

/// A place in a text; `text` is null for what no text says.
struct Place {
  const SourceText *text = nullptr;
  uint32_t offset = 0;
};

/// Line and column of `place`, from 1; columns count bytes.
std::pair<unsigned, unsigned> lineAndColumn(Place place);

/// Collects errors: each with its line, the text of that line and a caret below the place.
class Reporter {
public:
  explicit Reporter(std::vector<Diagnostic> &diagnostics) : diagnostics(diagnostics) {}

  /// Reports at `place`, unless the same place has been reported already.
  void error(Place place, const llvm::Twine &message);
  bool hasErrors() const { return count != 0; }
  /// True once so many errors have been reported that more would help nobody.
  bool isFull() const { return count >= limit; }

  /// Keeps a text for as long as the reporter lives.
  const SourceText &addText(std::string name, std::string text);

private:
  static constexpr unsigned limit = 50;
  std::vector<Diagnostic> &diagnostics;
  std::deque<SourceText> texts;
  std::vector<std::pair<const SourceText *, uint32_t>> reported;
  unsigned count = 0;
};

} // namespace ingot::relay
