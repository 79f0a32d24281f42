//===- Liveness.cpp - When the buffers of the entry hold what is still needed -----------------===//

#include "Memory/Liveness.h"
#include "Dialect/Dialect.h"

using namespace mlir;

namespace ingot {
namespace {

/// Sizes above this are taken for mistakes: their sums must not leave 63 bits.
constexpr int64_t sizeLimit = int64_t(1) << 46;

/// Collects when one buffer is live.
class BufferLiveness {
public:
  BufferLiveness(const EntryLiveness &entry, Operation *definition) : entry(entry) {
    for (Operation *user : definition->getUsers())
      for (Operation *op = user; marked.insert(op).second; op = op->getParentOp()) {
        accessed[op->getBlock()].push_back(op);
        if (op->getBlock() == definition->getBlock())
          break;
      }
    for (auto &[block, ops] : accessed)
      llvm::sort(ops, [&](Operation *a, Operation *b) { return start(a) < start(b); });
    visit(*definition->getBlock(), false, false);
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
    int64_t blockStart = start(&block.front()), blockEnd = end(&block.back());
    if (before && after)
      return add(blockStart, blockEnd);
    auto found = accessed.find(&block);
    if (found == accessed.end())
      return;
    Operation *first = found->second.front(), *last = found->second.back();
    if (before)
      add(blockStart, start(first) - 1);
    visit(first, before, after || first != last);
    if (first != last) {
      add(end(first) + 1, start(last) - 1);
      visit(last, true, after);
    }
    if (after)
      add(end(last) + 1, blockEnd);
  }

  void visit(Operation *op, bool before, bool after) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return add(start(op), end(op));
    if (before)
      add(start(op), start(op));
    for (Region &region : op->getRegions())
      if (!region.empty())
        visit(region.front(), before, after);
  }

  int64_t start(Operation *op) const { return entry.positions(op).first; }
  int64_t end(Operation *op) const { return entry.positions(op).last; }

  const EntryLiveness &entry;
  llvm::DenseMap<Block *, SmallVector<Operation *>> accessed;
  llvm::SmallPtrSet<Operation *, 8> marked;
};

/// The size of `alloc` in bytes, rounded up; null after an error.
AffineExpr sizeOf(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  MLIRContext *context = alloc.getContext();
  if (type.getRank() != 1 || !type.getElementType().isIntOrFloat()) {
    alloc.emitOpError("is not a rank-1 buffer of numbers");
    return nullptr;
  }
  int64_t width = type.getElementTypeBitWidth() / 8;
  if (type.hasStaticShape()) {
    int64_t bytes;
    if (llvm::MulOverflow(type.getDimSize(0), width, bytes) || bytes > sizeLimit) {
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

void EntryLiveness::number(Block &block) {
  for (Operation &op : block) {
    int64_t first = next++;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        number(inner);
    ranges[&op] = {first, next - 1};
  }
}

SmallVector<Lifetime, 1> EntryLiveness::of(Value buffer) const {
  return BufferLiveness(*this, buffer.getDefiningOp()).pieces;
}

FailureOr<std::vector<Buffer>> findBuffers(func::FuncOp entry) {
  EntryLiveness liveness(entry);
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
    buffers.push_back({alloc, bytes, liveness.of(alloc)});
  });
  if (failed)
    return failure();
  return buffers;
}

} // namespace ingot
