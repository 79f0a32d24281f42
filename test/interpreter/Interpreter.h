//===- Interpreter.h - Executes the loop level ------------------------------------------------===//
//
// The oracle for both code generators: it does what docs/loop-level.md says, one lane at a time,
// and stops at whatever that text leaves undefined. Slow, on purpose simple.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace ingot::interpreter {

/// Memory of the caller, aligned to its element type.
struct Bytes {
  void *data = nullptr;
  int64_t size = 0;
};

struct Options {
  /// Stop at reads of workspace and output bytes that nothing has written in this run.
  bool trapUnwritten = true;
};

struct Program;

/// A module made ready to run. The module must outlive it and satisfy verifyLoops, planned or not.
class Interpreter {
public:
  static llvm::Expected<Interpreter> create(mlir::ModuleOp module);
  Interpreter(Interpreter &&);
  ~Interpreter();

  /// Bytes of workspace the entry needs with `dims`; nothing before memory planning.
  llvm::Expected<int64_t> workspaceSize(llvm::ArrayRef<int64_t> dims);

  /// Runs the entry. An error names the operation that did something undefined: an access out of
  /// bounds or unaligned, a write to what is only for reading, a read of what was never written, a
  /// division by zero, a shift too far.
  llvm::Error run(llvm::ArrayRef<Bytes> inputs, llvm::ArrayRef<Bytes> outputs, Bytes workspace,
                  llvm::ArrayRef<int64_t> dims, Options options = {});

private:
  explicit Interpreter(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

} // namespace ingot::interpreter
