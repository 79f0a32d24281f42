//===- Positions.cpp - Positions as data, and what lies at them, in Relay ---------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// Coordinates [rank, ...] of positions in a flat tensor of a known shape.
static LogicalResult importUnravelIndex(Call &call) {
  INGOT_TRY(indices, call.in(0));
  INGOT_TRY(shape, call.integers(1, "shape"));
  SmallVector<AffineExpr> lined = Call::dimsOf(indices);
  lined.insert(lined.begin(), call.constantExpr(1));
  INGOT_TRY(rest, call.reshape(indices, lined));
  SmallVector<Value> coordinates(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] < 1)
      return call.refuse("its shape must be positive");
    Value extent = call.scalarLike(static_cast<double>(shape[i]), indices);
    INGOT_TRY(within, call.binary<ModOp>(rest, extent));
    coordinates[i] = within;
    INGOT_TRY(before, call.div(rest, extent));
    rest = before;
  }
  if (coordinates.empty())
    return call.refuse("its shape is empty");
  return call.set(
      call.make<ConcatOp>(coordinates, {call.attr("axis", call.b.getI64IntegerAttr(0))}));
}

/// How many elements of the sorted sequence are less than each value; with `right`, or equal.
static LogicalResult importSearchSorted(Call &call) {
  INGOT_TRY(sorted, call.in(0));
  INGOT_TRY(values, call.in(1));
  bool isRight = call.flag("right", false);
  INGOT_TRY(element, call.element("dtype", call.b.getI32Type()));
  int64_t rank = Call::rankOf(values);
  if (Call::rankOf(sorted) != 1 && Call::rankOf(sorted) != rank)
    return call.refuse("the sequence must be a vector, or of the rank of the values");
  if (Call::rankOf(sorted) == 0)
    return call.refuse("the sequence must have a dimension");
  SmallVector<AffineExpr> apart = Call::dimsOf(values), lined = Call::dimsOf(sorted);
  apart.push_back(call.constantExpr(1));
  if (lined.size() > 1)
    lined.insert(lined.end() - 1, call.constantExpr(1));
  INGOT_TRY(columns, call.reshape(values, apart));
  INGOT_TRY(rows, call.reshape(sorted, lined));
  Result isBefore =
      isRight ? call.binary<LessOrEqualOp>(rows, columns) : call.binary<LessOp>(rows, columns);
  if (failed(isBefore))
    return failure();
  INGOT_TRY(ones, call.cast(*isBefore, element));
  return call.set(call.reduce(ones, "sum", {rank}, false));
}

/// x[i, j, ...] with tensors for the first dimensions, which are broadcast.
static LogicalResult importAdvancedIndex(Call &call) {
  INGOT_TRY(operands, call.tuple(0));
  Value x = operands.front();
  ArrayRef<Value> indices = ArrayRef(operands).drop_front();
  if (indices.empty() || static_cast<int64_t>(indices.size()) > Call::rankOf(x))
    return call.refuse("it takes a tensor and at most as many indices as that has dimensions");
  // Broadcasting is that of an addition.
  INGOT_TRY(sum, call.cast(indices.front(), call.b.getI64Type()));
  for (Value index : indices.drop_front()) {
    INGOT_TRY(wide, call.cast(index, call.b.getI64Type()));
    INGOT_TRY(both, call.add(sum, wide));
    sum = both;
  }
  SmallVector<AffineExpr> shape = Call::dimsOf(sum), lined = shape;
  lined.push_back(call.constantExpr(1));
  SmallVector<Value> coordinates;
  for (Value index : indices) {
    INGOT_TRY(wide, call.cast(index, call.b.getI64Type()));
    INGOT_TRY(whole, call.broadcast(wide, shape));
    INGOT_TRY(apart, call.reshape(whole, lined));
    coordinates.push_back(apart);
  }
  INGOT_TRY(tuples,
            call.make<ConcatOp>(
                coordinates,
                {call.attr("axis", call.b.getI64IntegerAttr(static_cast<int64_t>(shape.size())))}));
  return call.set(
      call.make<GatherNDOp>({x, tuples}, {call.attr("batch_dims", call.b.getI64IntegerAttr(0))}));
}

/// Matrices with the diagonals k1 to k2 replaced: the rows of `diagonal` from the last on, or, for
/// one of them, `diagonal` itself. Shorter ones are aligned at one end of their row.
static LogicalResult importMatrixSetDiag(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(diagonal, call.in(1));
  int64_t k1 = call.integer("k1", 0), k2 = call.integer("k2", 0);
  bool superRight = call.flag("super_diag_right_align", true);
  bool subRight = call.flag("sub_diag_right_align", false);
  SmallVector<AffineExpr> dims = Call::dimsOf(x), lined = Call::dimsOf(diagonal);
  if (dims.size() < 2 || k1 > k2 || lined.size() != dims.size() - (k1 == k2 ? 1 : 0))
    return call.refuse("it takes matrices, and k2 - k1 + 1 diagonals for each");
  auto rows = constantDim(dims[dims.size() - 2]), columns = constantDim(dims.back());
  auto length = constantDim(lined.back());
  constexpr int64_t limit = 1 << 20;
  if (!rows || !columns || !length || *rows > limit || *columns > limit || *rows * *columns > limit)
    return call.refuse("its matrices must be known at compile time, and not large");
  if (k1 <= -*rows || k2 >= *columns || k2 - k1 >= limit)
    return call.refuse("its diagonals lie outside of the matrices");
  int64_t longest = 0;
  for (int64_t k = k1; k <= k2; ++k)
    longest = std::max(
        longest, std::min(*rows + std::min<int64_t>(k, 0), *columns - std::max<int64_t>(k, 0)));
  if (*length != longest || (k1 != k2 && constantDim(lined[lined.size() - 2]) != k2 - k1 + 1))
    return call.refuse("the diagonals are not as long or as many as those of the matrices");
  // Where the element of each place is among those of all diagonals.
  SmallVector<int64_t> positions, inside;
  for (int64_t i = 0; i < *rows; ++i)
    for (int64_t j = 0; j < *columns; ++j) {
      int64_t k = j - i, offset = 0;
      bool isInside = k >= k1 && k <= k2;
      if (isInside && k1 != k2 && (k >= 0 ? superRight : subRight))
        offset = longest - (k >= 0 ? std::min(*rows, *columns - k) : std::min(*rows + k, *columns));
      inside.push_back(isInside);
      positions.push_back(isInside ? (k2 - k) * longest + std::min(i, j) + offset : 0);
    }
  SmallVector<AffineExpr> flat(dims.begin(), dims.end() - 2);
  flat.push_back(call.constantExpr((k2 - k1 + 1) * longest));
  INGOT_TRY(joined, call.reshape(diagonal, flat));
  mlir::Type wide = call.b.getI64Type();
  INGOT_TRY(spread,
            call.make<GatherOp>({joined, call.integerConstant({*rows, *columns}, positions, wide)},
                                {call.attr("axis", call.b.getI64IntegerAttr(
                                                       static_cast<int64_t>(flat.size()) - 1))}));
  INGOT_TRY(isSet,
            call.cast(call.integerConstant({*rows, *columns}, inside, wide), call.b.getI1Type()));
  if (Call::elementType(spread) != Call::elementType(x))
    return call.refuse("its operands differ in element type");
  return call.set(call.make<SelectOp>({isSet, spread, x}));
}

/// A tensor of `output_shape` with `values` at `indices`, the default value elsewhere.
static LogicalResult importSparseToDense(Call &call) {
  INGOT_TRY(indices, call.in(0));
  INGOT_TRY(values, call.in(1));
  Value otherwise = call.scalarLike(0, values);
  if (call.count() > 2) {
    INGOT_TRY(given, call.in(2));
    INGOT_TRY(same, call.cast(given, Call::elementType(values)));
    INGOT_TRY(scalar, call.reshape(same, {}));
    otherwise = scalar;
  }
  SmallVector<AffineExpr> shape, count;
  for (int64_t extent : call.integerList("output_shape", ArrayRef<int64_t>())) {
    if (extent < 0)
      return call.refuse("output_shape must not be negative");
    shape.push_back(call.constantExpr(extent));
  }
  int64_t rank = Call::rankOf(indices);
  SmallVector<AffineExpr> lined = Call::dimsOf(indices);
  if (rank > 2 || shape.empty() ||
      (rank == 2 ? constantDim(lined[1]) != static_cast<int64_t>(shape.size()) : shape.size() != 1))
    return call.refuse("its indices do not fit the rank of output_shape");
  if (rank == 0)
    lined.push_back(call.constantExpr(1));
  if (rank < 2)
    lined.push_back(call.constantExpr(1));
  INGOT_TRY(wide, call.cast(indices, call.b.getI64Type()));
  INGOT_TRY(tuples, call.reshape(wide, lined));
  INGOT_TRY(all, call.broadcast(values, {lined[0]}));
  INGOT_TRY(empty, call.broadcast(otherwise, shape));
  return call.set(call.make<ScatterNDOp>({empty, tuples, all},
                                         {call.attr("reduction", call.b.getStringAttr("none"))}));
}

void registerPositions(OperatorTable &table) {
  table["unravel_index"] = importUnravelIndex;
  table["searchsorted"] = importSearchSorted;
  table["adv_index"] = importAdvancedIndex;
  table["matrix_set_diag"] = importMatrixSetDiag;
  table["sparse_to_dense"] = importSparseToDense;
}

} // namespace ingot::relay
