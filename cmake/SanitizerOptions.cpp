//===- SanitizerOptions.cpp - Defaults of AddressSanitizer in Ingot's programs
//------------------===//

/// Memory that allocators of LLVM's headers poison in instrumented code is handed out by libMLIR,
/// which is not instrumented and never takes the poison away.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}
