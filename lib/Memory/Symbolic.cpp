//===- Symbolic.cpp - Offsets as functions of the dimensions ----------------------------------===//
//
// Buffers that are live together are stacked in one order for all values of the dimensions: that of
// a packing for typical values. Each buffer then starts where the highest of those below it ends.
//
//===----------------------------------------------------------------------------------------===//

#include "Memory/Symbolic.h"
#include "Dialect/Dims.h"
#include "llvm/ADT/BitVector.h"
#include <cmath>
#include <numeric>

using namespace mlir;

namespace ingot {
namespace {

/// Beyond this many pairs of buffers live together no buffer shares memory with another.
constexpr size_t conflictLimit = 4'000'000;

using Binding = llvm::StringMap<int64_t>;

/// Values for the symbols to try an order with: sizes of pictures, sequences, and single items,
/// alone and mixed.
std::vector<Binding> typicalBindings(ArrayRef<std::string> symbols) {
  constexpr int64_t rows[][2] = {{320, 320}, {640, 640}, {48, 320}, {1, 320},
                                 {320, 1},   {48, 48},   {640, 48}, {1, 1}};
  std::vector<Binding> bindings;
  for (auto &row : rows) {
    Binding &binding = bindings.emplace_back();
    for (auto [i, symbol] : llvm::enumerate(symbols))
      binding[symbol] = row[std::min<size_t>(i, 1)];
  }
  return bindings;
}

/// Sizes in units of the alignment; nothing if the dimensions are impossible.
std::optional<std::vector<PackItem>> itemsAt(ArrayRef<Buffer> buffers, const Binding &binding) {
  std::vector<PackItem> items;
  int64_t sum = 0;
  for (const Buffer &buffer : buffers) {
    auto bytes = evaluateDim(buffer.bytes, [&](StringRef name) -> std::optional<int64_t> {
      auto found = binding.find(name);
      return found == binding.end() ? std::nullopt : std::optional(found->second);
    });
    if (!bytes || *bytes < 0 || llvm::AddOverflow(sum, *bytes, sum))
      return std::nullopt;
    items.push_back({std::max<int64_t>(*bytes / bufferAlign, 1), buffer.live});
  }
  return items;
}

/// Who stands on whom.
struct Stack {
  std::vector<unsigned> order;              ///< bottom up
  std::vector<SmallVector<unsigned>> below; ///< directly, per buffer
};

/// The stacking of a packing: buffers live together stand in the order of their offsets.
Stack stackOf(ArrayRef<int64_t> offsets, const Conflicts &conflicts) {
  size_t count = offsets.size();
  Stack stack;
  stack.below.resize(count);
  stack.order.resize(count);
  std::iota(stack.order.begin(), stack.order.end(), 0);
  llvm::sort(stack.order, [&](unsigned a, unsigned b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  std::vector<unsigned> rank(count);
  for (auto [r, i] : llvm::enumerate(stack.order))
    rank[i] = r;
  // By rank: everything that stands below through others. Too much to hold for very many buffers,
  // whose stacks then name some neighbours more than needed.
  bool isSmall = count <= 8192;
  std::vector<llvm::BitVector> closure(isSmall ? count : 0);
  for (unsigned i : stack.order) {
    SmallVector<unsigned> candidates;
    for (unsigned j : conflicts[i])
      if (rank[j] < rank[i])
        candidates.push_back(rank[j]);
    llvm::sort(candidates, std::greater<>());
    llvm::BitVector covered(isSmall ? rank[i] : 0);
    for (unsigned r : candidates) {
      if (isSmall && covered[r])
        continue;
      stack.below[i].push_back(stack.order[r]);
      if (isSmall) {
        covered |= closure[r];
        covered.set(r);
      }
    }
    if (isSmall)
      closure[rank[i]] = std::move(covered);
  }
  return stack;
}

int64_t heightOf(const Stack &stack, ArrayRef<PackItem> items) {
  std::vector<int64_t> tops(items.size());
  int64_t height = 0;
  for (unsigned i : stack.order) {
    int64_t offset = 0;
    for (unsigned j : stack.below[i])
      offset = std::max(offset, tops[j]);
    tops[i] = offset + items[i].size;
    height = std::max(height, tops[i]);
  }
  return height;
}

/// x and t for an expression (x floordiv align) * align * t, such as rounding a size leaves.
std::optional<std::pair<AffineExpr, int64_t>> asRounded(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  auto quotient = dyn_cast<AffineBinaryOpExpr>(product.getLHS());
  if (!factor || factor.getValue() <= 0 || factor.getValue() % bufferAlign != 0 || !quotient ||
      quotient.getKind() != AffineExprKind::FloorDiv ||
      quotient.getRHS() != dimConstant(expr.getContext(), bufferAlign))
    return std::nullopt;
  return std::pair(quotient.getLHS(), factor.getValue() / bufferAlign);
}

/// `expr` with sizes that were rounded up to the alignment replaced by those before; counts them.
AffineExpr unround(AffineExpr expr, int64_t &roundings) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add)
    return unround(binary.getLHS(), roundings) + unround(binary.getRHS(), roundings);
  auto rounded = asRounded(expr);
  if (!rounded)
    return expr;
  roundings += rounded->second;
  return (rounded->first - (bufferAlign - 1)) * rounded->second;
}

/// What is known to be at least zero, for all dimensions with which the model makes sense: then
/// each buffer has at least no elements, and each factor of its size is a dimension.
class Signs {
public:
  explicit Signs(ArrayRef<Buffer> buffers) {
    for (const Buffer &buffer : buffers) {
      int64_t rounded = 0;
      addFactors(simplifyDim(unround(buffer.bytes, rounded)));
    }
  }

  /// True only if `expr` cannot be negative.
  bool isNeverNegative(AffineExpr expr) const {
    if (auto c = dyn_cast<AffineConstantExpr>(expr))
      return c.getValue() >= 0;
    if (known.contains(primitive(expr)))
      return true;
    if (isa<AffineSymbolExpr>(expr)) {
      auto definition = dimDefinition(expr);
      return !definition || (isNeverNegative(definition->a) && isNeverNegative(definition->b));
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    return binary && isNeverNegative(binary.getLHS()) && isNeverNegative(binary.getRHS());
  }

  /// True only if `a` cannot be less than `b`; both are multiples of the alignment.
  bool isAtLeast(AffineExpr a, AffineExpr b) const {
    int64_t ignored = 0, rounded = 0;
    AffineExpr difference = unround(a, ignored) - unround(b, rounded);
    // Each rounding in b adds less than the alignment, and so does one alone to the difference of
    // two multiples of it.
    difference = difference - std::max<int64_t>(rounded - 1, 0) * (bufferAlign - 1);
    return isNeverNegative(simplifyDim(difference));
  }

private:
  /// `expr` without a constant factor.
  static AffineExpr primitive(AffineExpr expr) {
    int64_t divisor = expr.getLargestKnownDivisor();
    return divisor > 1 ? simplifyDim(expr.floorDiv(divisor)) : expr;
  }

  void addFactors(AffineExpr expr) {
    if (isa<AffineConstantExpr>(expr))
      return;
    known.insert(primitive(expr));
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Mul) {
      addFactors(binary.getLHS());
      addFactors(binary.getRHS());
    }
  }

  llvm::DenseSet<AffineExpr> known;
};

class Maximum {
public:
  Maximum(SymbolicPlan &plan, MLIRContext *context, const Signs &signs)
      : plan(plan), context(context), signs(signs) {}

  void add(const SymbolicBytes &bytes) {
    for (SymbolicBytes &other : operands) {
      if (other.maximum != bytes.maximum)
        continue;
      if (signs.isAtLeast(other.plus, bytes.plus))
        return;
      if (signs.isAtLeast(bytes.plus, other.plus)) {
        other = bytes;
        return;
      }
    }
    operands.push_back(bytes);
  }

  SymbolicBytes get() {
    if (operands.empty())
      return {-1, dimConstant(context, 0)};
    if (operands.size() == 1)
      return operands[0];
    plan.maxima.push_back(operands);
    return {static_cast<int64_t>(plan.maxima.size()) - 1, dimConstant(context, 0)};
  }

private:
  SymbolicPlan &plan;
  MLIRContext *context;
  const Signs &signs;
  SmallVector<SymbolicBytes, 2> operands;
};

/// The best stacking over the packings for each typical binding, judged by its worst ratio to the
/// lower bound.
Stack chooseStack(ArrayRef<Buffer> buffers, ArrayRef<std::string> symbols,
                  const Conflicts &conflicts) {
  std::vector<std::vector<PackItem>> cases;
  for (const Binding &binding : typicalBindings(symbols))
    if (auto items = itemsAt(buffers, binding))
      cases.push_back(std::move(*items));
  if (cases.empty()) {
    std::vector<PackItem> &items = cases.emplace_back();
    for (const Buffer &buffer : buffers)
      items.push_back({1, buffer.live});
  }
  std::vector<int64_t> bounds;
  for (const std::vector<PackItem> &items : cases)
    bounds.push_back(largestLiveSum(items));
  Stack best;
  double bestRatio = INFINITY;
  for (const std::vector<PackItem> &items : cases) {
    Stack stack = stackOf(pack(items, 0.1).offsets, conflicts);
    double ratio = 0;
    for (auto [other, bound] : llvm::zip(cases, bounds))
      ratio = std::max(ratio, static_cast<double>(heightOf(stack, other)) / bound);
    if (ratio < bestRatio) {
      best = std::move(stack);
      bestRatio = ratio;
    }
    if (bestRatio == 1)
      break;
  }
  return best;
}

} // namespace

SymbolicPlan planSymbolic(MLIRContext *context, ArrayRef<Buffer> buffers,
                          ArrayRef<std::string> symbols) {
  std::vector<PackItem> lives;
  for (const Buffer &buffer : buffers)
    lives.push_back({1, buffer.live});
  Stack stack;
  if (auto conflicts = findConflicts(lives, conflictLimit)) {
    stack = chooseStack(buffers, symbols, *conflicts);
  } else {
    stack.below.resize(buffers.size());
    for (unsigned i = 0; i < buffers.size(); ++i) {
      stack.order.push_back(i);
      if (i)
        stack.below[i].push_back(i - 1);
    }
  }

  SymbolicPlan plan;
  Signs signs(buffers);
  plan.offsets.resize(buffers.size());
  std::vector<SymbolicBytes> tops(buffers.size());
  llvm::BitVector isTop(buffers.size(), true);
  for (unsigned i : stack.order) {
    Maximum offset(plan, context, signs);
    for (unsigned j : stack.below[i]) {
      offset.add(tops[j]);
      isTop.reset(j);
    }
    plan.offsets[i] = offset.get();
    tops[i] = {plan.offsets[i].maximum, simplifyDim(plan.offsets[i].plus + buffers[i].bytes)};
  }
  Maximum size(plan, context, signs);
  for (unsigned i : isTop.set_bits())
    size.add(tops[i]);
  plan.size = size.get();
  return plan;
}

SymbolicEmitter::SymbolicEmitter(OpBuilder &b, Location loc, const SymbolicPlan &plan,
                                 ArrayRef<std::string> symbols, ValueRange symbolValues)
    : ElementBuilder(b, loc, 1), plan(plan), maxima(plan.maxima.size()) {
  for (auto [name, value] : llvm::zip(symbols, symbolValues))
    values[name] = value;
}

Value SymbolicEmitter::read(Value, ArrayRef<Index>) { llvm_unreachable("a plan reads no tensors"); }

Index SymbolicEmitter::emitted(AffineExpr expr) {
  if (Value value = expressions.lookup(expr))
    return {value};
  Index value;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (auto rounded = asRounded(expr)) {
    // Rounds down as floordiv does, for negative numbers too.
    Value mask = constantIndex(-bufferAlign);
    Value down = b.createOrFold<arith::AndIOp>(loc, emitted(rounded->first).base, mask);
    value = mul({down}, rounded->second);
  } else if (binary && expr.getKind() == AffineExprKind::Add) {
    value = add(emitted(binary.getLHS()), emitted(binary.getRHS()));
  } else if (binary && expr.getKind() == AffineExprKind::Mul) {
    value = mul(emitted(binary.getLHS()), emitted(binary.getRHS()));
  } else {
    value = dim(expr);
  }
  expressions[expr] = value.base;
  return value;
}

Value SymbolicEmitter::emit(const SymbolicBytes &bytes) {
  if (bytes.maximum < 0)
    return emitted(bytes.plus).base;
  // Operands of a maximum refer to earlier ones only.
  for (int64_t m = 0; m <= bytes.maximum; ++m) {
    if (maxima[m])
      continue;
    Value largest;
    for (const SymbolicBytes &operand : plan.maxima[m]) {
      Index value = emitted(operand.plus);
      if (operand.maximum >= 0)
        value = add({maxima[operand.maximum]}, value);
      largest = largest ? max({largest}, value).base : value.base;
    }
    maxima[m] = largest;
  }
  return add({maxima[bytes.maximum]}, emitted(bytes.plus)).base;
}

} // namespace ingot
