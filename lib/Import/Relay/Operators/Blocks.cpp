//===- Blocks.cpp - Windows, blocks and steps along the dimensions of Relay's tensors ---------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

static Result pad(Call &call, Value x, ArrayRef<AffineExpr> low, ArrayRef<AffineExpr> high,
                  double value) {
  return call.make<PadOp>({x, call.scalarLike(value, x)},
                          {call.dims("low", low), call.dims("high", high),
                           call.attr("mode", call.b.getStringAttr("constant"))});
}

static Result slice(Call &call, Value x, ArrayRef<AffineExpr> starts, ArrayRef<AffineExpr> sizes) {
  return call.make<SliceOp>({x}, {call.dims("starts", starts),
                                  call.list("steps", SmallVector<int64_t>(sizes.size(), 1)),
                                  call.dims("sizes", sizes)});
}

/// The attribute `name`, a pair of extents for each of `count` dimensions.
static FailureOr<SmallVector<std::pair<int64_t, int64_t>>> pairs(Call &call, StringRef name,
                                                                 size_t count) {
  const AttrValue *given = call.attribute(name);
  SmallVector<std::pair<int64_t, int64_t>> result;
  if (!given || given->kind != AttrValue::List || given->list.size() != count)
    return call.refuse("the attribute " + name + " must hold " + Twine(count) + " pairs");
  for (const AttrValue &pair : given->list) {
    if (pair.list.size() != 2 || pair.list[0].kind != AttrValue::Integer ||
        pair.list[1].kind != AttrValue::Integer || pair.list[0].integer < 0 ||
        pair.list[1].integer < 0)
      return call.refuse("the attribute " + name + " must hold pairs of extents");
    result.push_back({pair.list[0].integer, pair.list[1].integer});
  }
  return result;
}

/// The extents of the blocks, one for each dimension behind the batch that is cut.
static FailureOr<SmallVector<int64_t>> blockShape(Call &call, Value x) {
  SmallVector<int64_t> blocks = call.integerList("block_shape", {1});
  if (static_cast<int64_t>(blocks.size()) >= Call::rankOf(x))
    return call.refuse("block_shape has more extents than the operand has behind the batch");
  for (int64_t block : blocks)
    if (block < 1 || block > 65536)
      return call.refuse("block_shape must hold small positive extents");
  return blocks;
}

/// [N, S..., R...] to [B..., N, S / B..., R...], the former as the batch.
static LogicalResult importSpaceToBatch(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(blocks, blockShape(call, x));
  INGOT_TRY(paddings, pairs(call, "paddings", blocks.size()));
  int64_t rank = Call::rankOf(x);
  SmallVector<AffineExpr> low(rank, call.constantExpr(0)), high = low;
  for (auto [i, padding] : llvm::enumerate(paddings)) {
    low[i + 1] = call.constantExpr(padding.first);
    high[i + 1] = call.constantExpr(padding.second);
  }
  INGOT_TRY(padded, pad(call, x, low, high, call.number("pad_value", 0)));
  SmallVector<AffineExpr> dims = Call::dimsOf(padded), cut{dims[0]}, result = dims;
  SmallVector<int64_t> blockAxes, order{0};
  for (auto [i, block] : llvm::enumerate(blocks)) {
    auto extent = constantDim(dims[i + 1]);
    if (!extent || *extent % block != 0)
      return call.refuse("its padded extents cannot be divided by block_shape");
    result[i + 1] = call.constantExpr(*extent / block);
    cut.append({result[i + 1], call.constantExpr(block)});
    order.push_back(1 + 2 * i);
    blockAxes.push_back(2 + 2 * i);
    result[0] = simplifyDim(result[0] * block);
  }
  for (size_t i = blocks.size() + 1; i < dims.size(); ++i) {
    order.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(dims[i]);
  }
  order.insert(order.begin(), blockAxes.begin(), blockAxes.end());
  INGOT_TRY(apart, call.reshape(padded, cut));
  INGOT_TRY(moved, call.transpose(apart, order));
  return call.set(call.reshape(moved, result));
}

/// The way back, with `crops` cut off.
static LogicalResult importBatchToSpace(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(blocks, blockShape(call, x));
  INGOT_TRY(crops, pairs(call, "crops", blocks.size()));
  SmallVector<AffineExpr> dims = Call::dimsOf(x), cut, whole = dims;
  int64_t all = 1;
  for (int64_t block : blocks) {
    cut.push_back(call.constantExpr(block));
    all *= block;
    if (all > (int64_t(1) << 32))
      return call.refuse("its blocks are too large");
  }
  auto batch = constantDim(dims[0]);
  if (!batch || *batch % all != 0)
    return call.refuse("its batch cannot be divided into blocks");
  int64_t count = static_cast<int64_t>(blocks.size());
  whole[0] = call.constantExpr(*batch / all);
  cut.push_back(whole[0]);
  SmallVector<int64_t> order{count};
  for (int64_t i = 0; i < count; ++i) {
    order.append({count + 1 + i, i});
    whole[i + 1] = simplifyDim(dims[i + 1] * blocks[i]);
  }
  cut.append(dims.begin() + 1, dims.end());
  for (size_t i = blocks.size() + 1; i < dims.size(); ++i)
    order.push_back(count + static_cast<int64_t>(i));
  INGOT_TRY(apart, call.reshape(x, cut));
  INGOT_TRY(moved, call.transpose(apart, order));
  INGOT_TRY(joined, call.reshape(moved, whole));
  SmallVector<AffineExpr> starts(dims.size(), call.constantExpr(0));
  for (auto [i, crop] : llvm::enumerate(crops)) {
    auto extent = constantDim(whole[i + 1]);
    if (!extent || crop.first > *extent - crop.second)
      return call.refuse("its crops leave nothing");
    starts[i + 1] = call.constantExpr(crop.first);
    whole[i + 1] = call.constantExpr(*extent - crop.first - crop.second);
  }
  return call.set(slice(call, joined, starts, whole));
}

/// Puts `dilation_value` between neighbours, stride - 1 times along each dimension.
static LogicalResult importDilate(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(strides, call.listOf("strides", Call::rankOf(x), 1));
  SmallVector<AffineExpr> dims = Call::dimsOf(x), lined, low, high, spread, result;
  for (auto [dim, stride] : llvm::zip(dims, strides)) {
    if (stride < 1)
      return call.refuse("its strides must be positive");
    lined.append({dim, call.constantExpr(1)});
    low.append(2, call.constantExpr(0));
    high.append({call.constantExpr(0), call.constantExpr(stride - 1)});
    spread.push_back(simplifyDim(dim * stride));
    if (constantDim(dim) == 0)
      return call.refuse("an extent of its operand is 0");
    result.push_back(simplifyDim((dim - 1) * stride + 1));
  }
  INGOT_TRY(apart, call.reshape(x, lined));
  INGOT_TRY(padded, pad(call, apart, low, high, call.number("dilation_value", 0)));
  INGOT_TRY(joined, call.reshape(padded, spread));
  return call.set(
      slice(call, joined, SmallVector<AffineExpr>(dims.size(), call.constantExpr(0)), result));
}

/// Takes `number` rows of `size` neighbours along `axis`, which begin `stride` apart: two
/// dimensions in the place of one.
static Result windowsAlong(Call &call, Value x, int64_t axis, int64_t number, int64_t stride,
                           int64_t size) {
  mlir::Type wide = call.b.getI64Type();
  SmallVector<AffineExpr> shape{call.constantExpr(number), call.constantExpr(size)};
  INGOT_TRY(row, call.iota(shape, 0, wide));
  INGOT_TRY(begin, call.mul(row, call.scalar(static_cast<double>(stride), wide)));
  INGOT_TRY(within, call.iota(shape, 1, wide));
  INGOT_TRY(positions, call.add(begin, within));
  return call.make<GatherOp>({x, positions}, {call.attr("axis", call.b.getI64IntegerAttr(axis))});
}

/// Windows along `axis` and all dimensions after it: first their numbers, then their extents.
static LogicalResult importSlidingWindow(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x);
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), rank));
  INGOT_TRY(windows, call.listOf("window_shape", rank - axis, 1));
  INGOT_TRY(strides, call.listOf("strides", rank - axis, 1));
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, axis)), inner;
  for (auto [i, window, stride] : llvm::enumerate(windows, strides)) {
    auto extent = constantDim(dims[axis + i]);
    if (!extent || window < 1 || window > *extent || stride < 1)
      return call.refuse("its windows do not fit into extents known at compile time");
    // Every window doubles a dimension: those done have two.
    int64_t at = axis + 2 * static_cast<int64_t>(i);
    INGOT_TRY(cut, windowsAlong(call, x, at, (*extent - window) / stride + 1, stride, window));
    x = cut;
    order.push_back(at);
    inner.push_back(at + 1);
  }
  order.append(inner.begin(), inner.end());
  return call.set(call.transpose(x, order));
}

/// `x` with `v` in the places begin, begin + stride, ... below end of each dimension.
static LogicalResult importStridedSet(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(v, call.in(1));
  INGOT_TRY(begin, call.integers(2, "begin"));
  INGOT_TRY(end, call.integers(3, "end"));
  SmallVector<int64_t> strides(begin.size(), 1);
  if (call.count() > 4) {
    INGOT_TRY(given, call.integers(4, "strides"));
    strides = given;
  }
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  if (begin.size() != dims.size() || end.size() != dims.size() || strides.size() != dims.size() ||
      Call::rankOf(v) != Call::rankOf(x))
    return call.refuse("begin, end, strides and the value are not of the operand's rank");
  mlir::Type wide = call.b.getI64Type();
  Value isInside;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto extent = constantDim(dim);
    auto size = constantDim(Call::dimsOf(v)[i]);
    constexpr int64_t limit = 1 << 20;
    if (!extent || !size || *extent > limit || strides[i] == 0)
      return call.refuse("its extents must be known at compile time and not large, its strides "
                         "not 0");
    int64_t n = *extent, step = strides[i];
    auto wrap = [&](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + n : at, step > 0 ? 0 : -1, step > 0 ? n : n - 1);
    };
    int64_t from = wrap(begin[i]), to = step < 0 && end[i] < -n ? -1 : wrap(end[i]);
    int64_t count = std::max<int64_t>(0, step > 0 ? (to - from + step - 1) / step
                                                  : (from - to - step - 1) / -step);
    if (count != *size)
      return call.refuse("the value has extent " + Twine(*size) + " in dimension " + Twine(i) +
                         ", the slice " + Twine(count));
    if (count == 0)
      return call.set(x);
    // Where in `v` each position of `x` is, and whether it is there at all.
    SmallVector<int64_t> positions(n, 0), inside(n, 0);
    for (int64_t k = 0; k < count; ++k) {
      positions[from + k * step] = k;
      inside[from + k * step] = 1;
    }
    INGOT_TRY(spread, call.make<GatherOp>(
                          {v, call.integerConstant({n}, positions, wide)},
                          {call.attr("axis", call.b.getI64IntegerAttr(static_cast<int64_t>(i)))}));
    v = spread;
    SmallVector<AffineExpr> lined(dims.size(), call.constantExpr(1));
    lined[i] = dim;
    INGOT_TRY(mask, call.cast(call.integerConstant({n}, inside, wide), call.b.getI1Type()));
    INGOT_TRY(apart, call.reshape(mask, lined));
    if (!isInside) {
      isInside = apart;
      continue;
    }
    INGOT_TRY(both, call.make<AndOp>({isInside, apart}));
    isInside = both;
  }
  if (!isInside)
    return call.set(v);
  return call.set(call.make<SelectOp>({isInside, v, x}));
}

/// The buffer without its oldest elements, then the data.
static LogicalResult importFifoBuffer(Call &call) {
  INGOT_TRY(data, call.in(0));
  INGOT_TRY(buffer, call.in(1));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(buffer)));
  if (Call::elementType(data) != Call::elementType(buffer))
    return call.refuse("its operands differ in element type");
  INGOT_TRY(all, call.make<ConcatOp>({buffer, data},
                                     {call.attr("axis", call.b.getI64IntegerAttr(axis))}));
  SmallVector<AffineExpr> sizes = Call::dimsOf(buffer), starts(sizes.size(), call.constantExpr(0));
  starts[axis] = Call::dimsOf(data)[axis];
  return call.set(slice(call, all, starts, sizes));
}

void registerBlocks(OperatorTable &table) {
  table["nn.space_to_batch_nd"] = importSpaceToBatch;
  table["nn.batch_to_space_nd"] = importBatchToSpace;
  table["nn.dilate"] = importDilate;
  table["nn.fifo_buffer"] = importFifoBuffer;
  table["sliding_window"] = importSlidingWindow;
  table["strided_set"] = importStridedSet;
}

} // namespace ingot::relay
