//===- Signal.cpp - Windows of signal processing ----------------------------------------------===//

#include "Import/Onnx/Family.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ingot::onnx_import {

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N) for n in [0, size); N is the size, less one if the
/// window is symmetric instead of periodic.
static LogicalResult cosineWindow(Node &node, double a0, double a1, double a2) {
  INGOT_TRY(sizes, node.expressions(0, "size"));
  Type element = elementTypeOf(node.b.getContext(), node.integer("output_datatype", 1));
  if (sizes.size() != 1 || !isa_and_nonnull<FloatType>(element))
    return node.refuse("expected one size and an output_datatype of floating point");
  AffineExpr size = sizes[0], period = node.integer("periodic", 1) ? size : size - 1;
  INGOT_TRY(list, node.dimsTensor({simplifyDim(period)}));
  INGOT_TRY(scalarPeriod, node.reshape(list, {}));
  INGOT_TRY(length, node.cast(scalarPeriod, element));
  INGOT_TRY(positions, node.iota({size}, 0, element));
  INGOT_TRY(turns, node.mul(positions, node.scalar(2 * llvm::numbers::pi, element)));
  INGOT_TRY(angle, node.div(turns, length));
  INGOT_TRY(first, node.make<CosOp>({angle}));
  INGOT_TRY(firstScaled, node.mul(first, node.scalar(a1, element)));
  INGOT_TRY(window, node.sub(node.scalar(a0, element), firstScaled));
  if (a2 == 0)
    return node.set(window);
  INGOT_TRY(twice, node.add(angle, angle));
  INGOT_TRY(second, node.make<CosOp>({twice}));
  INGOT_TRY(secondScaled, node.mul(second, node.scalar(a2, element)));
  return node.set(node.add(window, secondScaled));
}

static LogicalResult importHannWindow(Node &node) { return cosineWindow(node, 0.5, 0.5, 0); }
static LogicalResult importHammingWindow(Node &node) {
  return cosineWindow(node, 25.0 / 46, 21.0 / 46, 0);
}
static LogicalResult importBlackmanWindow(Node &node) {
  return cosineWindow(node, 0.42, 0.5, 0.08);
}

void registerSignal(Table &table) {
  table["::HannWindow"] = importHannWindow;
  table["::HammingWindow"] = importHammingWindow;
  table["::BlackmanWindow"] = importBlackmanWindow;
}

} // namespace ingot::onnx_import
