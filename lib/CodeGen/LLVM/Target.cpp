//===- Target.cpp - Names of targets ----------------------------------------------------------===//

#include "CodeGen/LLVM/Target.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace ingot {

static void initializeTargets() {
  static bool once = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
  (void)once;
}

static std::string hostFeatures() {
  std::string features;
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> sorted;
  for (const auto &feature : host)
    if (feature.getValue())
      sorted.push_back("+" + feature.getKey().str());
  llvm::sort(sorted);
  return llvm::join(sorted, ",");
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const TargetInfo &target,
                                                                 llvm::CodeGenOptLevel level) {
  initializeTargets();
  std::string error;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(target.triple, error);
  if (!found)
    return llvm::createStringError(error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return llvm::createStringError("no code can be made for " + target.triple);
  return machine;
}

/// Reads vector width and the like off the machine's features.
static llvm::Expected<TargetInfo> complete(TargetInfo target) {
  auto machine = makeMachine(target, llvm::CodeGenOptLevel::None);
  if (!machine)
    return machine.takeError();
  const llvm::MCSubtargetInfo &features = *(*machine)->getMCSubtargetInfo();
  if (!target.cpu.empty() && !features.isCPUStringValid(target.cpu))
    return llvm::createStringError("'" + target.cpu + "' is no processor of " + target.triple);
  llvm::Triple triple(target.triple);
  auto has = [&](llvm::StringRef name) { return features.checkFeatures(("+" + name).str()); };
  if (triple.isX86()) {
    bool is512 = has("avx512f") && has("avx512vl");
    target.vectorBits = is512 ? 512 : has("avx2") ? 256 : 128;
    target.vectorRegisters = is512 ? 32 : 16;
    target.hasFma = has("fma") || is512;
  } else if (triple.isAArch64()) {
    target.vectorBits = 128;
    target.vectorRegisters = 32;
    target.hasFma = true;
  }
  target.indexBits = triple.isArch64Bit() ? 64 : 32;
  return target;
}

llvm::Expected<TargetInfo> parseTarget(llvm::StringRef name) {
  initializeTargets();
  TargetInfo target;
  auto [base, cpu] = name.split(':');
  if (base == "native") {
    target.triple = llvm::sys::getDefaultTargetTriple();
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = hostFeatures();
    return complete(target);
  }
  if (base == "x86-64" || base == "x86-64-v2" || base == "x86-64-v3" || base == "x86-64-v4") {
    target.triple = "x86_64-unknown-linux-gnu";
    target.cpu = base.str();
  } else if (base == "aarch64") {
    target.triple = "aarch64-unknown-linux-gnu";
    target.cpu = "generic";
  } else if (base.contains('-')) {
    target.triple = llvm::Triple::normalize(base);
  } else {
    return llvm::createStringError(
        "unknown target '" + name.str() +
        "': expected native, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, aarch64, or an LLVM triple "
        "such as riscv64-unknown-linux-gnu, with a processor after a colon");
  }
  if (!cpu.empty())
    target.cpu = cpu.str();
  std::string error;
  if (!llvm::TargetRegistry::lookupTarget(target.triple, error))
    return llvm::createStringError("unknown target '" + name.str() + "': " + error);
  return complete(target);
}

} // namespace ingot
