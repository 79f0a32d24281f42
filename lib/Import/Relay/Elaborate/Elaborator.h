//===- Elaborator.h - Evaluating a program at compile time ------------------------------------===//
#pragma once

#include "Import/Relay/Elaborate/Elaborate.h"
#include "Import/Relay/Elaborate/Value.h"
#include "Import/Relay/Operators/Call.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot::relay {

using MaybeVal = llvm::FailureOr<Val>;

/// Variables of one activation of a function, and what types stand for in it.
struct Frame {
  llvm::DenseMap<Var *, Val> vars;
  std::shared_ptr<const Substitution> types;
};

/// Members of a tuple, nested ones counted, that one value may have at run time.
inline constexpr size_t maxLeaves = 4096;

class Elaborator {
public:
  Elaborator(Program &program, TypeContext &types, Reporter &reporter,
             const ElaborateOptions &options, mlir::ModuleOp module, ModelInterface &interface)
      : program(program), types(types), reporter(reporter), options(options), module(module),
        interface(interface), context(*module.getContext()), b(&context) {}

  llvm::LogicalResult run();

private:
  //===--- Expressions (Elaborate.cpp) ---===//
  MaybeVal eval(Expr *expr, Frame &frame);
  MaybeVal evalConstant(const Expr *expr);
  MaybeVal evalName(NameExpr *name, Frame &frame);
  MaybeVal evalFunction(FunctionExpr *function, Var *self, Frame &frame);
  MaybeVal evalCall(CallExpr *call, Frame &frame);
  MaybeVal evalOperator(CallExpr *call, llvm::StringRef name, Frame &frame);
  MaybeVal evalIf(IfExpr *branch, Frame &frame);
  MaybeVal evalBlock(BlockExpr *block, Frame &frame);
  MaybeVal evalRef(Expr *expr, Frame &frame);

  //===--- Patterns (Match.cpp) ---===//
  /// A clause whose patterns are still to be tested against columns of values.
  struct Row {
    std::vector<Pattern *> patterns;
    std::vector<std::pair<Var *, Val>> bindings;
    const Clause *clause;
  };
  MaybeVal evalMatch(MatchExpr *match, Frame &frame);
  MaybeVal matchRows(std::vector<Val> columns, std::vector<Row> rows, Type *result, Place place,
                     Frame &frame);
  MaybeVal matchConstructors(std::vector<Val> columns, std::vector<Row> rows, size_t column,
                             Type *result, Place place, Frame &frame);
  MaybeVal matchLiteral(std::vector<Val> columns, std::vector<Row> rows, size_t column,
                        Type *result, Place place, Frame &frame);
  std::vector<Row> rowsFor(llvm::ArrayRef<Row> rows, size_t column, const Constructor *constructor,
                           size_t arity, const Val &value);

  //===--- Calls (Instances.cpp) ---===//
  MaybeVal call(const Val &callee, std::vector<Val> args, Type *result, Place place);
  MaybeVal callInline(const Val &callee, llvm::ArrayRef<Val> args);
  MaybeVal callInstance(const Val &callee, llvm::ArrayRef<Val> args, Type *result, Place place);
  MaybeVal enter(const Val &callee, llvm::ArrayRef<Val> args);
  struct Instance {
    mlir::func::FuncOp function;
    Type *result = nullptr;
  };
  /// The function of the module for `callee` with arguments of this form.
  llvm::FailureOr<Instance *> instanceOf(const Val &callee, llvm::ArrayRef<Val> args, Type *result,
                                         Place place, llvm::SmallVectorImpl<mlir::Value> &operands);
  /// `val` with its values replaced by what a parameter will give; adds them to `operands` and
  /// writes to `key` what tells one instance from another. Functions nested deeper than `depth`
  /// become closures.
  MaybeVal abstract(const Val &val, llvm::SmallVectorImpl<mlir::Value> &operands, std::string &key,
                    unsigned depth, Place place);
  Val fill(const Val &form, llvm::ArrayRef<mlir::Value> &values);

  //===--- Values at run time (Values.cpp) ---===//
  /// Types of the values that stand for one of `type`.
  llvm::LogicalResult flatten(Type *type, llvm::SmallVectorImpl<mlir::Type> &flat, Place place);
  /// The values that stand for `val`.
  llvm::LogicalResult flatten(const Val &val, llvm::SmallVectorImpl<mlir::Value> &flat,
                              Place place);
  Val unflatten(Type *type, mlir::ValueRange &values);
  llvm::FailureOr<mlir::Value> materialise(const Val &val, Place place);
  llvm::FailureOr<mlir::Value> makeClosure(const Val &val, Place place);
  llvm::FailureOr<std::string> dataSymbol(Type *type, Place place);
  Val runtime(mlir::Value value, Type *type) { return {Val::Runtime, value, type, nullptr}; }
  Val tuple(std::vector<Val> parts, Type *type);
  Type *typeOf(mlir::Value tensor);
  /// Ends each branch in a yield of its value and gives `op` the types of the results.
  MaybeVal join(mlir::Operation *op, llvm::ArrayRef<Val> values, Type *result, Place place);

  //===--- Common ---===//
  Type *ground(Type *type, const Frame &frame, Place place);
  llvm::LogicalResult refuse(Place place, const llvm::Twine &message) {
    reporter.error(place, message);
    return mlir::failure();
  }
  mlir::Location location(llvm::StringRef name) {
    return mlir::NameLoc::get(b.getStringAttr(name));
  }
  /// False, with a report, once a program has become too large.
  bool spend(Place place);

  Program &program;
  TypeContext &types;
  Reporter &reporter;
  const ElaborateOptions &options;
  mlir::ModuleOp module;
  ModelInterface &interface;
  mlir::MLIRContext &context;
  mlir::OpBuilder b;
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  llvm::StringMap<std::unique_ptr<Instance>> instances;
  llvm::StringSet<> symbols;
  llvm::DenseMap<Type *, std::string> dataSymbols;
  /// Activations of each function that are being evaluated.
  llvm::DenseMap<const FunctionExpr *, unsigned> active;
  /// Instances of each function that are being made.
  llvm::DenseMap<const FunctionExpr *, unsigned> making;
  unsigned depth = 0;
  int64_t spent = 0;
};

} // namespace ingot::relay
