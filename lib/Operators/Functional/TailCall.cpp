//===- TailCall.cpp - Calls that end a function -----------------------------------------------===//

#include "Operators/Functional/TailCall.h"
#include "Operators/Control.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace ingot {

bool isTailCall(CallOp op) {
  Operation *at = op;
  while (true) {
    Operation *terminator = at->getBlock()->getTerminator();
    if (at->getNextNode() != terminator ||
        !llvm::equal(terminator->getOperands(), at->getResults()))
      return false;
    if (isa<func::ReturnOp>(terminator))
      return true;
    at = at->getParentOp();
    if (!isa<IfOp, MatchOp>(at))
      return false;
  }
}

} // namespace ingot
