//===- Fuse.cpp - Operators into groups
//--------------------------------------------------------===//
//
// Greedy clustering in program order. A cluster's operators depend only on clusters made before it:
// an operator joins only the latest of those its operands come from. So clusters in order of
// making are a valid order of execution, whatever joined them later.
//
//===----------------------------------------------------------------------------------------===//

#include "Dialect/TrailingFold.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_FUSE
#include "Transforms/Passes.h.inc"

namespace {

SmallVector<AffineExpr> dimsOf(Value v) { return getDims(cast<RankedTensorType>(v.getType())); }

struct Cluster {
  enum Kind {
    General,  ///< loops over `dims`, each element built on its own
    Rows,     ///< the same, with folds over the trailing `inner` dimensions
    Anchored, ///< a costly operator, then elements of its shape
    Alone     ///< control flow, or an operator with loops of its own
  } kind;
  SmallVector<AffineExpr> dims, row;
  SmallVector<Operation *> ops;
  bool isMerged = false;
};

class Fusion {
public:
  explicit Fusion(Block &block) : block(block) {}
  void run();

private:
  void place(Operation *op);
  bool join(Operation *op);
  bool joinAsFold(ReductionOpInterface op);
  void mergeProducers(size_t index);
  bool mayInline(const Cluster &producer, const Cluster &consumer, Operation *user) const;
  void emit(Cluster &cluster);
  /// The index of the cluster that `v` comes from, through reshapes; nothing if from none.
  std::optional<size_t> sourceOf(Value v) const;
  size_t make(Cluster::Kind kind, Operation *op, ArrayRef<AffineExpr> dims);

  Block &block;
  std::vector<Cluster> clusters;
  llvm::DenseMap<Operation *, size_t> clusterOf;
};

/// A constant that is written into the code where it is used.
bool isImmediate(Value v) {
  auto constant = v.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat();
}

/// True if neighbours along the last dimension of the result are not neighbours in the operand, so
/// that no vectors can be used.
bool breaksVectors(Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getPermutation().back() + 1 !=
           static_cast<int64_t>(transpose.getPermutation().size());
  if (auto slice = dyn_cast<SliceOp>(op))
    return !slice.getSteps().empty() && slice.getSteps().back() != 1;
  return isa<PackOp, IotaOp>(op);
}

/// A rough price of one element, in simple operations.
int64_t price(ArrayRef<Operation *> ops) {
  int64_t sum = 0;
  for (Operation *op : ops)
    if (isa<ScalarOpInterface>(op))
      sum += isa<AddOp, SubOp, MulOp, MaxOp, MinOp, CastOp, SelectOp, ReluOp, NegOp>(op) ? 1 : 8;
  return sum;
}

} // namespace

std::optional<size_t> Fusion::sourceOf(Value v) const {
  while (auto reshape = v.getDefiningOp<ReshapeOp>())
    v = reshape.getX();
  if (Operation *op = v.getDefiningOp())
    if (auto it = clusterOf.find(op); it != clusterOf.end())
      return it->second;
  return std::nullopt;
}

size_t Fusion::make(Cluster::Kind kind, Operation *op, ArrayRef<AffineExpr> dims) {
  clusters.push_back({kind, SmallVector<AffineExpr>(dims), {}, {op}});
  clusterOf[op] = clusters.size() - 1;
  return clusters.size() - 1;
}

bool Fusion::join(Operation *op) {
  // Beyond this a group's live values exceed any register file.
  constexpr size_t maxOps = 48;
  std::optional<size_t> latest;
  for (Value operand : op->getOperands())
    if (auto source = sourceOf(operand))
      latest = std::max(latest.value_or(0), *source);
  if (!latest)
    return false;
  Cluster &cluster = clusters[*latest];
  SmallVector<AffineExpr> dims = dimsOf(op->getResult(0));
  bool isDirect = llvm::any_of(op->getOperands(), [&](Value v) {
    auto it = v.getDefiningOp() ? clusterOf.find(v.getDefiningOp()) : clusterOf.end();
    return it != clusterOf.end() && it->second == *latest;
  });
  // A reshape within the cluster would need its source complete.
  bool isThroughView = llvm::any_of(op->getOperands(), [&](Value v) {
    return v.getDefiningOp<ReshapeOp>() && sourceOf(v) == latest;
  });
  bool fits = dims == cluster.dims || (cluster.kind == Cluster::Rows && dims == cluster.row);
  if (cluster.kind == Cluster::Alone || !isDirect || isThroughView || !fits ||
      cluster.ops.size() >= maxOps)
    return false;
  if (price(op) > 2 && llvm::any_of(cluster.ops, breaksVectors))
    return false;
  cluster.ops.push_back(op);
  clusterOf[op] = *latest;
  return true;
}

bool Fusion::joinAsFold(ReductionOpInterface op) {
  Value operand = op->getOperand(0);
  SmallVector<AffineExpr> dims = dimsOf(operand), row = dimsOf(op->getResult(0));
  auto it = operand.getDefiningOp() ? clusterOf.find(operand.getDefiningOp()) : clusterOf.end();
  if (it == clusterOf.end())
    return false;
  Cluster &cluster = clusters[it->second];
  if (cluster.dims != dims)
    return false;
  if (cluster.kind == Cluster::General &&
      llvm::none_of(cluster.ops, [](Operation *o) { return breaksVectors(o); })) {
    cluster.kind = Cluster::Rows;
    cluster.row = row;
  } else if (cluster.kind != Cluster::Rows || cluster.row != row) {
    return false;
  }
  cluster.ops.push_back(op);
  clusterOf[op] = it->second;
  return true;
}

void Fusion::place(Operation *op) {
  if (isa<ConstantOp, ReshapeOp, UndefinedOp>(op))
    return;
  if (auto fold = dyn_cast<ReductionOpInterface>(op); fold && trailingFold(fold)) {
    if (!joinAsFold(fold))
      clusters[make(Cluster::Rows, op, dimsOf(op->getOperand(0)))].row = dimsOf(op->getResult(0));
    return;
  }
  if (!isa<ElementOpInterface>(op)) {
    make(Cluster::Alone, op, {});
    return;
  }
  if (isa<ScalarOpInterface>(op) && join(op))
    return;
  bool isCostly = cast<ElementOpInterface>(op).isCostly();
  make(isCostly ? Cluster::Anchored : Cluster::General, op, dimsOf(op->getResult(0)));
}

bool Fusion::mayInline(const Cluster &producer, const Cluster &consumer, Operation *user) const {
  if (producer.kind != Cluster::General || consumer.kind == Cluster::Alone)
    return false;
  bool producerBreaks = llvm::any_of(producer.ops, breaksVectors);
  auto fold = dyn_cast<ReductionOpInterface>(user);
  if (consumer.kind == Cluster::Anchored && !(fold && user == consumer.ops.front()))
    return false;
  if (fold || consumer.kind == Cluster::Rows)
    return !producerBreaks && producer.dims == consumer.dims;
  // An operand that is broadcast would be built again and again.
  if (isa<ScalarOpInterface>(user) && producer.dims != consumer.dims)
    return false;
  if (isa<BroadcastOp, TileOp>(user) && price(producer.ops) > 2)
    return false;
  bool consumerBreaks = llvm::any_of(consumer.ops, breaksVectors);
  if (producerBreaks || consumerBreaks)
    return price(producer.ops) <= 2 && price(consumer.ops) <= 2;
  return true;
}

/// Moves into the cluster those producers that only it uses, and uses once an element.
void Fusion::mergeProducers(size_t index) {
  bool changed = true;
  while (changed) {
    changed = false;
    Cluster &cluster = clusters[index];
    for (Operation *user : SmallVector<Operation *>(cluster.ops))
      for (Value operand : user->getOperands()) {
        Operation *def = operand.getDefiningOp();
        auto it = def ? clusterOf.find(def) : clusterOf.end();
        if (it == clusterOf.end() || it->second == index)
          continue;
        Cluster &producer = clusters[it->second];
        bool isPrivate = llvm::all_of(producer.ops, [&](Operation *op) {
          return llvm::all_of(op->getUsers(), [&](Operation *u) {
            auto where = clusterOf.find(u);
            return where != clusterOf.end() &&
                   (where->second == index || where->second == it->second) &&
                   (where->second == it->second || mayInline(producer, cluster, u));
          });
        });
        if (!isPrivate || cluster.ops.size() + producer.ops.size() > 64)
          continue;
        producer.isMerged = true;
        cluster.ops.insert(cluster.ops.begin(), producer.ops.begin(), producer.ops.end());
        for (Operation *op : producer.ops)
          clusterOf[op] = index;
        changed = true;
        break;
      }
  }
}

void Fusion::emit(Cluster &cluster) {
  Operation *terminator = block.getTerminator();
  if (cluster.kind == Cluster::Alone && !isa<LoopsOpInterface>(cluster.ops.front())) {
    cluster.ops.front()->moveBefore(terminator);
    return;
  }
  // Merged producers came in front as wholes; program order is the order within a group.
  llvm::sort(cluster.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::SmallPtrSet<Operation *, 16> inside(cluster.ops.begin(), cluster.ops.end());
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  for (Operation *op : cluster.ops) {
    for (Value operand : op->getOperands())
      if (!isImmediate(operand) && !inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (isa<LoopsOpInterface>(op) ||
          llvm::any_of(result.getUsers(), [&](Operation *u) { return !inside.contains(u); }))
        outputs.push_back(result);
  }
  OpBuilder b(terminator);
  Operation *named = cluster.kind == Cluster::Anchored ? cluster.ops.front() : cluster.ops.back();
  auto group = b.create<GroupOp>(named->getLoc(), ValueRange(outputs).getTypes(),
                                 inputs.getArrayRef(), StringAttr(), DenseI64ArrayAttr());
  SmallVector<Location> locations;
  for (Value v : inputs)
    locations.push_back(v.getLoc());
  Block *body =
      b.createBlock(&group.getBody(), {}, ValueRange(inputs.getArrayRef()).getTypes(), locations);
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), body->getArguments());
  for (Operation *op : cluster.ops) {
    for (Value operand : op->getOperands())
      if (isImmediate(operand) && !mapping.contains(operand))
        b.clone(*operand.getDefiningOp(), mapping);
    b.clone(*op, mapping);
  }
  SmallVector<Value> yielded;
  for (Value v : outputs)
    yielded.push_back(mapping.lookup(v));
  b.create<YieldOp>(group.getLoc(), yielded);
  for (auto [from, to] : llvm::zip(outputs, group.getResults()))
    from.replaceAllUsesExcept(to, group);
  for (Operation *op : llvm::reverse(cluster.ops)) {
    clusterOf.erase(op);
    op->erase();
  }
}

void Fusion::run() {
  for (Operation &op : block.without_terminator()) {
    for (Region &region : op.getRegions())
      if (!isa<GroupOp>(op))
        Fusion(region.front()).run();
    place(&op);
  }
  for (size_t i = clusters.size(); i-- > 0;)
    if (!clusters[i].isMerged)
      mergeProducers(i);

  SmallVector<Operation *> views;
  Operation *terminator = block.getTerminator();
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (isa<ReshapeOp>(op))
      views.push_back(&op);
  llvm::SmallPtrSet<Operation *, 16> pending(views.begin(), views.end());
  auto placeViews = [&] {
    for (Operation *&view : views) {
      if (!view)
        continue;
      Operation *def = cast<ReshapeOp>(view).getX().getDefiningOp();
      if (def && (clusterOf.contains(def) || pending.contains(def)))
        continue;
      view->moveBefore(terminator);
      pending.erase(view);
      view = nullptr;
    }
  };
  placeViews();
  for (Cluster &cluster : clusters) {
    if (cluster.isMerged)
      continue;
    Operation *alone = cluster.kind == Cluster::Alone ? cluster.ops.front() : nullptr;
    if (alone)
      clusterOf.erase(alone);
    emit(cluster);
    placeViews();
  }
}

namespace {
struct Fuse : impl::FuseBase<Fuse> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        Fusion(function.getBody().front()).run();
  }
};
} // namespace

} // namespace ingot
