//===- Program.h - A module made ready to run -------------------------------------------------===//
#pragma once

#include "Interpreter.h"
#include "Kernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot::interpreter {

/// Where a value lies among the cells of its function: the first of `lanes` cells.
struct Slot {
  uint32_t at = 0, lanes = 0;
};

/// A block's values handed on: from yields to results, from arguments to parameters.
struct Move {
  Slot from, to;
};

struct Instruction {
  enum class Code : uint8_t {
    Element,
    Load,
    Store,
    Copy,
    Broadcast,
    Reduce,
    For,
    If,
    While,
    Call,
    Global,
    View,
    Alloc
  };
  Code code = Code::Element;
  mlir::Operation *op = nullptr;
  Kernel kernel = nullptr;
  Slot result;
  /// Element: the operands. Load: the index. Store: the value, the index. For: the bounds and the
  /// step. If, While: the condition. View: the offset and, if dynamic, the extent. Alloc: the
  /// extent, if dynamic.
  llvm::SmallVector<Slot, 3> operands;
  Kind kind = Kind::I8; ///< of the elements in memory
  uint32_t memory = 0;  ///< the buffer read, written or defined
  int64_t extent = -1;  ///< static extent of the buffer defined, -1: dynamic
  int64_t alignment = 1;
  uint32_t target = 0; ///< View: the buffer viewed. Call: the function. Global: the constant
  std::vector<Instruction> body, second;
  /// For: initial values to arguments, yields to arguments, arguments to results. If: then yields,
  /// else yields, none. While: initial to arguments, condition to second arguments and results,
  /// yields to arguments. Call: arguments.
  llvm::SmallVector<Move, 2> first, next, last;
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 4> memories; ///< Call: buffers to parameters
};

struct Function {
  mlir::func::FuncOp op;
  std::vector<Cell> cells; ///< initial values; constants are there
  uint32_t memories = 0;
  std::vector<Slot> scalars;   ///< of the arguments that are not buffers, in order
  std::vector<bool> isWritten; ///< per buffer argument, which are the first memories
  std::vector<Slot> results;
  std::vector<Instruction> body;
};

/// Memory as buffers need it: aligned to 64 bytes.
struct alignas(64) Line {
  std::byte bytes[64];
};
inline std::vector<Line> linesFor(size_t bytes) { return std::vector<Line>(bytes / 64 + 1); }

struct Constant {
  std::vector<Line> lines;
};

struct Program {
  std::vector<Function> functions;
  std::vector<Constant> constants;
  mlir::ModuleOp module;
  uint32_t entry = 0;
  std::optional<uint32_t> size; ///< the function of the workspace's size
  size_t inputs = 0, outputs = 0, dims = 0;
  int64_t workspaceBytes = -1;
};

/// Translates `module`; an error names the operation that is not of the loop level.
llvm::Expected<std::unique_ptr<Program>> translate(mlir::ModuleOp module);

} // namespace ingot::interpreter
