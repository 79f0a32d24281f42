// ONNX files as far as tools need them beside the importer: tensors of test data, and a model whose
// inner values are laid open for comparison.
#pragma once
#include "Support/Tensor.h"
#include "llvm/ADT/StringRef.h"

namespace ingot {

// A serialised TensorProto of numbers, as ONNX's own test data has them.
llvm::Expected<Tensor> readTensorFile(const std::string &path);

struct ExposedValue {
  std::string value; // the name of the tensor
  std::string node;  // "Conv '/conv1/Conv'", the node that computes it
};

struct ExposedModel {
  std::string bytes;                // the model with all `values` among its outputs
  std::vector<ExposedValue> values; // in topological order, the model's own outputs included
};

// Makes every value that a node of the main graph computes an output of the model.
llvm::Expected<ExposedModel> exposeIntermediates(llvm::StringRef model);

} // namespace ingot
