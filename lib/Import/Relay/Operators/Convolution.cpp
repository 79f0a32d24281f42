//===- Convolution.cpp - Convolutions, pools and resizing of Relay ----------------------------===//
//
// Layouts are strings with a letter for each dimension: N, C, then W, H, D for positions; kernels
// have O and I. The dialect computes channels last, and turns around what lies otherwise.
//
//===----------------------------------------------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

/// The letters of the positions, in order, for a number of spatial dimensions.
static StringRef spatialLetters(size_t spatial) {
  static constexpr StringLiteral letters[] = {"W", "HW", "DHW"};
  return letters[spatial - 1];
}

/// The permutation that brings dimensions called by the letters of `from` into the order of `to`.
static FailureOr<SmallVector<int64_t>> reorder(Call &call, StringRef from, StringRef to) {
  SmallVector<int64_t> permutation;
  for (char letter : to) {
    size_t at = from.find(letter);
    if (at == StringRef::npos || from.size() != to.size())
      return call.refuse("the layout " + from + " is not supported");
    permutation.push_back(static_cast<int64_t>(at));
  }
  return permutation;
}

static Result toLayout(Call &call, Value x, StringRef from, StringRef to) {
  if (Call::rankOf(x) != static_cast<int64_t>(from.size()))
    return call.refuse("the layout " + from + " is not that of a tensor of rank " +
                       Twine(Call::rankOf(x)));
  INGOT_TRY(permutation, reorder(call, from, to));
  return call.transpose(x, permutation);
}

namespace {
/// What a window does along each spatial dimension.
struct Window {
  SmallVector<int64_t> strides, dilations, low, high;
};
} // namespace

/// Strides, dilation and padding: one number, one for each dimension, or one for each side.
static FailureOr<Window> windowOf(Call &call, size_t spatial) {
  Window w;
  INGOT_TRY(strides, call.listOf("strides", spatial, 1));
  INGOT_TRY(dilations, call.listOf("dilation", spatial, 1));
  w.strides = strides;
  w.dilations = dilations;
  for (ArrayRef<int64_t> list : {ArrayRef(w.strides), ArrayRef(w.dilations)})
    for (int64_t each : list)
      if (each < 1 || each > (int64_t(1) << 31))
        return call.refuse("its strides and dilation must be positive");
  SmallVector<int64_t> padding = call.integerList("padding", {0});
  if (padding.size() == 1)
    padding.resize(2 * spatial, padding[0]);
  else if (padding.size() == spatial)
    padding.append(padding.begin(), padding.begin() + spatial);
  if (padding.size() != 2 * spatial)
    return call.refuse("its padding must hold 1, " + Twine(spatial) + " or " + Twine(2 * spatial) +
                       " integers");
  w.low.assign(padding.begin(), padding.begin() + spatial);
  w.high.assign(padding.begin() + spatial, padding.end());
  return w;
}

namespace {
struct Layouts {
  std::string data, kernel, out, last;
};
} // namespace

static Layouts layoutsOf(Call &call, size_t spatial, StringRef kernelOrder) {
  StringRef letters = spatialLetters(spatial);
  Layouts l;
  l.data = call.text("data_layout", ("NC" + letters).str());
  l.kernel = call.text("kernel_layout", (kernelOrder + letters).str());
  l.out = call.text("out_layout", "");
  if (l.out.empty())
    l.out = l.data;
  l.last = ("N" + letters + "C").str();
  return l;
}

/// Attributes that repeat what the weights' shape says.
static void ignoreRedundant(Call &call) {
  for (const char *name : {"channels", "kernel_size", "auto_scheduler_rewritten_layout",
                           "meta_schedule_original_shape"})
    call.attribute(name);
}

template <size_t spatial> static LogicalResult importConv(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(w, call.in(1));
  Layouts layouts = layoutsOf(call, spatial, "OI");
  INGOT_TRY(window, windowOf(call, spatial));
  INGOT_TRY(element, call.element("out_dtype", Call::elementType(x)));
  int64_t groups = call.integer("groups", 1);
  ignoreRedundant(call);
  INGOT_TRY(wideX, call.cast(x, element));
  INGOT_TRY(wideW, call.cast(w, element));
  INGOT_TRY(input, toLayout(call, wideX, layouts.data, layouts.last));
  INGOT_TRY(weights, toLayout(call, wideW, layouts.kernel, (spatialLetters(spatial) + "IO").str()));
  INGOT_TRY(result, call.make<ConvOp>({input, weights},
                                      {call.list("strides", window.strides),
                                       call.list("dilations", window.dilations),
                                       call.list("low", window.low), call.list("high", window.high),
                                       call.attr("groups", call.b.getI64IntegerAttr(groups))}));
  return call.set(toLayout(call, result, layouts.last, layouts.out));
}

template <size_t spatial> static LogicalResult importConvTranspose(Call &call) {
  INGOT_TRY(x, call.in(0));
  INGOT_TRY(w, call.in(1));
  Layouts layouts = layoutsOf(call, spatial, "IO");
  INGOT_TRY(window, windowOf(call, spatial));
  INGOT_TRY(extra, call.listOf("output_padding", spatial, 0));
  INGOT_TRY(element, call.element("out_dtype", Call::elementType(x)));
  int64_t groups = call.integer("groups", 1);
  ignoreRedundant(call);
  INGOT_TRY(wideX, call.cast(x, element));
  INGOT_TRY(wideW, call.cast(w, element));
  INGOT_TRY(input, toLayout(call, wideX, layouts.data, layouts.last));
  INGOT_TRY(weights, toLayout(call, wideW, layouts.kernel, (spatialLetters(spatial) + "IO").str()));
  INGOT_TRY(result, call.make<ConvTransposeOp>(
                        {input, weights},
                        {call.list("strides", window.strides),
                         call.list("dilations", window.dilations), call.list("low", window.low),
                         call.list("high", window.high), call.list("output_padding", extra),
                         call.attr("groups", call.b.getI64IntegerAttr(groups))}));
  return call.set(toLayout(call, result, layouts.last, layouts.out));
}

//===----------------------------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------------------------===//

static std::string poolLayout(Call &call, size_t spatial, std::string &out) {
  std::string layout = call.text("layout", ("NC" + spatialLetters(spatial)).str());
  out = call.text("out_layout", "");
  if (out.empty())
    out = layout;
  return layout;
}

template <typename Op, size_t spatial> static LogicalResult importPool(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string out, layout = poolLayout(call, spatial, out);
  INGOT_TRY(kernel, call.listOf("pool_size", spatial, 1));
  INGOT_TRY(window, windowOf(call, spatial));
  for (int64_t each : kernel)
    if (each < 1 || each > (int64_t(1) << 31))
      return call.refuse("its pool_size must be positive");
  std::string last = ("N" + spatialLetters(spatial) + "C").str();
  INGOT_TRY(input, toLayout(call, x, layout, last));
  OpBuilder &b = call.b;
  SmallVector<NamedAttribute> attributes{
      call.list("kernel", kernel),
      call.list("strides", window.strides),
      call.list("dilations", window.dilations),
      call.list("low", window.low),
      call.list("high", window.high),
      call.attr("ceil_mode", b.getBoolAttr(call.flag("ceil_mode", false)))};
  if (std::is_same_v<Op, AveragePoolOp>)
    attributes.push_back(
        call.attr("count_include_pad", b.getBoolAttr(call.flag("count_include_pad", false))));
  INGOT_TRY(result, call.make<Op>({input}, attributes));
  return call.set(toLayout(call, result, last, out));
}

/// The positions of the spatial dimensions in `layout`.
static FailureOr<SmallVector<int64_t>> spatialDims(Call &call, StringRef layout, Value x) {
  SmallVector<int64_t> dims;
  for (auto [i, letter] : llvm::enumerate(layout))
    if (letter != 'N' && letter != 'C')
      dims.push_back(static_cast<int64_t>(i));
  if (static_cast<int64_t>(layout.size()) != Call::rankOf(x))
    return call.refuse("the layout " + layout + " is not that of a tensor of rank " +
                       Twine(Call::rankOf(x)));
  return dims;
}

template <bool isMax> static LogicalResult importGlobalPool(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string out, layout = poolLayout(call, 2, out);
  INGOT_TRY(dims, spatialDims(call, layout, x));
  Result folded = isMax ? call.reduce(x, "max", dims, true) : call.mean(x, dims, true);
  if (failed(folded))
    return failure();
  return call.set(toLayout(call, *folded, layout, out));
}

/// Result i along a dimension is from floor(i * n / out) to ceil((i + 1) * n / out): where windows
/// are of one size a pool, else one fold each.
template <bool isMax, size_t spatial> static LogicalResult importAdaptivePool(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string out, layout = poolLayout(call, spatial, out);
  INGOT_TRY(dims, spatialDims(call, layout, x));
  SmallVector<int64_t> sizes = call.integerList("output_size", ArrayRef<int64_t>());
  if (sizes.size() == 1)
    sizes.resize(spatial, sizes[0]);
  Value result = x;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto extent = constantDim(getDim(Call::typeOf(result), dim));
    int64_t count = i < sizes.size() && sizes[i] > 0 ? sizes[i] : extent.value_or(0);
    if (!extent || count < 1 || count > 4096)
      return call.refuse("it needs extents that are known at compile time");
    SmallVector<Value> parts;
    for (int64_t k = 0; k < count; ++k) {
      int64_t from = k * *extent / count, to = ((k + 1) * *extent + count - 1) / count;
      SmallVector<AffineExpr> starts(Call::rankOf(x), call.constantExpr(0)),
          window = Call::dimsOf(result);
      starts[dim] = call.constantExpr(from);
      window[dim] = call.constantExpr(to - from);
      INGOT_TRY(part, call.make<SliceOp>(
                          {result}, {call.dims("starts", starts),
                                     call.list("steps", SmallVector<int64_t>(Call::rankOf(x), 1)),
                                     call.dims("sizes", window)}));
      Result folded = isMax ? call.reduce(part, "max", {dim}, true) : call.mean(part, {dim}, true);
      if (failed(folded))
        return failure();
      parts.push_back(*folded);
    }
    INGOT_TRY(joined,
              call.make<ConcatOp>(parts, {call.attr("axis", call.b.getI64IntegerAttr(dim))}));
    result = joined;
  }
  return call.set(toLayout(call, result, layout, out));
}

//===----------------------------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------------------------===//

namespace {
struct Sampling {
  std::string method = "nearest", coordinates = "asymmetric", rounding = "floor";
  double cubic = -0.5, extrapolation = 0;
  bool excludesOutside = false;
};
} // namespace

/// Resizes the spatial dimensions of `x` to `sizes`; `scales` maps coordinates, 0 for the quotient
/// of extents.
static Result resize(Call &call, Value x, StringRef layout, ArrayRef<AffineExpr> sizes,
                     ArrayRef<double> scales, const Sampling &sampling) {
  StringRef letters = spatialLetters(sizes.size());
  std::string last = ("N" + letters + "C").str();
  INGOT_TRY(input, toLayout(call, x, layout, last));
  SmallVector<AffineExpr> shape = Call::dimsOf(input);
  SmallVector<double> factors(shape.size(), 1);
  for (size_t i = 0; i < sizes.size(); ++i) {
    shape[i + 1] = sizes[i];
    factors[i + 1] = scales[i];
  }
  OpBuilder &b = call.b;
  INGOT_TRY(
      result,
      call.make<ResizeOp>(
          {input}, {call.dims("sizes", shape), call.attr("scales", b.getDenseF64ArrayAttr(factors)),
                    call.attr("mode", b.getStringAttr(sampling.method)),
                    call.attr("coordinate_mode", b.getStringAttr(sampling.coordinates)),
                    call.attr("nearest_mode", b.getStringAttr(sampling.rounding)),
                    call.attr("cubic_coefficient", b.getF64FloatAttr(sampling.cubic)),
                    call.attr("exclude_outside", b.getBoolAttr(sampling.excludesOutside)),
                    call.attr("extrapolation_value", b.getF64FloatAttr(sampling.extrapolation)),
                    call.attr("roi", b.getDenseF64ArrayAttr({})),
                    call.attr("antialias", b.getBoolAttr(false))}));
  return toLayout(call, result, last, layout);
}

static FailureOr<std::string> coordinateMode(Call &call, StringRef given) {
  if (given == "half_pixel" || given == "align_corners" || given == "asymmetric" ||
      given == "pytorch_half_pixel")
    return given.str();
  return call.refuse("the coordinate_transformation_mode '" + given + "' is not supported");
}

template <size_t spatial> static LogicalResult importResize(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string layout = call.text("layout", ("NC" + spatialLetters(spatial)).str());
  SmallVector<int64_t> size = call.integerList("size", ArrayRef<int64_t>());
  if (size.size() != spatial)
    return call.refuse("its size must hold " + Twine(spatial) + " integers");
  Sampling sampling;
  sampling.method = call.text("method", "linear");
  if (sampling.method == "nearest_neighbor")
    sampling.method = "nearest";
  INGOT_TRY(mode, coordinateMode(call, call.text("coordinate_transformation_mode", "half_pixel")));
  sampling.coordinates = mode;
  std::string rounding = call.text("rounding_method", "round");
  sampling.rounding = rounding == "floor"  ? "floor"
                      : rounding == "ceil" ? "ceil"
                                           : "round_prefer_floor";
  sampling.cubic = call.number("cubic_alpha", -0.5);
  sampling.excludesOutside = call.flag("cubic_exclude", false);
  sampling.extrapolation = call.number("extrapolation_value", 0);
  call.attribute("roi");
  INGOT_TRY(element, call.element("out_dtype", Call::elementType(x)));
  SmallVector<AffineExpr> sizes;
  for (int64_t each : size)
    sizes.push_back(call.constantExpr(each));
  INGOT_TRY(resized, resize(call, x, layout, sizes, SmallVector<double>(spatial, 0), sampling));
  return call.set(call.cast(resized, element));
}

template <size_t spatial> static LogicalResult importUpsampling(Call &call) {
  INGOT_TRY(x, call.in(0));
  std::string layout = call.text("layout", ("NC" + spatialLetters(spatial)).str());
  INGOT_TRY(dims, spatialDims(call, layout, x));
  Sampling sampling;
  sampling.method = call.text("method", "nearest_neighbor");
  if (sampling.method == "nearest_neighbor")
    sampling.method = "nearest";
  else if (sampling.method == "bilinear" || sampling.method == "trilinear")
    sampling.method = "linear";
  else if (sampling.method == "bicubic")
    sampling.method = "cubic";
  INGOT_TRY(mode, coordinateMode(call, call.text("coordinate_transformation_mode", "half_pixel")));
  sampling.coordinates = spatial == 2 ? (call.flag("align_corners", false) ? "align_corners"
                                         : sampling.method == "nearest"    ? "asymmetric"
                                                                           : "half_pixel")
                                      : mode;
  static constexpr const char *names[] = {"scale_d", "scale_h", "scale_w"};
  SmallVector<AffineExpr> sizes;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    double scale = call.number(names[3 - spatial + i], 1);
    auto extent = constantDim(getDim(Call::typeOf(x), dim));
    if (!extent || !(scale > 0) || scale > 1e6)
      return call.refuse("it needs positive scales, and extents that are known at compile time");
    sizes.push_back(
        call.constantExpr(static_cast<int64_t>(std::round(static_cast<double>(*extent) * scale))));
  }
  return call.set(resize(call, x, layout, sizes, SmallVector<double>(spatial, 0), sampling));
}

/// Local response normalisation over `size` neighbouring channels.
static LogicalResult importLrn(Call &call) {
  INGOT_TRY(x, call.in(0));
  int64_t size = call.integer("size", 5), rank = Call::rankOf(x);
  INGOT_TRY(axis, call.axis(call.integer("axis", 1), rank));
  if (size < 1 || size > 1 << 16)
    return call.refuse("its size must be positive");
  INGOT_TRY(square, call.mul(x, x));
  // The channels as the one spatial dimension of a pool.
  SmallVector<AffineExpr> d = Call::dimsOf(x);
  MLIRContext *context = call.b.getContext();
  AffineExpr before = dimProduct(context, ArrayRef(d).take_front(axis));
  AffineExpr behind = dimProduct(context, ArrayRef(d).drop_front(axis + 1));
  INGOT_TRY(flat, call.reshape(square, {before, d[axis], behind}));
  INGOT_TRY(mean, call.make<AveragePoolOp>(
                      {flat}, {call.list("kernel", {size}), call.list("strides", {1}),
                               call.list("dilations", {1}), call.list("low", {size / 2}),
                               call.list("high", {size - 1 - size / 2}),
                               call.attr("ceil_mode", call.b.getBoolAttr(false)),
                               call.attr("count_include_pad", call.b.getBoolAttr(true))}));
  INGOT_TRY(whole, call.reshape(mean, d));
  // alpha / size times the sum is alpha times the mean.
  INGOT_TRY(scaled, call.mul(whole, call.scalarLike(call.number("alpha", 1e-5), x)));
  INGOT_TRY(base, call.add(scaled, call.scalarLike(call.number("bias", 2), x)));
  INGOT_TRY(power, call.make<PowOp>({base, call.scalarLike(call.number("beta", 0.75), x)}));
  return call.set(call.div(x, power));
}

void registerConvolution(OperatorTable &table) {
  table["nn.conv1d"] = importConv<1>;
  table["nn.conv2d"] = importConv<2>;
  table["nn.conv3d"] = importConv<3>;
  table["nn.conv1d_transpose"] = importConvTranspose<1>;
  table["nn.conv2d_transpose"] = importConvTranspose<2>;
  table["nn.conv3d_transpose"] = importConvTranspose<3>;
  table["nn.max_pool1d"] = importPool<MaxPoolOp, 1>;
  table["nn.max_pool2d"] = importPool<MaxPoolOp, 2>;
  table["nn.max_pool3d"] = importPool<MaxPoolOp, 3>;
  table["nn.avg_pool1d"] = importPool<AveragePoolOp, 1>;
  table["nn.avg_pool2d"] = importPool<AveragePoolOp, 2>;
  table["nn.avg_pool3d"] = importPool<AveragePoolOp, 3>;
  table["nn.global_avg_pool2d"] = importGlobalPool<false>;
  table["nn.global_max_pool2d"] = importGlobalPool<true>;
  table["nn.adaptive_avg_pool1d"] = importAdaptivePool<false, 1>;
  table["nn.adaptive_avg_pool2d"] = importAdaptivePool<false, 2>;
  table["nn.adaptive_avg_pool3d"] = importAdaptivePool<false, 3>;
  table["nn.adaptive_max_pool1d"] = importAdaptivePool<true, 1>;
  table["nn.adaptive_max_pool2d"] = importAdaptivePool<true, 2>;
  table["nn.adaptive_max_pool3d"] = importAdaptivePool<true, 3>;
  table["image.resize1d"] = importResize<1>;
  table["image.resize2d"] = importResize<2>;
  table["image.resize3d"] = importResize<3>;
  table["nn.upsampling"] = importUpsampling<2>;
  table["nn.upsampling3d"] = importUpsampling<3>;
  table["nn.lrn"] = importLrn;
}

} // namespace ingot::relay
