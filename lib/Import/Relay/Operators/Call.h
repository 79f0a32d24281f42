//===- Call.h - One call of a Relay operator, as its importer sees it -------------------------===//
#pragma once

#include "Import/Relay/Syntax/Ast.h"
#include "Import/TensorBuilder.h"
#include "llvm/ADT/StringSet.h"

namespace ingot::relay {

/// A call being imported: its operands, attributes with the defaults of its operator, and ways to
/// make operators of the dialect. Functions that return failure have reported why.
class Call : public TensorBuilder {
public:
  /// One argument: a tensor, or a tuple of tensors.
  struct Argument {
    llvm::SmallVector<mlir::Value> values;
    bool isTuple = false;
  };

  Call(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, const Attrs &attrs,
       llvm::ArrayRef<Argument> args)
      : TensorBuilder(b, loc), name(name), attrs(attrs), args(args) {}

  const llvm::StringRef name;

  //===--------------------------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------------------------===//

  size_t count() const { return args.size(); }
  /// Argument `i`, which must be a tensor.
  Result in(size_t i);
  /// The members of argument `i`, which must be a tuple.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> tuple(size_t i);
  /// The elements of argument `i`, at most 64, which must be integers known at compile time.
  llvm::FailureOr<llvm::SmallVector<int64_t>> integers(size_t i, llvm::StringRef what);
  /// The same for floats.
  llvm::FailureOr<llvm::SmallVector<double>> numbers(size_t i, llvm::StringRef what);

  //===--------------------------------------------------------------------------------------===//
  // Attributes: the value given, else the default
  //===--------------------------------------------------------------------------------------===//

  /// Null if it is left out or None.
  const AttrValue *attribute(llvm::StringRef name);
  int64_t integer(llvm::StringRef name, int64_t otherwise);
  double number(llvm::StringRef name, double otherwise);
  bool flag(llvm::StringRef name, bool otherwise);
  std::string text(llvm::StringRef name, llvm::StringRef otherwise);
  /// A single integer counts as a list of one.
  llvm::SmallVector<int64_t> integerList(llvm::StringRef name, llvm::ArrayRef<int64_t> otherwise);
  /// A list of `count` integers: a list of one stands for all.
  llvm::FailureOr<llvm::SmallVector<int64_t>> listOf(llvm::StringRef name, size_t count,
                                                     int64_t otherwise);
  /// An element type by its name.
  llvm::FailureOr<mlir::Type> element(llvm::StringRef name, mlir::Type otherwise);
  /// All that are given, for another call to ask for them.
  Attrs takeAttributes() {
    for (const Attr &attr : attrs)
      asked.insert(attr.name);
    return attrs;
  }
  /// Reports attributes that no function above has been asked for, and those of a wrong kind.
  llvm::LogicalResult checkAttributes();

  //===--------------------------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------------------------===//

  llvm::LogicalResult set(Result value) {
    if (failed(value))
      return mlir::failure();
    results = {*value};
    return mlir::success();
  }
  llvm::LogicalResult setTuple(llvm::ArrayRef<mlir::Value> values) {
    results.assign(values.begin(), values.end());
    isTuple = true;
    return mlir::success();
  }
  /// The result of another operator, which must be a tensor.
  Result apply(llvm::StringRef name, mlir::ValueRange operands, const Attrs &attrs = {});
  /// Sets the results of another operator.
  llvm::LogicalResult become(llvm::StringRef name, llvm::ArrayRef<Argument> operands,
                             const Attrs &attrs);
  llvm::SmallVector<mlir::Value> results;
  bool isTuple = false;

private:
  const Attrs &attrs;
  llvm::ArrayRef<Argument> args;
  llvm::StringSet<> asked;
  std::string wrong;
};

using Handler = llvm::LogicalResult (*)(Call &);
using OperatorTable = llvm::StringMap<Handler>;

/// The operators of Relay, by name.
const OperatorTable &operatorTable();

/// Imports the call of an operator that is in the table.
llvm::LogicalResult importCall(Call &call);

#define INGOT_FAMILY(name) void register##name(OperatorTable &table);
#include "Import/Relay/Families.inc"
#undef INGOT_FAMILY

} // namespace ingot::relay
