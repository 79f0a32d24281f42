// One of ONNX's backend test cases: a model, inputs, and the outputs it must give.
#pragma once
#include "harness/CompiledModel.h"
#include <string>
#include <vector>

namespace ingot {

enum class Verdict : char { Passed = 'p', Wrong = 'w', Refused = 'r', Crashed = 'c' };

struct Outcome {
  Verdict verdict = Verdict::Crashed;
  std::string reason; // one line, empty when passed
};

struct Case {
  std::string category, name; // "node", "test_abs"
  std::string folder;         // holds model.onnx and test_data_set_*
};

struct CaseList {
  std::vector<Case> cases; // by category, then name
  std::vector<Case> empty; // folders without a model: ONNX has those fetched from elsewhere
};

// The cases in `data`, laid out as CATEGORY/test_NAME/model.onnx, whose "CATEGORY/NAME" contains
// `filter`.
llvm::Expected<CaseList> findCases(const std::string &data, const std::string &filter);

// Compiles the case's model with `options` into `scratch`, runs all its data sets, and compares
// with the tolerances of ONNX's own runner: 1e-3 relative, 1e-7 absolute. With `viaRelay` the model
// is translated, and the text is what is compiled: it must be accepted then.
Outcome runCase(const Case &each, BuildOptions options, bool viaRelay, const std::string &scratch);

} // namespace ingot
