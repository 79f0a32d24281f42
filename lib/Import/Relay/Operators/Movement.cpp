//===- Movement.cpp - Shapes and their changes in Relay ---------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

static AffineExpr product(Call &call, ArrayRef<AffineExpr> dims) {
  return dimProduct(call.b.getContext(), dims);
}

//===----------------------------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------------------------===//

/// The shape that `codes` mean for a tensor of `dims`: 0 keeps an extent, -1 is what is left, -2
/// keeps all the others, -3 merges two, -4 splits one into the two that follow.
static FailureOr<SmallVector<AffineExpr>> newShape(Call &call, ArrayRef<AffineExpr> dims,
                                                   ArrayRef<int64_t> codes) {
  SmallVector<AffineExpr> shape;
  size_t from = 0;
  std::optional<size_t> open;
  auto take = [&]() -> AffineExpr { return from < dims.size() ? dims[from++] : AffineExpr(); };
  for (size_t i = 0; i < codes.size(); ++i) {
    AffineExpr extent;
    switch (codes[i]) {
    case 0:
      extent = take();
      break;
    case -1:
      if (open)
        return call.refuse("its shape leaves two extents open");
      open = shape.size();
      take();
      extent = call.constantExpr(1);
      break;
    case -2:
      shape.append(dims.begin() + std::min(from, dims.size()), dims.end());
      from = dims.size();
      continue;
    case -3: {
      AffineExpr first = take(), second = take();
      extent = first && second ? simplifyDim(first * second) : AffineExpr();
      break;
    }
    case -4: {
      AffineExpr whole = take();
      auto known = whole ? constantDim(whole) : std::nullopt;
      if (i + 2 >= codes.size() || !known)
        return call.refuse("its shape splits an extent that is not known");
      int64_t first = codes[i + 1], second = codes[i + 2];
      if (first == -1 && second > 0)
        first = *known / second;
      else if (second == -1 && first > 0)
        second = *known / first;
      if (first < 0 || second < 0 || first * second != *known)
        return call.refuse("its shape splits an extent of " + Twine(*known) + " unevenly");
      shape.push_back(call.constantExpr(first));
      extent = call.constantExpr(second);
      i += 2;
      break;
    }
    default:
      if (codes[i] < 0)
        return call.refuse("its shape holds " + Twine(codes[i]));
      take();
      extent = call.constantExpr(codes[i]);
    }
    if (!extent)
      return call.refuse("its shape keeps an extent that the operand does not have");
    shape.push_back(extent);
  }
  if (open) {
    AffineExpr all = product(call, dims), others = product(call, shape);
    auto known = constantDim(others);
    if (known && *known == 0)
      return call.refuse("its shape leaves an extent open beside one of 0");
    shape[*open] = simplifyDim(all.floorDiv(others));
  }
  return shape;
}

static LogicalResult importReshape(Call &call) {
  INGOT_TRY(x, call.in(0));
  call.flag("allowzero", false);
  SmallVector<int64_t> codes;
  if (call.count() > 1) {
    INGOT_TRY(given, call.integers(1, "shape"));
    codes = given;
  } else {
    codes = call.integerList("newshape", ArrayRef<int64_t>());
  }
  INGOT_TRY(shape, newShape(call, Call::dimsOf(x), codes));
  return call.set(call.reshape(x, shape));
}

/// As reshape, with the codes read from right to left.
static LogicalResult importReverseReshape(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  SmallVector<int64_t> codes = call.integerList("newshape", ArrayRef<int64_t>());
  std::reverse(dims.begin(), dims.end());
  std::reverse(codes.begin(), codes.end());
  INGOT_TRY(shape, newShape(call, dims, codes));
  std::reverse(shape.begin(), shape.end());
  return call.set(call.reshape(x, shape));
}

static LogicalResult importReshapeLike(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(like, call.in(1));
  SmallVector<AffineExpr> from = Call::dimsOf(x), to = Call::dimsOf(like);
  auto position = [](int64_t at, size_t rank) {
    return std::clamp<int64_t>(at < 0 ? at + static_cast<int64_t>(rank) : at, 0, rank);
  };
  int64_t lhsBegin = position(call.integer("lhs_begin", 0), from.size());
  int64_t lhsEnd = position(call.integer("lhs_end", from.size()), from.size());
  int64_t rhsBegin = position(call.integer("rhs_begin", 0), to.size());
  int64_t rhsEnd = position(call.integer("rhs_end", to.size()), to.size());
  if (lhsBegin > lhsEnd || rhsBegin > rhsEnd)
    return call.refuse("its ranges of dimensions end before they begin");
  SmallVector<AffineExpr> shape(from.begin(), from.begin() + lhsBegin);
  shape.append(to.begin() + rhsBegin, to.begin() + rhsEnd);
  shape.append(from.begin() + lhsEnd, from.end());
  return call.set(call.reshape(x, shape));
}

static LogicalResult importBatchFlatten(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  if (dims.empty())
    return call.refuse("a scalar has no batch");
  return call.set(call.reshape(x, {dims[0], product(call, ArrayRef(dims).drop_front())}));
}

static LogicalResult importExpandDims(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t count = call.integer("num_newaxis", 1), rank = Call::rankOf(x);
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), rank + 1));
  if (count < 0 || count > 64)
    return call.refuse("num_newaxis must be small and not negative");
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  dims.insert(dims.begin() + axis, count, call.constantExpr(1));
  return call.set(call.reshape(x, dims));
}

static LogicalResult importSqueeze(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<AffineExpr> dims = Call::dimsOf(x), kept;
  bool isGiven = call.attribute("axis") != nullptr;
  INGOT_TRY(axes, call.axes(call.integerList("axis", ArrayRef<int64_t>()), Call::rankOf(x)));
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool isOne = constantDim(dim) == 1;
    bool isNamed = llvm::is_contained(axes, static_cast<int64_t>(i));
    if (isNamed && !isOne)
      return call.refuse("axis " + Twine(i) + " has not extent 1");
    if (isGiven ? !isNamed : !isOne)
      kept.push_back(dim);
  }
  return call.set(call.reshape(x, kept));
}

//===----------------------------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------------------------===//

static LogicalResult importTranspose(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x);
  SmallVector<int64_t> permutation = call.integerList("axes", ArrayRef<int64_t>());
  if (permutation.empty())
    for (int64_t i = rank; i-- > 0;)
      permutation.push_back(i);
  for (int64_t &each : permutation) {
    INGOT_TRY(axis, call.axis(each, rank));
    each = axis;
  }
  return call.set(call.transpose(x, permutation));
}

static Result slice(Call &call, Value x, ArrayRef<AffineExpr> starts, ArrayRef<int64_t> steps,
                    ArrayRef<AffineExpr> sizes) {
  return call.make<SliceOp>(
      {x}, {call.dims("starts", starts), call.list("steps", steps), call.dims("sizes", sizes)});
}

/// `size` positions from `start` on along one axis.
static Result sliceAlong(Call &call, Value x, int64_t axis, AffineExpr start, AffineExpr size,
                         int64_t step = 1) {
  SmallVector<AffineExpr> starts(Call::rankOf(x), call.constantExpr(0)), sizes = Call::dimsOf(x);
  SmallVector<int64_t> steps(Call::rankOf(x), 1);
  starts[axis] = start;
  sizes[axis] = size;
  steps[axis] = step;
  return slice(call, x, starts, steps, sizes);
}

static LogicalResult importReverse(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  AffineExpr extent = Call::dimsOf(x)[axis];
  return call.set(sliceAlong(call, x, axis, simplifyDim(extent - 1), extent, -1));
}

static LogicalResult importStridedSlice(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t rank = Call::rankOf(x);
  SmallVector<int64_t> begin = call.integerList("begin", ArrayRef<int64_t>());
  SmallVector<int64_t> end = call.integerList("end", ArrayRef<int64_t>());
  SmallVector<int64_t> strides = call.integerList("strides", {1});
  SmallVector<int64_t> axes =
      call.integerList("axes", llvm::to_vector(llvm::seq<int64_t>(0, begin.size())));
  bool isSize = call.text("slice_mode", "end") == "size";
  if (strides.size() == 1)
    strides.resize(begin.size(), strides[0]);
  if (begin.size() > axes.size() || end.size() < begin.size() || strides.size() < begin.size() ||
      static_cast<int64_t>(begin.size()) > rank)
    return call.refuse("begin, end, strides and axes are not of one length");
  SmallVector<AffineExpr> dims = Call::dimsOf(x), starts(rank, call.constantExpr(0)), sizes = dims;
  SmallVector<int64_t> steps(rank, 1);
  for (size_t i = 0; i < begin.size(); ++i) {
    INGOT_TRY(axis, call.axis(axes[i], rank));
    auto extent = constantDim(dims[axis]);
    int64_t step = isSize ? 1 : strides[i];
    if (step == 0)
      return call.refuse("a stride is 0");
    if (!extent) {
      // Of an extent that only the caller knows, what lies inside for every value.
      if (begin[i] < 0 || step < 0 || (!isSize && end[i] < 0) || (isSize && end[i] >= 0))
        return call.refuse("it cuts an extent that is not known at compile time");
      AffineExpr from = dimMin(call.constantExpr(begin[i]), dims[axis]);
      AffineExpr to = isSize ? dims[axis] : dimMin(call.constantExpr(end[i]), dims[axis]);
      starts[axis] = from;
      sizes[axis] = simplifyDim(dimMax(simplifyDim(to - from), call.constantExpr(0)));
      steps[axis] = step;
      if (step != 1)
        sizes[axis] = simplifyDim((sizes[axis] + (step - 1)).floorDiv(step));
      continue;
    }
    int64_t n = *extent;
    auto wrap = [&](int64_t at) { return at < 0 ? at + n : at; };
    int64_t from = wrap(begin[i]), to;
    if (isSize)
      to = end[i] < 0 ? n : from + std::min(end[i], n);
    else
      to = step < 0 && end[i] < -n ? -1 : wrap(end[i]);
    from = step > 0 ? std::clamp<int64_t>(from, 0, n) : std::clamp<int64_t>(from, -1, n - 1);
    to = step > 0 ? std::clamp<int64_t>(to, 0, n) : std::clamp<int64_t>(to, -1, n - 1);
    int64_t size = step > 0 ? (to - from + step - 1) / step : (from - to - step - 1) / -step;
    size = std::max<int64_t>(size, 0);
    starts[axis] = call.constantExpr(size == 0 ? 0 : from);
    sizes[axis] = call.constantExpr(size);
    steps[axis] = step;
  }
  return call.set(slice(call, x, starts, steps, sizes));
}

static LogicalResult importSliceLike(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(like, call.in(1));
  SmallVector<AffineExpr> sizes = Call::dimsOf(x), wanted = Call::dimsOf(like);
  SmallVector<int64_t> axes = call.integerList("axes", ArrayRef<int64_t>());
  if (axes.empty())
    for (size_t i = 0; i < std::min(sizes.size(), wanted.size()); ++i)
      axes.push_back(static_cast<int64_t>(i));
  for (int64_t each : axes) {
    INGOT_TRY(axis, call.axis(each, std::min(sizes.size(), wanted.size())));
    auto have = constantDim(sizes[axis]), want = constantDim(wanted[axis]);
    if (have && want && *want > *have)
      return call.refuse("axis " + Twine(axis) + " is shorter than the one it is to be like");
    sizes[axis] = wanted[axis];
  }
  SmallVector<AffineExpr> starts(sizes.size(), call.constantExpr(0));
  return call.set(slice(call, x, starts, SmallVector<int64_t>(sizes.size(), 1), sizes));
}

//===----------------------------------------------------------------------------------------===//
// Putting together and taking apart
//===----------------------------------------------------------------------------------------===//

static Result concatenate(Call &call, ArrayRef<Value> parts, int64_t axis) {
  for (Value part : parts)
    if (Call::elementType(part) != Call::elementType(parts.front()))
      return call.refuse("its operands differ in element type");
  return call.make<ConcatOp>(parts, {call.attr("axis", call.b.getI64IntegerAttr(axis))});
}

static LogicalResult importConcatenate(Call &call) {
  INGOT_TRY(parts, call.tuple(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(parts.front())));
  return call.set(concatenate(call, parts, axis));
}

static LogicalResult importStack(Call &call) {
  INGOT_TRY(parts, call.tuple(0));
  const auto rank = Call::rankOf(parts.front());
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), rank + 1));
  for (Value &part : parts) {
    SmallVector<AffineExpr> dims = Call::dimsOf(part);
    if (Call::rankOf(part) != rank)
      return call.refuse("its operands differ in rank");
    dims.insert(dims.begin() + axis, call.constantExpr(1));
    INGOT_TRY(lined, call.reshape(part, dims));
    part = lined;
  }
  return call.set(concatenate(call, parts, axis));
}

static LogicalResult importSplit(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  auto extent = constantDim(Call::dimsOf(x)[axis]);
  if (!extent)
    return call.refuse("the extent to split must be known at compile time");
  const AttrValue *given = call.attribute("indices_or_sections");
  SmallVector<int64_t> ends;
  if (!given || given->kind != AttrValue::List) {
    int64_t sections = call.integer("indices_or_sections", 1);
    if (sections < 1 || *extent % sections != 0)
      return call.refuse("an extent of " + Twine(*extent) + " cannot be split into " +
                         Twine(sections) + " equal parts");
    if (sections > 4096)
      return call.refuse("it has more than 4096 parts");
    for (int64_t i = 1; i <= sections; ++i)
      ends.push_back(*extent / sections * i);
  } else {
    ends = call.integerList("indices_or_sections", ArrayRef<int64_t>());
    ends.push_back(*extent);
  }
  SmallVector<Value> parts;
  int64_t start = 0;
  for (int64_t end : ends) {
    if (end < start || end > *extent)
      return call.refuse("its indices do not ascend within the extent");
    INGOT_TRY(part,
              sliceAlong(call, x, axis, call.constantExpr(start), call.constantExpr(end - start)));
    parts.push_back(part);
    start = end;
  }
  return call.setTuple(parts);
}

static LogicalResult importTile(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<int64_t> repeats = call.integerList("reps", ArrayRef<int64_t>());
  SmallVector<AffineExpr> dims = Call::dimsOf(x), counts;
  while (dims.size() < repeats.size())
    dims.insert(dims.begin(), call.constantExpr(1));
  while (repeats.size() < dims.size())
    repeats.insert(repeats.begin(), 1);
  for (int64_t each : repeats) {
    if (each < 0)
      return call.refuse("it repeats a negative number of times");
    counts.push_back(call.constantExpr(each));
  }
  INGOT_TRY(lined, call.reshape(x, dims));
  return call.set(call.make<TileOp>({lined}, {call.dims("repeats", counts)}));
}

/// Each position along the axis a number of times.
static LogicalResult importRepeat(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(axis, call.axis(call.integer("axis", 0), Call::rankOf(x)));
  int64_t count = call.integer("repeats", 1);
  if (count < 0)
    return call.refuse("it repeats a negative number of times");
  SmallVector<AffineExpr> dims = Call::dimsOf(x), lined = dims;
  lined.insert(lined.begin() + axis + 1, call.constantExpr(1));
  INGOT_TRY(apart, call.reshape(x, lined));
  lined[axis + 1] = call.constantExpr(count);
  INGOT_TRY(repeated, call.broadcast(apart, lined));
  dims[axis] = simplifyDim(dims[axis] * count);
  return call.set(call.reshape(repeated, dims));
}

static LogicalResult importBroadcastTo(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<AffineExpr> shape;
  for (int64_t extent : call.integerList("shape", ArrayRef<int64_t>()))
    shape.push_back(call.constantExpr(extent));
  return call.set(call.broadcast(x, shape));
}

static LogicalResult importBroadcastLike(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(like, call.in(1));
  return call.set(call.broadcast(x, Call::dimsOf(like)));
}

/// Sums along the dimensions in which `x` was broadcast from `shape`.
static Result collapseSum(Call &call, Value x, ArrayRef<AffineExpr> shape) {
  SmallVector<AffineExpr> dims = Call::dimsOf(x);
  if (shape.size() > dims.size())
    return call.refuse("the shape has more dimensions than the operand");
  SmallVector<int64_t> folded;
  size_t lead = dims.size() - shape.size();
  for (size_t i = 0; i < dims.size(); ++i)
    if (i < lead || (constantDim(shape[i - lead]) == 1 && constantDim(dims[i]) != 1))
      folded.push_back(static_cast<int64_t>(i));
  INGOT_TRY(sum, call.reduce(x, "sum", folded, true));
  return call.reshape(sum, shape);
}

static LogicalResult importCollapseSumLike(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(like, call.in(1));
  return call.set(collapseSum(call, x, Call::dimsOf(like)));
}

static LogicalResult importCollapseSumTo(Call &call) {
  INGOT_TRY(x, call.in(0));
  SmallVector<AffineExpr> shape;
  for (int64_t extent : call.integerList("shape", ArrayRef<int64_t>()))
    shape.push_back(call.constantExpr(extent));
  return call.set(collapseSum(call, x, shape));
}

static LogicalResult importMeshgrid(Call &call) {
  INGOT_TRY(parts, call.tuple(0));
  bool isXY = call.text("indexing", "ij") == "xy";
  SmallVector<AffineExpr> shape;
  for (Value &part : parts) {
    if (Call::rankOf(part) > 1)
      return call.refuse("its operands must be vectors");
    if (Call::rankOf(part) == 0) {
      INGOT_TRY(vector, call.reshape(part, {call.constantExpr(1)}));
      part = vector;
    }
    shape.push_back(Call::dimsOf(part)[0]);
  }
  if (isXY && shape.size() > 1)
    std::swap(shape[0], shape[1]);
  SmallVector<Value> results;
  for (auto [i, part] : llvm::enumerate(parts)) {
    size_t at = isXY && i < 2 && parts.size() > 1 ? 1 - i : i;
    SmallVector<AffineExpr> lined(parts.size(), call.constantExpr(1));
    lined[at] = Call::dimsOf(part)[0];
    INGOT_TRY(apart, call.reshape(part, lined));
    INGOT_TRY(whole, call.broadcast(apart, shape));
    results.push_back(whole);
  }
  return call.setTuple(results);
}

//===----------------------------------------------------------------------------------------===//
// Padding and blocks
//===----------------------------------------------------------------------------------------===//

static LogicalResult pad(Call &call, StringRef mode) {
  INGOT_TRY(x, call.in(0));
  const AttrValue *pairs = call.attribute("pad_width");
  if (!pairs || pairs->kind != AttrValue::List ||
      static_cast<int64_t>(pairs->list.size()) != Call::rankOf(x))
    return call.refuse("pad_width must hold a pair for each dimension");
  SmallVector<AffineExpr> low, high;
  for (const AttrValue &pair : pairs->list) {
    if (pair.kind != AttrValue::List || pair.list.size() != 2)
      return call.refuse("pad_width must hold a pair for each dimension");
    low.push_back(call.constantExpr(pair.list[0].integer));
    high.push_back(call.constantExpr(pair.list[1].integer));
  }
  Value value = call.scalarLike(call.number("pad_value", 0), x);
  if (call.count() > 1) {
    INGOT_TRY(given, call.in(1));
    INGOT_TRY(scalar, call.reshape(given, {}));
    INGOT_TRY(same, call.cast(scalar, Call::elementType(x)));
    value = same;
  }
  return call.set(call.make<PadOp>({x, value}, {call.dims("low", low), call.dims("high", high),
                                                call.attr("mode", call.b.getStringAttr(mode))}));
}

static LogicalResult importPad(Call &call) {
  std::string mode = call.text("pad_mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect")
    return call.refuse("the pad_mode '" + mode + "' is not supported");
  return pad(call, mode);
}

static LogicalResult importMirrorPad(Call &call) {
  std::string mode = call.text("mode", "SYMMETRIC");
  if (mode != "REFLECT")
    return call.refuse("only the mode REFLECT is supported");
  return pad(call, "reflect");
}

/// [N, C, H, W] and the layout, or a refusal.
static FailureOr<std::array<AffineExpr, 4>> imageDims(Call &call, Value x, bool &isLast) {
  std::string layout = call.text("layout", "NCHW");
  SmallVector<AffineExpr> d = Call::dimsOf(x);
  isLast = layout == "NHWC";
  if (d.size() != 4 || (layout != "NCHW" && !isLast))
    return call.refuse("it takes images in the layout NCHW or NHWC");
  return isLast ? std::array{d[0], d[3], d[1], d[2]} : std::array{d[0], d[1], d[2], d[3]};
}

static LogicalResult importSpaceToDepth(Call &call) {
  INGOT_TRY(x, call.in(0));
  bool isLast;
  INGOT_TRY(d, imageDims(call, x, isLast));
  int64_t size = call.integer("block_size", 0);
  auto height = constantDim(d[2]), width = constantDim(d[3]);
  if (size < 1 || !height || !width || *height % size || *width % size)
    return call.refuse("its extents cannot be divided by block_size");
  AffineExpr s = call.constantExpr(size);
  AffineExpr h = call.constantExpr(*height / size), w = call.constantExpr(*width / size);
  SmallVector<AffineExpr> cut, result;
  SmallVector<int64_t> order;
  AffineExpr channels = simplifyDim(d[1] * size * size);
  if (isLast) {
    cut = {d[0], h, s, w, s, d[1]};
    order = {0, 1, 3, 2, 4, 5};
    result = {d[0], h, w, channels};
  } else {
    cut = {d[0], d[1], h, s, w, s};
    order = {0, 3, 5, 1, 2, 4};
    result = {d[0], channels, h, w};
  }
  INGOT_TRY(apart, call.reshape(x, cut));
  INGOT_TRY(moved, call.transpose(apart, order));
  return call.set(call.reshape(moved, result));
}

static LogicalResult importDepthToSpace(Call &call) {
  INGOT_TRY(x, call.in(0));
  bool isLast;
  INGOT_TRY(d, imageDims(call, x, isLast));
  int64_t size = call.integer("block_size", 0);
  bool isCrd = call.text("mode", "DCR") == "CRD";
  auto channels = constantDim(d[1]);
  if (size < 1 || !channels || *channels % (size * size))
    return call.refuse("its channels cannot be divided by the square of block_size");
  AffineExpr s = call.constantExpr(size), c = call.constantExpr(*channels / (size * size));
  SmallVector<AffineExpr> cut{d[0]}, result;
  SmallVector<int64_t> order;
  AffineExpr h = simplifyDim(d[2] * size), w = simplifyDim(d[3] * size);
  if (isLast) {
    cut.append({d[2], d[3]});
    cut.append(isCrd ? SmallVector<AffineExpr>{c, s, s} : SmallVector<AffineExpr>{s, s, c});
    order = isCrd ? SmallVector<int64_t>{0, 1, 4, 2, 5, 3} : SmallVector<int64_t>{0, 1, 3, 2, 4, 5};
    result = {d[0], h, w, c};
  } else {
    cut.append(isCrd ? SmallVector<AffineExpr>{c, s, s} : SmallVector<AffineExpr>{s, s, c});
    cut.append({d[2], d[3]});
    order = isCrd ? SmallVector<int64_t>{0, 1, 4, 2, 5, 3} : SmallVector<int64_t>{0, 3, 4, 1, 5, 2};
    result = {d[0], c, h, w};
  }
  INGOT_TRY(apart, call.reshape(x, cut));
  INGOT_TRY(moved, call.transpose(apart, order));
  return call.set(call.reshape(moved, result));
}

/// Letters of both layouts in another order; no split axes.
static LogicalResult importLayoutTransform(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string from = call.text("src_layout", ""), to = call.text("dst_layout", "");
  SmallVector<int64_t> permutation;
  for (char letter : to) {
    size_t at = from.find(letter);
    if (at == std::string::npos || !llvm::isUpper(letter))
      return call.refuse("from the layout " + from + " to " + to + " is not supported");
    permutation.push_back(static_cast<int64_t>(at));
  }
  if (from.size() != to.size() || static_cast<int64_t>(to.size()) != Call::rankOf(x))
    return call.refuse("its layouts are not those of a tensor of rank " + Twine(Call::rankOf(x)));
  return call.set(call.transpose(x, permutation));
}

void registerMovement(OperatorTable &table) {
  table["reshape"] = importReshape;
  table["dyn.reshape"] = importReshape;
  table["contrib_reverse_reshape"] = importReverseReshape;
  table["reshape_like"] = importReshapeLike;
  table["nn.batch_flatten"] = importBatchFlatten;
  table["expand_dims"] = importExpandDims;
  table["squeeze"] = importSqueeze;
  table["transpose"] = importTranspose;
  table["reverse"] = importReverse;
  table["strided_slice"] = importStridedSlice;
  table["slice_like"] = importSliceLike;
  table["concatenate"] = importConcatenate;
  table["stack"] = importStack;
  table["split"] = importSplit;
  table["tile"] = importTile;
  table["repeat"] = importRepeat;
  table["broadcast_to"] = importBroadcastTo;
  table["broadcast_to_like"] = importBroadcastLike;
  table["collapse_sum_like"] = importCollapseSumLike;
  table["collapse_sum_to"] = importCollapseSumTo;
  table["meshgrid"] = importMeshgrid;
  table["nn.pad"] = importPad;
  table["nn.mirror_pad"] = importMirrorPad;
  table["nn.space_to_depth"] = importSpaceToDepth;
  table["nn.depth_to_space"] = importDepthToSpace;
  table["layout_transform"] = importLayoutTransform;
}

} // namespace ingot::relay
