//===- Reduction.cpp - Reductions of Relay ----------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

namespace {
/// The operand of a reduction and what is reduced.
struct Reduced {
  Value x;
  SmallVector<int64_t> dims;
  bool keepDims;
};
} // namespace

static FailureOr<Reduced> reducedOf(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x);
  bool excludes = call.flag("exclude", false), keepDims = call.flag("keepdims", false);
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  bool isGiven = call.attribute("axis") != nullptr;
  INGOT_TRY(dims, call.axes(call.integerList("axis", {}), rank));
  if (!isGiven)
    dims = all;
  else if (excludes)
    llvm::erase_if(all, [&](int64_t dim) { return llvm::is_contained(dims, dim); });
  return Reduced{x, isGiven && excludes ? all : dims, keepDims};
}

template <const char *kind> static LogicalResult importReduce(Call &call) {
  INGOT_TRY(r, reducedOf(call));
  return call.set(call.reduce(r.x, kind, r.dims, r.keepDims));
}

static LogicalResult importMean(Call &call) {
  INGOT_TRY(r, reducedOf(call));
  return call.set(call.mean(r.x, r.dims, r.keepDims));
}

static LogicalResult importVariance(Call &call) {
  INGOT_TRY(r, reducedOf(call));
  Result mean = call.count() > 1 ? call.in(1) : call.mean(r.x, r.dims, true);
  if (failed(mean))
    return failure();
  INGOT_TRY(centred, call.sub(r.x, *mean));
  INGOT_TRY(square, call.mul(centred, centred));
  if (!call.flag("unbiased", false))
    return call.set(call.mean(square, r.dims, r.keepDims));
  double count = 1;
  for (int64_t dim : r.dims) {
    auto extent = constantDim(getDim(Call::typeOf(r.x), dim));
    if (!extent)
      return call.refuse("the attribute unbiased needs extents that are known at compile time");
    count *= static_cast<double>(*extent);
  }
  INGOT_TRY(sum, call.reduce(square, "sum", r.dims, r.keepDims));
  return call.set(call.div(sum, call.scalarLike(count - 1, sum)));
}

/// The position of the first greatest or least element along one axis; all axes as one if none is
/// named.
template <bool isMax> static LogicalResult importArg(Call &call) {
  INGOT_TRY(r, reducedOf(call));
  bool isLast = call.flag("select_last_index", false);
  Value x = r.x;
  int64_t rank = Call::rankOf(x);
  SmallVector<AffineExpr> dims = Call::dimsOf(x), kept;
  if (r.dims.size() != 1) {
    if (static_cast<int64_t>(r.dims.size()) != rank)
      return call.refuse("it takes one axis, or none for all of them");
    INGOT_TRY(flat, call.reshape(x, {dimProduct(call.b.getContext(), dims)}));
    x = flat;
    r.dims = {0};
    kept.assign(r.keepDims ? rank : 0, call.constantExpr(1));
  } else {
    kept = dims;
    if (r.keepDims)
      kept[r.dims[0]] = call.constantExpr(1);
    else
      kept.erase(kept.begin() + r.dims[0]);
  }
  OpBuilder &b = call.b;
  INGOT_TRY(where, call.make<ArgReduceOp>({x}, {call.attr("axis", b.getI64IntegerAttr(r.dims[0])),
                                                call.attr("keep_dim", b.getBoolAttr(true)),
                                                call.attr("select_last", b.getBoolAttr(isLast)),
                                                call.attr("is_max", b.getBoolAttr(isMax))}));
  INGOT_TRY(shaped, call.reshape(where, kept));
  return call.set(call.cast(shaped, b.getI32Type()));
}

static LogicalResult importCumsum(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(element, call.element("dtype", Call::elementType(x)));
  bool isGiven = call.attribute("axis") != nullptr;
  if (!isGiven) {
    INGOT_TRY(flat, call.reshape(x, {elementCount(Call::typeOf(x))}));
    x = flat;
  }
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  INGOT_TRY(wide, call.cast(x, element));
  return call.set(call.make<CumsumOp>(
      {wide}, {call.attr("axis", call.b.getI64IntegerAttr(axis)),
               call.attr("exclusive", call.b.getBoolAttr(call.flag("exclusive", false))),
               call.attr("reverse", call.b.getBoolAttr(false))}));
}

static constexpr char sum[] = "sum", prod[] = "prod", max[] = "max", min[] = "min", all[] = "and",
                      any[] = "or";

void registerReduction(OperatorTable &table) {
  table["sum"] = importReduce<sum>;
  table["prod"] = importReduce<prod>;
  table["max"] = importReduce<max>;
  table["min"] = importReduce<min>;
  table["all"] = importReduce<all>;
  table["any"] = importReduce<any>;
  table["mean"] = importMean;
  table["variance"] = importVariance;
  table["argmax"] = importArg<true>;
  table["argmin"] = importArg<false>;
  table["cumsum"] = importCumsum;
}

} // namespace ingot::relay
