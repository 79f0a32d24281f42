//===- Source.cpp - Texts of a Relay program, and what is wrong with them ---------------------===//

#include "Import/Relay/Syntax/Source.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot::relay {

std::pair<unsigned, unsigned> lineAndColumn(Place place) {
  if (!place.text)
    return {0, 0};
  const std::vector<uint32_t> &starts = place.text->lineStarts;
  size_t line = llvm::upper_bound(starts, place.offset) - starts.begin();
  return {static_cast<unsigned>(line), place.offset - starts[line - 1] + 1};
}

const SourceText &Reporter::addText(std::string name, std::string text) {
  SourceText &added = texts.emplace_back(SourceText{std::move(name), std::move(text), {0}});
  for (size_t i = 0; i < added.text.size(); ++i)
    if (added.text[i] == '\n')
      added.lineStarts.push_back(static_cast<uint32_t>(i + 1));
  return added;
}

void Reporter::error(Place place, const llvm::Twine &message) {
  if (isFull())
    return;
  std::pair<const SourceText *, uint32_t> key{place.text, place.offset};
  if (place.text && llvm::is_contained(reported, key))
    return;
  reported.push_back(key);
  ++count;
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Refusal;
  diagnostic.message = message.str();
  if (place.text) {
    auto [line, column] = lineAndColumn(place);
    diagnostic.file = place.text->name + ":" + std::to_string(line) + ":" + std::to_string(column);
    llvm::StringRef text = llvm::StringRef(place.text->text)
                               .drop_front(place.text->lineStarts[line - 1])
                               .take_until([](char c) { return c == '\n' || c == '\r'; });
    // Of a very long line, the part around the place.
    constexpr size_t width = 100;
    size_t at = column - 1, from = at > width / 2 && text.size() > width ? at - width / 2 : 0;
    std::string shown = text.substr(from, width).str();
    for (char &c : shown)
      if (static_cast<unsigned char>(c) < 32 || c == 127)
        c = ' ';
    diagnostic.message += "\n  " + shown + "\n  " + std::string(at - from, ' ') + "^";
  }
  diagnostics.push_back(std::move(diagnostic));
  if (isFull())
    diagnostics.push_back({Severity::Refusal, place.text ? place.text->name : "", "",
                           "there are too many errors; the rest is not shown"});
}

} // namespace ingot::relay
