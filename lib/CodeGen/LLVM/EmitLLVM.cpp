//===- EmitLLVM.cpp - Planned loops to LLVM IR ------------------------------------------------===//

#include "CodeGen/LLVM/EmitLLVM.h"
#include "CodeGen/LLVM/HeapLowering.h"
#include "CodeGen/Weights.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlir;

namespace ingot {

namespace {

/// Buffers as plain pointers, in place, before anything else is converted: MLIR's own conversion
/// makes descriptors of five words of them.
class PointerRewriter {
public:
  /// `weightsInFile`: constants lie behind a pointer that becomes the last argument of `main`.
  PointerRewriter(ModuleOp module, const TargetInfo &target, bool weightsInFile)
      : module(module), b(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        word(b.getIntegerType(target.indexBits)) {
    if (weightsInFile)
      offsets = weightOffsets(module);
  }
  void run();

private:
  void rewrite(Operation *op);
  void rewriteGlobal(memref::GlobalOp op);
  /// The address of element `index` of the flat buffer at `base`.
  Value address(Location loc, Type element, Value base, Value index) {
    Value position = b.create<arith::IndexCastOp>(loc, word, index);
    return b.create<LLVM::GEPOp>(loc, pointer, element, base, ValueRange(position));
  }
  static unsigned bytes(Type element) { return element.getIntOrFloatBitWidth() / 8; }

  ModuleOp module;
  OpBuilder b;
  Type pointer, word;
  std::optional<llvm::StringMap<int64_t>> offsets;
};

/// a * b + c for machines without a fused form, which would call a library for it.
struct SplitFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    Value product = rewriter.create<arith::MulFOp>(op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};
struct SplitVectorFma : OpRewritePattern<vector::FMAOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::FMAOp op, PatternRewriter &rewriter) const override {
    Value product = rewriter.create<arith::MulFOp>(op.getLoc(), op.getLhs(), op.getRhs());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getAcc());
    return success();
  }
};

} // namespace

void PointerRewriter::rewrite(Operation *op) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto replace = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Type element = load.getType();
    replace(b.create<LLVM::LoadOp>(
        loc, element, address(loc, element, op->getOperand(0), op->getOperand(1)), bytes(element)));
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    Type element = load.getVectorType().getElementType();
    replace(b.create<LLVM::LoadOp>(loc, load.getVectorType(),
                                   address(loc, element, op->getOperand(0), op->getOperand(1)),
                                   bytes(element)));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Type element = store.getValueToStore().getType();
    b.create<LLVM::StoreOp>(loc, store.getValueToStore(),
                            address(loc, element, op->getOperand(1), op->getOperand(2)),
                            bytes(element));
    op->erase();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    Type element = store.getVectorType().getElementType();
    b.create<LLVM::StoreOp>(loc, store.getValueToStore(),
                            address(loc, element, op->getOperand(1), op->getOperand(2)),
                            bytes(element));
    op->erase();
  } else if (isa<memref::ViewOp>(op)) {
    replace(address(loc, b.getI8Type(), op->getOperand(0), op->getOperand(1)));
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    if (!offsets)
      return replace(b.create<LLVM::AddressOfOp>(loc, pointer, global.getName()));
    Value weights = global->getParentOfType<func::FuncOp>().getArguments().back();
    Value offset = b.create<arith::ConstantIndexOp>(loc, offsets->lookup(global.getName()));
    replace(address(loc, b.getI8Type(), weights, offset));
  } else if (isa<memref::PrefetchOp>(op)) {
    op->erase();
  } else if (auto step = dyn_cast<vector::StepOp>(op)) {
    auto type = cast<VectorType>(step.getType());
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(b.getIntegerAttr(type.getElementType(), i));
    replace(b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, numbers)));
  }
}

void PointerRewriter::rewriteGlobal(memref::GlobalOp op) {
  if (offsets)
    return op.erase();
  b.setInsertionPoint(op);
  auto type =
      LLVM::LLVMArrayType::get(op.getType().getElementType(), op.getType().getNumElements());
  auto global =
      b.create<LLVM::GlobalOp>(op.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                               op.getSymName(), op.getInitialValueAttr(), /*alignment=*/64);
  global.setUnnamedAddrAttr(LLVM::UnnamedAddrAttr::get(b.getContext(), LLVM::UnnamedAddr::Global));
  op.erase();
}

void PointerRewriter::run() {
  for (auto global : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    rewriteGlobal(global);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    SmallVector<Type> types;
    if (offsets && function.getName() == "main")
      function.getBody().addArgument(pointer, function.getLoc());
    for (BlockArgument argument : function.getArguments()) {
      if (isa<MemRefType>(argument.getType()))
        argument.setType(pointer);
      types.push_back(argument.getType());
    }
    for (Block &block : llvm::drop_begin(function.getBody()))
      for (BlockArgument argument : block.getArguments())
        if (isa<MemRefType>(argument.getType()))
          argument.setType(pointer);
    function.setFunctionType(b.getFunctionType(types, function.getResultTypes()));
    function.walk([&](Operation *op) { rewrite(op); });
  }
}

/// Products and sums may become fused multiply-adds, as in C under -ffp-contract=fast.
static void allowContraction(ModuleOp module) {
  auto flags = arith::FastMathFlagsAttr::get(module.getContext(), arith::FastMathFlags::contract);
  module.walk([&](arith::ArithFastMathInterface op) {
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op.getOperation()))
      op->setAttr(op.getFastMathAttrName(), flags);
  });
}

static LogicalResult convertToLLVMDialect(ModuleOp module, const TargetInfo &target,
                                          bool weightsInFile) {
  MLIRContext *context = module.getContext();
  lowerHeap(module);
  allowContraction(module);
  if (!target.hasFma) {
    RewritePatternSet split(context);
    split.add<SplitFma, SplitVectorFma>(context);
    if (failed(applyPatternsAndFoldGreedily(module, std::move(split))))
      return failure();
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isStep = function->hasAttr("ingot.step");
    for (unsigned i = 0; isStep && i < function.getNumArguments(); ++i)
      if (isa<MemRefType>(function.getArgument(i).getType())) {
        function.setArgAttr(i, "llvm.noalias", UnitAttr::get(context));
        if (!function.getArgAttr(i, "ingot.write"))
          function.setArgAttr(i, "llvm.readonly", UnitAttr::get(context));
      }
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (StringRef name : {"ingot.name", "ingot.write"})
        function.removeArgAttr(i, name);
    SmallVector<StringAttr> own;
    for (NamedAttribute attribute : function->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("ingot."))
        own.push_back(attribute.getName());
    for (StringAttr name : own)
      function->removeAttr(name);
    // Steps are called once; what can be specialised for is known already.
    if (isStep)
      function->setAttr("passthrough",
                        ArrayAttr::get(context, {StringAttr::get(context, "noinline")}));
  }
  PointerRewriter(module, target, weightsInFile).run();
  PassManager manager(context, ModuleOp::getOperationName());
  manager.enableVerifier(false);
  manager.addPass(createConvertSCFToCFPass());
  if (failed(manager.run(module)))
    return failure();

  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(target.indexBits);
  LLVMTypeConverter converter(context, options);
  // What has an instruction or an intrinsic, before the patterns that call the C library for
  // everything.
  {
    RewritePatternSet intrinsics(context);
    populateMathToLLVMConversionPatterns(converter, intrinsics);
    ConversionTarget target(*context);
    target.addLegalDialect<math::MathDialect, LLVM::LLVMDialect, arith::ArithDialect,
                           vector::VectorDialect>();
    target.addIllegalOp<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CosOp,
                        math::ExpOp, math::FloorOp, math::FmaOp, math::LogOp, math::PowFOp,
                        math::RoundEvenOp, math::SinOp, math::SqrtOp, math::TruncOp>();
    if (failed(applyPartialConversion(module, target, std::move(intrinsics))))
      return failure();
  }
  RewritePatternSet patterns(context);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/true);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateMathToLibmConversionPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  arith::populateExpandBFloat16Patterns(patterns);
  LLVMConversionTarget legal(*context);
  legal.addLegalOp<ModuleOp>();
  return applyFullConversion(module, legal, std::move(patterns));
}

/// Everything but the entries, which call what is then internal.
static FailureOr<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, StringRef name, bool weightsInFile, const TargetInfo &target,
          llvm::TargetMachine &machine, llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);
  module.getContext()->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  if (failed(convertToLLVMDialect(module, target, weightsInFile)))
    return failure();
  module->removeAttr("ingot.model");
  // The attributes of locations would become debug information; names suffice.
  module->walk([](Operation *op) { op->setLoc(UnknownLoc::get(op->getContext())); });
  auto translated = translateModuleToLLVMIR(module, context, name);
  if (!translated)
    return module.emitError("LLVM IR could not be made");
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple().str());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setDoesNotThrow();
    if (target.vectorBits == 512)
      function.addFnAttr("prefer-vector-width", "512");
    if (function.getName() != "main" && function.getName() != "workspace_size" &&
        function.getName() != "entry")
      function.setName(name + "_" + function.getName());
  }
  for (llvm::GlobalVariable &global : translated->globals())
    global.setName(name + "_" + global.getName());
  return translated;
}

FailureOr<std::unique_ptr<llvm::Module>> emitLLVM(ModuleOp module, const EntryPlan &plan,
                                                  const TargetInfo &target,
                                                  llvm::TargetMachine &machine,
                                                  llvm::LLVMContext &context) {
  auto translated =
      translate(module, plan.interface.name, plan.hasWeightsPointer, target, machine, context);
  if (succeeded(translated))
    addTypedEntry(**translated, plan);
  return translated;
}

FailureOr<std::unique_ptr<llvm::Module>> emitLLVM(ModuleOp module, const ProgramInterface &program,
                                                  const TargetInfo &target,
                                                  llvm::TargetMachine &machine,
                                                  llvm::LLVMContext &context) {
  if (machine.createDataLayout().getPointerSize() != 8)
    return module.emitError("programs with data have no object code for 32-bit targets: take C");
  auto translated =
      translate(module, program.model.name, /*weightsInFile=*/false, target, machine, context);
  if (failed(translated))
    return failure();
  if (auto error = addProgramEntry(**translated, program))
    return module.emitError(llvm::toString(std::move(error)));
  return translated;
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine, bool quickly) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops are vectorised and unrolled by the schedules already.
  tuning.LoopVectorization = !quickly;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder
      .buildPerModuleDefaultPipeline(quickly ? llvm::OptimizationLevel::O1
                                             : llvm::OptimizationLevel::O3)
      .run(module, modules);
}

} // namespace ingot
