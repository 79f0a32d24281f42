//===- Check.cpp - Proof of a memory plan -----------------------------------------------------===//

#include "Memory/Check.h"
#include "Dialect/ModelInterface.h"
#include "Memory/EntryValues.h"
#include <map>
#include <random>
#include <set>

using namespace mlir;

namespace ingot {
namespace {

/// What an operation of the entry does to one buffer.
struct Access {
  unsigned buffer;
  bool isWrite;
};

/// The state on one path, or what may be on any of several: the buffers that hold something, by
/// address, and those whose contents another write destroyed.
class Contents {
public:
  explicit Contents(const std::vector<Placement> &placements) : placements(&placements) {}

  bool isDestroyed(unsigned buffer) const { return destroyed.contains(buffer); }

  void write(unsigned buffer) {
    const Placement &p = (*placements)[buffer];
    int64_t end = p.offset + p.bytes;
    auto it = held.upper_bound(p.offset);
    // Those before may reach in here; paths that joined can leave several on top of each other.
    while (it != held.begin() && reach(std::prev(it)) > p.offset)
      --it;
    while (it != held.end() && it->first < end) {
      bool overlaps = it->second != buffer && endOf(it->second) > p.offset;
      if (overlaps)
        destroyed.insert(it->second);
      it = overlaps || it->second == buffer ? held.erase(it) : std::next(it);
    }
    held.insert({p.offset, buffer});
    longest = std::max(longest, p.bytes);
  }

  /// A new instance of `buffer`, which holds nothing yet.
  void begin(unsigned buffer) {
    destroyed.erase(buffer);
    auto [from, to] = held.equal_range((*placements)[buffer].offset);
    for (auto it = from; it != to;)
      it = it->second == buffer ? held.erase(it) : std::next(it);
  }

  void join(const Contents &other) {
    for (auto [offset, buffer] : other.held) {
      auto [from, to] = held.equal_range(offset);
      if (std::none_of(from, to, [&](auto &entry) { return entry.second == buffer; }))
        held.insert({offset, buffer});
    }
    destroyed.insert(other.destroyed.begin(), other.destroyed.end());
    longest = std::max(longest, other.longest);
  }

  bool operator==(const Contents &other) const {
    return held == other.held && destroyed == other.destroyed;
  }

private:
  int64_t endOf(unsigned buffer) const {
    return (*placements)[buffer].offset + (*placements)[buffer].bytes;
  }
  /// An upper bound of where the buffers up to `it` end.
  int64_t reach(std::multimap<int64_t, unsigned>::const_iterator it) const {
    return it->first + longest;
  }

  const std::vector<Placement> *placements;
  std::multimap<int64_t, unsigned> held;
  std::set<unsigned> destroyed;
  int64_t longest = 0;
};

class Checker {
public:
  Checker(const SymbolTable &functions, func::FuncOp entry, std::vector<Placement> found)
      : functions(functions), placements(std::move(found)) {
    for (auto [i, placement] : llvm::enumerate(placements))
      bufferOf[placement.view->getResult(0)] = i;
    Contents contents(placements);
    follow(entry.getBody().front(), contents);
  }
  bool failed = false;

private:
  void follow(Block &block, Contents &contents);
  void followLoop(Operation &op, Contents &contents);
  void access(Operation &op, Contents &contents);
  SmallVector<Access> accessesOf(Operation &op);
  void report(Operation &op, unsigned buffer, const Twine &what) {
    if (!reported.insert({&op, buffer}).second)
      return;
    failed = true;
    auto diagnostic = op.emitOpError() << what;
    diagnostic.attachNote(placements[buffer].view->getLoc()) << "the buffer is defined here";
  }

  const SymbolTable &functions;
  std::vector<Placement> placements;
  llvm::DenseMap<Value, unsigned> bufferOf;
  unsigned loopDepth = 0;
  std::set<std::pair<Operation *, unsigned>> reported;
};

SmallVector<Access> Checker::accessesOf(Operation &op) {
  SmallVector<Access> accesses;
  func::FuncOp callee;
  if (auto call = dyn_cast<func::CallOp>(op))
    callee = functions.lookup<func::FuncOp>(call.getCallee());
  for (OpOperand &operand : op.getOpOperands()) {
    auto found = bufferOf.find(operand.get());
    if (found == bufferOf.end())
      continue;
    bool isWrite = isa<memref::StoreOp, vector::StoreOp>(op) ||
                   (callee && callee.getArgAttr(operand.getOperandNumber(), "ingot.write"));
    accesses.push_back({found->second, isWrite});
  }
  return accesses;
}

void Checker::access(Operation &op, Contents &contents) {
  SmallVector<Access> accesses = accessesOf(op);
  for (Access a : accesses)
    if (contents.isDestroyed(a.buffer))
      report(op, a.buffer, "accesses a buffer that another was written over");
  llvm::sort(accesses, [&](Access a, Access b) {
    return placements[a.buffer].offset < placements[b.buffer].offset;
  });
  int64_t end = INT64_MIN;
  unsigned previous = 0;
  for (Access a : accesses) {
    const Placement &p = placements[a.buffer];
    if (p.bytes > 0 && p.offset < end && a.buffer != previous)
      report(op, a.buffer, "gets buffers that overlap");
    if (p.offset + p.bytes > end) {
      end = p.offset + p.bytes;
      previous = a.buffer;
    }
  }
  for (Access a : accesses)
    if (a.isWrite && placements[a.buffer].bytes > 0)
      contents.write(a.buffer);
}

/// Goes round until nothing changes: what may be destroyed only grows, and there are finitely many
/// buffers. Each round of an outer loop goes round the inner ones anew, hence the limit.
void Checker::followLoop(Operation &op, Contents &contents) {
  constexpr unsigned depthLimit = 10;
  if (loopDepth == depthLimit) {
    if (!failed)
      op.emitOpError("is nested too deep for the memory plan to be checked");
    failed = true;
    return;
  }
  ++loopDepth;
  while (true) {
    Contents round = contents;
    for (Region &region : op.getRegions())
      for (Block &block : region)
        follow(block, round);
    round.join(contents);
    if (round == contents)
      break;
    contents = std::move(round);
  }
  --loopDepth;
}

void Checker::follow(Block &block, Contents &contents) {
  for (Operation &op : block) {
    if (auto found = op.getNumResults() == 1 ? bufferOf.find(op.getResult(0)) : bufferOf.end();
        found != bufferOf.end()) {
      contents.begin(found->second);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Contents taken = contents;
      follow(*branch.thenBlock(), taken);
      if (Block *otherwise = branch.elseBlock())
        follow(*otherwise, contents);
      contents.join(taken);
    } else if (op.getNumRegions() > 0) {
      followLoop(op, contents);
    } else {
      access(op, contents);
    }
  }
}

/// False if a buffer would have a negative size with `dims`.
bool isPossible(func::FuncOp entry, Value workspace, ArrayRef<int64_t> dims) {
  EntryValues values(entry, dims);
  ScopedDiagnosticHandler quiet(entry.getContext(), [](Diagnostic &) { return success(); });
  auto placements = placementsOf(entry, workspace, values);
  return succeeded(placements) &&
         llvm::all_of(*placements, [](const Placement &p) { return p.bytes >= 0; });
}

/// Checks one module for one value of each dimension.
LogicalResult checkFor(ModuleOp module, func::FuncOp entry, Value workspace, int64_t align,
                       ArrayRef<int64_t> dims) {
  EntryValues values(entry, dims);
  auto placements = placementsOf(entry, workspace, values);
  if (failed(placements))
    return failure();
  auto size = workspaceSize(module, dims);
  if (!size)
    return module.emitError("the size of the workspace cannot be computed");
  bool isSound = true;
  for (const Placement &p : *placements) {
    if (p.offset < 0 || p.bytes < 0 || p.offset > *size - p.bytes) {
      p.view->emitOpError("lies outside of the workspace");
      isSound = false;
    }
    if (p.offset % align != 0) {
      p.view->emitOpError("is not aligned");
      isSound = false;
    }
  }
  if (!isSound)
    return failure();
  return failure(Checker(SymbolTable(module), entry, std::move(*placements)).failed);
}

} // namespace

LogicalResult checkMemory(ModuleOp module, uint64_t seed) {
  auto interface = ModelInterface::read(module);
  if (failed(interface))
    return failure();
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ingot.entry"))
      entry = function;
  size_t position = interface->inputs.size() + interface->outputs.size(),
         symbols = interface->symbols.size();
  if (!entry || entry.isExternal() || entry.getNumArguments() != position + 1 + symbols)
    return module.emitError("the module has no entry that fits its interface");
  Value workspace = entry.getArgument(position);
  if (symbols == 0)
    return checkFor(module, entry, workspace, interface->workspaceAlign, {});

  // Of several magnitudes; what the model itself cannot have is left out.
  std::mt19937_64 random(seed);
  constexpr int64_t magnitudes[] = {4, 40, 400, 4000};
  unsigned checked = 0;
  for (int trial = 0; trial < 64 && checked < 8; ++trial) {
    SmallVector<int64_t> dims;
    for (size_t i = 0; i < symbols; ++i)
      dims.push_back(1 + random() % magnitudes[random() % std::size(magnitudes)]);
    if (!isPossible(entry, workspace, dims))
      continue;
    ++checked;
    if (failed(checkFor(module, entry, workspace, interface->workspaceAlign, dims)))
      return failure();
  }
  return success();
}

} // namespace ingot
