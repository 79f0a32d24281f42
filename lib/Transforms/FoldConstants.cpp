//===- FoldConstants.cpp - Computing at compile time ------------------------------------------===//

#include "Dialect/ModelInterface.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

namespace {

int64_t byteCount(Value v) {
  auto type = tensorType(v);
  return type.hasStaticShape()
             ? type.getNumElements() * std::max(1u, type.getElementTypeBitWidth() / 8)
             : INT64_MAX;
}

/// True if computing `op` ahead would make much of little: what a loop writes from a few numbers.
bool isInflation(Operation *op) {
  constexpr int64_t limit = 64 << 10;
  int64_t from = 0;
  for (Value operand : op->getOperands())
    from += byteCount(operand);
  return byteCount(op->getResult(0)) > std::max(limit, 4 * from);
}

class Folding {
public:
  Folding(ModuleOp module, const ConstantEvaluator &evaluate)
      : module(module), evaluate(evaluate) {}
  LogicalResult run();

private:
  bool isFoldable(Operation *op) const {
    if (isa<ConstantOp>(op) || !isa<ElementOpInterface, LoopsOpInterface>(op) ||
        op->getNumRegions() != 0)
      return false;
    for (Value result : op->getResults())
      if (!tensorType(result).hasStaticShape())
        return false;
    for (NamedAttribute attribute : op->getAttrs())
      if (auto dims = dyn_cast<DimsAttr>(attribute.getValue()))
        for (AffineExpr expr : dims.getExprs())
          if (!constantDim(expr))
            return false;
    return !isInflation(op) && llvm::all_of(op->getOperands(), [&](Value v) {
      return v.getDefiningOp() &&
             (isa<ConstantOp>(v.getDefiningOp()) || constant.contains(v.getDefiningOp()));
    });
  }

  ModuleOp module;
  const ConstantEvaluator &evaluate;
  llvm::SetVector<Operation *> constant;
};

} // namespace

LogicalResult Folding::run() {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isFoldable(op))
      constant.insert(op);
  });
  SmallVector<Value> wanted;
  for (Operation *op : constant)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *u) { return !constant.contains(u); }))
        wanted.push_back(result);
  if (wanted.empty())
    return success();

  // The constant part as a program: large constants are its inputs, so that they are not compiled.
  MLIRContext *context = module.getContext();
  OwningOpRef<ModuleOp> program = ModuleOp::create(module.getLoc());
  OpBuilder b(context);
  ModelInterface interface;
  interface.name = "constants";
  llvm::SetVector<Value> leaves;
  std::vector<DenseResourceElementsAttr> inputs;
  SmallVector<Type> inputTypes;
  for (Operation *op : constant)
    for (Value operand : op->getOperands())
      if (auto leaf = operand.getDefiningOp<ConstantOp>())
        if (auto resource = dyn_cast<DenseResourceElementsAttr>(leaf.getValue());
            resource && leaves.insert(operand)) {
          inputs.push_back(resource);
          inputTypes.push_back(operand.getType());
          interface.inputs.push_back(
              {"in" + std::to_string(inputs.size()), tensorType(operand), ""});
        }
  b.setInsertionPointToStart(program->getBody());
  auto main = b.create<func::FuncOp>(module.getLoc(), "main",
                                     b.getFunctionType(inputTypes, ValueRange(wanted).getTypes()));
  Block *body = main.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [leaf, argument] : llvm::zip(leaves, body->getArguments()))
    mapping.map(leaf, argument);
  for (Operation *op : constant) {
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand))
        b.clone(*operand.getDefiningOp(), mapping);
    b.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (Value v : wanted) {
    results.push_back(mapping.lookup(v));
    interface.outputs.push_back({"out" + std::to_string(results.size()), tensorType(v), ""});
  }
  b.create<func::ReturnOp>(module.getLoc(), results);
  interface.write(*program);

  auto values = evaluate(*program, inputs);
  if (failed(values))
    return failure();
  for (auto [from, value] : llvm::zip(wanted, *values)) {
    b.setInsertionPointAfter(from.getDefiningOp());
    Value folded = b.create<ConstantOp>(from.getLoc(), value);
    from.replaceUsesWithIf(folded,
                           [&](OpOperand &use) { return !constant.contains(use.getOwner()); });
  }
  for (Operation *op : llvm::reverse(constant))
    if (op->use_empty())
      op->erase();
  return success();
}

LogicalResult foldConstants(ModuleOp module, const ConstantEvaluator &evaluate) {
  return Folding(module, evaluate).run();
}

namespace {
struct FoldConstants : PassWrapper<FoldConstants, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldConstants)
  explicit FoldConstants(ConstantEvaluator evaluate) : evaluate(std::move(evaluate)) {}
  StringRef getArgument() const override { return "fold-constants"; }
  StringRef getDescription() const override {
    return "Compute what depends on constants only, by the compiler's own code";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    // Those that the evaluator lowers to.
    registry.insert<arith::ArithDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }
  void runOnOperation() override {
    if (failed(foldConstants(getOperation(), evaluate)))
      signalPassFailure();
  }
  ConstantEvaluator evaluate;
};
} // namespace

void registerFoldConstants(ConstantEvaluator evaluate) {
  registerPass(
      [evaluate = std::move(evaluate)] { return std::make_unique<FoldConstants>(evaluate); });
}

} // namespace ingot
