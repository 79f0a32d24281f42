//===- TypedEntry.cpp - The entry of a compiled model in LLVM IR ------------------------------===//

#include "CodeGen/LLVM/EmitLLVM.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"

using namespace mlir;

namespace ingot {

namespace {

/// Builds the entry and evaluates dimensions in it.
class EntryEmitter {
public:
  EntryEmitter(llvm::Module &module, const EntryPlan &plan)
      : module(module), plan(plan), b(module.getContext()),
        pointer(llvm::PointerType::getUnqual(module.getContext())),
        word(module.getDataLayout().getIntPtrType(module.getContext())) {
    std::vector<llvm::Type *> members(plan.inputs.size(), pointer);
    members.push_back(llvm::ArrayType::get(b.getInt64Ty(), plan.symbols.size()));
    members.push_back(pointer);
    inputsType = llvm::StructType::get(module.getContext(), members);
  }

  void emitRun();
  void emitWorkspaceSize();

private:
  llvm::Value *dim(AffineExpr expr);
  llvm::Value *number(int64_t value) { return b.getInt64(static_cast<uint64_t>(value)); }
  llvm::Value *floorDivide(llvm::Value *x, llvm::Value *y);
  llvm::Value *input(llvm::Function *run, size_t index) {
    return b.CreateLoad(pointer, b.CreateStructGEP(inputsType, run->getArg(0), index));
  }
  llvm::Value *output(llvm::Function *run, size_t index) {
    return b.CreateLoad(pointer, b.CreateConstGEP1_64(pointer, run->getArg(1), index));
  }
  llvm::Value *weights(llvm::Function *run) { return input(run, plan.inputs.size() + 1); }
  /// True if `check` finds nothing wrong.
  llvm::Value *passes(const EntryCheck &check, llvm::Function *run);

  llvm::Module &module;
  const EntryPlan &plan;
  llvm::IRBuilder<> b;
  llvm::Type *pointer, *word;
  /// NAME_inputs: pointers, the dimensions, the pointer to weights (where the model has them).
  llvm::StructType *inputsType;
  std::vector<llvm::Value *> symbols;
};

} // namespace

llvm::Value *EntryEmitter::floorDivide(llvm::Value *x, llvm::Value *y) {
  // Divisors are positive: one less where the remainder is negative.
  llvm::Value *quotient = b.CreateSDiv(x, y), *remainder = b.CreateSRem(x, y);
  llvm::Value *isBelow = b.CreateICmpSLT(remainder, number(0));
  return b.CreateSub(quotient, b.CreateZExt(isBelow, b.getInt64Ty()));
}

llvm::Value *EntryEmitter::dim(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return number(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (auto definition = dimDefinition(expr))
      return b.CreateBinaryIntrinsic(definition->isMax ? llvm::Intrinsic::smax
                                                       : llvm::Intrinsic::smin,
                                     dim(definition->a), dim(definition->b));
    StringRef name = dimSymbolName(expr.getContext(), symbol.getPosition());
    auto &names = plan.interface.symbols;
    return symbols[std::distance(names.begin(), llvm::find(names, name))];
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  llvm::Value *x = dim(binary.getLHS()), *y = dim(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.CreateAdd(x, y);
  case AffineExprKind::Mul:
    return b.CreateMul(x, y);
  case AffineExprKind::FloorDiv:
    return floorDivide(x, y);
  case AffineExprKind::CeilDiv:
    return floorDivide(b.CreateAdd(x, b.CreateSub(y, number(1))), y);
  default:
    return b.CreateSub(x, b.CreateMul(floorDivide(x, y), y));
  }
}

llvm::Value *EntryEmitter::passes(const EntryCheck &check, llvm::Function *run) {
  llvm::Value *inputs = run->getArg(0), *outputs = run->getArg(1), *workspace = run->getArg(2),
              *size = run->getArg(3);
  switch (check.kind) {
  case EntryCheck::NullInputs:
    return b.CreateIsNotNull(inputs);
  case EntryCheck::NullOutputs:
    return b.CreateIsNotNull(outputs);
  case EntryCheck::NullInput:
    return b.CreateIsNotNull(input(run, check.index));
  case EntryCheck::NullOutput:
    return b.CreateIsNotNull(output(run, check.index));
  case EntryCheck::NullWeights:
    return b.CreateIsNotNull(weights(run));
  case EntryCheck::DimOutOfRange: {
    llvm::Value *value = symbols[check.index];
    return b.CreateAnd(b.CreateICmpSGE(value, number(1)),
                       b.CreateICmpSLE(value, number(plan.symbolLimit)));
  }
  case EntryCheck::NegativeExtent: {
    llvm::Value *ok = b.getTrue();
    for (AffineExpr expr : getDims(plan.interface.outputs[check.index].type))
      if (!constantDim(expr))
        ok = b.CreateAnd(ok, b.CreateICmpSGE(dim(expr), number(0)));
    return ok;
  }
  case EntryCheck::DimsDisagree: {
    const Constraint &constraint = plan.interface.constraints[check.index];
    return b.CreateICmpEQ(dim(constraint.lhs), dim(constraint.rhs));
  }
  case EntryCheck::NullWorkspace:
    return b.CreateIsNotNull(workspace);
  case EntryCheck::WorkspaceTooSmall: {
    llvm::Value *needed = number(plan.interface.workspaceSize);
    if (llvm::Function *query = module.getFunction("workspace_size")) {
      std::vector<llvm::Value *> arguments;
      for (llvm::Value *value : symbols)
        arguments.push_back(b.CreateTrunc(value, query->getArg(0)->getType()));
      needed = b.CreateSExt(b.CreateCall(query, arguments), b.getInt64Ty());
    }
    return b.CreateICmpUGE(b.CreateZExt(size, b.getInt64Ty()), needed);
  }
  case EntryCheck::WorkspaceMisaligned: {
    llvm::Value *address = b.CreatePtrToInt(workspace, word);
    llvm::Value *low =
        b.CreateAnd(address, llvm::ConstantInt::get(word, plan.interface.workspaceAlign - 1));
    return b.CreateIsNull(low);
  }
  case EntryCheck::NullHeap:
    break;
  }
  llvm_unreachable("all kinds are covered");
}

void EntryEmitter::emitRun() {
  llvm::Function *main = module.getFunction("main");
  auto *type =
      llvm::FunctionType::get(b.getInt32Ty(), {pointer, pointer, pointer, word, pointer}, false);
  auto *run = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                     plan.interface.name + "_run", module);
  run->setDoesNotThrow();
  auto *block = llvm::BasicBlock::Create(module.getContext(), "entry", run);
  b.SetInsertPoint(block);
  bool hasSymbols = false;
  for (const EntryCheck &check : plan.checks) {
    bool usesSymbols = check.kind >= EntryCheck::DimOutOfRange;
    if (usesSymbols && !hasSymbols) {
      hasSymbols = true;
      llvm::Value *base = b.CreateStructGEP(inputsType, run->getArg(0), plan.inputs.size());
      for (size_t i = 0; i < plan.symbols.size(); ++i)
        symbols.push_back(
            b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt64Ty(), base, i)));
    }
    llvm::Value *ok = passes(check, run);
    auto *good = llvm::BasicBlock::Create(module.getContext(), "", run);
    auto *bad = llvm::BasicBlock::Create(module.getContext(), "", run);
    b.CreateCondBr(ok, good, bad);
    b.SetInsertPoint(bad);
    b.CreateRet(b.getInt32(check.status));
    b.SetInsertPoint(good);
  }
  std::vector<llvm::Value *> arguments;
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    arguments.push_back(input(run, i));
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    arguments.push_back(output(run, i));
  arguments.push_back(run->getArg(2));
  for (llvm::Value *symbol : symbols)
    arguments.push_back(b.CreateTrunc(symbol, word));
  if (plan.hasWeightsPointer)
    arguments.push_back(weights(run));
  b.CreateCall(main, arguments);
  b.CreateRet(b.getInt32(0));
  main->setName(plan.interface.name + "_main");
}

void EntryEmitter::emitWorkspaceSize() {
  llvm::Function *query = module.getFunction("workspace_size");
  if (!query)
    return;
  auto *type = llvm::FunctionType::get(word, {pointer}, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                          plan.interface.name + "_workspace_size", module);
  function->setDoesNotThrow();
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  std::vector<llvm::Value *> arguments;
  for (size_t i = 0; i < plan.symbols.size(); ++i)
    arguments.push_back(b.CreateTrunc(
        b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt64Ty(), function->getArg(0), i)),
        word));
  b.CreateRet(b.CreateCall(query, arguments));
  query->setName(plan.interface.name + "_size");
}

void addTypedEntry(llvm::Module &module, const EntryPlan &plan) {
  EntryEmitter emitter(module, plan);
  emitter.emitRun();
  emitter.emitWorkspaceSize();
}

} // namespace ingot
