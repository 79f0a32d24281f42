//===- VectorMath.h - Elementary functions on float32 vectors ---------------------------------===//
#pragma once

#include "Dialect/Element/ScalarBuilder.h"

namespace ingot {

/// Elementary functions as arithmetic on vectors of float32; errors in units in the last place are
/// in VectorMath.cpp.
mlir::Value vectorExp(ScalarBuilder &s, mlir::Value x);
mlir::Value vectorLog(ScalarBuilder &s, mlir::Value x);
mlir::Value vectorTanh(ScalarBuilder &s, mlir::Value x);
mlir::Value vectorErf(ScalarBuilder &s, mlir::Value x);

} // namespace ingot
