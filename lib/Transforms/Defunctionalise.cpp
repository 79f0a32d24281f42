//===- Defunctionalise.cpp - Functions as values become data ----------------------------------===//
//
// Reynolds, Definitional interpreters for higher-order programming languages, 1972: a type of
// functions becomes a data type with one constructor for each function that is made a value at that
// type, its fields what the function captures; applying one is a match. No address of a function is
// left in the program.
//
//===----------------------------------------------------------------------------------------===//

#include "Operators/AllFamilies.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ingot {

#define GEN_PASS_DEF_DEFUNCTIONALISE
#include "Transforms/Passes.h.inc"

namespace {

/// What a type of functions becomes.
struct FunctionKind {
  std::string dataSymbol, applySymbol;
  DataType type;
  /// Functions that are values of it; their positions are the tags.
  llvm::MapVector<StringAttr, SmallVector<Type>> members;
  bool isApplied = false;
};

class Defunctionaliser {
public:
  explicit Defunctionaliser(ModuleOp module) : module(module), b(module.getContext()) {}
  void run();

private:
  void collect();
  void replaceOperators();
  void declare(ClosureType type, FunctionKind &kind);
  std::string unique(StringRef base);

  ModuleOp module;
  OpBuilder b;
  llvm::MapVector<ClosureType, FunctionKind> kinds;
};

} // namespace

std::string Defunctionaliser::unique(StringRef base) {
  std::string name = base.str();
  for (unsigned i = 2; module.lookupSymbol(name); ++i)
    name = base.str() + "_" + std::to_string(i);
  return name;
}

void Defunctionaliser::collect() {
  AttrTypeReplacer finder;
  finder.addReplacement([&](ClosureType type) -> std::optional<Type> {
    kinds.insert({type, {}});
    return std::nullopt;
  });
  module->walk([&](Operation *op) {
    finder.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                             /*replaceTypes=*/true);
    if (auto closure = dyn_cast<ClosureOp>(op))
      kinds[closure.getType()].members.insert(
          {closure.getCalleeAttr().getAttr(), SmallVector<Type>(closure.getCaptures().getTypes())});
    if (auto apply = dyn_cast<ApplyOp>(op))
      kinds[apply.getCallee().getType()].isApplied = true;
  });
}

void Defunctionaliser::replaceOperators() {
  module->walk([&](Operation *op) {
    b.setInsertionPoint(op);
    if (auto closure = dyn_cast<ClosureOp>(op)) {
      FunctionKind &kind = kinds[closure.getType()];
      auto member = kind.members.find(closure.getCalleeAttr().getAttr());
      auto made = b.create<ConstructOp>(op->getLoc(), kind.type,
                                        static_cast<int64_t>(member - kind.members.begin()),
                                        closure.getCaptures());
      op->replaceAllUsesWith(ValueRange(made.getResult()));
      op->erase();
    } else if (auto apply = dyn_cast<ApplyOp>(op)) {
      SmallVector<Value> operands{apply.getCallee()};
      llvm::append_range(operands, apply.getArgs());
      auto call = b.create<CallOp>(op->getLoc(), op->getResultTypes(),
                                   kinds[apply.getCallee().getType()].applySymbol, operands);
      op->replaceAllUsesWith(call);
      op->erase();
    }
  });
}

void Defunctionaliser::declare(ClosureType type, FunctionKind &kind) {
  Location loc = module.getLoc();
  SmallVector<StringRef> names;
  SmallVector<Attribute> fields;
  for (auto &[callee, captures] : kind.members) {
    names.push_back(callee.getValue());
    fields.push_back(b.getTypeArrayAttr(captures));
  }
  b.setInsertionPointToStart(module.getBody());
  b.create<DataTypeOp>(loc, kind.dataSymbol, b.getStrArrayAttr(names), b.getArrayAttr(fields));
  if (!kind.isApplied)
    return;
  FunctionType signature = type.getSignature();
  SmallVector<Type> params{kind.type};
  llvm::append_range(params, signature.getInputs());
  b.setInsertionPointToEnd(module.getBody());
  auto function = b.create<func::FuncOp>(loc, kind.applySymbol,
                                         b.getFunctionType(params, signature.getResults()));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  ArrayRef<BlockArgument> args = body->getArguments();
  if (kind.members.empty()) {
    auto fail = b.create<FailOp>(loc, signature.getResults());
    b.create<func::ReturnOp>(loc, fail.getResults());
    return;
  }
  SmallVector<int64_t> tags = llvm::to_vector(llvm::seq<int64_t>(0, kind.members.size()));
  auto match = b.create<MatchOp>(loc, signature.getResults(), args.front(), tags, tags.size());
  for (auto [region, member] : llvm::zip(match.getCases(), kind.members)) {
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&region, {}, member.second, SmallVector<Location>(member.second.size(), loc));
    SmallVector<Value> operands(block->getArguments());
    llvm::append_range(operands, args.drop_front());
    auto call = b.create<CallOp>(loc, signature.getResults(), member.first.getValue(), operands);
    b.create<YieldOp>(loc, call.getResults());
  }
  b.create<func::ReturnOp>(loc, match.getResults());
}

void Defunctionaliser::run() {
  collect();
  if (kinds.empty())
    return;
  unsigned number = 0;
  for (auto &[type, kind] : kinds) {
    std::string suffix = std::to_string(++number);
    kind.dataSymbol = unique("function_" + suffix);
    kind.applySymbol = unique("apply_" + suffix);
    kind.type = DataType::get(module.getContext(), kind.dataSymbol);
  }
  replaceOperators();
  for (auto &[type, kind] : kinds)
    declare(type, kind);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](ClosureType type) -> Type { return kinds.find(type)->second.type; });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

namespace {
struct Defunctionalise : impl::DefunctionaliseBase<Defunctionalise> {
  void runOnOperation() override { Defunctionaliser(getOperation()).run(); }
};
} // namespace

} // namespace ingot
