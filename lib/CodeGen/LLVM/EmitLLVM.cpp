//===- EmitLLVM.cpp - Planned loops to LLVM IR ------------------------------------------------===//

#include "CodeGen/LLVM/EmitLLVM.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
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

/// The address of element `index` of a flat buffer.
Value elementAddress(OpBuilder &b, Location loc, Type element, Value base, Value index) {
  return b.create<LLVM::GEPOp>(loc, LLVM::LLVMPointerType::get(b.getContext()), element, base,
                               ValueRange(index));
}

/// Accesses of buffers, which are plain pointers here: MLIR's own conversion makes descriptors of
/// five words of them.
template <typename Op> struct BufferPattern : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  using Adaptor = typename Op::Adaptor;
  LogicalResult matchAndRewrite(Op op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto address = [&](Type element, Value base, ValueRange indices) {
      return elementAddress(rewriter, loc, this->getTypeConverter()->convertType(element), base,
                            indices[0]);
    };
    auto bytes = [](Type element) { return element.getIntOrFloatBitWidth() / 8; };
    if constexpr (std::is_same_v<Op, memref::LoadOp>) {
      Type element = op.getMemRefType().getElementType();
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
          op, this->getTypeConverter()->convertType(element),
          address(element, adaptor.getMemref(), adaptor.getIndices()), bytes(element));
    } else if constexpr (std::is_same_v<Op, memref::StoreOp>) {
      Type element = op.getMemRefType().getElementType();
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
          op, adaptor.getValue(), address(element, adaptor.getMemref(), adaptor.getIndices()),
          bytes(element));
    } else if constexpr (std::is_same_v<Op, vector::LoadOp>) {
      Type element = op.getVectorType().getElementType();
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
          op, this->getTypeConverter()->convertType(op.getType()),
          address(element, adaptor.getBase(), adaptor.getIndices()), bytes(element));
    } else if constexpr (std::is_same_v<Op, vector::StoreOp>) {
      Type element = op.getVectorType().getElementType();
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
          op, adaptor.getValueToStore(), address(element, adaptor.getBase(), adaptor.getIndices()),
          bytes(element));
    } else if constexpr (std::is_same_v<Op, memref::ViewOp>) {
      rewriter.replaceOp(op, elementAddress(rewriter, loc, rewriter.getI8Type(),
                                            adaptor.getSource(), adaptor.getByteShift()));
    } else if constexpr (std::is_same_v<Op, memref::GetGlobalOp>) {
      rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(
          op, LLVM::LLVMPointerType::get(rewriter.getContext()), op.getName());
    } else {
      static_assert(std::is_same_v<Op, memref::PrefetchOp>);
      rewriter.eraseOp(op);
    }
    return success();
  }
};

/// A lanes' own numbers as a constant.
struct StepPattern : ConvertOpToLLVMPattern<vector::StepOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(vector::StepOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getType());
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(rewriter.getIntegerAttr(type.getElementType(), i));
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, numbers));
    return success();
  }
};

/// A constant table, its bytes taken as they are.
struct GlobalPattern : ConvertOpToLLVMPattern<memref::GlobalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(memref::GlobalOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type =
        LLVM::LLVMArrayType::get(getTypeConverter()->convertType(op.getType().getElementType()),
                                 op.getType().getNumElements());
    auto global = rewriter.replaceOpWithNewOp<LLVM::GlobalOp>(
        op, type, /*isConstant=*/true, LLVM::Linkage::Internal, op.getSymName(),
        op.getInitialValueAttr(), /*alignment=*/64);
    global.setUnnamedAddrAttr(
        LLVM::UnnamedAddrAttr::get(rewriter.getContext(), LLVM::UnnamedAddr::Global));
    return success();
  }
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

/// Products and sums may become fused multiply-adds, as in C under -ffp-contract=fast.
static void allowContraction(ModuleOp module) {
  auto flags = arith::FastMathFlagsAttr::get(module.getContext(), arith::FastMathFlags::contract);
  module.walk([&](arith::ArithFastMathInterface op) {
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op.getOperation()))
      op->setAttr(op.getFastMathAttrName(), flags);
  });
}

static LogicalResult convertToLLVMDialect(ModuleOp module, const TargetInfo &target) {
  MLIRContext *context = module.getContext();
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
  PassManager manager(context, ModuleOp::getOperationName());
  manager.enableVerifier(false);
  manager.addPass(createConvertSCFToCFPass());
  if (failed(manager.run(module)))
    return failure();

  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(target.indexBits);
  LLVMTypeConverter converter(context, options);
  converter.addConversion([&](MemRefType type) { return LLVM::LLVMPointerType::get(context); });
  RewritePatternSet patterns(context);
  patterns.add<BufferPattern<memref::LoadOp>, BufferPattern<memref::StoreOp>,
               BufferPattern<memref::ViewOp>, BufferPattern<memref::GetGlobalOp>,
               BufferPattern<memref::PrefetchOp>, BufferPattern<vector::LoadOp>,
               BufferPattern<vector::StoreOp>, StepPattern, GlobalPattern>(converter,
                                                                           PatternBenefit(10));
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/true);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateMathToLibmConversionPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget legal(*context);
  legal.addLegalOp<ModuleOp>();
  return applyFullConversion(module, legal, std::move(patterns));
}

FailureOr<std::unique_ptr<llvm::Module>> emitLLVM(ModuleOp module, const EntryPlan &plan,
                                                  const TargetInfo &target,
                                                  llvm::TargetMachine &machine,
                                                  llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);
  module.getContext()->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  if (failed(convertToLLVMDialect(module, target)))
    return failure();
  module->removeAttr("ingot.model");
  // The attributes of locations would become debug information; names suffice.
  module->walk([](Operation *op) { op->setLoc(UnknownLoc::get(op->getContext())); });
  auto translated = translateModuleToLLVMIR(module, context, plan.interface.name);
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
    if (function.getName() != "main" && function.getName() != "workspace_size")
      function.setName(plan.interface.name + "_" + function.getName());
  }
  for (llvm::GlobalVariable &global : translated->globals())
    global.setName(plan.interface.name + "_" + global.getName());
  addTypedEntry(*translated, plan);
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
