//===- Liveness.cpp - When the buffers of the entry hold what is still needed -----------------===//

#include "Memory/Liveness.h"
#include "Dialect/Dialect.h"

using namespace mlir;

namespace ingot {
namespace {

/// Sizes above this are taken for mistakes: their sums must not leave 63 bits.
constexpr int64_t sizeLimit = int64_t(1) << 46;

/// The positions of an operation and of everything inside it.
class Positions {
public:
  explicit Positions(func::FuncOp function) {
    int64_t next = 0;
    number(function.getBody().front(), next);
  }
  int64_t start(Operation *op) const { return ranges.lookup(op).first; }
  int64_t end(Operation *op) const { return ranges.lookup(op).last; }

private:
  void number(Block &block, int64_t &next) {
    for (Operation &op : block) {
      int64_t first = next++;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          number(inner, next);
      ranges[&op] = {first, next - 1};
    }
  }
  llvm::DenseMap<Operation *, Lifetime> ranges;
};

/// Collects when one buffer is live.
class BufferLiveness {
public:
  BufferLiveness(const Positions &positions, memref::AllocOp alloc) : positions(positions) {
    for (Operation *user : alloc->getUsers())
      for (Operation *op = user; marked.insert(op).second; op = op->getParentOp()) {
        accessed[op->getBlock()].push_back(op);
        if (op->getBlock() == alloc->getBlock())
          break;
      }
    for (auto &[block, ops] : accessed)
      llvm::sort(
          ops, [&](Operation *a, Operation *b) { return positions.start(a) < positions.start(b); });
    visit(*alloc->getBlock(), false, false);
  }

  SmallVector<Lifetime, 1> pieces;

private:
  void add(int64_t first, int64_t last) {
    if (first > last)
      return;
    if (!pieces.empty() && pieces.back().last + 1 >= first)
      pieces.back().last = std::max(pieces.back().last, last);
    else
      pieces.push_back({first, last});
  }

  /// `before`: the buffer has been accessed when control comes here; `after`: it will be after
  /// control has left.
  void visit(Block &block, bool before, bool after) {
    int64_t start = positions.start(&block.front()), end = positions.end(&block.back());
    if (before && after)
      return add(start, end);
    auto found = accessed.find(&block);
    if (found == accessed.end())
      return;
    Operation *first = found->second.front(), *last = found->second.back();
    if (before)
      add(start, positions.start(first) - 1);
    visit(first, before, after || first != last);
    if (first != last) {
      add(positions.end(first) + 1, positions.start(last) - 1);
      visit(last, true, after);
    }
    if (after)
      add(positions.end(last) + 1, end);
  }

  void visit(Operation *op, bool before, bool after) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return add(positions.start(op), positions.end(op));
    if (before)
      add(positions.start(op), positions.start(op));
    for (Region &region : op->getRegions())
      if (!region.empty())
        visit(region.front(), before, after);
  }

  const Positions &positions;
  llvm::DenseMap<Block *, SmallVector<Operation *>> accessed;
  llvm::SmallPtrSet<Operation *, 8> marked;
};

/// The size of `alloc` in bytes, rounded up; null after an error.
AffineExpr sizeOf(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  MLIRContext *context = alloc.getContext();
  int64_t width = type.getElementTypeBitWidth() / 8;
  if (type.hasStaticShape()) {
    int64_t bytes;
    if (type.getRank() != 1 || llvm::MulOverflow(type.getDimSize(0), width, bytes) ||
        bytes > sizeLimit) {
      alloc.emitError("this buffer is too large to plan for");
      return nullptr;
    }
    return dimConstant(context, llvm::alignTo(bytes, bufferAlign));
  }
  auto size = alloc->getAttrOfType<DimsAttr>("ingot.size");
  if (!size || size.getExprs().size() != 1) {
    alloc.emitOpError("has a dynamic size without an attribute 'ingot.size' of one expression");
    return nullptr;
  }
  AffineExpr bytes = simplifyDim(size.getExprs()[0] * width);
  if (bytes.isMultipleOf(bufferAlign))
    return bytes;
  return simplifyDim((bytes + (bufferAlign - 1)).floorDiv(bufferAlign) * bufferAlign);
}

} // namespace

FailureOr<std::vector<Buffer>> findBuffers(func::FuncOp entry) {
  Positions positions(entry);
  std::vector<Buffer> buffers;
  bool failed = false;
  entry.walk<WalkOrder::PreOrder>([&](memref::AllocOp alloc) {
    if (alloc->use_empty())
      return;
    for (Operation *user : alloc->getUsers())
      if (!isa<func::CallOp, memref::LoadOp, memref::StoreOp, memref::PrefetchOp, vector::LoadOp,
               vector::StoreOp>(user)) {
        user->emitOpError("uses a buffer in a way that memory planning does not know");
        failed = true;
        return;
      }
    AffineExpr bytes = sizeOf(alloc);
    if (!bytes) {
      failed = true;
      return;
    }
    buffers.push_back({alloc, bytes, BufferLiveness(positions, alloc).pieces});
  });
  if (failed)
    return failure();
  return buffers;
}

} // namespace ingot
