//===- Lexer.h - Words of the Relay text format -----------------------------------------------===//
#pragma once

#include "Import/Relay/Syntax/Source.h"

namespace ingot::relay {

enum class Word : uint8_t {
  End,
  Metadata, ///< what follows `#[metadata]`, up to the end
  Version,  ///< #[version = "..."]; the text is what is between the quotes
  Local,    ///< %name
  Graph,    ///< %0
  Global,   ///< @name
  Name,     ///< a bare identifier, keywords included
  Integer,  ///< with its suffix
  Float,
  String, ///< without its quotes
  Symbol, ///< punctuation; the text says which
  Invalid ///< reported already
};

struct Token {
  Word word;
  uint32_t offset, size; ///< of `text`, without sigils and quotes
  uint32_t start;        ///< where the token begins
};

/// All tokens of `source`, the last of them End or Metadata. Reports malformed ones.
std::vector<Token> tokenize(const SourceText &source, Reporter &reporter);

} // namespace ingot::relay
