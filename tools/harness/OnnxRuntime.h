// ONNX Runtime as a reference and a peer in speed, through its C interface, loaded when asked for.
// Never linked.
#pragma once
#include "Support/Tensor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace ingot {

struct OrtSessionOptions {
  int threads = 1;
  bool optimize = true; // all of its graph optimisations, or none
};

class OrtSession;

// The loaded library. Lives until the process ends once a session was made.
class OnnxRuntime {
public:
  // `path` names the library; empty: $INGOT_ONNXRUNTIME, else the place scripts/fetch-models.sh
  // puts it.
  static llvm::Expected<std::shared_ptr<OnnxRuntime>> load(const std::string &path = {});
  ~OnnxRuntime();

  std::string version() const;
  llvm::Expected<std::unique_ptr<OrtSession>> openFile(const std::string &model,
                                                       const OrtSessionOptions &options = {});
  // For models without external data.
  llvm::Expected<std::unique_ptr<OrtSession>> openBytes(llvm::StringRef model,
                                                        const OrtSessionOptions &options = {});

private:
  friend class OrtSession;
  OnnxRuntime() = default;
  llvm::Error check(void *status) const;
  llvm::Expected<void *> makeOptions(const OrtSessionOptions &options) const;
  llvm::Expected<std::unique_ptr<OrtSession>> wrap(void *session);

  void *const *table = nullptr; // its functions by index
  const char *(*versionText)() = nullptr;
  void *environment = nullptr;
  void *memoryInfo = nullptr; // of ordinary memory
  std::weak_ptr<OnnxRuntime> self;
};

// One model, ready to run.
class OrtSession {
public:
  ~OrtSession();
  const std::vector<std::string> &inputs() const { return inputNames; }
  const std::vector<std::string> &outputs() const { return outputNames; }

  // Runs on `values`, which belong to the inputs `names`; results in the order of `wanted`, or of
  // outputs() when that is empty. A value that is not a tensor of numbers comes back as an error.
  llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<std::string> names,
                                          llvm::ArrayRef<Tensor> values,
                                          llvm::ArrayRef<std::string> wanted = {});

  // For timing: bind() once, then call() runs and drops the results. The tensors must outlive the
  // calls.
  llvm::Error bind(llvm::ArrayRef<std::string> names, llvm::ArrayRef<Tensor> values);
  llvm::Error call();

private:
  friend class OnnxRuntime;
  OrtSession() = default;
  llvm::Expected<Tensor> copyOut(void *value);
  llvm::Error launch(llvm::ArrayRef<const char *> wanted, std::vector<void *> &results);
  void unbind();

  std::shared_ptr<OnnxRuntime> runtime;
  void *session = nullptr;
  std::vector<std::string> inputNames, outputNames;
  std::vector<const char *> outputPointers; // to the names, as the C interface wants them
  std::vector<std::string> boundNames;
  std::vector<const char *> boundPointers; // to boundNames
  std::vector<void *> bound;
};

} // namespace ingot
