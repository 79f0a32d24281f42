//===- Operators.cpp - Operators of the dialect in the words of Relay -------------------------===//

#include "Dialect/Dims.h"
#include "Export/Relay/Writer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ingot::relay {

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
Type elementOf(Value value) { return typeOf(value).getElementType(); }

std::string quoted(const std::string &text) { return "\"" + text + "\""; }
std::string truth(bool value) { return value ? "True" : "False"; }

/// Constant dimensions; everything is, once shapes are.
SmallVector<int64_t> numbers(DimsAttr dims) {
  SmallVector<int64_t> result;
  for (AffineExpr expr : dims.getExprs())
    result.push_back(constantDim(expr).value_or(0));
  return result;
}

std::string call(StringRef name, Operation *op, Writer &w) {
  std::string text;
  for (Value operand : op->getOperands())
    text += (text.empty() ? "" : ", ") + w(operand);
  return name.str() + "(" + text + ")";
}

/// The name of an operator that means just this on the same operands; empty if there is none.
StringRef plainName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<AbsOp>([](auto) { return "abs"; })
      .Case<NegOp>([](auto) { return "negative"; })
      .Case<SignOp>([](auto) { return "sign"; })
      .Case<FloorOp>([](auto) { return "floor"; })
      .Case<CeilOp>([](auto) { return "ceil"; })
      .Case<SqrtOp>([](auto) { return "sqrt"; })
      .Case<ExpOp>([](auto) { return "exp"; })
      .Case<LogOp>([](auto) { return "log"; })
      .Case<SinOp>([](auto) { return "sin"; })
      .Case<CosOp>([](auto) { return "cos"; })
      .Case<TanOp>([](auto) { return "tan"; })
      .Case<AsinOp>([](auto) { return "asin"; })
      .Case<AcosOp>([](auto) { return "acos"; })
      .Case<AtanOp>([](auto) { return "atan"; })
      .Case<SinhOp>([](auto) { return "sinh"; })
      .Case<CoshOp>([](auto) { return "cosh"; })
      .Case<TanhOp>([](auto) { return "tanh"; })
      .Case<AsinhOp>([](auto) { return "asinh"; })
      .Case<AcoshOp>([](auto) { return "acosh"; })
      .Case<AtanhOp>([](auto) { return "atanh"; })
      .Case<ErfOp>([](auto) { return "erf"; })
      .Case<SigmoidOp>([](auto) { return "sigmoid"; })
      .Case<ReluOp>([](auto) { return "nn.relu"; })
      .Case<BitNotOp>([](auto) { return "bitwise_not"; })
      .Case<NotOp>([](auto) { return "logical_not"; })
      .Case<IsNaNOp>([](auto) { return "isnan"; })
      .Case<AddOp>([](auto) { return "add"; })
      .Case<SubOp>([](auto) { return "subtract"; })
      .Case<MulOp>([](auto) { return "multiply"; })
      .Case<DivOp>([](auto) { return "divide"; })
      .Case<ModOp>([](auto) { return "floor_mod"; })
      .Case<FmodOp>([](auto) { return "mod"; })
      .Case<PowOp>([](auto) { return "power"; })
      .Case<MinOp>([](auto) { return "minimum"; })
      .Case<MaxOp>([](auto) { return "maximum"; })
      .Case<BitAndOp>([](auto) { return "bitwise_and"; })
      .Case<BitOrOp>([](auto) { return "bitwise_or"; })
      .Case<BitXorOp>([](auto) { return "bitwise_xor"; })
      .Case<ShiftLeftOp>([](auto) { return "left_shift"; })
      .Case<ShiftRightOp>(
          [](auto op) { return elementOf(op.getX()).isUnsignedInteger() ? "right_shift" : ""; })
      .Case<AndOp>([](auto) { return "logical_and"; })
      .Case<OrOp>([](auto) { return "logical_or"; })
      .Case<XorOp>([](auto) { return "logical_xor"; })
      .Case<EqualOp>([](auto) { return "equal"; })
      .Case<LessOp>([](auto) { return "less"; })
      .Case<LessOrEqualOp>([](auto) { return "less_equal"; })
      .Case<GreaterOp>([](auto) { return "greater"; })
      .Case<GreaterOrEqualOp>([](auto) { return "greater_equal"; })
      .Case<SelectOp>([](auto) { return "where"; })
      .Default([](Operation *) { return ""; });
}

/// Relay takes positions as they are, the dialect counts negative ones from the end of `extents`,
/// which belong to the last dimension of `indices`, or are one for all.
std::string fromTheFront(Value indices, ArrayRef<int64_t> extents, Writer &w) {
  std::string text = w(indices);
  if (elementOf(indices).isUnsignedInteger())
    return text;
  if (auto constant = indices.getDefiningOp<ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      if (llvm::none_of(dense.getValues<APInt>(), [](const APInt &i) { return i.isNegative(); }))
        return text;
  Type element = elementOf(indices);
  std::string whole;
  if (extents.size() == 1) {
    whole = w.literal(static_cast<double>(extents[0]), element);
  } else {
    SmallVector<APInt> values;
    for (int64_t each : extents)
      values.emplace_back(element.getIntOrFloatBitWidth(), each, /*isSigned=*/true);
    whole = w.tensor(DenseElementsAttr::get(
        RankedTensorType::get({static_cast<int64_t>(extents.size())}, element), values));
  }
  std::string zero = w.literal(0, element);
  return w.bind("where(less(" + text + ", " + zero + "), add(" + text + ", " + whole + "), " +
                text + ")");
}

/// "NWC" and its like: spatial dimensions between the batch and the channels.
std::string layout(int64_t spatial, StringRef before, StringRef after) {
  return (before + StringRef("DHW").take_back(spatial) + after).str();
}

std::string padding(ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  SmallVector<int64_t> both(low);
  both.append(high.begin(), high.end());
  return list(both);
}

template <class Op> std::string convolution(Op op, StringRef name, Writer &w) {
  int64_t spatial = typeOf(op.getX()).getRank() - 2;
  if (spatial < 1 || spatial > 3)
    return w.refuse(op, "Relay convolves over one to three dimensions");
  ArrayRef<int64_t> kernel = typeOf(op.getW()).getShape();
  std::string dims = std::to_string(spatial) + "d";
  std::string text =
      "nn.conv" + dims + name.str() + "(" + w(op.getX()) + ", " + w(op.getW()) +
      ", strides=" + list(op.getStrides()) + ", padding=" + padding(op.getLow(), op.getHigh()) +
      ", dilation=" + list(op.getDilations()) + ", groups=" + std::to_string(op.getGroups()) +
      ", channels=" + std::to_string(typeOf(op.getResult()).getShape().back()) +
      ", kernel_size=" + list(kernel.take_front(spatial)) +
      ", data_layout=" + quoted(layout(spatial, "N", "C"));
  if constexpr (std::is_same_v<Op, ConvTransposeOp>)
    return text + ", kernel_layout=" + quoted(layout(spatial, "", "IO")) +
           ", output_padding=" + list(op.getOutputPadding()) + ")";
  return text + ", kernel_layout=" + quoted(layout(spatial, "", "IO")) + ")";
}

template <class Op> std::string pool(Op op, StringRef name, StringRef more, Writer &w) {
  int64_t spatial = typeOf(op.getX()).getRank() - 2;
  if (spatial < 1 || spatial > 3)
    return w.refuse(op, "Relay pools over one to three dimensions");
  return ("nn." + name + "_pool" + Twine(spatial) + "d(" + w(op.getX()) +
          ", pool_size=" + list(op.getKernel()) + ", strides=" + list(op.getStrides()) +
          ", dilation=" + list(op.getDilations()) + ", padding=" +
          padding(op.getLow(), op.getHigh()) + ", layout=" + quoted(layout(spatial, "N", "C")) +
          ", ceil_mode=" + truth(op.getCeilMode()) + more + ")")
      .str();
}

std::string matmul(MatmulOp op, Writer &w) {
  RankedTensorType a = typeOf(op.getA()), b = typeOf(op.getB()), c = typeOf(op.getResult());
  if (a.getRank() == 2 && b.getRank() == 2)
    return call("nn.matmul", op, w);
  // One batch dimension on both sides.
  int64_t batch = 1;
  for (int64_t extent : c.getShape().drop_back(2))
    batch *= extent;
  auto flat = [&](Value operand) {
    ArrayRef<int64_t> shape = typeOf(operand).getShape();
    SmallVector<int64_t> whole(c.getShape().drop_back(2));
    whole.append(shape.end() - 2, shape.end());
    std::string text = w(operand);
    if (ArrayRef<int64_t>(whole) != shape)
      text = w.bind("broadcast_to(" + text + ", shape=" + list(whole) + ")");
    return w.bind("reshape(" + text +
                  ", newshape=" + list({batch, shape[shape.size() - 2], shape.back()}) + ")");
  };
  std::string left = flat(op.getA()), right = flat(op.getB());
  std::string product =
      w.bind("nn.batch_matmul(" + left + ", " + right + ", transpose_a=False, transpose_b=False)");
  return "reshape(" + product + ", newshape=" + list(c.getShape()) + ")";
}

std::string slice(SliceOp op, Writer &w) {
  SmallVector<int64_t> begin = numbers(op.getStarts()), sizes = numbers(op.getSizes()), end;
  ArrayRef<int64_t> extents = typeOf(op.getX()).getShape();
  for (auto [i, step] : llvm::enumerate(op.getSteps())) {
    int64_t last =
        sizes[i] == 0 ? begin[i] : begin[i] + (sizes[i] - 1) * step + (step > 0 ? 1 : -1);
    // In front of the first element: a position that is negative also when counted from the end.
    end.push_back(last < 0 ? -extents[i] - 1 : last);
  }
  return "strided_slice(" + w(op.getX()) + ", begin=" + list(begin) + ", end=" + list(end) +
         ", strides=" + list(op.getSteps()) + ")";
}

std::string pad(PadOp op, Writer &w) {
  SmallVector<int64_t> low = numbers(op.getLow()), high = numbers(op.getHigh());
  std::string widths;
  for (auto [before, after] : llvm::zip(low, high)) {
    if (before < 0 || after < 0)
      return w.refuse(op, "Relay's padding removes nothing");
    widths += (widths.empty() ? "" : ", ") + list({before, after});
  }
  StringRef mode = op.getMode();
  if (mode == "wrap")
    return w.refuse(op, "the mode wrap has no words in Relay");
  return "nn.pad(" + w(op.getX()) + ", " + w(op.getValue()) + ", pad_width=[" + widths +
         "], pad_mode=" + quoted(mode.str()) + ")";
}

/// To the nearest, halves to even; Relay's own goes away from zero.
std::string round(RoundOp op, Writer &w) {
  Type element = elementOf(op.getX());
  auto number = [&](double value) { return w.literal(value, element); };
  std::string x = w(op.getX()), below = w.bind("floor(" + x + ")");
  std::string above = w.bind("add(" + below + ", " + number(1) + ")");
  std::string part = w.bind("subtract(" + x + ", " + below + ")");
  std::string half = w.bind("floor(multiply(" + below + ", " + number(0.5) + "))");
  std::string isEven = w.bind("equal(multiply(" + half + ", " + number(2) + "), " + below + ")");
  std::string isBelow =
      w.bind("logical_or(less(" + part + ", " + number(0.5) + "), logical_and(equal(" + part +
             ", " + number(0.5) + "), " + isEven + "))");
  return "where(" + isBelow + ", " + below + ", " + above + ")";
}

std::string resize(ResizeOp op, Writer &w) {
  ArrayRef<int64_t> from = typeOf(op.getX()).getShape(), to = typeOf(op.getResult()).getShape();
  int64_t spatial = typeOf(op.getX()).getRank() - 2;
  if (spatial < 1 || spatial > 3)
    return w.refuse(op, "Relay resizes one to three dimensions");
  bool isFirst = from[0] == to[0] && from[1] == to[1];
  bool isLast = from[0] == to[0] && from.back() == to.back();
  if (!isFirst && !isLast)
    return w.refuse(op, "Relay resizes neither the batch nor the channels");
  for (auto [i, scale] : llvm::enumerate(op.getScales()))
    if (scale != 0 && scale * static_cast<double>(from[i]) != static_cast<double>(to[i]))
      return w.refuse(op, "a scale that is not the quotient of the extents has no words in Relay");
  StringRef mode = op.getCoordinateMode(), nearest = op.getNearestMode();
  if ((mode != "half_pixel" && mode != "align_corners" && mode != "asymmetric") ||
      op.getAntialias())
    return w.refuse(op, "the mode " + mode + (op.getAntialias() ? " with antialiasing" : "") +
                            " has no words in Relay");
  if (op.getMode() == "nearest" && nearest == "round_prefer_ceil")
    return w.refuse(op, "the rounding round_prefer_ceil has no words in Relay");
  ArrayRef<int64_t> size = isFirst ? to.drop_front(2) : to.drop_front().drop_back();
  std::string method = op.getMode() == "nearest" ? "nearest_neighbor" : op.getMode().str();
  return "image.resize" + std::to_string(spatial) + "d(" + w(op.getX()) + ", size=" + list(size) +
         ", layout=" + quoted(isFirst ? layout(spatial, "NC", "") : layout(spatial, "N", "C")) +
         ", method=" + quoted(method) + ", coordinate_transformation_mode=" + quoted(mode.str()) +
         ", rounding_method=" +
         quoted(nearest == "floor" || nearest == "ceil" ? nearest.str() : "round") +
         ", cubic_alpha=" +
         w.literal(op.getCubicCoefficient().convertToDouble(), FloatType::getF32(op.getContext())) +
         ", cubic_exclude=" + truth(op.getExcludeOutside()) + ")";
}

std::string reduce(ReduceOp op, Writer &w) {
  StringRef kind = op.getKind();
  StringRef name = kind == "and" ? "all" : kind == "or" ? "any" : kind;
  if (op.getDims().empty())
    return w(op.getX());
  return name.str() + "(" + w(op.getX()) + ", axis=" + list(op.getDims()) +
         ", keepdims=" + truth(op.getKeepDims()) + ")";
}

std::string iota(IotaOp op, Writer &w) {
  ArrayRef<int64_t> shape = typeOf(op.getResult()).getShape();
  SmallVector<int64_t> lined(shape.size(), 1);
  lined[op.getAxis()] = shape[op.getAxis()];
  Type element = op.getElement();
  std::string numbers =
      w.bind("arange(" + w.literal(0, element) + ", " +
             w.literal(static_cast<double>(shape[op.getAxis()]), element) + ", " +
             w.literal(1, element) + ", dtype=" + quoted(elementName(element)) + ")");
  return "broadcast_to(reshape(" + numbers + ", newshape=" + list(lined) +
         "), shape=" + list(shape) + ")";
}

std::string dimsTensor(DimsTensorOp op, Writer &w) {
  SmallVector<APInt> values;
  Type element = op.getElement();
  for (int64_t each : numbers(op.getValues()))
    values.emplace_back(element.getIntOrFloatBitWidth(), each, /*isSigned=*/true);
  return w.tensor(DenseElementsAttr::get(typeOf(op.getResult()), values));
}

/// Coordinates in the first dimension, as Relay wants them.
std::string coordinates(Value indices, ArrayRef<int64_t> extents, Writer &w) {
  std::string text = fromTheFront(indices, extents, w);
  int64_t rank = typeOf(indices).getRank();
  SmallVector<int64_t> order = {rank - 1};
  for (int64_t i = 0; i + 1 < rank; ++i)
    order.push_back(i);
  return w.bind("transpose(" + text + ", axes=" + list(order) + ")");
}

std::string mode(StringRef reduction) {
  return quoted(reduction == "none" ? "update" : reduction.str());
}

} // namespace

std::string expressionOf(Operation *op, Writer &w) {
  if (StringRef name = plainName(op); !name.empty())
    return call(name, op, w);
  auto extent = [](Value x, int64_t axis) { return typeOf(x).getShape()[axis]; };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](RoundOp each) { return round(each, w); })
      .Case([&](ReciprocalOp each) {
        return "divide(" + w.literal(1, elementOf(each.getX())) + ", " + w(each.getX()) + ")";
      })
      .Case([&](CastOp each) {
        return "cast(" + w(each.getX()) + ", dtype=" + quoted(elementName(each.getTo())) + ")";
      })
      .Case([&](ReshapeOp each) {
        return "reshape(" + w(each.getX()) +
               ", newshape=" + list(typeOf(each.getResult()).getShape()) + ")";
      })
      .Case([&](TransposeOp each) {
        return "transpose(" + w(each.getX()) + ", axes=" + list(each.getPermutation()) + ")";
      })
      .Case([&](BroadcastOp each) {
        return "broadcast_to(" + w(each.getX()) +
               ", shape=" + list(typeOf(each.getResult()).getShape()) + ")";
      })
      .Case([&](SliceOp each) { return slice(each, w); })
      .Case([&](ConcatOp each) {
        std::string operands = call("", each, w);
        if (each.getX().size() == 1)
          operands.insert(operands.size() - 1, ",");
        return "concatenate(" + operands + ", axis=" + std::to_string(each.getAxis()) + ")";
      })
      .Case([&](PadOp each) { return pad(each, w); })
      .Case([&](TileOp each) {
        return "tile(" + w(each.getX()) + ", reps=" + list(numbers(each.getRepeats())) + ")";
      })
      .Case([&](IotaOp each) { return iota(each, w); })
      .Case([&](DimsTensorOp each) { return dimsTensor(each, w); })
      .Case([&](MatmulOp each) { return matmul(each, w); })
      .Case([&](ConvOp each) { return convolution(each, "", w); })
      .Case([&](ConvTransposeOp each) { return convolution(each, "_transpose", w); })
      .Case([&](MaxPoolOp each) { return pool(each, "max", "", w); })
      .Case([&](AveragePoolOp each) {
        return pool(each, "avg", ", count_include_pad=" + truth(each.getCountIncludePad()), w);
      })
      .Case([&](ReduceOp each) { return reduce(each, w); })
      .Case([&](ArgReduceOp each) {
        return std::string("cast(") + (each.getIsMax() ? "argmax" : "argmin") + "(" +
               w(each.getX()) + ", axis=[" + std::to_string(each.getAxis()) +
               "], keepdims=" + truth(each.getKeepDim()) +
               ", select_last_index=" + truth(each.getSelectLast()) +
               "), dtype=" + quoted(elementName(elementOf(each.getResult()))) + ")";
      })
      .Case([&](GatherOp each) {
        return "take(" + w(each.getX()) + ", " +
               fromTheFront(each.getIndices(), {extent(each.getX(), each.getAxis())}, w) +
               ", axis=" + std::to_string(each.getAxis()) + ", mode=\"clip\")";
      })
      .Case([&](GatherElementsOp each) {
        return "gather(" + w(each.getX()) + ", " +
               fromTheFront(each.getIndices(), {extent(each.getX(), each.getAxis())}, w) +
               ", axis=" + std::to_string(each.getAxis()) + ")";
      })
      .Case([&](GatherNDOp each) {
        if (each.getBatchDims() != 0)
          return w.refuse(each, "batch dimensions are laid out otherwise in Relay");
        ArrayRef<int64_t> extents = typeOf(each.getX()).getShape();
        int64_t depth = typeOf(each.getIndices()).getShape().back();
        return "gather_nd(" + w(each.getX()) + ", " +
               coordinates(each.getIndices(), extents.take_front(depth), w) + ")";
      })
      .Case([&](ReverseSequenceOp each) {
        return "reverse_sequence(" + w(each.getX()) + ", " + w(each.getLengths()) +
               ", seq_axis=" + std::to_string(each.getTimeAxis()) +
               ", batch_axis=" + std::to_string(each.getBatchAxis()) + ")";
      })
      .Case([&](CumsumOp each) {
        std::string axis = std::to_string(each.getAxis()), x = w(each.getX());
        std::string more = ", axis=" + axis + ", exclusive=" + truth(each.getExclusive()) + ")";
        if (!each.getReverse())
          return "cumsum(" + x + more;
        return "reverse(cumsum(reverse(" + x + ", axis=" + axis + ")" + more + ", axis=" + axis +
               ")";
      })
      .Case([&](ScatterOp each) {
        return "scatter_elements(" + w(each.getX()) + ", " +
               fromTheFront(each.getIndices(), {extent(each.getX(), each.getAxis())}, w) + ", " +
               w(each.getUpdates()) + ", axis=" + std::to_string(each.getAxis()) +
               ", reduction=" + mode(each.getReduction()) + ")";
      })
      .Case([&](ScatterNDOp each) {
        ArrayRef<int64_t> extents = typeOf(each.getX()).getShape();
        int64_t depth = typeOf(each.getIndices()).getShape().back();
        return "scatter_nd(" + w(each.getX()) + ", " +
               coordinates(each.getIndices(), extents.take_front(depth), w) + ", " +
               w(each.getUpdates()) + ", mode=" + mode(each.getReduction()) + ")";
      })
      .Case([&](TopKOp each) {
        return "topk(" + w(each.getX()) + ", k=" + std::to_string(numbers(each.getK())[0]) +
               ", axis=" + std::to_string(each.getAxis()) +
               ", ret_type=\"both\", is_ascend=" + truth(!each.getLargest()) +
               ", dtype=" + quoted(elementName(elementOf(each.getIndices()))) + ")";
      })
      .Case([&](ResizeOp each) { return resize(each, w); })
      .Default([&](Operation *other) { return w.refuse(other, "it has no words in Relay"); });
}

} // namespace ingot::relay
