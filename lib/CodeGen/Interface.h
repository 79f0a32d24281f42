//===- Interface.h - The typed entry of a compiled model --------------------------------------===//
//
// What the generated header declares and what both code generators check on entry, in one place.
// The structs hold, in this order:
//   NAME_inputs   a pointer for each input, then `NAME_dims dims` if there are symbols (int64_t
//   each),
//                 then `const void *weights` if weights lie in a file of their own
//   NAME_outputs  a pointer for each output
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "Dialect/ModelInterface.h"
#include <vector>

namespace ingot {

/// One reason for the entry to refuse its arguments; checked in order.
struct EntryCheck {
  enum Kind {
    NullInputs,
    NullOutputs,
    NullInput,  ///< `index` counts the inputs
    NullOutput, ///< `index` counts the outputs
    NullWeights,
    DimOutOfRange,  ///< symbol `index` below 1 or above its limit
    NegativeExtent, ///< an extent of output `index` is negative for these dimensions
    DimsDisagree,   ///< constraint `index` does not hold
    NullWorkspace,
    WorkspaceTooSmall,
    WorkspaceMisaligned,
    NullHeap ///< of programs with data
  } kind;
  size_t index;
  std::string name;    ///< "NULL_AUDIO", without the model's prefix
  std::string meaning; ///< a phrase for the header
  int32_t status;      ///< from 1
};

struct EntryPlan {
  ModelInterface interface;
  /// Members of the structs: C identifiers, unique in each.
  std::vector<std::string> inputs, outputs, symbols;
  /// All constant tables lie in a file of their own, whose address the caller passes.
  bool hasWeightsPointer = false;
  std::vector<EntryCheck> checks;
  /// The largest value of any symbol: no size computed from them leaves 63 bits.
  int64_t symbolLimit = 0;

  /// Both lists, as ModelInfo.h wants them.
  std::vector<std::string> members() const;
};

EntryPlan planEntry(const ModelInterface &interface, bool weightsInFile);

/// `text` as a C identifier: letters, digits and single underscores; never a keyword.
std::string cIdentifier(llvm::StringRef text);
/// The same in capitals.
std::string cMacro(llvm::StringRef text);

} // namespace ingot
