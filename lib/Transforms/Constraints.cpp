//===- Constraints.cpp - What a model takes for granted about its dimensions ------------------===//

#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_COLLECTCONSTRAINTS
#include "Transforms/Passes.h.inc"

namespace {

/// Element-wise operators are one family: all broadcast their operands.
bool isElementwise(Operation *op) {
  return isa<
#define GET_OP_LIST
#include "Operators/Elementwise.cpp.inc"
      >(op);
}

SmallVector<AffineExpr> dimsOf(Value value) {
  return getDims(cast<RankedTensorType>(value.getType()));
}

class Collector {
public:
  explicit Collector(ModelInterface &interface) : interface(interface) {
    for (const Constraint &c : interface.constraints)
      known.insert({c.lhs, c.rhs});
  }

  void visit(Operation *op);
  void equal(AffineExpr a, AffineExpr b) {
    if (a == b || constantDim(a - b) == 0)
      return;
    // Those between constants are shape inference's own errors.
    if (constantDim(a) && constantDim(b))
      return;
    if (known.insert({a, b}).second && !known.contains({b, a}))
      interface.constraints.push_back({a, b});
  }
  void equal(ArrayRef<AffineExpr> a, ArrayRef<AffineExpr> b) {
    for (auto [x, y] : llvm::zip(a, b))
      equal(x, y);
  }

private:
  /// Dimensions that meet must be equal, but those that are 1 for every caller.
  void broadcast(ArrayRef<SmallVector<AffineExpr>> shapes);
  void slice(SliceOp op);

  ModelInterface &interface;
  llvm::DenseSet<std::pair<AffineExpr, AffineExpr>> known;
};

void Collector::broadcast(ArrayRef<SmallVector<AffineExpr>> shapes) {
  SmallVector<AffineExpr> common;
  for (ArrayRef<AffineExpr> shape : shapes) {
    if (shape.size() > common.size())
      common.insert(common.begin(), shape.size() - common.size(), AffineExpr());
    size_t offset = common.size() - shape.size();
    for (auto [i, dim] : llvm::enumerate(shape)) {
      AffineExpr &kept = common[offset + i];
      if (constantDim(dim) == 1)
        continue;
      if (kept)
        equal(kept, dim);
      else
        kept = dim;
    }
  }
}

/// Where starts and sizes are not limited to the operand's extent by themselves, the last element
/// must lie inside.
void Collector::slice(SliceOp op) {
  for (auto [extent, start, step, size] : llvm::zip(dimsOf(op.getX()), op.getStarts().getExprs(),
                                                    op.getSteps(), op.getSizes().getExprs())) {
    bool isLimited = false;
    for (AffineExpr expr : {start, size})
      expr.walk([&](AffineExpr part) { isLimited |= dimDefinition(part).has_value(); });
    AffineExpr end = simplifyDim(start + (size - 1) * step + 1);
    if (isLimited || step < 1 || constantDim(extent - end).value_or(-1) >= 0)
      continue;
    equal(dimMax(extent, end), extent);
  }
}

void Collector::visit(Operation *op) {
  if (isElementwise(op)) {
    SmallVector<SmallVector<AffineExpr>> shapes = llvm::map_to_vector(op->getOperands(), dimsOf);
    shapes.push_back(dimsOf(op->getResult(0)));
    broadcast(shapes);
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    for (Value x : concat.getX().drop_front())
      for (auto [i, dim] : llvm::enumerate(dimsOf(x)))
        if (i != concat.getAxis())
          equal(dim, dimsOf(concat.getX().front())[i]);
  } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    SmallVector<AffineExpr> a = dimsOf(matmul.getA()), b = dimsOf(matmul.getB());
    equal(a.back(), b[b.size() - 2]);
    a.truncate(a.size() - 2);
    b.truncate(b.size() - 2);
    broadcast({a, b});
  } else if (auto conv = dyn_cast<ConvOp>(op)) {
    SmallVector<AffineExpr> w = dimsOf(conv.getW());
    equal(dimsOf(conv.getX()).back(), w[w.size() - 2] * conv.getGroups());
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    equal(elementCount(cast<RankedTensorType>(reshape.getX().getType())),
          elementCount(cast<RankedTensorType>(reshape.getType())));
  } else if (auto sliceOp = dyn_cast<SliceOp>(op)) {
    slice(sliceOp);
  } else if (auto branch = dyn_cast<IfOp>(op)) {
    for (Region &region : branch->getRegions())
      for (auto [result, value] :
           llvm::zip(branch.getResults(), region.front().getTerminator()->getOperands()))
        equal(dimsOf(result), dimsOf(value));
  }
}

struct CollectConstraints : impl::CollectConstraintsBase<CollectConstraints> {
  void runOnOperation() override {
    auto interface = ModelInterface::read(getOperation());
    if (failed(interface))
      return signalPassFailure();
    auto program = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!program || program.isExternal()) {
      getOperation().emitError("the module has no program @main");
      return signalPassFailure();
    }
    Collector collector(*interface);
    program.walk([&](Operation *op) { collector.visit(op); });
    for (auto [port, value] :
         llvm::zip(interface->outputs, program.front().getTerminator()->getOperands()))
      if (isa<RankedTensorType>(value.getType()))
        collector.equal(getDims(port.type), dimsOf(value));
    interface->write(getOperation());
  }
};

} // namespace

} // namespace ingot
