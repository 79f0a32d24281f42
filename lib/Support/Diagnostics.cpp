#include "ingot/Compile.h"
#include <algorithm>

namespace ingot {

std::string Diagnostic::text() const {
  std::string line = severity == Severity::Bug       ? "internal error: "
                     : severity == Severity::Warning ? "warning: "
                                                     : "";
  if (!file.empty())
    line += file + ": ";
  if (!node.empty())
    line += "node '" + node + "': ";
  return line + message;
}

bool Compiled::ok() const {
  return std::all_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic &each) { return each.severity == Severity::Warning; });
}

bool Compiled::refused() const {
  return !ok() && std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &each) {
    return each.severity == Severity::Bug;
  });
}

} // namespace ingot
