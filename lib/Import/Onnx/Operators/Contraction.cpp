//===- Contraction.cpp - Products of matrices in ONNX -----------------------------------------===//

#include "Import/Onnx/Family.h"

using namespace mlir;

namespace ingot::onnx_import {

/// numpy.matmul: one-dimensional operands are a row and a column.
static Result matmul(Node &node, Value a, Value b) {
  auto vector = [&](Value v) { return Node::rankOf(v) == 1; };
  if (Node::rankOf(a) == 0 || Node::rankOf(b) == 0)
    return node.refuse("scalars cannot be multiplied so");
  AffineExpr one = node.constantExpr(1);
  bool isRow = vector(a), isColumn = vector(b);
  if (isRow) {
    INGOT_TRY(row, node.reshape(a, {one, getDim(Node::typeOf(a), 0)}));
    a = row;
  }
  if (isColumn) {
    INGOT_TRY(column, node.reshape(b, {getDim(Node::typeOf(b), 0), one}));
    b = column;
  }
  INGOT_TRY(product, node.make<MatmulOp>({a, b}));
  if (!isRow && !isColumn)
    return product;
  SmallVector<AffineExpr> shape = Node::dimsOf(product);
  if (isColumn)
    shape.pop_back();
  if (isRow)
    shape.erase(shape.end() - (isColumn ? 1 : 2));
  return node.reshape(product, shape);
}

static LogicalResult importMatmul(Node &node) {
  INGOT_TRY(a, node.in(0));
  INGOT_TRY(b, node.in(1));
  if (Node::elementType(a) != Node::elementType(b))
    return node.refuse("its operands differ in element type");
  return node.set(matmul(node, a, b));
}

static LogicalResult importGemm(Node &node) {
  INGOT_TRY(a, node.in(0));
  INGOT_TRY(b, node.in(1));
  if (Node::rankOf(a) != 2 || Node::rankOf(b) != 2)
    return node.refuse("expected two matrices");
  if (node.integer("transA", 0)) {
    INGOT_TRY(turned, node.transpose(a, {1, 0}));
    a = turned;
  }
  if (node.integer("transB", 0)) {
    INGOT_TRY(turned, node.transpose(b, {1, 0}));
    b = turned;
  }
  INGOT_TRY(product, node.make<MatmulOp>({a, b}));
  double alpha = node.number("alpha", 1), beta = node.number("beta", 1);
  if (alpha != 1) {
    INGOT_TRY(scaled, node.mul(product, node.scalarLike(alpha, product)));
    product = scaled;
  }
  if (!node.has(2) || beta == 0)
    return node.set(product);
  INGOT_TRY(c, node.in(2));
  if (beta != 1) {
    INGOT_TRY(scaled, node.mul(c, node.scalarLike(beta, c)));
    c = scaled;
  }
  return node.set(node.add(product, c));
}

//===----------------------------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------------------------===//

/// `x` less its zero point, in int32. A zero point of one number per row lines up at `axis`.
static Result lessZeroPoint(Node &node, Value x, size_t operand, int64_t axisFromEnd) {
  Type wide = node.b.getI32Type();
  INGOT_TRY(value, node.cast(x, wide));
  if (!node.has(operand))
    return value;
  INGOT_TRY(zero, node.in(operand));
  INGOT_TRY(wideZero, node.cast(zero, wide));
  if (Node::rankOf(wideZero) == 1 && constantDim(getDim(Node::typeOf(wideZero), 0)) != 1) {
    SmallVector<AffineExpr> shape{getDim(Node::typeOf(wideZero), 0)};
    for (int64_t i = 1; i < axisFromEnd; ++i)
      shape.push_back(node.constantExpr(1));
    INGOT_TRY(lined, node.reshape(wideZero, shape));
    wideZero = lined;
  }
  return node.sub(value, wideZero);
}

static LogicalResult importMatmulInteger(Node &node) {
  INGOT_TRY(a, node.in(0));
  INGOT_TRY(b, node.in(1));
  INGOT_TRY(left, lessZeroPoint(node, a, 2, 2));
  INGOT_TRY(right, lessZeroPoint(node, b, 3, 1));
  return node.set(matmul(node, left, right));
}

/// Rounds `x` (float32) to the quantised type of `zeroPoint`, saturated.
static Result requantise(Node &node, Value x, Value zeroPoint) {
  INGOT_TRY(rounded, node.make<RoundOp>({x}));
  INGOT_TRY(zero, node.cast(zeroPoint, Node::elementType(x)));
  INGOT_TRY(shifted, node.add(rounded, zero));
  return node.saturate(shifted, Node::elementType(zeroPoint));
}

/// The factor from int32 products to the result's scale.
static Result rescale(Node &node, Value product, size_t scaleA, size_t scaleB, size_t scaleY,
                      int64_t channelFromEnd) {
  INGOT_TRY(a, node.in(scaleA));
  INGOT_TRY(b, node.in(scaleB));
  INGOT_TRY(y, node.in(scaleY));
  if (Node::rankOf(b) == 1 && channelFromEnd > 1) {
    SmallVector<AffineExpr> shape{getDim(Node::typeOf(b), 0)};
    for (int64_t i = 1; i < channelFromEnd; ++i)
      shape.push_back(node.constantExpr(1));
    INGOT_TRY(lined, node.reshape(b, shape));
    b = lined;
  }
  INGOT_TRY(scale, node.mul(a, b));
  INGOT_TRY(factor, node.div(scale, y));
  INGOT_TRY(real, node.cast(product, node.b.getF32Type()));
  return node.mul(real, factor);
}

static LogicalResult importQLinearMatmul(Node &node) {
  INGOT_TRY(a, node.in(0));
  INGOT_TRY(b, node.in(3));
  INGOT_TRY(zero, node.in(7));
  INGOT_TRY(left, lessZeroPoint(node, a, 2, 2));
  INGOT_TRY(right, lessZeroPoint(node, b, 5, 1));
  INGOT_TRY(product, matmul(node, left, right));
  INGOT_TRY(scaled, rescale(node, product, 1, 4, 6, 1));
  return node.set(requantise(node, scaled, zero));
}

Result convolve(Node &node, Value x, Value w);

static LogicalResult importConvInteger(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(w, node.in(1));
  INGOT_TRY(input, lessZeroPoint(node, x, 2, 1));
  INGOT_TRY(weights, lessZeroPoint(node, w, 3, Node::rankOf(w)));
  return node.set(convolve(node, input, weights));
}

static LogicalResult importQLinearConv(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(w, node.in(3));
  INGOT_TRY(zero, node.in(7));
  INGOT_TRY(input, lessZeroPoint(node, x, 2, 1));
  INGOT_TRY(weights, lessZeroPoint(node, w, 5, Node::rankOf(w)));
  INGOT_TRY(product, convolve(node, input, weights));
  if (node.has(8)) {
    INGOT_TRY(bias, node.in(8));
    INGOT_TRY(lined, node.perChannel(bias, Node::rankOf(product)));
    INGOT_TRY(sum, node.add(product, lined));
    product = sum;
  }
  INGOT_TRY(scaled, rescale(node, product, 1, 4, 6, Node::rankOf(product) - 1));
  return node.set(requantise(node, scaled, zero));
}

/// Scales and zero points of one number per position of `axis`.
static Result alongAxis(Node &node, Value v, Value x) {
  if (Node::rankOf(v) != 1 || constantDim(getDim(Node::typeOf(v), 0)) == 1)
    return node.reshape(v, Node::rankOf(v) == 1 ? ArrayRef<AffineExpr>()
                                                : ArrayRef<AffineExpr>(Node::dimsOf(v)));
  INGOT_TRY(axis, node.axis(node.integer("axis", 1), Node::rankOf(x)));
  SmallVector<AffineExpr> shape(Node::rankOf(x) - axis, node.constantExpr(1));
  shape[0] = getDim(Node::typeOf(v), 0);
  return node.reshape(v, shape);
}

static LogicalResult importQuantizeLinear(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(scale, node.in(1));
  Value zero = node.scalar(0, node.b.getIntegerType(8, false));
  if (node.has(2)) {
    INGOT_TRY(given, node.in(2));
    zero = given;
  }
  if (node.integer("block_size", 0) || !isa<IntegerType>(Node::elementType(zero)))
    return node.refuse("only integers without blocks are supported");
  INGOT_TRY(factor, alongAxis(node, scale, x));
  INGOT_TRY(offset, alongAxis(node, zero, x));
  INGOT_TRY(real, node.cast(x, Node::elementType(factor)));
  INGOT_TRY(scaled, node.div(real, factor));
  return node.set(requantise(node, scaled, offset));
}

static LogicalResult importDequantizeLinear(Node &node) {
  INGOT_TRY(x, node.in(0));
  INGOT_TRY(scale, node.in(1));
  if (node.integer("block_size", 0) || !isa<IntegerType>(Node::elementType(x)))
    return node.refuse("only integers without blocks are supported");
  INGOT_TRY(factor, alongAxis(node, scale, x));
  INGOT_TRY(value, node.cast(x, node.b.getI32Type()));
  if (node.has(2)) {
    INGOT_TRY(given, node.in(2));
    INGOT_TRY(zero, alongAxis(node, given, x));
    INGOT_TRY(wide, node.cast(zero, node.b.getI32Type()));
    INGOT_TRY(less, node.sub(value, wide));
    value = less;
  }
  INGOT_TRY(real, node.cast(value, Node::elementType(factor)));
  return node.set(node.mul(real, factor));
}

static LogicalResult importDynamicQuantizeLinear(Node &node) {
  INGOT_TRY(x, node.in(0));
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(x)));
  Value nothing = node.scalarLike(0, x);
  INGOT_TRY(greatest, node.reduce(x, "max", all, false));
  INGOT_TRY(least, node.reduce(x, "min", all, false));
  INGOT_TRY(high, node.binary<MaxOp>(greatest, nothing));
  INGOT_TRY(low, node.binary<MinOp>(least, nothing));
  INGOT_TRY(range, node.sub(high, low));
  INGOT_TRY(scale, node.div(range, node.scalarLike(255, x)));
  INGOT_TRY(negative, node.make<NegOp>({low}));
  INGOT_TRY(quotient, node.div(negative, scale));
  INGOT_TRY(clamped, node.clamp(quotient, nothing, node.scalarLike(255, x)));
  INGOT_TRY(rounded, node.make<RoundOp>({clamped}));
  INGOT_TRY(zero, node.cast(rounded, node.b.getIntegerType(8, false)));
  INGOT_TRY(scaled, node.div(x, scale));
  if (failed(node.set(0, requantise(node, scaled, zero))) || failed(node.set(1, scale)))
    return failure();
  return node.set(2, zero);
}

void registerContraction(Table &table) {
  table["::MatMul"] = importMatmul;
  table["::Gemm"] = importGemm;
  table["::MatMulInteger"] = importMatmulInteger;
  table["::QLinearMatMul"] = importQLinearMatmul;
  table["::ConvInteger"] = importConvInteger;
  table["::QLinearConv"] = importQLinearConv;
  table["::QuantizeLinear"] = importQuantizeLinear;
  table["::DequantizeLinear"] = importDequantizeLinear;
  table["::DynamicQuantizeLinear"] = importDynamicQuantizeLinear;
}

} // namespace ingot::onnx_import
