//===- AccuracyTest.cpp - Elementary functions against double precision -----------------------===//
//
// One operator over numbers of every exponent, as vectors, through both back ends. The bounds are
// in units in the last place of float32.
//
//===----------------------------------------------------------------------------------------===//

#include "harness/CompiledModel.h"
#include "onnx/onnx.pb.h"
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace ingot;

namespace {

struct Function {
  const char *op;
  double (*exact)(double);
  double bound;
  /// Subnormal results may become zero.
  bool flushes = false;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const Function functions[] = {
    {"Exp", std::exp, 2}, {"Log", std::log, 2},          {"Tanh", std::tanh, 4},
    {"Erf", std::erf, 4}, {"Sigmoid", sigmoid, 4, true}, {"Sqrt", std::sqrt, 0.5},
};

std::string modelOf(const char *op, int64_t count) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto &graph = *model.mutable_graph();
  for (auto *value : {graph.add_input(), graph.add_output()}) {
    auto *tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(onnx::TensorProto::FLOAT);
    tensor->mutable_shape()->add_dim()->set_dim_value(count);
  }
  graph.mutable_input(0)->set_name("x");
  graph.mutable_output(0)->set_name("y");
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type(op);
  node.add_input("x");
  node.add_output("y");
  return model.SerializeAsString();
}

/// Every 4099th float32: all exponents, both signs, subnormal numbers; then what is special.
std::vector<float> samples() {
  std::vector<float> result;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099)
    result.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float x : {0.0f, -0.0f, 1.0f, -1.0f, infinity, -infinity,
                  std::numeric_limits<float>::quiet_NaN(), 88.72f, 88.73f, -87.3f, -103.9f, 104.0f})
    result.push_back(x);
  return result;
}

/// The distance of `got` from `exact` in units in the last place of float32 there; infinite if they
/// differ in kind.
double ulps(float got, double exact) {
  auto rounded = static_cast<float>(exact);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) == std::isnan(got) ? 0 : INFINITY;
  if (got == rounded)
    return 0;
  if (std::isinf(rounded) || std::isinf(got))
    return INFINITY;
  int exponent = std::max(std::ilogb(rounded), -126);
  return std::abs(got - exact) / std::ldexp(1.0, exponent - 23);
}

void PrintTo(const Function &function, std::ostream *out) { *out << function.op; }

class Accuracy : public testing::TestWithParam<std::tuple<Function, Backend>> {};

TEST_P(Accuracy, IsWithinBound) {
  const auto &[function, backend] = GetParam();
  std::vector<float> xs = samples();
  auto count = static_cast<int64_t>(xs.size());
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder));
  BuildOptions options;
  options.backend = backend;
  options.compile.name = "model";
  auto built = buildModel({"accuracy.onnx", modelOf(function.op, count)}, folder->path(), options);
  ASSERT_TRUE(bool(built)) << llvm::toString(built.takeError());
  ASSERT_TRUE(built->model);
  Tensor x(ElementType::Float32, {count});
  std::memcpy(x.data(), xs.data(), xs.size() * sizeof(float));
  ASSERT_FALSE(bool(built->model->prepare(x, {})));
  ASSERT_EQ(built->model->call(), 0);
  const auto *ys = static_cast<const float *>(built->model->outputs()[0].data());
  double worst = 0;
  float where = 0;
  for (size_t i = 0; i < xs.size(); ++i) {
    double exact = function.exact(xs[i]), error = ulps(ys[i], exact);
    bool isFlushed = function.flushes && ys[i] == 0 && std::abs(exact) < FLT_MIN;
    if (error > worst && !isFlushed) {
      worst = error;
      where = xs[i];
    }
  }
  RecordProperty("ulps", std::to_string(worst));
  EXPECT_LE(worst, function.bound) << function.op << " at " << where;
}

INSTANTIATE_TEST_SUITE_P(Functions, Accuracy,
                         testing::Combine(testing::ValuesIn(functions),
                                          testing::Values(Backend::Llvm, Backend::C)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).op) +
                                  (std::get<1>(info.param) == Backend::C ? "C" : "Llvm");
                         });

} // namespace
