//===- ProgramEntry.cpp - The entry of a compiled program in LLVM IR --------------------------===//

#include "CodeGen/LLVM/EmitLLVM.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace ingot {

static constexpr char support[] =
#include "CodeGen/LLVM/HeapSupport.inc"
    ;

/// Adds the functions of HeapSupport.ll, as the module's own.
static llvm::Error linkSupport(llvm::Module &module) {
  llvm::SMDiagnostic diagnostic;
  auto parsed = llvm::parseAssemblyString(support, diagnostic, module.getContext());
  if (!parsed)
    return llvm::createStringError("HeapSupport.ll: " + diagnostic.getMessage());
  parsed->setDataLayout(module.getDataLayout());
  parsed->setTargetTriple(module.getTargetTriple());
  std::vector<std::string> names;
  for (llvm::Function &function : *parsed)
    if (!function.isDeclaration())
      names.push_back(function.getName().str());
  if (llvm::Linker::linkModules(module, std::move(parsed)))
    return llvm::createStringError("HeapSupport.ll does not link");
  for (const std::string &name : names)
    if (llvm::Function *function = module.getFunction(name))
      function->setLinkage(llvm::GlobalValue::InternalLinkage);
  return llvm::Error::success();
}

llvm::Error addProgramEntry(llvm::Module &module, const ProgramInterface &program) {
  if (auto error = linkSupport(module))
    return error;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *pointer = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getInt32Ty(), {pointer, pointer, pointer}, false);
  auto *run = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                     program.model.name + "_run", module);
  run->setDoesNotThrow();
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", run));
  llvm::Value *inputs = run->getArg(0), *outputs = run->getArg(1), *heap = run->getArg(2);
  auto member = [&](llvm::Value *base, size_t index) {
    return b.CreateConstGEP1_64(pointer, base, index);
  };
  for (const EntryCheck &check : program.checks) {
    llvm::Value *value = heap;
    switch (check.kind) {
    case EntryCheck::NullInputs:
      value = inputs;
      break;
    case EntryCheck::NullOutputs:
      value = outputs;
      break;
    case EntryCheck::NullInput:
      value = b.CreateLoad(pointer, member(inputs, check.index));
      break;
    case EntryCheck::NullOutput:
      value = b.CreateLoad(pointer, member(outputs, check.index));
      break;
    default:
      break;
    }
    auto *good = llvm::BasicBlock::Create(module.getContext(), "", run);
    auto *bad = llvm::BasicBlock::Create(module.getContext(), "", run);
    b.CreateCondBr(b.CreateIsNotNull(value), good, bad);
    b.SetInsertPoint(bad);
    b.CreateRet(b.getInt32(check.status));
    b.SetInsertPoint(good);
  }
  llvm::Value *state = b.CreateAlloca(b.getInt64Ty(), b.getInt32(3));
  b.CreateCall(module.getFunction("ingot_begin"), {state, heap});
  llvm::Function *entry = module.getFunction("entry");
  std::vector<llvm::Value *> args{state};
  for (size_t i = 0; i < program.inputs.size(); ++i)
    args.push_back(b.CreateLoad(pointer, member(inputs, i)));
  for (auto [i, port] : llvm::enumerate(program.outputs))
    args.push_back(port.isTensor() ? b.CreateLoad(pointer, member(outputs, i))
                                   : member(outputs, i));
  b.CreateRet(b.CreateCall(entry, args));
  entry->setName(program.model.name + "_entry");
  if (llvm::Function *main = module.getFunction("main"))
    main->setName(program.model.name + "_main");
  return llvm::Error::success();
}

} // namespace ingot
