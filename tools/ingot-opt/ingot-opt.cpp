//===- ingot-opt.cpp - Runs passes on textual IR ----------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Evaluate.h"
#include "Lower/Lower.h"
#include "Memory/Plan.h"
#include "Transforms/Passes.h"
#include "Verify/Verify.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<ingot::IngotDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  ingot::registerIngotPasses();
  ingot::registerFoldConstants(ingot::evaluate);
  ingot::registerLowerPass();
  ingot::registerMemoryPasses();
  ingot::registerVerifyPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Ingot pass driver\n", registry));
}
