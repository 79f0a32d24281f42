//===- Contraction.cpp - Matrix products of Relay ---------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// `x` with its last two dimensions exchanged, if asked for.
static Result turned(Call &call, Value x, bool isTurned) {
  if (!isTurned)
    return x;
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, Call::rankOf(x)));
  std::swap(permutation[permutation.size() - 2], permutation.back());
  return call.transpose(x, permutation);
}

/// The product in the element type that the call asks for.
static LogicalResult multiply(Call &call, bool turnsX, bool turnsY) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(y, call.in(1));
  if (Call::rankOf(x) < 2 || Call::rankOf(y) < 2)
    return call.refuse("its operands must be matrices");
  if (Call::elementType(x) != Call::elementType(y))
    return call.refuse("its operands differ in element type");
  INGOT_TRY(element, call.element("out_dtype", Call::elementType(x)));
  call.integer("units", 0);
  call.text("auto_scheduler_rewritten_layout", "");
  call.integerList("meta_schedule_original_shape", ArrayRef<int64_t>());
  INGOT_TRY(wideX, call.cast(x, element));
  INGOT_TRY(wideY, call.cast(y, element));
  INGOT_TRY(a, turned(call, wideX, turnsX));
  INGOT_TRY(c, turned(call, wideY, turnsY));
  return call.set(call.make<MatmulOp>({a, c}));
}

static LogicalResult importDense(Call &call) { return multiply(call, false, true); }

static LogicalResult importMatmul(Call &call) {
  return multiply(call, call.flag("transpose_a", false), call.flag("transpose_b", false));
}

static LogicalResult importBatchMatmul(Call &call) {
  return multiply(call, call.flag("transpose_a", false), call.flag("transpose_b", true));
}

void registerContraction(OperatorTable &table) {
  table["nn.dense"] = importDense;
  table["nn.matmul"] = importMatmul;
  table["nn.batch_matmul"] = importBatchMatmul;
}

} // namespace ingot::relay
