#include "harness/OnnxRuntime.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace ingot {
namespace {

// Positions in its table of functions. The table only ever grows at the end, so they hold for every
// version from 1.17.
enum Function : int {
  GetErrorMessage = 2,
  CreateEnv = 3,
  CreateSession = 7,
  CreateSessionFromArray = 8,
  Run = 9,
  CreateSessionOptions = 10,
  SetSessionGraphOptimizationLevel = 23,
  SetIntraOpNumThreads = 24,
  SetInterOpNumThreads = 25,
  SessionGetInputCount = 30,
  SessionGetOutputCount = 31,
  SessionGetInputName = 36,
  SessionGetOutputName = 37,
  CreateTensorWithDataAsOrtValue = 49,
  GetTensorMutableData = 51,
  GetTensorElementType = 60,
  GetDimensionsCount = 61,
  GetDimensions = 62,
  GetTensorTypeAndShape = 65,
  GetValueType = 67,
  CreateCpuMemoryInfo = 69,
  AllocatorFree = 76,
  GetAllocatorWithDefaultOptions = 78,
  ReleaseStatus = 93,
  ReleaseSession = 95,
  ReleaseValue = 96,
  ReleaseTensorTypeAndShapeInfo = 99,
  ReleaseSessionOptions = 100,
};

constexpr uint32_t kApiVersion = 17;
constexpr int kLogErrors = 3, kOptimizeNone = 0, kOptimizeAll = 99;
constexpr int kArenaAllocator = 1, kDefaultMemory = 0, kValueIsTensor = 1;

struct TypeCode {
  int code;
  ElementType type;
};
constexpr TypeCode kTypes[] = {
    {1, ElementType::Float32},   {2, ElementType::UInt8},   {3, ElementType::Int8},
    {4, ElementType::UInt16},    {5, ElementType::Int16},   {6, ElementType::Int32},
    {7, ElementType::Int64},     {9, ElementType::Bool},    {10, ElementType::Float16},
    {11, ElementType::Float64},  {12, ElementType::UInt32}, {13, ElementType::UInt64},
    {16, ElementType::BFloat16},
};

// Calls function `index` of `table`; every one used this way returns a status, null for success.
template <typename... Args> void *invoke(void *const *table, Function index, Args... args) {
  return reinterpret_cast<void *(*)(Args...)>(table[index])(args...);
}

template <typename... Args> void release(void *const *table, Function index, Args... args) {
  reinterpret_cast<void (*)(Args...)>(table[index])(args...);
}

std::string defaultPath() {
  if (const char *named = std::getenv("INGOT_ONNXRUNTIME"))
    return named;
  std::string cache;
  if (const char *folder = std::getenv("INGOT_CACHE"))
    cache = folder;
  else if (const char *home = std::getenv("HOME"))
    cache = std::string(home) + "/.cache/ingot";
  return cache + "/onnxruntime/libonnxruntime.so.1";
}

} // namespace

llvm::Error OnnxRuntime::check(void *status) const {
  if (!status)
    return llvm::Error::success();
  auto message = reinterpret_cast<const char *(*)(void *)>(table[GetErrorMessage])(status);
  llvm::Error error = llvm::createStringError(std::string("ONNX Runtime: ") + message);
  release(table, ReleaseStatus, status);
  return error;
}

llvm::Expected<std::shared_ptr<OnnxRuntime>> OnnxRuntime::load(const std::string &path) {
  std::string library = path.empty() ? defaultPath() : path;
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return llvm::createStringError(std::string("cannot load ONNX Runtime (") + dlerror() +
                                   "); scripts/fetch-models.sh fetches it, INGOT_ONNXRUNTIME "
                                   "names another copy");
  struct Base {
    void *const *(*api)(uint32_t version);
    const char *(*version)();
  };
  auto entry = reinterpret_cast<const Base *(*)()>(dlsym(handle, "OrtGetApiBase"));
  if (!entry)
    return llvm::createStringError(library + " is not ONNX Runtime");
  std::shared_ptr<OnnxRuntime> runtime(new OnnxRuntime);
  runtime->self = runtime;
  runtime->versionText = entry()->version;
  runtime->table = entry()->api(kApiVersion);
  if (!runtime->table)
    return llvm::createStringError(library + ": ONNX Runtime 1.17 or later is needed");
  if (auto error = runtime->check(
          invoke(runtime->table, CreateEnv, kLogErrors, "ingot", &runtime->environment)))
    return error;
  if (auto error = runtime->check(invoke(runtime->table, CreateCpuMemoryInfo, kArenaAllocator,
                                         kDefaultMemory, &runtime->memoryInfo)))
    return error;
  return runtime;
}

// The environment is left to the process: tearing it down while its logger is in use has no benefit
// here.
OnnxRuntime::~OnnxRuntime() = default;

std::string OnnxRuntime::version() const { return versionText(); }

llvm::Expected<void *> OnnxRuntime::makeOptions(const OrtSessionOptions &options) const {
  void *made = nullptr;
  if (auto error = check(invoke(table, CreateSessionOptions, &made)))
    return error;
  int level = options.optimize ? kOptimizeAll : kOptimizeNone;
  if (auto error = check(invoke(table, SetSessionGraphOptimizationLevel, made, level)))
    return error;
  if (auto error = check(invoke(table, SetIntraOpNumThreads, made, options.threads)))
    return error;
  if (auto error = check(invoke(table, SetInterOpNumThreads, made, 1)))
    return error;
  return made;
}

llvm::Expected<std::unique_ptr<OrtSession>>
OnnxRuntime::openFile(const std::string &model, const OrtSessionOptions &options) {
  auto made = makeOptions(options);
  if (!made)
    return made.takeError();
  void *session = nullptr;
  void *status = invoke(table, CreateSession, environment, model.c_str(), *made, &session);
  release(table, ReleaseSessionOptions, *made);
  if (auto error = check(status))
    return error;
  return wrap(session);
}

llvm::Expected<std::unique_ptr<OrtSession>>
OnnxRuntime::openBytes(llvm::StringRef model, const OrtSessionOptions &options) {
  auto made = makeOptions(options);
  if (!made)
    return made.takeError();
  void *session = nullptr;
  void *status = invoke(table, CreateSessionFromArray, environment, model.data(), model.size(),
                        *made, &session);
  release(table, ReleaseSessionOptions, *made);
  if (auto error = check(status))
    return error;
  return wrap(session);
}

llvm::Expected<std::unique_ptr<OrtSession>> OnnxRuntime::wrap(void *session) {
  std::unique_ptr<OrtSession> result(new OrtSession);
  result->runtime = self.lock();
  result->session = session;
  void *allocator = nullptr;
  if (auto error = check(invoke(table, GetAllocatorWithDefaultOptions, &allocator)))
    return error;
  auto names = [&](Function counter, Function getter,
                   std::vector<std::string> &into) -> llvm::Error {
    size_t count = 0;
    if (auto error = check(invoke(table, counter, session, &count)))
      return error;
    for (size_t i = 0; i < count; ++i) {
      char *name = nullptr;
      if (auto error = check(invoke(table, getter, session, i, allocator, &name)))
        return error;
      into.emplace_back(name);
      llvm::consumeError(check(invoke(table, AllocatorFree, allocator, name)));
    }
    return llvm::Error::success();
  };
  if (auto error = names(SessionGetInputCount, SessionGetInputName, result->inputNames))
    return error;
  if (auto error = names(SessionGetOutputCount, SessionGetOutputName, result->outputNames))
    return error;
  for (const std::string &name : result->outputNames)
    result->outputPointers.push_back(name.c_str());
  return result;
}

OrtSession::~OrtSession() {
  unbind();
  if (session)
    release(runtime->table, ReleaseSession, session);
}

void OrtSession::unbind() {
  for (void *value : bound)
    release(runtime->table, ReleaseValue, value);
  bound.clear();
}

llvm::Error OrtSession::bind(llvm::ArrayRef<std::string> names, llvm::ArrayRef<Tensor> values) {
  unbind();
  boundNames = names;
  boundPointers.clear();
  for (const std::string &name : boundNames)
    boundPointers.push_back(name.c_str());
  for (const Tensor &tensor : values) {
    int code = 0;
    for (const TypeCode &candidate : kTypes)
      if (candidate.type == tensor.type())
        code = candidate.code;
    void *value = nullptr;
    if (auto error = runtime->check(
            invoke(runtime->table, CreateTensorWithDataAsOrtValue, runtime->memoryInfo,
                   const_cast<void *>(tensor.data()), static_cast<size_t>(tensor.bytes()),
                   tensor.shape().data(), tensor.shape().size(), code, &value)))
      return error;
    bound.push_back(value);
  }
  return llvm::Error::success();
}

llvm::Error OrtSession::launch(llvm::ArrayRef<const char *> wanted, std::vector<void *> &results) {
  results.assign(wanted.size(), nullptr);
  void *const noOptions = nullptr;
  return runtime->check(invoke(runtime->table, Run, session, noOptions, boundPointers.data(),
                               bound.data(), boundPointers.size(), wanted.data(), wanted.size(),
                               results.data()));
}

llvm::Error OrtSession::call() {
  std::vector<void *> results;
  llvm::Error error = launch(outputPointers, results);
  for (void *value : results)
    if (value)
      release(runtime->table, ReleaseValue, value);
  return error;
}

llvm::Expected<std::vector<Tensor>> OrtSession::run(llvm::ArrayRef<std::string> names,
                                                    llvm::ArrayRef<Tensor> values,
                                                    llvm::ArrayRef<std::string> wanted) {
  if (auto error = bind(names, values))
    return error;
  std::vector<const char *> wantedPointers;
  for (const std::string &name : wanted)
    wantedPointers.push_back(name.c_str());
  std::vector<void *> results;
  llvm::Error launched = launch(wanted.empty() ? outputPointers : wantedPointers, results);
  unbind();
  if (launched)
    return launched;
  std::vector<Tensor> tensors;
  llvm::Error failed = llvm::Error::success();
  for (void *value : results) {
    auto tensor = copyOut(value);
    release(runtime->table, ReleaseValue, value);
    if (tensor)
      tensors.push_back(std::move(*tensor));
    else
      failed = llvm::joinErrors(std::move(failed), tensor.takeError());
  }
  if (failed)
    return failed;
  return tensors;
}

llvm::Expected<Tensor> OrtSession::copyOut(void *value) {
  void *const *table = runtime->table;
  int kind = 0;
  if (auto error = runtime->check(invoke(table, GetValueType, value, &kind)))
    return error;
  if (kind != kValueIsTensor)
    return llvm::createStringError("ONNX Runtime: the value is not a tensor");
  void *info = nullptr;
  if (auto error = runtime->check(invoke(table, GetTensorTypeAndShape, value, &info)))
    return error;
  int code = 0;
  size_t rank = 0;
  std::vector<int64_t> shape;
  llvm::Error error = runtime->check(invoke(table, GetTensorElementType, info, &code));
  if (!error)
    error = runtime->check(invoke(table, GetDimensionsCount, info, &rank));
  if (!error) {
    shape.resize(rank);
    error = runtime->check(invoke(table, GetDimensions, info, shape.data(), rank));
  }
  release(table, ReleaseTensorTypeAndShapeInfo, info);
  if (error)
    return error;
  const TypeCode *type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                      [&](const TypeCode &entry) { return entry.code == code; });
  if (type == std::end(kTypes))
    return llvm::createStringError("ONNX Runtime: element type %d is not a number", code);
  void *data = nullptr;
  if (auto failed = runtime->check(invoke(table, GetTensorMutableData, value, &data)))
    return failed;
  Tensor tensor(type->type, std::move(shape));
  std::memcpy(tensor.data(), data, tensor.bytes());
  return tensor;
}

} // namespace ingot
