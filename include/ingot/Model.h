// What a compiled model looks like from outside: its inputs and outputs, their shapes, and what it
// needs to run. Plain values, free of MLIR, so that a program can keep them after the compilation
// is gone.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ingot {

// Element types that can cross the interface of a compiled model. Bool is one byte holding 0 or 1;
// Float16 and BFloat16 are the 16 bits of the format.
enum class ElementType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

// Bytes of one element.
int64_t elementSize(ElementType type);
// The name used in headers and messages: "float32", "int64", "bool", ...
const char *elementName(ElementType type);

// One dimension: a constant, or an expression over the model's symbols (`height floordiv 4 + 1`).
struct Extent {
  enum class Kind : uint8_t {
    Constant,
    Symbol,
    Add,
    Multiply,
    FloorDivide,
    CeilDivide,
    Modulo,
    Min,
    Max
  };

  Kind kind = Kind::Constant;
  int64_t value = 0;            // Constant: the extent; Symbol: index into InterfaceInfo::symbols
  std::vector<Extent> operands; // two for the others, empty otherwise

  static Extent constant(int64_t extent) { return {Kind::Constant, extent, {}}; }
  static Extent symbol(int64_t index) { return {Kind::Symbol, index, {}}; }
  static Extent binary(Kind kind, Extent left, Extent right);

  // The extent for the given values of the symbols, in their order; nothing when a symbol is
  // missing, a divisor is not positive, or the result leaves 64 bits.
  std::optional<int64_t> evaluate(std::span<const int64_t> symbols) const;
  std::string text(std::span<const std::string> symbols) const;
};

struct PortInfo {
  std::string name;   // as in the model: "x", "input_1:0"
  std::string member; // as in the generated header: kws_inputs.audio
  ElementType type = ElementType::Float32;
  std::vector<Extent> shape;
  std::string dataType = {}; // of a program with data: the type's name; a tensor if empty
};

// Both sides must be equal for the model to run.
struct ConstraintInfo {
  Extent left, right;
};

struct InterfaceInfo {
  std::string name;   // prefix of every generated symbol: "kws"
  std::string source; // file name of the model, without folder
  std::string sha256; // of that file, 64 hex digits
  int64_t opset = 0;
  std::vector<std::string> symbols; // in the order of the members of <name>_dims
  std::vector<PortInfo> inputs, outputs;
  std::vector<ConstraintInfo> constraints;
  int64_t workspaceSize = -1; // bytes; -1: depends on the symbols, ask <name>_workspace_size
  int64_t workspaceAlign = 64;
  // A program with data: <name>_run takes memory from an ingot_heap and needs no workspace.
  bool usesHeap = false;
};

// One step of a compiled model: a fused group of nodes, one generated function.
struct StepInfo {
  std::string function;           // "kws_conv1_relu"
  std::vector<std::string> nodes; // of the source model: "Conv /conv1/Conv"
};

// One buffer in the workspace, alive from the start of step `first` to the end of step `last`
// (steps count from 1).
struct BufferInfo {
  std::string name;
  int64_t offset = 0, bytes = 0;
  int64_t first = 0, last = 0;
};

// One node of the source model after import. Counts are absent where they depend on symbols.
struct NodeInfo {
  std::string name, op;            // "/conv1/Conv", "Conv"
  std::vector<std::string> shapes; // of its outputs: "float32 [1,height floordiv 2,64]"
  int64_t parameters = 0;          // elements of constant operands, counted where first used
  std::optional<int64_t> multiplyAccumulates;
};

} // namespace ingot
