//===- Interpreter.cpp - Executes the loop level ----------------------------------------------===//

#include "Interpreter.h"
#include "Program.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace ingot::interpreter {
namespace {

using Code = Instruction::Code;

/// A buffer as a value: part of some memory.
struct Buffer {
  std::byte *data = nullptr;
  int64_t extent = 0; ///< in elements
  bool isWritable = false;
  /// One flag per byte from `data` on, or null if everything can be read.
  std::vector<bool> *written = nullptr;
  int64_t writtenAt = 0; ///< position of `data` among the flags
};

/// Memory that the entry allocates before planning.
struct Allocation {
  std::vector<Line> lines;
  std::vector<bool> written;
};

/// The values of one call.
struct Frame {
  std::vector<Cell> cells;
  std::vector<Buffer> buffers;
};

class Execution {
public:
  Execution(Program &program, Options options) : program(program), options(options) {}

  bool run(const Function &function, Frame &frame) { return run(function.body, frame); }
  std::string problem;

private:
  bool run(const std::vector<Instruction> &code, Frame &frame);
  bool run(const Instruction &inst, Frame &frame);
  bool load(const Instruction &inst, Frame &frame);
  bool store(const Instruction &inst, Frame &frame);
  bool loop(const Instruction &inst, Frame &frame);
  bool call(const Instruction &inst, Frame &frame);
  bool view(const Instruction &inst, Frame &frame);
  bool allocate(const Instruction &inst, Frame &frame);
  bool checkAccess(const Instruction &inst, const Buffer &buffer, int64_t index, int64_t lanes);
  void move(ArrayRef<Move> moves, Frame &from, Frame &to);
  bool trap(const Instruction &inst, const Twine &what) {
    std::string text;
    llvm::raw_string_ostream(text)
        << what << ", in '" << inst.op->getName() << "' of @"
        << inst.op->getParentOfType<func::FuncOp>().getName() << " at " << inst.op->getLoc();
    problem = std::move(text);
    return false;
  }

  Program &program;
  Options options;
  std::vector<Cell> moved;
  llvm::DenseMap<const Instruction *, std::unique_ptr<Allocation>> allocations;
};

/// All at once: what is moved may be what is moved to.
void Execution::move(ArrayRef<Move> moves, Frame &from, Frame &to) {
  moved.clear();
  for (const Move &m : moves)
    moved.insert(moved.end(), from.cells.begin() + m.from.at,
                 from.cells.begin() + m.from.at + m.from.lanes);
  auto next = moved.begin();
  for (const Move &m : moves) {
    std::copy(next, next + m.from.lanes, to.cells.begin() + m.to.at);
    next += m.from.lanes;
  }
}

bool Execution::run(const std::vector<Instruction> &code, Frame &frame) {
  for (const Instruction &inst : code)
    if (!run(inst, frame))
      return false;
  return true;
}

bool Execution::run(const Instruction &inst, Frame &frame) {
  std::vector<Cell> &cells = frame.cells;
  switch (inst.code) {
  case Code::Element: {
    Cell operands[3];
    for (uint32_t lane = 0; lane < inst.result.lanes; ++lane) {
      for (auto [i, operand] : llvm::enumerate(inst.operands))
        operands[i] = cells[operand.at + (operand.lanes > 1 ? lane : 0)];
      if (const char *undefined = inst.kernel(operands, cells[inst.result.at + lane]))
        return trap(inst, undefined);
    }
    return true;
  }
  case Code::Load:
    return load(inst, frame);
  case Code::Store:
    return store(inst, frame);
  case Code::Copy:
  case Code::Broadcast:
    std::fill_n(cells.begin() + inst.result.at, inst.result.lanes, cells[inst.operands[0].at]);
    return true;
  case Code::Reduce: {
    Slot vector = inst.operands[0];
    uint32_t lane = 0;
    Cell pair[2];
    pair[0] = inst.operands.size() > 1 ? cells[inst.operands[1].at] : cells[vector.at + lane++];
    for (; lane < vector.lanes; ++lane) {
      pair[1] = cells[vector.at + lane];
      Cell result;
      if (const char *undefined = inst.kernel(pair, result))
        return trap(inst, undefined);
      pair[0] = result;
    }
    cells[inst.result.at] = pair[0];
    return true;
  }
  case Code::For:
    return loop(inst, frame);
  case Code::If: {
    bool isTaken = cells[inst.operands[0].at].i != 0;
    if (!run(isTaken ? inst.body : inst.second, frame))
      return false;
    move(isTaken ? inst.first : inst.next, frame, frame);
    return true;
  }
  case Code::While:
    move(inst.first, frame, frame);
    while (true) {
      if (!run(inst.body, frame))
        return false;
      bool goesOn = cells[inst.operands[0].at].i != 0;
      move(inst.next, frame, frame);
      if (!goesOn)
        return true;
      if (!run(inst.second, frame))
        return false;
      move(inst.last, frame, frame);
    }
  case Code::Call:
    return call(inst, frame);
  case Code::Global: {
    Constant &constant = program.constants[inst.target];
    frame.buffers[inst.memory] = {constant.lines.front().bytes, inst.extent, false};
    return true;
  }
  case Code::View:
    return view(inst, frame);
  case Code::Alloc:
    return allocate(inst, frame);
  }
  return true;
}

bool Execution::checkAccess(const Instruction &inst, const Buffer &buffer, int64_t index,
                            int64_t lanes) {
  if (index < 0 || lanes > buffer.extent || index > buffer.extent - lanes)
    return trap(inst, "access to " + Twine(lanes) + " element(s) at " + Twine(index) +
                          " of a buffer of " + Twine(buffer.extent));
  auto address = reinterpret_cast<uintptr_t>(buffer.data) + index * sizeOf(inst.kind);
  if (address % inst.alignment != 0)
    return trap(inst, "unaligned access at " + Twine(index));
  return true;
}

bool Execution::load(const Instruction &inst, Frame &frame) {
  const Buffer &buffer = frame.buffers[inst.memory];
  int64_t index = frame.cells[inst.operands[0].at].i, size = sizeOf(inst.kind);
  if (!checkAccess(inst, buffer, index, inst.result.lanes))
    return false;
  for (uint32_t lane = 0; lane < inst.result.lanes; ++lane) {
    int64_t at = (index + lane) * size;
    if (options.trapUnwritten && buffer.written)
      for (int64_t byte = 0; byte < size; ++byte)
        if (!(*buffer.written)[buffer.writtenAt + at + byte])
          return trap(inst, "read of element " + Twine(index + lane) + ", never written");
    frame.cells[inst.result.at + lane] = readCell(inst.kind, buffer.data + at);
  }
  return true;
}

bool Execution::store(const Instruction &inst, Frame &frame) {
  const Buffer &buffer = frame.buffers[inst.memory];
  Slot value = inst.operands[0];
  int64_t index = frame.cells[inst.operands[1].at].i, size = sizeOf(inst.kind);
  if (!checkAccess(inst, buffer, index, value.lanes))
    return false;
  if (!buffer.isWritable)
    return trap(inst, "write to a buffer that is only for reading");
  for (uint32_t lane = 0; lane < value.lanes; ++lane) {
    int64_t at = (index + lane) * size;
    writeCell(inst.kind, frame.cells[value.at + lane], buffer.data + at);
    if (buffer.written)
      std::fill_n(buffer.written->begin() + buffer.writtenAt + at, size, true);
  }
  return true;
}

bool Execution::loop(const Instruction &inst, Frame &frame) {
  int64_t i = frame.cells[inst.operands[0].at].i, end = frame.cells[inst.operands[1].at].i;
  int64_t step = frame.cells[inst.operands[2].at].i;
  if (step <= 0)
    return trap(inst, "step of " + Twine(step));
  move(inst.first, frame, frame);
  while (i < end) {
    frame.cells[inst.operands[3].at].i = i;
    if (!run(inst.body, frame))
      return false;
    move(inst.next, frame, frame);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  move(inst.last, frame, frame);
  return true;
}

bool Execution::call(const Instruction &inst, Frame &frame) {
  const Function &callee = program.functions[inst.target];
  Frame inner{callee.cells, std::vector<Buffer>(callee.memories)};
  move(inst.first, frame, inner);
  for (auto [from, to] : inst.memories) {
    inner.buffers[to] = frame.buffers[from];
    inner.buffers[to].isWritable &= callee.isWritten[to];
  }
  return run(callee, inner);
}

bool Execution::view(const Instruction &inst, Frame &frame) {
  const Buffer &source = frame.buffers[inst.target];
  int64_t offset = frame.cells[inst.operands[0].at].i;
  int64_t extent = inst.extent >= 0 ? inst.extent : frame.cells[inst.operands[1].at].i;
  int64_t bytes;
  if (extent < 0 || offset < 0 || llvm::MulOverflow(extent, sizeOf(inst.kind), bytes) ||
      bytes > source.extent || offset > source.extent - bytes)
    return trap(inst, "view of " + Twine(extent) + " elements at byte " + Twine(offset) + " of " +
                          Twine(source.extent));
  frame.buffers[inst.memory] = {source.data + offset, extent, source.isWritable, source.written,
                                source.writtenAt + offset};
  return true;
}

bool Execution::allocate(const Instruction &inst, Frame &frame) {
  int64_t extent = inst.extent >= 0 ? inst.extent : frame.cells[inst.operands[0].at].i;
  constexpr int64_t limit = int64_t(1) << 40;
  if (extent < 0 || extent > limit)
    return trap(inst, "allocation of " + Twine(extent) + " elements");
  int64_t bytes = extent * sizeOf(inst.kind);
  // What an earlier round of a loop allocated here is gone.
  auto &allocation = allocations[&inst];
  allocation = std::make_unique<Allocation>();
  allocation->lines = linesFor(bytes);
  allocation->written.resize(bytes);
  frame.buffers[inst.memory] = {allocation->lines.front().bytes, extent, true, &allocation->written,
                                0};
  return true;
}

} // namespace

Interpreter::Interpreter(std::unique_ptr<Program> program) : program(std::move(program)) {}
Interpreter::Interpreter(Interpreter &&) = default;
Interpreter::~Interpreter() = default;

llvm::Expected<Interpreter> Interpreter::create(ModuleOp module) {
  auto program = translate(module);
  if (!program)
    return program.takeError();
  return Interpreter(std::move(*program));
}

llvm::Expected<int64_t> Interpreter::workspaceSize(ArrayRef<int64_t> dims) {
  if (!program->size) {
    if (program->workspaceBytes < 0)
      return llvm::createStringError("the module's memory is not planned");
    return program->workspaceBytes;
  }
  const Function &function = program->functions[*program->size];
  if (dims.size() != function.scalars.size() || function.results.size() != 1)
    return llvm::createStringError("the function of the workspace's size takes other dimensions");
  Frame frame{function.cells, {}};
  for (auto [slot, dim] : llvm::zip(function.scalars, dims))
    frame.cells[slot.at].i = dim;
  Execution execution(*program, {});
  if (!execution.run(function, frame))
    return llvm::createStringError(execution.problem);
  return frame.cells[function.results[0].at].i;
}

llvm::Error Interpreter::run(ArrayRef<Bytes> inputs, ArrayRef<Bytes> outputs, Bytes workspace,
                             ArrayRef<int64_t> dims, Options options) {
  const Function &entry = program->functions[program->entry];
  if (inputs.size() != program->inputs || outputs.size() != program->outputs ||
      dims.size() != program->dims || entry.scalars.size() != dims.size() ||
      entry.isWritten.size() != inputs.size() + outputs.size() + 1)
    return llvm::createStringError("the entry takes other arguments than those given");
  Frame frame{entry.cells, std::vector<Buffer>(entry.memories)};
  for (auto [slot, dim] : llvm::zip(entry.scalars, dims))
    frame.cells[slot.at].i = dim;
  ArrayRef<Type> types = program->functions[program->entry].op.getArgumentTypes();
  SmallVector<Bytes> all(inputs);
  llvm::append_range(all, outputs);
  all.push_back(workspace);
  std::vector<std::vector<bool>> written(all.size());
  for (auto [i, bytes] : llvm::enumerate(all)) {
    auto type = cast<MemRefType>(types[i]);
    int64_t size = sizeOf(*kindOf(type));
    int64_t extent = type.hasStaticShape() ? type.getNumElements() : bytes.size / size;
    if (extent * size != bytes.size)
      return llvm::createStringError("argument " + Twine(i) + " has " + Twine(bytes.size) +
                                     " bytes where the entry takes " + Twine(extent * size));
    Buffer &buffer = frame.buffers[i];
    buffer = {static_cast<std::byte *>(bytes.data), extent, entry.isWritten[i]};
    if (i >= inputs.size()) {
      written[i].resize(bytes.size);
      buffer.written = &written[i];
    }
  }
  Execution execution(*program, options);
  if (!execution.run(entry, frame))
    return llvm::createStringError(execution.problem);
  return llvm::Error::success();
}

} // namespace ingot::interpreter
