//===- Indexing.cpp - Gathering, scattering and sorting in Relay ------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

static Result gather(Call &call, Value x, Value indices, int64_t axis) {
  return call.make<GatherOp>({x, indices}, {call.attr("axis", call.b.getI64IntegerAttr(axis))});
}

static LogicalResult importTake(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(indices, call.in(1));
  call.integer("batch_dims", 0);
  std::string mode = call.text("mode", "clip");
  if (call.integer("batch_dims", 0) != 0)
    return call.refuse("batch_dims other than 0 are not supported");
  if (mode != "clip" && mode != "wrap" && mode != "fast")
    return call.refuse("the mode '" + mode + "' is not supported");
  int64_t axis = 0;
  if (call.attribute("axis")) {
    INGOT_TRY(given, call.axis(call.integer("axis", 0), Call::rankOf(x)));
    axis = given;
  } else {
    INGOT_TRY(flat, call.reshape(x, {elementCount(Call::typeOf(x))}));
    x = flat;
  }
  INGOT_TRY(wide, call.cast(indices, call.b.getI64Type()));
  Value where = wide;
  INGOT_TRY(dims, call.dimsTensor({Call::dimsOf(x)[axis]}));
  INGOT_TRY(extent, call.reshape(dims, {}));
  if (mode == "wrap") {
    INGOT_TRY(wrapped, call.binary<ModOp>(wide, extent));
    where = wrapped;
  } else {
    // Negative positions are outside here, not counted from the end.
    INGOT_TRY(clipped, call.binary<MaxOp>(wide, call.scalarLike(0, wide)));
    where = clipped;
  }
  return call.set(gather(call, x, where, axis));
}

static LogicalResult importGather(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(indices, call.in(1));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  return call.set(call.make<GatherElementsOp>({x, indices},
                                              {call.attr("axis", call.b.getI64IntegerAttr(axis))}));
}

/// Relay keeps the coordinates in the first dimension, the dialect in the last.
static Result coordinatesLast(Call &call, Value indices) {
  int64_t rank = Call::rankOf(indices);
  SmallVector<int64_t> permutation;
  for (int64_t i = 1; i < rank; ++i)
    permutation.push_back(i);
  permutation.push_back(0);
  return call.transpose(indices, permutation);
}

static LogicalResult importGatherND(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(indices, call.in(1));
  int64_t batchDims = call.integer("batch_dims", 0);
  call.integer("index_rank", 0);
  INGOT_TRY(last, coordinatesLast(call, indices));
  return call.set(call.make<GatherNDOp>(
      {x, last}, {call.attr("batch_dims", call.b.getI64IntegerAttr(batchDims))}));
}

static FailureOr<StringRef> reductionOf(Call &call) {
  std::string name = call.text(call.name == "scatter_nd" ? "mode" : "reduction", "update");
  for (auto [theirs, ours] : {std::pair<StringRef, StringRef>{"update", "none"},
                              {"add", "add"},
                              {"mul", "mul"},
                              {"min", "min"},
                              {"max", "max"}})
    if (name == theirs)
      return ours;
  return call.refuse("'" + name + "' is no way to combine that is supported");
}

static LogicalResult importScatterElements(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(indices, call.in(1));
  INGOT_TRY(updates, call.in(2));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  INGOT_TRY(reduction, reductionOf(call));
  return call.set(call.make<ScatterOp>({x, indices, updates},
                                       {call.attr("axis", call.b.getI64IntegerAttr(axis)),
                                        call.attr("reduction", call.b.getStringAttr(reduction))}));
}

static LogicalResult importScatterND(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(indices, call.in(1));
  INGOT_TRY(updates, call.in(2));
  INGOT_TRY(reduction, reductionOf(call));
  INGOT_TRY(last, coordinatesLast(call, indices));
  return call.set(call.make<ScatterNDOp>(
      {x, last, updates}, {call.attr("reduction", call.b.getStringAttr(reduction))}));
}

//===----------------------------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------------------------===//

namespace {
struct Sorted {
  Value values, indices;
};
} // namespace

/// The first `k` elements along `axis` in order; all of them for k below 1.
static FailureOr<Sorted> sortAlong(Call &call, Value x, int64_t axis, int64_t k, bool ascends) {
  AffineExpr count = Call::dimsOf(x)[axis];
  if (k > 0)
    count = call.constantExpr(k);
  auto op = createChecked<TopKOp>(call.b, call.loc, {x},
                                  {call.dims("k", {count}),
                                   call.attr("axis", call.b.getI64IntegerAttr(axis)),
                                   call.attr("largest", call.b.getBoolAttr(!ascends))});
  if (failed(op))
    return failure();
  return Sorted{op->getValues(), op->getIndices()};
}

static LogicalResult importTopK(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), Call::rankOf(x)));
  int64_t k = call.integer("k", 1);
  bool ascends = call.flag("is_ascend", false);
  std::string kind = call.text("ret_type", "both");
  INGOT_TRY(element, call.element("dtype", call.b.getI32Type()));
  INGOT_TRY(sorted, sortAlong(call, x, axis, k, ascends));
  INGOT_TRY(indices, call.cast(sorted.indices, element));
  if (kind == "values")
    return call.set(sorted.values);
  if (kind == "indices")
    return call.set(indices);
  return call.setTuple({sorted.values, indices});
}

static LogicalResult importArgsort(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), Call::rankOf(x)));
  bool ascends = call.flag("is_ascend", true);
  INGOT_TRY(element, call.element("dtype", call.b.getI32Type()));
  INGOT_TRY(sorted, sortAlong(call, x, axis, 0, ascends));
  return call.set(call.cast(sorted.indices, element));
}

static LogicalResult importSort(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), Call::rankOf(x)));
  INGOT_TRY(sorted, sortAlong(call, x, axis, 0, call.flag("is_ascend", true)));
  return call.set(sorted.values);
}

/// result[x[i]] = i
static LogicalResult importInvertPermutation(Call &call) {
  INGOT_TRY(x, call.in(0));
  if (Call::rankOf(x) != 1)
    return call.refuse("its operand must be a vector");
  INGOT_TRY(sorted, sortAlong(call, x, 0, 0, /*ascends=*/true));
  return call.set(call.cast(sorted.indices, Call::elementType(x)));
}

//===----------------------------------------------------------------------------------------===//
// By position
//===----------------------------------------------------------------------------------------===//

static LogicalResult importOneHot(Call &call) {
  INGOT_TRY(indices, call.in(0));
  INGOT_TRY(on, call.in(1));
  INGOT_TRY(off, call.in(2));
  int64_t depth = call.integer("depth", 0), rank = Call::rankOf(indices) + 1;
  INGOT_TRY(element, call.element("dtype", Call::elementType(on)));
  INGOT_TRY(axis, call.axis(call.integer("axis", -1), rank));
  if (depth < 1)
    return call.refuse("its depth must be positive");
  SmallVector<AffineExpr> lined = Call::dimsOf(indices), shape = lined;
  lined.insert(lined.begin() + axis, call.constantExpr(1));
  shape.insert(shape.begin() + axis, call.constantExpr(depth));
  INGOT_TRY(wide, call.cast(indices, call.b.getI64Type()));
  INGOT_TRY(apart, call.reshape(wide, lined));
  INGOT_TRY(positions, call.iota(shape, axis, call.b.getI64Type()));
  INGOT_TRY(isOn, call.binary<EqualOp>(positions, apart));
  auto scalar = [&](Value v) -> Result {
    INGOT_TRY(flat, call.reshape(v, {}));
    return call.cast(flat, element);
  };
  INGOT_TRY(onValue, scalar(on));
  INGOT_TRY(offValue, scalar(off));
  return call.set(call.make<SelectOp>({isOn, onValue, offValue}));
}

static LogicalResult importReverseSequence(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(given, call.in(1));
  INGOT_TRY(lengths, call.cast(given, call.b.getI64Type()));
  INGOT_TRY(time, call.axis(call.integer("seq_axis", 1), Call::rankOf(x)));
  INGOT_TRY(batch, call.axis(call.integer("batch_axis", 0), Call::rankOf(x)));
  return call.set(call.make<ReverseSequenceOp>(
      {x, lengths}, {call.attr("batch_axis", call.b.getI64IntegerAttr(batch)),
                     call.attr("time_axis", call.b.getI64IntegerAttr(time))}));
}

/// What lies behind the length of its sequence becomes `mask_value`. Sequences are along `axis`, 0
/// or 1, and the other one of these counts them.
static LogicalResult importSequenceMask(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(lengths, call.in(1));
  int64_t rank = Call::rankOf(x);
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), rank));
  if (rank < 2 || axis > 1)
    return call.refuse("its axis must be 0 or 1 of a tensor of rank 2 or more");
  SmallVector<AffineExpr> dims = Call::dimsOf(x), plane(rank, call.constantExpr(1));
  plane[0] = dims[0];
  plane[1] = dims[1];
  SmallVector<AffineExpr> lined(rank, call.constantExpr(1));
  lined[1 - axis] = dims[1 - axis];
  INGOT_TRY(position, call.iota(plane, axis, call.b.getI64Type()));
  INGOT_TRY(wide, call.cast(lengths, call.b.getI64Type()));
  INGOT_TRY(apart, call.reshape(wide, lined));
  INGOT_TRY(isInside, call.binary<LessOp>(position, apart));
  return call.set(
      call.make<SelectOp>({isInside, x, call.scalarLike(call.number("mask_value", 0), x)}));
}

void registerIndexing(OperatorTable &table) {
  table["take"] = importTake;
  table["gather"] = importGather;
  table["gather_nd"] = importGatherND;
  table["scatter_elements"] = importScatterElements;
  table["scatter_nd"] = importScatterND;
  table["topk"] = importTopK;
  table["argsort"] = importArgsort;
  table["sort"] = importSort;
  table["invert_permutation"] = importInvertPermutation;
  table["one_hot"] = importOneHot;
  table["reverse_sequence"] = importReverseSequence;
  table["sequence_mask"] = importSequenceMask;
}

} // namespace ingot::relay
