// What a model is fed with on the command line: files, constants, or reproducible random numbers.
#pragma once
#include "Support/Tensor.h"
#include <map>
#include <variant>

namespace ingot {

// The right side of --input NAME=...: a tensor read from a file, or a rule to fill one of the
// model's own shape.
struct InputRule {
  enum class Kind : uint8_t { Random, Constant, List };
  Kind kind = Kind::Random;
  // Random: uniform between; equal: the default of the element type. Constant: `low`.
  double low = 0, high = 0;
  std::vector<double> numbers; // List: the elements in order
};
using InputValue = std::variant<InputRule, Tensor>;
using InputValues = std::map<std::string, InputValue>;

// Parses "x=@x.npy", "x=@x.pb", "x=random", "x=random:-1:1", "x=zeros", "x=ones", "x=3.5",
// "x=[1,2,3]", reading
// the file if there is one.
llvm::Expected<std::pair<std::string, InputValue>> parseInput(llvm::StringRef argument);

// The values of the model's symbols that the shapes of the tensors in `values` imply, completed by
// `given` (by name). Checks types, ranks, extents and constraints and says which input does not
// fit.
llvm::Expected<std::vector<int64_t>> solveSymbols(const InterfaceInfo &info,
                                                  const InputValues &values,
                                                  const std::map<std::string, int64_t> &given);

// One tensor for each input of the model, in order. Inputs without a value are random: standard
// normal for floats, 0 to 9 for integers, either for booleans; the numbers depend on `seed` and the
// input's name alone.
llvm::Expected<std::vector<Tensor>> makeInputs(const InterfaceInfo &info, InputValues values,
                                               llvm::ArrayRef<int64_t> symbols, uint64_t seed);

// The names of the inputs, in order.
std::vector<std::string> inputNames(const InterfaceInfo &info);

} // namespace ingot
