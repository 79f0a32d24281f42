// A compiled model loaded into this process, called as its users call it: through the structs of
// its header.
#pragma once
#include "Support/Tensor.h"
#include "ingot/Compile.h"
#include "ingot_heap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace ingot {

enum class Backend { Llvm, C };

struct BuildOptions {
  Backend backend = Backend::Llvm;
  CompileOptions compile;                      // `emit` is set by buildModel
  std::string optimize = "-O3";                // for the C compiler
  std::vector<std::string> compilerFlags = {}; // more of its arguments
};

// Memory for programs with data: malloc, counted, and refused on request.
class CountedHeap {
public:
  CountedHeap() : hooks{allocate, release, this, 0} {}
  CountedHeap(const CountedHeap &) = delete;
  CountedHeap &operator=(const CountedHeap &) = delete;

  ingot_heap hooks;
  int64_t live = 0;        // blocks not given back
  int64_t allocations = 0; // asked for since it was last set to 0
  int64_t refused = -1;    // the number of the allocation that gets nothing, from 1; -1: none

private:
  static void *allocate(void *user, size_t bytes);
  static void release(void *user, void *memory);
};

// What a caller hands over: pointers to elements, in the order of the interface, and the values of
// its symbols.
class CompiledModel {
public:
  // `library` is a shared object made from a model with this interface; `weights` names its file of
  // weights, if they are not in the library.
  static llvm::Expected<std::unique_ptr<CompiledModel>>
  load(const std::string &library, InterfaceInfo interface, const std::string &weights = "");
  ~CompiledModel();
  CompiledModel(const CompiledModel &) = delete;
  CompiledModel &operator=(const CompiledModel &) = delete;

  const InterfaceInfo &interface() const { return info; }

  // Readies a call: outputs are allocated, and the workspace, with exactly as many bytes as the
  // model asks for between two pages that no one may touch. The inputs must outlive the calls.
  llvm::Error prepare(llvm::ArrayRef<Tensor> inputs, llvm::ArrayRef<int64_t> symbols);
  // Runs once; the model's status, 0 for success.
  int32_t call(void *context = nullptr);
  // The entry as it is, with arguments that may be wrong.
  int32_t raw(const void *inputs, const void *outputs, void *memory, size_t bytes) const {
    return entry(inputs, outputs, memory, bytes, nullptr);
  }
  llvm::ArrayRef<Tensor> outputs() const { return results; }
  size_t workspaceBytes() const { return workspaceSize; }
  // Where a program with data gets its blocks.
  CountedHeap &heap() { return blocks; }

private:
  CompiledModel() = default;
  void releaseWorkspace();

  InterfaceInfo info;
  void *handle = nullptr;
  int32_t (*entry)(const void *, const void *, void *, size_t, void *) = nullptr;
  int32_t (*programEntry)(const void *, const void *, const ingot_heap *) = nullptr;
  size_t (*workspaceQuery)(const int64_t *) = nullptr;
  // Pointers, then the symbols' values, then the pointer to the weights: eight bytes each.
  std::vector<uint64_t> inputStruct, outputStruct;
  std::unique_ptr<llvm::MemoryBuffer> weightsFile;
  std::vector<Tensor> results;
  void *mapping = nullptr; // guard page, workspace, guard page
  size_t mappedBytes = 0, workspaceSize = 0;
  void *workspace = nullptr;
  CountedHeap blocks;
};

// A folder below the system's temporary one that goes away with the object.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create();
  ScratchFolder(ScratchFolder &&other) noexcept : folder(std::move(other.folder)) {
    other.folder.clear();
  }
  ~ScratchFolder();
  const std::string &path() const { return folder; }

private:
  explicit ScratchFolder(std::string path) : folder(std::move(path)) {}
  std::string folder;
};

// Outcome of compiling and loading. `refused` holds the diagnostics when the model was not
// accepted; a failure of the machinery (no C compiler, dlopen) comes as an error of the call
// instead.
struct BuiltModel {
  Compiled compiled;
  std::unique_ptr<CompiledModel> model; // null: see compiled.diagnostics
};

// Compiles into `folder`, with the C compiler found as $CC, gcc, clang-19 or clang for the C back
// end, and loads the result.
llvm::Expected<BuiltModel> buildModel(const Source &source, const std::string &folder,
                                      const BuildOptions &options);

} // namespace ingot
