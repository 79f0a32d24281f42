// Comparison with ONNX Runtime, value by value, for `ingot run --check onnxruntime`.
#pragma once
#include "ModelArguments.h"

namespace ingot {

// Compares the model's outputs, and every value its nodes compute, with ONNX Runtime's on the same
// inputs; prints what was compared and the first value, in topological order, that lies further
// apart than 1e-4 of its range. Returns an exit code. `ready` is the model as the user has it,
// already run once.
int checkAgainstOnnxRuntime(const ModelArguments &model, const RunArguments &run,
                            const ReadyModel &ready);

} // namespace ingot
