//===- Evaluate.cpp - Running programs of constants -------------------------------------------===//

#include "Evaluate.h"
#include "CodeGen/LLVM/Jit.h"
#include "CodeGen/LLVM/Target.h"
#include "Lower/Lower.h"
#include "Memory/Plan.h"
#include "Pipeline.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemAlloc.h"

using namespace mlir;

namespace ingot {

/// `bytes` as the value of a constant of `type`; small ones are compared and printed, large ones
/// kept as they are.
static ElementsAttr toElements(RankedTensorType type, AsmResourceBlob blob) {
  constexpr size_t large = 16 << 10;
  ArrayRef<char> bytes = blob.getData();
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (char c : bytes)
      bits.push_back(c != 0);
    return DenseElementsAttr::get(type, bits);
  }
  size_t element = type.getElementTypeBitWidth() / 8;
  bool isSplat = llvm::all_of(llvm::seq<size_t>(0, bytes.size()),
                              [&](size_t i) { return bytes[i] == bytes[i % element]; });
  if (isSplat && !bytes.empty())
    return DenseElementsAttr::getFromRawBuffer(type, bytes.take_front(element));
  if (bytes.size() <= large)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(type, "folded", std::move(blob));
}

FailureOr<std::vector<ElementsAttr>> evaluate(ModuleOp program,
                                              ArrayRef<DenseResourceElementsAttr> inputs) {
  auto target = parseTarget("native");
  if (!target)
    return program.emitError(llvm::toString(target.takeError()));
  PipelineOptions options;
  options.target = *target;
  PassManager manager(program.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false);
  manager.addPass(createFuse());
  manager.addPass(createCollapseDims());
  if (failed(manager.run(program)) || failed(lower(program, options)) ||
      failed(planMemory(program)))
    return failure();
  auto interface = ModelInterface::read(program);
  auto jit = Jit::create(program);
  if (failed(interface) || failed(jit))
    return failure();

  std::vector<const void *> inputPointers;
  for (DenseResourceElementsAttr input : inputs)
    inputPointers.push_back(input.getRawHandle().getBlob()->getData().data());
  std::vector<AsmResourceBlob> blobs;
  std::vector<void *> outputPointers;
  for (const Port &port : interface->outputs) {
    size_t bytes =
        port.type.getNumElements() * std::max(1u, port.type.getElementTypeBitWidth() / 8);
    blobs.push_back(HeapAsmResourceBlob::allocate(bytes, 64));
    outputPointers.push_back(const_cast<char *>(blobs.back().getData().data()));
  }
  AsmResourceBlob workspace = HeapAsmResourceBlob::allocate(
      std::max<int64_t>(interface->workspaceSize, 64), interface->workspaceAlign);
  int32_t status =
      (*jit)->run(inputPointers.data(), outputPointers.data(),
                  const_cast<char *>(workspace.getData().data()), workspace.getData().size());
  if (status != 0)
    return program.emitError("the program of constants refused its arguments with status ")
           << status;
  std::vector<ElementsAttr> results;
  for (auto [port, blob] : llvm::zip(interface->outputs, blobs))
    results.push_back(toElements(port.type, std::move(blob)));
  return results;
}

} // namespace ingot
