//===- Convolution.cpp - Convolutions, pools and resizing in ONNX -----------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

namespace {
/// The window of a convolution or pool, per spatial dimension.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations, low, high;
};
} // namespace

/// Reads the attributes of the window over the spatial dimensions of `x` [N, C, S...].
static FailureOr<Window> windowOf(Node &node, Value x, ArrayRef<int64_t> kernel) {
  int64_t spatial = Node::rankOf(x) - 2;
  if (spatial < 1)
    return node.refuse("expected a batch, channels and spatial dimensions");
  Window w;
  w.kernel.assign(kernel.begin(), kernel.end());
  auto listOr = [&](StringRef name, int64_t otherwise) {
    SmallVector<int64_t> list = node.integerList(name);
    return list.empty() ? SmallVector<int64_t>(spatial, otherwise) : list;
  };
  w.strides = listOr("strides", 1);
  w.dilations = listOr("dilations", 1);
  SmallVector<int64_t> pads = node.integerList("pads");
  if (pads.empty())
    pads.assign(2 * spatial, 0);
  for (ArrayRef<int64_t> list : {ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(w.dilations)})
    if (static_cast<int64_t>(list.size()) != spatial)
      return node.refuse("its window does not have " + Twine(spatial) + " dimensions");
  if (static_cast<int64_t>(pads.size()) != 2 * spatial)
    return node.refuse("expected " + Twine(2 * spatial) + " amounts of padding");
  for (ArrayRef<int64_t> list : {ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(w.dilations)})
    for (int64_t value : list)
      if (value < 1 || value > (int64_t(1) << 31))
        return node.refuse("its kernel, strides and dilations must be positive");
  w.low.assign(pads.begin(), pads.begin() + spatial);
  w.high.assign(pads.begin() + spatial, pads.end());
  std::string mode = node.text("auto_pad", "NOTSET");
  if (mode == "VALID") {
    w.low.assign(spatial, 0);
    w.high.assign(spatial, 0);
  } else if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    for (int64_t i = 0; i < spatial; ++i) {
      auto extent = constantDim(getDim(Node::typeOf(x), 2 + i));
      int64_t span = (w.kernel[i] - 1) * w.dilations[i] + 1;
      if (!extent && w.strides[i] != 1)
        return node.refuse("auto_pad needs constant extents where strides are not 1");
      int64_t total = w.strides[i] == 1
                          ? span - 1
                          : std::max<int64_t>(0, ((*extent + w.strides[i] - 1) / w.strides[i] - 1) *
                                                         w.strides[i] +
                                                     span - *extent);
      w.low[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.high[i] = total - w.low[i];
    }
  } else if (mode != "NOTSET") {
    return node.refuse("unknown auto_pad '" + mode + "'");
  }
  return w;
}

/// The extents of the spatial dimensions of weights, which must be constant.
static FailureOr<SmallVector<int64_t>> kernelOf(Node &node, Value weights) {
  SmallVector<int64_t> kernel;
  if (Node::rankOf(weights) < 3)
    return node.refuse("its weights have no spatial dimensions");
  SmallVector<AffineExpr> dims = Node::dimsOf(weights);
  for (AffineExpr dim : ArrayRef(dims).drop_front(2)) {
    auto extent = constantDim(dim);
    if (!extent)
      return node.refuse("its weights must have constant extents");
    kernel.push_back(*extent);
  }
  if (node.attribute("kernel_shape") && node.integerList("kernel_shape") != kernel)
    return node.refuse("kernel_shape is not the shape of its weights");
  return kernel;
}

/// conv(x, w) [N, C, S...] by [O, C / groups, S...].
Result convolve(Node &node, Value x, Value w) {
  INGOT_TRY(kernel, kernelOf(node, w));
  INGOT_TRY(window, windowOf(node, x, kernel));
  INGOT_TRY(input, node.channelsLast(x));
  SmallVector<int64_t> permutation;
  for (int64_t i = 2; i < Node::rankOf(w); ++i)
    permutation.push_back(i);
  permutation.append({1, 0});
  INGOT_TRY(weights, node.transpose(w, permutation));
  INGOT_TRY(result,
            node.make<ConvOp>(
                {input, weights},
                {node.list("strides", window.strides), node.list("dilations", window.dilations),
                 node.list("low", window.low), node.list("high", window.high),
                 node.attr("groups", node.b.getI64IntegerAttr(node.integer("group", 1)))}));
  return node.channelsFirst(result);
}

static LogicalResult addBias(Node &node, Value x, size_t operand) {
  if (!node.has(operand))
    return node.set(x);
  INGOT_TRY(bias, node.in(operand));
  INGOT_TRY(lined, node.perChannel(bias, Node::rankOf(x)));
  return node.set(node.add(x, lined));
}

static LogicalResult importConv(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(w, node.in(1));
  INGOT_TRY(result, convolve(node, x, w));
  return addBias(node, result, 2);
}

static LogicalResult importConvTranspose(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(w, node.in(1));
  INGOT_TRY(kernel, kernelOf(node, w));
  std::string mode = node.text("auto_pad", "NOTSET");
  SmallVector<int64_t> shape = node.integerList("output_shape");
  Window window;
  int64_t spatial = static_cast<int64_t>(kernel.size());
  SmallVector<int64_t> extra = node.integerList("output_padding");
  if (extra.empty())
    extra.assign(spatial, 0);
  auto listOr = [&](StringRef name, int64_t otherwise) {
    SmallVector<int64_t> list = node.integerList(name);
    return list.empty() ? SmallVector<int64_t>(spatial, otherwise) : list;
  };
  window.strides = listOr("strides", 1);
  window.dilations = listOr("dilations", 1);
  SmallVector<int64_t> pads = node.integerList("pads");
  if (pads.empty())
    pads.assign(2 * spatial, 0);
  if (static_cast<int64_t>(extra.size()) != spatial ||
      static_cast<int64_t>(window.strides.size()) != spatial ||
      static_cast<int64_t>(window.dilations.size()) != spatial ||
      static_cast<int64_t>(pads.size()) != 2 * spatial || Node::rankOf(x) != spatial + 2)
    return node.refuse("its window does not have " + Twine(spatial) + " dimensions");
  window.low.assign(pads.begin(), pads.begin() + spatial);
  window.high.assign(pads.begin() + spatial, pads.end());
  if (!shape.empty() || mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    if (!shape.empty() && static_cast<int64_t>(shape.size()) < spatial)
      return node.refuse("output_shape is too short");
    for (int64_t i = 0; i < spatial; ++i) {
      auto extent = constantDim(getDim(Node::typeOf(x), 2 + i));
      if (!extent)
        return node.refuse("output_shape needs constant extents");
      int64_t target =
          shape.empty() ? *extent * window.strides[i] : shape[shape.size() - spatial + i];
      int64_t total = window.strides[i] * (*extent - 1) + extra[i] +
                      (kernel[i] - 1) * window.dilations[i] + 1 - target;
      if (total < 0) {
        // More is asked for than the windows reach: zeros behind.
        extra[i] -= total;
        total = 0;
      }
      int64_t less = total / 2, more = total - less;
      window.low[i] = mode == "SAME_UPPER" ? less : more;
      window.high[i] = mode == "SAME_UPPER" ? more : less;
    }
  } else if (mode == "VALID") {
    window.low.assign(spatial, 0);
    window.high.assign(spatial, 0);
  }
  INGOT_TRY(input, node.channelsLast(x));
  SmallVector<int64_t> permutation;
  for (int64_t i = 2; i < Node::rankOf(w); ++i)
    permutation.push_back(i);
  permutation.append({0, 1});
  INGOT_TRY(weights, node.transpose(w, permutation));
  INGOT_TRY(result, node.make<ConvTransposeOp>(
                        {input, weights},
                        {node.list("strides", window.strides),
                         node.list("dilations", window.dilations), node.list("low", window.low),
                         node.list("high", window.high), node.list("output_padding", extra),
                         node.attr("groups", node.b.getI64IntegerAttr(node.integer("group", 1)))}));
  INGOT_TRY(first, node.channelsFirst(result));
  return addBias(node, first, 2);
}

//===----------------------------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------------------------===//

static SmallVector<NamedAttribute> windowAttributes(Node &node, const Window &w) {
  return {node.list("kernel", w.kernel),
          node.list("strides", w.strides),
          node.list("dilations", w.dilations),
          node.list("low", w.low),
          node.list("high", w.high),
          node.attr("ceil_mode", node.b.getBoolAttr(node.integer("ceil_mode", 0)))};
}

template <typename Op>
static LogicalResult importPool(Node &node, ArrayRef<NamedAttribute> more = {}) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(window, windowOf(node, x, node.integerList("kernel_shape")));
  INGOT_TRY(input, node.channelsLast(x));
  SmallVector<NamedAttribute> attributes = windowAttributes(node, window);
  attributes.append(more.begin(), more.end());
  INGOT_TRY(result, node.make<Op>({input}, attributes));
  return node.set(node.channelsFirst(result));
}

static LogicalResult importMaxPool(Node &node) {
  if (node.hasOutput(1)) {
    INGOT_TRY(x, node.in(0));
    INGOT_TRY(window, windowOf(node, x, node.integerList("kernel_shape")));
    INGOT_TRY(input, node.channelsLast(x));
    SmallVector<NamedAttribute> attributes = windowAttributes(node, window);
    attributes.push_back(
        node.attr("storage_order", node.b.getI64IntegerAttr(node.integer("storage_order", 0))));
    INGOT_TRY(where, node.make<MaxPoolIndicesOp>({input}, attributes));
    if (failed(node.set(1, node.channelsFirst(where))))
      return failure();
  }
  return importPool<MaxPoolOp>(node);
}

static LogicalResult importAveragePool(Node &node) {
  return importPool<AveragePoolOp>(
      node,
      {node.attr("count_include_pad", node.b.getBoolAttr(node.integer("count_include_pad", 0)))});
}

static LogicalResult importLpPool(Node &node) {
  return importPool<LpPoolOp>(node,
                              {node.attr("p", node.b.getI64IntegerAttr(node.integer("p", 2)))});
}

static FailureOr<SmallVector<int64_t>> spatialDims(Node &node, Value x) {
  if (Node::rankOf(x) < 3)
    return node.refuse("expected a batch, channels and spatial dimensions");
  return llvm::to_vector(llvm::seq<int64_t>(2, Node::rankOf(x)));
}

static LogicalResult importGlobalAveragePool(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(dims, spatialDims(node, x));
  return node.set(node.mean(x, dims, true));
}

static LogicalResult importGlobalMaxPool(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(dims, spatialDims(node, x));
  return node.set(node.reduce(x, "max", dims, true));
}

/// Local response normalisation over neighbouring channels.
static LogicalResult importLrn(Node &node) {
  INGOT_TRY(x, node.in(0));
  int64_t size = node.integer("size", 1), rank = Node::rankOf(x);
  if (rank < 2 || size < 1 || size > 1 << 16)
    return node.refuse("expected channels and a positive size");
  INGOT_TRY(square, node.mul(x, x));
  // The channels as the one spatial dimension of a pool.
  SmallVector<AffineExpr> d = Node::dimsOf(x);
  AffineExpr rest = dimProduct(node.b.getContext(), ArrayRef(d).drop_front(2));
  INGOT_TRY(flat, node.reshape(square, {d[0], d[1], rest}));
  Window w{{size}, {1}, {1}, {(size - 1) / 2}, {size - 1 - (size - 1) / 2}};
  SmallVector<NamedAttribute> attributes = windowAttributes(node, w);
  attributes.push_back(node.attr("count_include_pad", node.b.getBoolAttr(true)));
  INGOT_TRY(mean, node.make<AveragePoolOp>({flat}, attributes));
  INGOT_TRY(whole, node.reshape(mean, d));
  // alpha / size times the sum is alpha times the mean.
  INGOT_TRY(scaled, node.mul(whole, node.scalarLike(node.number("alpha", 1e-4), x)));
  INGOT_TRY(base, node.add(scaled, node.scalarLike(node.number("bias", 1), x)));
  INGOT_TRY(power, node.make<PowOp>({base, node.scalarLike(node.number("beta", 0.75), x)}));
  return node.set(node.div(x, power));
}

//===----------------------------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------------------------===//

static LogicalResult importResize(Node &node) {
  OpBuilder &b = node.b;
  INGOT_TRY(x, node.in(0));
  int64_t rank = Node::rankOf(x);
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  bool isUpsample = node.proto.op_type() == "Upsample";
  size_t scalesAt = isUpsample || node.version < 11 ? 1 : 2;
  SmallVector<double> scales;
  Content sizes;
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (node.attribute("axes")) {
    axes.clear();
    for (int64_t each : node.integerList("axes")) {
      INGOT_TRY(axis, node.axis(each, rank));
      axes.push_back(axis);
    }
  }
  if (isUpsample && node.version < 9) {
    scales = node.numberList("scales");
    if (scales.empty())
      scales = {1, 1, node.number("height_scale", 1), node.number("width_scale", 1)};
  } else if (node.has(scalesAt)) {
    INGOT_TRY(list, node.numbers(scalesAt, "scales"));
    scales = list;
  }
  if (scales.empty() && scalesAt == 2 && node.has(3)) {
    INGOT_TRY(list, node.expressions(3, "sizes"));
    sizes = list;
  }
  if ((scales.empty() && sizes.size() != axes.size()) ||
      (!scales.empty() && scales.size() != axes.size()))
    return node.refuse("expected scales or sizes for " + Twine(axes.size()) + " dimensions");
  SmallVector<AffineExpr> result = dims;
  SmallVector<double> factors(rank, 1);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (scales.empty()) {
      result[axis] = sizes[i];
      factors[axis] = 0;
      continue;
    }
    double scale = scales[i];
    if (!(scale > 0) || scale > 1e6)
      return node.refuse("its scales must be positive");
    factors[axis] = scale;
    if (auto extent = constantDim(dims[axis])) {
      result[axis] = node.constantExpr(static_cast<int64_t>(
          std::floor(static_cast<float>(*extent) * static_cast<float>(scale))));
    } else if (scale == std::floor(scale)) {
      result[axis] = simplifyDim(dims[axis] * static_cast<int64_t>(scale));
    } else if (1 / scale == std::floor(1 / scale)) {
      result[axis] = simplifyDim(dims[axis].floorDiv(static_cast<int64_t>(1 / scale)));
    } else {
      return node.refuse("a scale that is not whole needs a constant extent");
    }
  }
  std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && scales.empty()) {
    double ratio = policy == "not_larger" ? 1e30 : 0;
    for (int64_t axis : axes) {
      auto from = constantDim(dims[axis]), to = constantDim(result[axis]);
      if (!from || !to || *from == 0)
        return node.refuse("keep_aspect_ratio_policy needs constant extents");
      double each = double(*to) / double(*from);
      ratio = policy == "not_larger" ? std::min(ratio, each) : std::max(ratio, each);
    }
    for (int64_t axis : axes) {
      result[axis] = node.constantExpr(
          static_cast<int64_t>(std::round(ratio * double(*constantDim(dims[axis])))));
      factors[axis] = ratio;
    }
  }
  SmallVector<double> roi;
  std::string coordinates =
      node.text("coordinate_transformation_mode",
                isUpsample || node.version < 11 ? "asymmetric" : "half_pixel");
  if (coordinates == "tf_crop_and_resize") {
    INGOT_TRY(list, node.numbers(1, "roi"));
    if (list.size() != 2 * axes.size())
      return node.refuse("expected a region of " + Twine(2 * axes.size()) + " numbers");
    roi.assign(rank, 0);
    roi.append(rank, 1);
    for (auto [i, axis] : llvm::enumerate(axes)) {
      roi[axis] = list[i];
      roi[rank + axis] = list[axes.size() + i];
    }
  }
  std::string mode = node.text("mode", "nearest");
  if (mode == "bilinear")
    mode = "linear";
  std::string rounding =
      node.text("nearest_mode", isUpsample || node.version < 11 ? "floor" : "round_prefer_floor");
  // Channels last, as convolutions want it; sizes follow.
  bool isImage = rank >= 3 && result[1] == dims[1];
  auto permute = [&](auto list) {
    auto moved = list;
    if (isImage) {
      std::rotate(moved.begin() + 1, moved.begin() + 2, moved.begin() + rank);
      if (static_cast<int64_t>(moved.size()) == 2 * rank)
        std::rotate(moved.begin() + rank + 1, moved.begin() + rank + 2, moved.end());
    }
    return moved;
  };
  Value input = x;
  if (isImage) {
    INGOT_TRY(moved, node.channelsLast(x));
    input = moved;
  }
  SmallVector<double> movedRoi = roi.empty() ? roi : permute(roi);
  INGOT_TRY(
      resized,
      node.make<ResizeOp>(
          {input},
          {node.dims("sizes", permute(result)),
           node.attr("scales", b.getDenseF64ArrayAttr(permute(factors))),
           node.attr("mode", b.getStringAttr(mode)),
           node.attr("coordinate_mode", b.getStringAttr(coordinates)),
           node.attr("nearest_mode", b.getStringAttr(rounding)),
           node.attr("cubic_coefficient", b.getF64FloatAttr(node.number("cubic_coeff_a", -0.75))),
           node.attr("exclude_outside", b.getBoolAttr(node.integer("exclude_outside", 0))),
           node.attr("extrapolation_value",
                     b.getF64FloatAttr(node.number("extrapolation_value", 0))),
           node.attr("roi", b.getDenseF64ArrayAttr(movedRoi)),
           node.attr("antialias", b.getBoolAttr(node.integer("antialias", 0)))}));
  return node.set(isImage ? node.channelsFirst(resized) : Result(resized));
}

void registerConvolution(Table &table) {
  table["::Conv"] = importConv;
  table["::ConvTranspose"] = importConvTranspose;
  table["::MaxPool"] = importMaxPool;
  table["::AveragePool"] = importAveragePool;
  table["::LpPool"] = importLpPool;
  table["::GlobalAveragePool"] = importGlobalAveragePool;
  table["::GlobalMaxPool"] = importGlobalMaxPool;
  table["::LRN"] = importLrn;
  table["::Resize"] = importResize;
  table["::Upsample"] = importResize;
}

} // namespace ingot::onnx_import
