//===- Pack.cpp - Operands as kernels read them
//------------------------------------------------===//

#include "Dialect/Target/Tiling.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Constants.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_PACK
#include "Transforms/Passes.h.inc"

namespace {

DimsAttr dimsAttr(MLIRContext *context, ArrayRef<AffineExpr> dims) {
  return DimsAttr::get(context, llvm::map_to_vector(dims, simplifyDim));
}

/// Float types that are computed as they are stored.
bool hasKernels(Type element) { return element.isF32() || element.isF64(); }

class Packing {
public:
  Packing(const TargetInfo &target, OpBuilder &b) : target(target), b(b) {}
  void pack(MatmulOp op);
  void pack(ConvOp op);

private:
  Value reshape(Location loc, Value x, ArrayRef<AffineExpr> dims) {
    return b.createOrFold<ReshapeOp>(loc, x, dimsAttr(b.getContext(), dims));
  }
  /// `a` [..., M, K] by `matrix` [..., K, N].
  Value product(Location loc, Value a, Value matrix);

  const TargetInfo &target;
  OpBuilder &b;
};

} // namespace

Value Packing::product(Location loc, Value a, Value matrix) {
  RankedTensorType left = tensorType(a), right = tensorType(matrix);
  AffineExpr rows = getDim(left, left.getRank() - 2), columns = getDim(right, right.getRank() - 1);
  // With one right operand for all, every leading dimension counts rows.
  if (right.getRank() == 2)
    rows = dimProduct(b.getContext(), ArrayRef(getDims(left)).drop_back());
  TileShape tile =
      chooseTile(target, constantDim(rows), constantDim(columns), left.getElementTypeBitWidth());
  Value packed = b.create<PackOp>(loc, matrix, tile.lanes, tile.vectors);
  return b.create<PackedMatmulOp>(loc, a, packed, dimsAttr(b.getContext(), {columns}), tile.lanes,
                                  tile.vectors);
}

void Packing::pack(MatmulOp op) {
  RankedTensorType left = tensorType(op.getA()), right = tensorType(op.getB());
  if (!hasKernels(left.getElementType()))
    return;
  // Packing costs as much as one row of the product.
  bool isConstant = isConstantTree(op.getB());
  if (!isConstant && left.getDimSize(left.getRank() - 2) == 1)
    return;
  SmallVector<AffineExpr> leftDims = getDims(left), rightDims = getDims(right);
  bool isShared = right.getRank() == 2;
  bool isBatch = right.getRank() == left.getRank() &&
                 ArrayRef(leftDims).drop_back(2) == ArrayRef(rightDims).drop_back(2);
  if (!isShared && !isBatch)
    return;
  b.setInsertionPoint(op);
  op.replaceAllUsesWith(product(op.getLoc(), op.getA(), op.getB()));
  op.erase();
}

void Packing::pack(ConvOp op) {
  RankedTensorType type = tensorType(op.getX()), weights = tensorType(op.getW());
  size_t spatial = type.getRank() - 2;
  if (!hasKernels(type.getElementType()) || op.getGroups() != 1 || spatial == 0 || spatial > 2)
    return;
  SmallVector<AffineExpr> dims = getDims(type), w = getDims(weights);
  SmallVector<int64_t> kernel;
  for (size_t i = 0; i < spatial; ++i) {
    auto extent = constantDim(w[i]);
    if (!extent)
      return;
    kernel.push_back(*extent);
  }
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  auto list = [&](ArrayRef<int64_t> values) { return SmallVector<int64_t>(values); };
  SmallVector<int64_t> strides = list(op.getStrides()), dilations = list(op.getDilations()),
                       low = list(op.getLow()), high = list(op.getHigh());
  auto isAll = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  Value x = op.getX();
  Value matrix = reshape(loc, op.getW(), {dimProduct(context, ArrayRef(w).drop_back()), w.back()});
  Value result;
  if (isAll(kernel, 1) && isAll(strides, 1) && isAll(low, 0) && isAll(high, 0)) {
    result = product(loc, x, matrix);
  } else {
    if (spatial == 1) {
      // One row.
      AffineExpr one = dimConstant(context, 1);
      x = reshape(loc, x, {dims[0], one, dims[1], dims[2]});
      kernel.insert(kernel.begin(), 1);
      strides.insert(strides.begin(), 1);
      dilations.insert(dilations.begin(), 1);
      low.insert(low.begin(), 0);
      high.insert(high.begin(), 0);
    }
    if (!isAll(low, 0) || !isAll(high, 0)) {
      auto border = [&](ArrayRef<int64_t> amount) {
        return dimsAttr(context, {dimConstant(context, 0), dimConstant(context, amount[0]),
                                  dimConstant(context, amount[1]), dimConstant(context, 0)});
      };
      auto scalar = RankedTensorType::get({}, type.getElementType());
      Value zero = b.create<ConstantOp>(
          loc, DenseElementsAttr::get(scalar, b.getFloatAttr(type.getElementType(), 0)));
      x = b.create<PadOp>(loc, x, zero, border(low), border(high), b.getStringAttr("constant"));
    }
    AffineExpr columns = w.back();
    SmallVector<AffineExpr> out = getDims(tensorType(op.getResult()));
    auto rows = constantDim(out[out.size() - 2]);
    TileShape tile = chooseTile(target, rows, constantDim(columns), type.getElementTypeBitWidth());
    Value packed = b.create<PackOp>(loc, matrix, tile.lanes, tile.vectors);
    result = b.create<PackedConvOp>(loc, x, packed, kernel, strides, dilations,
                                    dimsAttr(context, {columns}), tile.lanes, tile.vectors);
    if (spatial == 1)
      result = reshape(loc, result, out);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct Pack : impl::PackBase<Pack> {
  using PackBase::PackBase;
  void runOnOperation() override {
    TargetInfo target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    OpBuilder b(&getContext());
    Packing packing(target, b);
    SmallVector<Operation *> work;
    getOperation().walk([&](Operation *op) {
      if (isa<MatmulOp, ConvOp>(op))
        work.push_back(op);
    });
    for (Operation *op : work) {
      if (auto product = dyn_cast<MatmulOp>(op))
        packing.pack(product);
      else
        packing.pack(cast<ConvOp>(op));
    }
  }
};
} // namespace

} // namespace ingot
