//===- OpHeader.h - What every generated operator header needs --------------------------------===//
#pragma once

#include "Dialect/Dialect.h"
#include "Dialect/Element/ElementBuilder.h"
#include "Dialect/Element/LoopBuilder.h"
#include "Dialect/Element/ScalarBuilder.h"
#include "Dialect/Interfaces.h"
#include "Dialect/ShapeInference.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
