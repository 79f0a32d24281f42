//===- TrailingFold.cpp - Folds along rows ----------------------------------------------------===//

#include "Dialect/TrailingFold.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace ingot {

size_t trailingFold(ReductionOpInterface op) {
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  SmallVector<int64_t> folded = op.reducedDims();
  for (auto [i, dim] : llvm::enumerate(folded))
    if (dim != rank - static_cast<int64_t>(folded.size() - i))
      return 0;
  return op.keepsDims() ? folded.size() : 0;
}

} // namespace ingot
