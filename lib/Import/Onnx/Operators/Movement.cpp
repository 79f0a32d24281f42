//===- Movement.cpp - Shapes and movement in ONNX ---------------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

/// What is known of an operand goes along where only its shape changes.
static LogicalResult setReshaped(Node &node, Value x, ArrayRef<AffineExpr> shape) {
  std::optional<Content> content = shape.size() <= 1 ? node.content(0) : std::nullopt;
  return node.set(0, node.reshape(x, shape), content);
}

static LogicalResult importReshape(Node &node) {
  INGOT_TRY(x, node.in(0));
  Content wanted;
  if (node.version >= 5) {
    INGOT_TRY(list, node.expressions(1, "shape"));
    wanted = list;
  } else {
    for (int64_t extent : node.integerList("shape"))
      wanted.push_back(node.constantExpr(extent));
  }
  SmallVector<AffineExpr> from = Node::dimsOf(x), shape;
  std::optional<size_t> open;
  for (auto [i, extent] : llvm::enumerate(wanted)) {
    auto value = constantDim(extent);
    if (value == 0 && !node.integer("allowzero", 0)) {
      if (i >= from.size())
        return node.refuse("its shape keeps dimension " + Twine(i) + ", which the operand lacks");
      shape.push_back(from[i]);
    } else if (value == -1) {
      if (open)
        return node.refuse("its shape leaves two dimensions open");
      open = i;
      shape.push_back(node.constantExpr(1));
    } else if (value && *value < 0) {
      return node.refuse("its shape has extent " + Twine(*value));
    } else {
      shape.push_back(extent);
    }
  }
  if (open) {
    // Factors on both sides cancel first: quotients of symbols are hard to simplify.
    SmallVector<AffineExpr> above = from, below;
    for (auto [i, extent] : llvm::enumerate(shape))
      if (i != *open) {
        auto same = llvm::find(above, extent);
        if (same != above.end())
          above.erase(same);
        else
          below.push_back(extent);
      }
    AffineExpr numerator = dimProduct(node.b.getContext(), above);
    AffineExpr denominator = dimProduct(node.b.getContext(), below);
    auto n = constantDim(numerator), d = constantDim(denominator);
    if (d == 0)
      return node.refuse("its shape leaves open a dimension of an empty tensor");
    if (n && d && *n % *d != 0)
      return node.refuse(Twine(*n) + " elements cannot be divided into " + Twine(*d));
    shape[*open] = simplifyDim(numerator.floorDiv(denominator));
  }
  return setReshaped(node, x, shape);
}

static LogicalResult importFlatten(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t rank = Node::rankOf(x), axis = node.integer("axis", 1);
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis > rank)
    return node.refuse("axis " + Twine(axis) + " is outside rank " + Twine(rank));
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  MLIRContext *context = node.b.getContext();
  return node.set(node.reshape(x, {dimProduct(context, ArrayRef(dims).take_front(axis)),
                                   dimProduct(context, ArrayRef(dims).drop_front(axis))}));
}

/// The axes of an operator that took them as an attribute before version 13.
static FailureOr<SmallVector<int64_t>> axesOf(Node &node) {
  if (node.version < 13)
    return node.integerList("axes");
  if (!node.has(1))
    return SmallVector<int64_t>();
  return node.integers(1, "axes");
}

static LogicalResult importSqueeze(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(list, axesOf(node));
  INGOT_TRY(axes, node.axes(list, Node::rankOf(x)));
  SmallVector<AffineExpr> shape;
  for (auto [i, dim] : llvm::enumerate(Node::dimsOf(x))) {
    bool isNamed = llvm::is_contained(axes, static_cast<int64_t>(i));
    auto extent = constantDim(dim);
    if (isNamed && extent && *extent != 1)
      return node.refuse("dimension " + Twine(i) + " has extent " + Twine(*extent) + ", not 1");
    if (!isNamed && (!list.empty() || extent != 1))
      shape.push_back(dim);
  }
  return setReshaped(node, x, shape);
}

static LogicalResult importUnsqueeze(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(list, axesOf(node));
  INGOT_TRY(axes, node.axes(list, Node::rankOf(x) + static_cast<int64_t>(list.size())));
  SmallVector<AffineExpr> shape = Node::dimsOf(x);
  for (int64_t axis : axes)
    shape.insert(shape.begin() + axis, node.constantExpr(1));
  return setReshaped(node, x, shape);
}

static LogicalResult importTranspose(Node &node) {
  INGOT_TRY(x, node.in(0));
  SmallVector<int64_t> permutation = node.integerList("perm");
  if (!node.attribute("perm"))
    for (int64_t i = Node::rankOf(x); i-- > 0;)
      permutation.push_back(i);
  return node.set(node.transpose(x, permutation));
}

/// Dimensions of two shapes broadcast against each other.
static SmallVector<AffineExpr> broadcastShapes(Node &node, ArrayRef<AffineExpr> x,
                                               ArrayRef<AffineExpr> y) {
  SmallVector<AffineExpr> shape(std::max(x.size(), y.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    auto at = [&](ArrayRef<AffineExpr> list) {
      return i + list.size() >= shape.size() ? list[i + list.size() - shape.size()]
                                             : node.constantExpr(1);
    };
    shape[i] = constantDim(at(y)) == 1 ? at(x) : at(y);
  }
  return shape;
}

static LogicalResult importExpand(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(wanted, node.expressions(1, "shape"));
  for (AffineExpr extent : wanted)
    if (auto value = constantDim(extent); value && *value < 0)
      return node.refuse("its shape has a negative extent");
  return node.set(node.broadcast(x, broadcastShapes(node, Node::dimsOf(x), wanted)));
}

static LogicalResult importTile(Node &node) {
  INGOT_TRY(x, node.in(0));
  if (node.version < 6)
    return node.refuse("versions before 6 are not supported");
  INGOT_TRY(repeats, node.expressions(1, "repeats"));
  for (AffineExpr count : repeats)
    if (auto value = constantDim(count); value && *value < 0)
      return node.refuse("its repeats are negative");
  return node.set(node.make<TileOp>({x}, {node.dims("repeats", repeats)}));
}

static LogicalResult importConcat(Node &node) {
  INGOT_TRY(operands, node.allInputs());
  INGOT_TRY(axis, node.axis(node.integer("axis", 1), Node::rankOf(operands[0])));
  std::optional<Content> content = Content();
  for (size_t i = 0; i < operands.size(); ++i) {
    auto part = node.content(i);
    if (content && part && Node::rankOf(operands[i]) == 1)
      content->append(*part);
    else
      content = std::nullopt;
  }
  if (content && content->size() > 256)
    content = std::nullopt;
  return node.set(
      0, node.make<ConcatOp>(operands, {node.attr("axis", node.b.getI64IntegerAttr(axis))}),
      content);
}

static Result slice(Node &node, Value x, ArrayRef<AffineExpr> starts, ArrayRef<int64_t> steps,
                    ArrayRef<AffineExpr> sizes) {
  return node.make<SliceOp>(
      {x}, {node.dims("starts", starts), node.list("steps", steps), node.dims("sizes", sizes)});
}

static LogicalResult importSplit(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  SmallVector<AffineExpr> parts;
  if (node.version >= 13 && node.has(1)) {
    INGOT_TRY(list, node.expressions(1, "split"));
    parts = list;
  } else if (node.version < 13 && node.attribute("split")) {
    for (int64_t part : node.integerList("split"))
      parts.push_back(node.constantExpr(part));
  } else {
    auto count = static_cast<int64_t>(node.outputCount());
    if (count == 0 || (node.attribute("num_outputs") && node.integer("num_outputs", 0) != count))
      return node.refuse("its number of outputs is not num_outputs");
    AffineExpr part = simplifyDim((dims[axis] + (count - 1)).floorDiv(count));
    auto extent = constantDim(dims[axis]);
    if (extent && node.version < 18 && *extent % count != 0)
      return node.refuse(Twine(*extent) + " elements cannot be split into " + Twine(count));
    AffineExpr rest = dims[axis];
    for (int64_t i = 0; i + 1 < count; ++i) {
      parts.push_back(part);
      rest = rest - part;
    }
    parts.push_back(simplifyDim(rest));
  }
  if (parts.size() != node.outputCount())
    return node.refuse("its number of outputs is not that of the parts");
  AffineExpr begin = node.constantExpr(0);
  auto content = node.content(0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    SmallVector<AffineExpr> starts(dims.size(), node.constantExpr(0)), sizes = dims;
    SmallVector<int64_t> steps(dims.size(), 1);
    starts[axis] = begin;
    sizes[axis] = part;
    std::optional<Content> piece;
    auto from = constantDim(begin), count = constantDim(part);
    if (content && dims.size() == 1 && from && count && *from >= 0 && *count >= 0 &&
        static_cast<size_t>(*from + *count) <= content->size())
      piece = Content(ArrayRef(*content).slice(*from, *count));
    if (failed(node.set(i, slice(node, x, starts, steps, sizes), piece)))
      return failure();
    begin = simplifyDim(begin + part);
  }
  if (auto sum = constantDim(begin), extent = constantDim(dims[axis]);
      sum && extent && *sum != *extent)
    return node.refuse("the parts do not add up to " + Twine(*extent));
  return success();
}

/// The position `at` of a slice along an extent, negative ones counted from the end, clamped to
/// [low, extent + high].
static FailureOr<AffineExpr> slicePosition(Node &node, AffineExpr at, AffineExpr extent,
                                           int64_t low, int64_t high) {
  auto value = constantDim(at), length = constantDim(extent);
  if (value && length) {
    int64_t position = *value < 0 ? *value + *length : *value;
    return node.constantExpr(std::clamp(position, low, std::max(low, *length + high)));
  }
  if (value) {
    // INT64_MAX and the like mean the end.
    if (*value > (int64_t(1) << 30))
      return simplifyDim(extent + high);
    if (*value < -(int64_t(1) << 30))
      return node.constantExpr(low);
    if (*value < 0)
      return dimMax(simplifyDim(extent + *value), node.constantExpr(low));
    if (*value <= low)
      return node.constantExpr(low);
    return dimMin(node.constantExpr(*value), simplifyDim(extent + high));
  }
  // An expression of extents is not negative.
  if (at == extent)
    return simplifyDim(extent + std::min<int64_t>(high, 0));
  return dimMin(at, simplifyDim(extent + high));
}

static LogicalResult importSlice(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t rank = Node::rankOf(x);
  Content from, to;
  SmallVector<int64_t> axes, strides;
  if (node.version < 10) {
    for (int64_t v : node.integerList("starts"))
      from.push_back(node.constantExpr(v));
    for (int64_t v : node.integerList("ends"))
      to.push_back(node.constantExpr(v));
    axes = node.integerList("axes");
  } else {
    INGOT_TRY(starts, node.expressions(1, "starts"));
    INGOT_TRY(ends, node.expressions(2, "ends"));
    from = starts;
    to = ends;
    if (node.has(3)) {
      INGOT_TRY(list, node.integers(3, "axes"));
      axes = list;
    }
    if (node.has(4)) {
      INGOT_TRY(list, node.integers(4, "steps"));
      strides = list;
    }
  }
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, from.size()));
  if (strides.empty())
    strides.assign(from.size(), 1);
  if (from.size() != to.size() || axes.size() != from.size() || strides.size() != from.size())
    return node.refuse("its starts, ends, axes and steps differ in number");
  SmallVector<AffineExpr> starts(rank, node.constantExpr(0)), sizes = Node::dimsOf(x);
  SmallVector<int64_t> steps(rank, 1);
  for (auto [i, given] : llvm::enumerate(axes)) {
    INGOT_TRY(axis, node.axis(given, rank));
    AffineExpr extent = getDim(Node::typeOf(x), axis);
    int64_t step = strides[i];
    if (step == 0 || step == INT64_MIN)
      return node.refuse("its steps must not be 0");
    bool isForward = step > 0;
    INGOT_TRY(start, slicePosition(node, from[i], extent, 0, isForward ? 0 : -1));
    INGOT_TRY(end, slicePosition(node, to[i], extent, isForward ? 0 : -1, isForward ? 0 : -1));
    int64_t magnitude = isForward ? step : -step;
    AffineExpr span = isForward ? end - start : start - end;
    AffineExpr size = simplifyDim((span + (magnitude - 1)).floorDiv(magnitude));
    if (auto known = constantDim(size))
      size = node.constantExpr(std::max<int64_t>(*known, 0));
    else if (!isForward || !constantDim(from[i]) || *constantDim(from[i]) > 0)
      size = dimMax(size, node.constantExpr(0));
    starts[axis] = start;
    steps[axis] = step;
    sizes[axis] = size;
  }
  std::optional<Content> content;
  if (auto known = node.content(0); known && rank == 1) {
    auto start = constantDim(starts[0]), size = constantDim(sizes[0]);
    if (start && size) {
      content = Content();
      for (int64_t i = 0; i < *size; ++i) {
        int64_t at = *start + i * steps[0];
        if (at < 0 || at >= static_cast<int64_t>(known->size()))
          return node.refuse("the slice reaches outside its operand");
        content->push_back((*known)[at]);
      }
    }
  }
  return node.set(0, slice(node, x, starts, steps, sizes), content);
}

static LogicalResult importPad(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t rank = Node::rankOf(x);
  std::string mode = node.text("mode", "constant");
  Content amounts;
  Value value = node.scalarLike(node.number("value", 0), x);
  if (node.version < 11) {
    for (int64_t v : node.integerList(node.version < 2 ? "paddings" : "pads"))
      amounts.push_back(node.constantExpr(v));
  } else {
    INGOT_TRY(list, node.expressions(1, "pads"));
    amounts = list;
    if (node.has(2)) {
      INGOT_TRY(given, node.in(2));
      if (constantDim(elementCount(Node::typeOf(given))) != 1)
        return node.refuse("its constant_value must be a scalar");
      INGOT_TRY(flat, node.reshape(given, {}));
      value = flat;
    }
  }
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (node.version >= 18 && node.has(3)) {
    INGOT_TRY(list, node.integers(3, "axes"));
    axes.clear();
    for (int64_t each : list) {
      INGOT_TRY(axis, node.axis(each, rank));
      axes.push_back(axis);
    }
  }
  if (amounts.size() != 2 * axes.size())
    return node.refuse("expected " + Twine(2 * axes.size()) + " amounts of padding");
  SmallVector<AffineExpr> low(rank, node.constantExpr(0)), high = low;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    low[axis] = amounts[i];
    high[axis] = amounts[axes.size() + i];
  }
  return node.set(node.make<PadOp>({x, value}, {node.dims("low", low), node.dims("high", high),
                                                node.attr("mode", node.b.getStringAttr(mode))}));
}

static LogicalResult importDepthToSpace(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t block = node.integer("blocksize", 0);
  SmallVector<AffineExpr> d = Node::dimsOf(x);
  auto channels = d.size() == 4 ? constantDim(d[1]) : std::nullopt;
  if (block < 1 || block > 1 << 15 || !channels || *channels % (block * block) != 0)
    return node.refuse("its channels cannot be divided into blocks");
  AffineExpr s = node.constantExpr(block), depth = node.constantExpr(*channels / (block * block));
  bool isCrd = node.text("mode", "DCR") == "CRD";
  INGOT_TRY(cut, isCrd ? node.reshape(x, {d[0], depth, s, s, d[2], d[3]})
                       : node.reshape(x, {d[0], s, s, depth, d[2], d[3]}));
  INGOT_TRY(moved, isCrd ? node.transpose(cut, {0, 1, 4, 2, 5, 3})
                         : node.transpose(cut, {0, 3, 4, 1, 5, 2}));
  return node.set(node.reshape(moved, {d[0], depth, d[2] * block, d[3] * block}));
}

static LogicalResult importSpaceToDepth(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t block = node.integer("blocksize", 0);
  SmallVector<AffineExpr> d = Node::dimsOf(x);
  if (d.size() != 4 || block < 1 || block > 1 << 15)
    return node.refuse("expected four dimensions and a positive block size");
  AffineExpr s = node.constantExpr(block);
  INGOT_TRY(cut, node.reshape(x, {d[0], d[1], d[2].floorDiv(block), s, d[3].floorDiv(block), s}));
  INGOT_TRY(moved, node.transpose(cut, {0, 3, 5, 1, 2, 4}));
  return node.set(node.reshape(
      moved, {d[0], d[1] * (block * block), d[2].floorDiv(block), d[3].floorDiv(block)}));
}

//===----------------------------------------------------------------------------------------===//
// Shapes as data, constants
//===----------------------------------------------------------------------------------------===//

static LogicalResult importShape(Node &node) {
  INGOT_TRY(x, node.in(0));
  auto rank = Node::rankOf(x);
  int64_t start = node.integer("start", 0), end = node.integer("end", rank);
  start = std::clamp(start < 0 ? start + rank : start, int64_t(0), rank);
  end = std::clamp(end < 0 ? end + rank : end, int64_t(0), rank);
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  Content content(ArrayRef(dims).slice(start, std::max<int64_t>(end - start, 0)));
  return node.set(0, node.dimsTensor(content), content);
}

static LogicalResult importSize(Node &node) {
  INGOT_TRY(x, node.in(0));
  Content content{elementCount(Node::typeOf(x))};
  INGOT_TRY(list, node.dimsTensor(content));
  return node.set(0, node.reshape(list, {}), content);
}

static LogicalResult importConstant(Node &node) {
  OpBuilder &b = node.b;
  auto set = [&](ElementsAttr elements) {
    return node.set(0, Value(b.create<ConstantOp>(node.loc, elements)),
                    contentOf(b.getContext(), elements));
  };
  auto vector = [](size_t n) { return SmallVector<int64_t>{static_cast<int64_t>(n)}; };
  if (const onnx::AttributeProto *value = node.attribute("value")) {
    ElementsAttr elements = readTensor(node.graph.session, value->t(), node.proto.name());
    return elements ? set(elements) : failure();
  }
  if (node.attribute("value_float"))
    return node.set(node.scalar(node.number("value_float", 0), b.getF32Type()));
  if (node.attribute("value_floats")) {
    auto list = node.numberList("value_floats");
    return node.set(node.constant(vector(list.size()), list, b.getF32Type()));
  }
  SmallVector<int64_t> list, shape;
  if (node.attribute("value_int")) {
    list.push_back(node.integer("value_int", 0));
  } else if (node.attribute("value_ints")) {
    list = node.integerList("value_ints");
    shape = vector(list.size());
  } else {
    return node.refuse("only numbers are supported");
  }
  return set(DenseElementsAttr::get(RankedTensorType::get(shape, b.getI64Type()), ArrayRef(list)));
}

static LogicalResult importConstantOfShape(Node &node) {
  INGOT_TRY(shape, node.expressions(0, "shape"));
  OpBuilder &b = node.b;
  for (AffineExpr extent : shape)
    if (auto value = constantDim(extent); value && *value < 0)
      return node.refuse("its shape has a negative extent");
  Value value = node.scalar(0, b.getF32Type());
  std::optional<Content> content;
  if (const onnx::AttributeProto *given = node.attribute("value")) {
    ElementsAttr elements = readTensor(node.graph.session, given->t(), node.proto.name());
    if (!elements || elements.getNumElements() != 1)
      return node.refuse("its value must be one number");
    Value constant = b.create<ConstantOp>(node.loc, elements);
    INGOT_TRY(flat, node.reshape(constant, {}));
    value = flat;
    auto count = shape.size() == 1 ? constantDim(shape[0]) : std::nullopt;
    if (auto known = contentOf(b.getContext(), elements); known && count && *count <= 256)
      content = Content(*count, (*known)[0]);
  }
  return node.set(0, node.broadcast(value, shape), content);
}

static LogicalResult importRange(Node &node) {
  INGOT_TRY(start, node.in(0));
  INGOT_TRY(step, node.in(2));
  Type element = Node::elementType(start);
  AffineExpr count;
  std::optional<Content> content;
  if (isa<FloatType>(element)) {
    INGOT_TRY(from, node.numbers(0, "start"));
    INGOT_TRY(to, node.numbers(1, "limit"));
    INGOT_TRY(by, node.numbers(2, "delta"));
    if (from.size() != 1 || to.size() != 1 || by.size() != 1 || by[0] == 0)
      return node.refuse("its start, limit and delta must be numbers, delta not 0");
    double size = std::max(0.0, std::ceil((to[0] - from[0]) / by[0]));
    if (!(size < 1e9))
      return node.refuse("it is too long");
    count = node.constantExpr(static_cast<int64_t>(size));
  } else {
    INGOT_TRY(from, node.expressions(0, "start"));
    INGOT_TRY(to, node.expressions(1, "limit"));
    INGOT_TRY(by, node.integers(2, "delta"));
    if (from.size() != 1 || to.size() != 1 || by.size() != 1 || by[0] == 0 || by[0] == INT64_MIN)
      return node.refuse("its start, limit and delta must be numbers, delta not 0");
    AffineExpr span = by[0] > 0 ? to[0] - from[0] : from[0] - to[0];
    int64_t magnitude = std::abs(by[0]);
    count = simplifyDim((span + (magnitude - 1)).floorDiv(magnitude));
    if (auto fixed = constantDim(count)) {
      count = node.constantExpr(std::max<int64_t>(0, *fixed));
      if (*fixed <= 256) {
        content = Content();
        for (int64_t i = 0; i < *fixed; ++i)
          content->push_back(simplifyDim(from[0] + i * by[0]));
      }
    }
  }
  INGOT_TRY(positions, node.iota({count}, 0, element));
  INGOT_TRY(scaled, node.mul(positions, step));
  return node.set(0, node.add(scaled, start), content);
}

static LogicalResult importEyeLike(Node &node) {
  INGOT_TRY(x, node.in(0));
  OpBuilder &b = node.b;
  Type element = node.attribute("dtype") ? elementTypeOf(b.getContext(), node.integer("dtype", 1))
                                         : Node::elementType(x);
  if (!element || Node::rankOf(x) != 2)
    return node.refuse("expected a matrix of a supported element type");
  SmallVector<AffineExpr> shape = Node::dimsOf(x);
  auto iota = [&](int64_t axis) { return node.iota(shape, axis, b.getI64Type()); };
  INGOT_TRY(row, iota(0));
  INGOT_TRY(column, iota(1));
  INGOT_TRY(shifted, node.add(row, node.scalar(double(node.integer("k", 0)), b.getI64Type())));
  INGOT_TRY(isOn, node.binary<EqualOp>(shifted, column));
  return node.set(node.cast(isOn, element));
}

static LogicalResult importTrilu(Node &node) {
  INGOT_TRY(x, node.in(0));
  OpBuilder &b = node.b;
  int64_t rank = Node::rankOf(x), k = 0;
  if (rank < 2)
    return node.refuse("expected matrices");
  if (node.has(1)) {
    INGOT_TRY(list, node.integers(1, "k"));
    if (list.size() != 1)
      return node.refuse("k must be one number");
    k = std::clamp<int64_t>(list[0], -(int64_t(1) << 40), int64_t(1) << 40);
  }
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  ArrayRef<AffineExpr> shape = ArrayRef(dims).take_back(2);
  auto iota = [&](int64_t axis) { return node.iota(shape, axis, b.getI64Type()); };
  INGOT_TRY(row, iota(0));
  INGOT_TRY(column, iota(1));
  INGOT_TRY(diagonal, node.add(row, node.integerConstant({}, {k}, b.getI64Type())));
  Result keeps = node.integer("upper", 1) ? node.binary<GreaterOrEqualOp>(column, diagonal)
                                          : node.binary<LessOrEqualOp>(column, diagonal);
  if (failed(keeps))
    return failure();
  return node.set(node.make<SelectOp>({*keeps, x, node.scalarLike(0, x)}));
}

void registerMovement(Table &table) {
  table["::Reshape"] = importReshape;
  table["::Flatten"] = importFlatten;
  table["::Squeeze"] = importSqueeze;
  table["::Unsqueeze"] = importUnsqueeze;
  table["::Transpose"] = importTranspose;
  table["::Expand"] = importExpand;
  table["::Tile"] = importTile;
  table["::Concat"] = importConcat;
  table["::Split"] = importSplit;
  table["::Slice"] = importSlice;
  table["::Pad"] = importPad;
  table["::DepthToSpace"] = importDepthToSpace;
  table["::SpaceToDepth"] = importSpaceToDepth;
  table["::Shape"] = importShape;
  table["::Size"] = importSize;
  table["::Constant"] = importConstant;
  table["::ConstantOfShape"] = importConstantOfShape;
  table["::Range"] = importRange;
  table["::EyeLike"] = importEyeLike;
  table["::Trilu"] = importTrilu;
}

} // namespace ingot::onnx_import
