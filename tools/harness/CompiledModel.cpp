#include "harness/CompiledModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ingot {
namespace {

std::string findCompiler() {
  if (const char *named = std::getenv("CC")) {
    auto path = llvm::sys::findProgramByName(named);
    return path ? *path : named;
  }
  for (const char *name : {"gcc", "clang-19", "clang", "cc"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return {};
}

// Runs a program; its standard error becomes the error's text.
llvm::Error execute(const std::string &program, llvm::ArrayRef<std::string> arguments,
                    const std::string &log) {
  llvm::SmallVector<llvm::StringRef> argv;
  for (const std::string &argument : arguments)
    argv.push_back(argument);
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(), llvm::StringRef(log),
                                              llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, argv, std::nullopt, streams, 0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().take_front(4000);
  return llvm::createStringError(program + " failed: " + message);
}

llvm::Expected<std::string> compileC(const std::string &folder, const Compiled &compiled,
                                     const BuildOptions &options) {
  std::string compiler = findCompiler();
  if (compiler.empty())
    return llvm::createStringError("no C compiler found (set CC, or install gcc)");
  std::string library = folder + "/lib" + compiled.interface.name + "_c.so";
  std::vector<std::string> arguments = {compiler, "-std=gnu11", "-shared",
                                        "-fPIC",  "-w",         options.optimize};
  if (options.compile.target == "native")
    arguments.push_back("-march=native");
  else if (llvm::StringRef(options.compile.target).starts_with("x86-64"))
    arguments.push_back("-march=" + options.compile.target);
  arguments.insert(arguments.end(), options.compilerFlags.begin(), options.compilerFlags.end());
  for (const std::string &file : compiled.files)
    if (llvm::StringRef(file).ends_with(".c") || llvm::StringRef(file).ends_with(".S"))
      arguments.push_back(file);
  arguments.insert(arguments.end(), {"-I" + folder, "-o", library, "-lm"});
  if (auto error = execute(compiler, arguments, folder + "/cc.log"))
    return error;
  return library;
}

} // namespace

llvm::Expected<std::unique_ptr<CompiledModel>> CompiledModel::load(const std::string &library,
                                                                   InterfaceInfo interface,
                                                                   const std::string &weights) {
  for (auto *ports : {&interface.inputs, &interface.outputs})
    for (const PortInfo &port : *ports)
      if (!port.dataType.empty())
        return llvm::createStringError("'" + port.name + "' is no tensor but data (" +
                                       port.dataType +
                                       "): call the program through its generated header");
  std::unique_ptr<CompiledModel> model(new CompiledModel);
  model->info = std::move(interface);
  if (!weights.empty()) {
    auto file = llvm::MemoryBuffer::getFile(weights, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/false, llvm::Align(64));
    if (!file)
      return llvm::createStringError(weights + ": " + file.getError().message());
    model->weightsFile = std::move(*file);
  }
  model->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!model->handle)
    return llvm::createStringError(dlerror());
  auto find = [&](const char *suffix) {
    return dlsym(model->handle, (model->info.name + suffix).c_str());
  };
  void *run = find("_run");
  if (model->info.usesHeap)
    model->programEntry = reinterpret_cast<decltype(model->programEntry)>(run);
  else
    model->entry = reinterpret_cast<decltype(model->entry)>(run);
  model->workspaceQuery =
      reinterpret_cast<decltype(model->workspaceQuery)>(find("_workspace_size"));
  if (!run)
    return llvm::createStringError(library + " has no " + model->info.name + "_run");
  if (model->info.workspaceSize < 0 && !model->workspaceQuery)
    return llvm::createStringError(library + " has no " + model->info.name + "_workspace_size");
  return model;
}

CompiledModel::~CompiledModel() {
  releaseWorkspace();
  if (handle)
    dlclose(handle);
}

void CompiledModel::releaseWorkspace() {
  if (mapping)
    munmap(mapping, mappedBytes);
  mapping = nullptr;
}

llvm::Error CompiledModel::prepare(llvm::ArrayRef<Tensor> inputs, llvm::ArrayRef<int64_t> symbols) {
  inputStruct.clear();
  outputStruct.clear();
  results.clear();
  for (const Tensor &tensor : inputs)
    inputStruct.push_back(reinterpret_cast<uintptr_t>(tensor.data()));
  for (int64_t value : symbols)
    inputStruct.push_back(static_cast<uint64_t>(value));
  if (weightsFile)
    inputStruct.push_back(reinterpret_cast<uintptr_t>(weightsFile->getBufferStart()));
  for (const PortInfo &port : info.outputs) {
    std::vector<int64_t> shape;
    for (const Extent &extent : port.shape) {
      std::optional<int64_t> value = extent.evaluate(symbols);
      if (!value || *value < 0)
        return llvm::createStringError("output '" + port.name + "' has no possible shape here");
      shape.push_back(*value);
    }
    if (auto size = shapeBytes(port.type, shape); !size)
      return size.takeError();
    results.emplace_back(port.type, std::move(shape));
  }
  for (Tensor &tensor : results)
    outputStruct.push_back(reinterpret_cast<uintptr_t>(tensor.data()));

  releaseWorkspace();
  workspaceSize = info.workspaceSize >= 0 ? static_cast<size_t>(info.workspaceSize)
                                          : workspaceQuery(symbols.data());
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t align = std::max<int64_t>(info.workspaceAlign, 1);
  size_t room = (workspaceSize + align - 1) / align * align;
  size_t pages = (room + page - 1) / page * page;
  mappedBytes = pages + 2 * page;
  mapping = mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    return llvm::createStringError("cannot map a workspace of %zu bytes", workspaceSize);
  }
  char *first = static_cast<char *>(mapping) + page;
  if (pages && mprotect(first, pages, PROT_READ | PROT_WRITE) != 0)
    return llvm::createStringError("cannot map a workspace of %zu bytes", workspaceSize);
  // Flush with the upper guard, as far as the alignment allows: an overrun is likelier than an
  // underrun.
  workspace = first + (pages - room);
  return llvm::Error::success();
}

void *CountedHeap::allocate(void *user, size_t bytes) {
  auto *heap = static_cast<CountedHeap *>(user);
  if (++heap->allocations == heap->refused)
    return nullptr;
  ++heap->live;
  return malloc(bytes);
}

void CountedHeap::release(void *user, void *memory) {
  --static_cast<CountedHeap *>(user)->live;
  free(memory);
}

int32_t CompiledModel::call(void *context) {
  if (info.usesHeap)
    return programEntry(inputStruct.data(), outputStruct.data(), &blocks.hooks);
  return entry(inputStruct.data(), outputStruct.data(), workspace, workspaceSize, context);
}

llvm::Expected<ScratchFolder> ScratchFolder::create() {
  llvm::SmallString<128> path;
  if (auto error = llvm::sys::fs::createUniqueDirectory("ingot", path))
    return llvm::createStringError("cannot create a temporary folder: " + error.message());
  return ScratchFolder(path.str().str());
}

ScratchFolder::~ScratchFolder() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

llvm::Expected<BuiltModel> buildModel(const Source &source, const std::string &folder,
                                      const BuildOptions &options) {
  CompileOptions compileOptions = options.compile;
  bool viaC = options.backend == Backend::C;
  compileOptions.emit = {viaC ? Emit::C : Emit::Shared};
  BuiltModel built;
  built.compiled = compile(source, folder, compileOptions);
  if (!built.compiled.ok())
    return built;
  std::string library, weights;
  for (const std::string &file : built.compiled.files) {
    if (llvm::StringRef(file).ends_with(".so"))
      library = file;
    if (llvm::StringRef(file).ends_with(".weights"))
      weights = file;
  }
  if (viaC) {
    auto made = compileC(folder, built.compiled, options);
    if (!made)
      return made.takeError();
    library = *made;
  }
  auto loaded = CompiledModel::load(library, built.compiled.interface, weights);
  if (!loaded)
    return loaded.takeError();
  built.model = std::move(*loaded);
  return built;
}

} // namespace ingot
