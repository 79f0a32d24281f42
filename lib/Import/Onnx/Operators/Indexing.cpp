//===- Indexing.cpp - Gathering and choosing in ONNX ------------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

static LogicalResult importGather(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(indices, node.in(1));
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  auto known = node.content(0), where = node.content(1);
  if (known && where && Node::rankOf(x) == 1) {
    Content picked;
    for (AffineExpr expr : *where) {
      auto i = constantDim(expr);
      auto count = static_cast<int64_t>(known->size());
      if (!i || *i < -count || *i >= count)
        break;
      picked.push_back((*known)[*i < 0 ? *i + count : *i]);
    }
    if (picked.size() == where->size() && Node::elementType(x).isSignlessInteger(64)) {
      INGOT_TRY(list, node.dimsTensor(picked));
      return node.set(0, node.reshape(list, Node::dimsOf(indices)), picked);
    }
  }
  return node.set(
      node.make<GatherOp>({x, indices}, {node.attr("axis", node.b.getI64IntegerAttr(axis))}));
}

static LogicalResult importGatherElements(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(indices, node.in(1));
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  return node.set(node.make<GatherElementsOp>({x, indices},
                                              {node.attr("axis", node.b.getI64IntegerAttr(axis))}));
}

static LogicalResult importGatherND(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(indices, node.in(1));
  return node.set(node.make<GatherNDOp>(
      {x, indices},
      {node.attr("batch_dims", node.b.getI64IntegerAttr(node.integer("batch_dims", 0)))}));
}

template <bool isMax> static LogicalResult importArg(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  OpBuilder &b = node.b;
  return node.set(node.make<ArgReduceOp>(
      {x}, {node.attr("axis", b.getI64IntegerAttr(axis)),
            node.attr("keep_dim", b.getBoolAttr(node.integer("keepdims", 1))),
            node.attr("select_last", b.getBoolAttr(node.integer("select_last_index", 0))),
            node.attr("is_max", b.getBoolAttr(isMax))}));
}

/// 1 where the position along the axis is the first greatest.
static LogicalResult importHardmax(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axis, node.axis(node.integer("axis", node.version < 13 ? 1 : -1), Node::rankOf(x)));
  OpBuilder &b = node.b;
  Value flat = x;
  SmallVector<AffineExpr> dims = Node::dimsOf(x);
  if (node.version < 13) {
    AffineExpr rest = dimProduct(b.getContext(), ArrayRef(dims).drop_front(axis));
    SmallVector<AffineExpr> shape(dims.begin(), dims.begin() + axis);
    shape.push_back(rest);
    INGOT_TRY(merged, node.reshape(x, shape));
    flat = merged;
  }
  INGOT_TRY(best, node.make<ArgReduceOp>({flat}, {node.attr("axis", b.getI64IntegerAttr(axis)),
                                                  node.attr("keep_dim", b.getBoolAttr(true)),
                                                  node.attr("select_last", b.getBoolAttr(false)),
                                                  node.attr("is_max", b.getBoolAttr(true))}));
  INGOT_TRY(positions, node.iota(Node::dimsOf(flat), axis, b.getI64Type()));
  INGOT_TRY(isBest, node.binary<EqualOp>(positions, best));
  INGOT_TRY(result, node.cast(isBest, Node::elementType(x)));
  return node.set(node.reshape(result, dims));
}

static LogicalResult importOneHot(Node &node) {
  INGOT_TRY(given, node.in(0));
  INGOT_TRY(depths, node.expressions(1, "depth"));
  INGOT_TRY(values, node.in(2));
  if (depths.size() != 1 || Node::rankOf(values) != 1)
    return node.refuse("expected one depth and two values");
  OpBuilder &b = node.b;
  int64_t rank = Node::rankOf(given) + 1;
  INGOT_TRY(axis, node.axis(node.integer("axis", -1), rank));
  INGOT_TRY(indices, node.cast(given, b.getI64Type()));
  SmallVector<AffineExpr> unit = Node::dimsOf(indices), shape = unit;
  unit.insert(unit.begin() + axis, node.constantExpr(1));
  shape.insert(shape.begin() + axis, depths[0]);
  INGOT_TRY(lined, node.reshape(indices, unit));
  INGOT_TRY(depth, node.dimsTensor(depths));
  INGOT_TRY(scalarDepth, node.reshape(depth, {}));
  // Negative indices count from the end.
  INGOT_TRY(isNegative, node.binary<LessOp>(lined, node.scalar(0, b.getI64Type())));
  INGOT_TRY(shifted, node.add(lined, scalarDepth));
  INGOT_TRY(wrapped, node.make<SelectOp>({isNegative, shifted, lined}));
  INGOT_TRY(positions, node.iota(shape, axis, b.getI64Type()));
  INGOT_TRY(isOn, node.binary<EqualOp>(positions, wrapped));
  auto pick = [&](int64_t i) -> Result {
    INGOT_TRY(one, node.make<SliceOp>({values}, {node.dims("starts", {node.constantExpr(i)}),
                                                 node.list("steps", {1}),
                                                 node.dims("sizes", {node.constantExpr(1)})}));
    return node.reshape(one, {});
  };
  INGOT_TRY(off, pick(0));
  INGOT_TRY(on, pick(1));
  return node.set(node.make<SelectOp>({isOn, on, off}));
}

static LogicalResult importScatterElements(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(indices, node.in(1));
  INGOT_TRY(updates, node.in(2));
  INGOT_TRY(axis, node.axis(node.integer("axis", 0), Node::rankOf(x)));
  return node.set(node.make<ScatterOp>(
      {x, indices, updates},
      {node.attr("axis", node.b.getI64IntegerAttr(axis)),
       node.attr("reduction", node.b.getStringAttr(node.text("reduction", "none")))}));
}

static LogicalResult importScatterND(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(indices, node.in(1));
  INGOT_TRY(updates, node.in(2));
  return node.set(node.make<ScatterNDOp>(
      {x, indices, updates},
      {node.attr("reduction", node.b.getStringAttr(node.text("reduction", "none")))}));
}

static LogicalResult importCumSum(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axes, node.integers(1, "axis"));
  if (axes.size() != 1)
    return node.refuse("expected one axis");
  INGOT_TRY(axis, node.axis(axes[0], Node::rankOf(x)));
  return node.set(node.make<CumsumOp>(
      {x}, {node.attr("axis", node.b.getI64IntegerAttr(axis)),
            node.attr("exclusive", node.b.getBoolAttr(node.integer("exclusive", 0))),
            node.attr("reverse", node.b.getBoolAttr(node.integer("reverse", 0)))}));
}

static LogicalResult importTopK(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(axis, node.axis(node.integer("axis", -1), Node::rankOf(x)));
  Content k;
  if (node.version < 10) {
    k.push_back(node.constantExpr(node.integer("k", 0)));
  } else {
    INGOT_TRY(given, node.expressions(1, "k"));
    k = given;
  }
  auto op =
      createChecked<TopKOp>(node.b, node.loc, {x},
                            {node.dims("k", k), node.attr("axis", node.b.getI64IntegerAttr(axis)),
                             node.attr("largest", node.b.getBoolAttr(node.integer("largest", 1)))});
  if (failed(op) || failed(node.set(0, Value(op->getValues()))))
    return failure();
  return node.set(1, Value(op->getIndices()));
}

static LogicalResult importReverseSequence(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(lengths, node.in(1));
  INGOT_TRY(batch, node.axis(node.integer("batch_axis", 1), Node::rankOf(x)));
  INGOT_TRY(time, node.axis(node.integer("time_axis", 0), Node::rankOf(x)));
  return node.set(node.make<ReverseSequenceOp>(
      {x, lengths}, {node.attr("batch_axis", node.b.getI64IntegerAttr(batch)),
                     node.attr("time_axis", node.b.getI64IntegerAttr(time))}));
}

void registerIndexing(Table &table) {
  table["::ReverseSequence"] = importReverseSequence;
  table["::Gather"] = importGather;
  table["::GatherElements"] = importGatherElements;
  table["::GatherND"] = importGatherND;
  table["::ArgMax"] = importArg<true>;
  table["::ArgMin"] = importArg<false>;
  table["::Hardmax"] = importHardmax;
  table["::OneHot"] = importOneHot;
  table["::ScatterElements"] = importScatterElements;
  table["::Scatter"] = importScatterElements;
  table["::ScatterND"] = importScatterND;
  table["::CumSum"] = importCumSum;
  table["::TopK"] = importTopK;
}

} // namespace ingot::onnx_import
