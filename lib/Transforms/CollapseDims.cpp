//===- CollapseDims.cpp - Fewer, longer loops -------------------------------------------------===//

#include "Dialect/TrailingFold.h"
#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_COLLAPSEDIMS
#include "Transforms/Passes.h.inc"

namespace {

/// The iteration space of a group and which of its neighbouring dimensions may become one.
struct Space {
  SmallVector<AffineExpr> dims;
  /// mergeable[i]: dimension i may merge with i + 1.
  SmallVector<bool> mergeable;
  /// For packed products, whose last dimensions are their own.
  SmallVector<Value> leftOperands, panels;

  bool admit(Value v);
  SmallVector<AffineExpr> collapse(ArrayRef<AffineExpr> from) const;
};

} // namespace

/// Takes account of `v`, aligned at the last dimension; false if its shape is another.
bool Space::admit(Value v) {
  if (llvm::is_contained(panels, v))
    return true;
  SmallVector<AffineExpr> own = getDims(tensorType(v));
  if (own.size() > dims.size())
    return false;
  AffineExpr one = dimConstant(v.getContext(), 1);
  SmallVector<AffineExpr> aligned(dims.size() - own.size(), one);
  llvm::append_range(aligned, own);
  if (llvm::is_contained(leftOperands, v))
    aligned.back() = dims.back();
  for (size_t i = 0; i < dims.size(); ++i)
    if (aligned[i] != dims[i] && aligned[i] != one)
      return false;
  // A dimension of extent 1 goes with either neighbour.
  std::optional<size_t> before;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == one)
      continue;
    if (before && (aligned[i] == one) != (aligned[*before] == one))
      mergeable[i - 1] = false;
    before = i;
  }
  return true;
}

/// Products of the runs of mergeable dimensions; `from` may be shorter than the space.
SmallVector<AffineExpr> Space::collapse(ArrayRef<AffineExpr> from) const {
  SmallVector<AffineExpr> aligned(dims.size() - from.size(), dimConstant(dims[0].getContext(), 1));
  llvm::append_range(aligned, from);
  SmallVector<AffineExpr> result;
  for (size_t i = 0; i < aligned.size(); ++i) {
    if (i > 0 && mergeable[i - 1])
      result.back() = simplifyDim(result.back() * aligned[i]);
    else
      result.push_back(aligned[i]);
  }
  return result;
}

static std::optional<Space> spaceOf(GroupOp group) {
  Space space;
  Block &body = group.getBody().front();
  size_t inner = 0;
  for (Operation &op : body.without_terminator()) {
    if (isa<ConstantOp, ScalarOpInterface>(op))
      continue;
    if (auto product = dyn_cast<PackedMatmulOp>(op)) {
      if (!space.dims.empty())
        return std::nullopt;
      space.dims = getDims(tensorType(product.getResult()));
      space.leftOperands.push_back(product.getA());
      space.panels.push_back(product.getB());
      inner = 1;
      // A batch of right operands keeps the batch apart from the rows.
      if (tensorType(product.getB()).getRank() > 3)
        return std::nullopt;
    } else if (auto fold = dyn_cast<ReduceOp>(op)) {
      if (trailingFold(fold) == 0)
        return std::nullopt;
      if (space.dims.empty())
        space.dims = getDims(tensorType(op.getOperand(0)));
      inner = std::max<size_t>(inner, fold.getDims().size());
    } else {
      return std::nullopt;
    }
  }
  if (space.dims.empty())
    space.dims = getDims(tensorType(group.getResult(0)));
  size_t rank = space.dims.size();
  if (rank < 2)
    return std::nullopt;
  space.mergeable.assign(rank, true);
  space.mergeable[rank - 1] = false;
  if (inner > 0) {
    if (inner >= rank)
      inner = rank;
    else
      space.mergeable[rank - inner - 1] = false;
  }
  for (BlockArgument argument : body.getArguments())
    if (!space.admit(argument))
      return std::nullopt;
  for (Operation &op : body.without_terminator())
    for (Value result : op.getResults())
      if (!space.admit(result))
        return std::nullopt;
  if (llvm::none_of(space.mergeable, [](bool m) { return m; }))
    return std::nullopt;
  return space;
}

static void collapse(GroupOp group) {
  auto space = spaceOf(group);
  if (!space)
    return;
  OpBuilder b(group);
  Block &body = group.getBody().front();
  auto collapsed = [&](Value v) -> RankedTensorType {
    RankedTensorType type = tensorType(v);
    if (llvm::is_contained(space->panels, v))
      return type;
    SmallVector<AffineExpr> dims = getDims(type);
    AffineExpr last = dims.empty() ? AffineExpr() : dims.back();
    dims = space->collapse(dims);
    if (llvm::is_contained(space->leftOperands, v))
      dims.back() = last;
    return makeTensorType(dims, type.getElementType());
  };
  auto reshape = [&](Value v, RankedTensorType type) -> Value {
    if (v.getType() == type)
      return v;
    return b.create<ReshapeOp>(v.getLoc(), type, v, DimsAttr::get(b.getContext(), getDims(type)));
  };

  SmallVector<Value> inputs;
  for (auto [operand, argument] : llvm::zip(group.getInputs(), body.getArguments()))
    inputs.push_back(reshape(operand, collapsed(argument)));
  SmallVector<Type> types;
  for (Value v : body.getTerminator()->getOperands())
    types.push_back(collapsed(v));
  auto fresh =
      b.create<GroupOp>(group.getLoc(), types, inputs, group.getNameAttr(), group.getInPlaceAttr());
  // The new body is the old one with other types; which values are special is asked of the old.
  SmallVector<RankedTensorType> resultTypes;
  for (Operation &op : body.without_terminator())
    for (Value result : op.getResults())
      resultTypes.push_back(collapsed(result));
  SmallVector<RankedTensorType> argumentTypes;
  for (BlockArgument argument : body.getArguments())
    argumentTypes.push_back(collapsed(argument));
  fresh.getBody().takeBody(group.getBody());
  for (auto [argument, type] : llvm::zip(body.getArguments(), argumentTypes))
    argument.setType(type);
  size_t next = 0;
  for (Operation &op : body.without_terminator()) {
    for (OpResult result : op.getResults())
      result.setType(resultTypes[next++]);
    if (auto constant = dyn_cast<ConstantOp>(op))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                                .resizeSplat(tensorType(constant.getResult())));
    if (auto fold = dyn_cast<ReduceOp>(op)) {
      int64_t rank = tensorType(op.getOperand(0)).getRank(), first = rank - 1;
      // The folded dimensions are the trailing ones still, as many as were left apart.
      for (size_t i = space->dims.size() - 1; i > space->dims.size() - fold.getDims().size(); --i)
        first -= !space->mergeable[i - 1];
      fold.setDims(llvm::to_vector(llvm::seq(first, rank)));
    }
  }
  b.setInsertionPointAfter(fresh);
  for (auto [from, to] : llvm::zip(group.getResults(), fresh.getResults()))
    from.replaceAllUsesWith(reshape(to, tensorType(from)));
  group.erase();
}

namespace {
struct CollapseDims : impl::CollapseDimsBase<CollapseDims> {
  void runOnOperation() override {
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      collapse(group);
  }
};
} // namespace

} // namespace ingot
