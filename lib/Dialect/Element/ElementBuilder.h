//===- ElementBuilder.h - Building "the element at these indices" -----------------------------===//
#pragma once

#include "Dialect/Element/ScalarBuilder.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ingot {

/// A position along one dimension. With `lanes` it stands for the positions base, base+1, ..., one
/// per lane of the vector being built; otherwise for the same position in every lane.
struct Index {
  mlir::Value base;
  bool lanes = false;
};

/// What an operator uses to say what its element at given indices is. The same code serves scalars
/// and vectors: where the neighbours of a lane are not neighbours in memory, the builder notes it
/// and the caller builds scalars instead.
class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &b, mlir::Location loc, int64_t lanes)
      : b(b), loc(loc), width(lanes) {}
  virtual ~ElementBuilder() = default;

  mlir::OpBuilder &b;
  mlir::Location loc;

  /// Elements built at once; 1 means scalars.
  int64_t lanes() const { return width; }
  /// Says that this element has no vector form.
  void failVector() { failed = true; }
  bool vectorFailed() const { return failed; }

  /// The element of `tensor` at `at` in its compute type: a vector if any index has lanes, else a
  /// scalar.
  virtual mlir::Value read(mlir::Value tensor, llvm::ArrayRef<Index> at) = 0;
  /// The value of the symbolic dimension named `name`.
  virtual mlir::Value symbol(llvm::StringRef name) = 0;

  /// The operand of the concatenation `concat` in which all elements being built lie, if the caller
  /// has split its loops so.
  virtual std::optional<unsigned> partOf(mlir::Operation *concat) { return std::nullopt; }

  ScalarBuilder scalars(mlir::Type element) { return ScalarBuilder(b, loc, element, &failed); }

  mlir::Value constantIndex(int64_t value);
  Index constant(int64_t value) { return {constantIndex(value)}; }
  Index dim(mlir::AffineExpr expr);
  Index add(Index x, Index y);
  Index sub(Index x, Index y);
  Index mul(Index x, Index y);
  Index add(Index x, int64_t y) { return add(x, constant(y)); }
  Index mul(Index x, int64_t y) { return mul(x, constant(y)); }
  /// Both operands are at least zero, the divisor is positive.
  Index div(Index x, Index y);
  Index mod(Index x, Index y);
  Index min(Index x, Index y);
  Index max(Index x, Index y);
  Index select(mlir::Value condition, Index x, Index y);
  /// i1; fails vectors when an index has lanes.
  mlir::Value less(Index x, Index y);
  mlir::Value lessOrEqual(Index x, Index y);
  mlir::Value equal(Index x, Index y);
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value either(mlir::Value x, mlir::Value y);

  /// The integer element `x` of tensor element type `element` as a position; fails vectors.
  Index toIndex(mlir::Value x, mlir::Type element);
  /// `x` as an element of the tensor element type `element`.
  mlir::Value fromIndex(Index x, mlir::Type element);

  /// `inside()` where `condition` holds, else `otherwise`, evaluating only the one: reads inside
  /// may be out of bounds when it does not hold.
  mlir::Value guarded(mlir::Value condition, llvm::function_ref<mlir::Value()> inside,
                      llvm::function_ref<mlir::Value()> otherwise);

  /// `scalar` in every lane; itself when building scalars.
  mlir::Value splat(mlir::Value scalar);
  /// `initial`, a scalar or vector, carried through for (i = lower; i < upper; ++i); `step` returns
  /// the next value, of the same type.
  mlir::Value fold(Index lower, Index upper, mlir::Value initial,
                   llvm::function_ref<mlir::Value(Index, mlir::Value)> step);
  /// The same through one loop per extent, outermost first.
  mlir::Value fold(llvm::ArrayRef<mlir::AffineExpr> extents, mlir::Value initial,
                   llvm::function_ref<mlir::Value(llvm::ArrayRef<Index>, mlir::Value)> step);

protected:
  int64_t width;
  bool failed = false;
};

/// Row-major position of `at` in a tensor of `type`.
Index linearIndex(ElementBuilder &eb, mlir::RankedTensorType type, llvm::ArrayRef<Index> at);
/// Indices into a tensor of `type` of the element at the row-major position `linear`.
llvm::SmallVector<Index> delinearize(ElementBuilder &eb, mlir::RankedTensorType type, Index linear);

} // namespace ingot
