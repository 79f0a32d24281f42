//===- Jit.cpp - Running planned code in this process -----------------------------------------===//

#include "CodeGen/LLVM/Jit.h"
#include "CodeGen/LLVM/EmitLLVM.h"
#include "CodeGen/LLVM/Target.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace ingot {

Jit::Jit() = default;
Jit::~Jit() = default;

FailureOr<std::unique_ptr<Jit>> Jit::create(ModuleOp planned) {
  auto fail = [&](llvm::Error error) {
    return planned.emitError("code for this machine could not be made: ")
           << llvm::toString(std::move(error));
  };
  auto interface = ModelInterface::read(planned);
  if (failed(interface))
    return failure();
  std::unique_ptr<Jit> result(new Jit);
  result->entryPlan = planEntry(*interface, /*weightsInFile=*/false);
  auto target = parseTarget("native");
  if (!target)
    return fail(target.takeError());
  auto machine = makeMachine(*target, llvm::CodeGenOptLevel::Less);
  if (!machine)
    return fail(machine.takeError());
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = emitLLVM(planned, result->entryPlan, *target, **machine, *context);
  if (failed(module))
    return failure();
  optimise(**module, **machine, /*quickly=*/true);

  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(target->triple)};
  builder.setCPU(target->cpu);
  builder.addFeatures({target->features});
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create();
  if (!jit)
    return fail(jit.takeError());
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return fail(process.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (auto error =
          (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return fail(std::move(error));
  auto symbol = (*jit)->lookup(result->entryPlan.interface.name + "_run");
  if (!symbol)
    return fail(symbol.takeError());
  result->entry = symbol->toPtr<decltype(result->entry)>();
  result->jit = std::move(*jit);
  return result;
}

} // namespace ingot
