//===- ModelsTest.cpp - Real models against ONNX Runtime --------------------------------------===//
//
// Each model at several sizes through both back ends: outputs within 1e-4 of their range. Its
// translation to Relay: outputs within 1e-5.
//
//===----------------------------------------------------------------------------------------===//

#include "harness/CompiledModel.h"
#include "harness/Inputs.h"
#include "harness/OnnxRuntime.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace ingot;

namespace {

using Dims = std::map<std::string, int64_t>;

struct ModelCase {
  const char *name;
  std::vector<Dims> sizes;
};

const ModelCase cases[] = {
    {"ppocr-det",
     {{{"p2o_DynamicDimension_0", 1},
       {"p2o_DynamicDimension_1", 64},
       {"p2o_DynamicDimension_2", 96}},
      {{"p2o_DynamicDimension_0", 2},
       {"p2o_DynamicDimension_1", 160},
       {"p2o_DynamicDimension_2", 128}}}},
    {"ppocr-rec",
     {{{"p2o_DynamicDimension_0", 1}, {"p2o_DynamicDimension_1", 320}},
      {{"p2o_DynamicDimension_0", 1}, {"p2o_DynamicDimension_1", 101}},
      {{"p2o_DynamicDimension_0", 3}, {"p2o_DynamicDimension_1", 8}}}},
    {"ppocr-cls",
     {{{"p2o_DynamicDimension_0", 1},
       {"p2o_DynamicDimension_1", 48},
       {"p2o_DynamicDimension_2", 192}},
      {{"p2o_DynamicDimension_0", 2},
       {"p2o_DynamicDimension_1", 33},
       {"p2o_DynamicDimension_2", 77}}}},
    {"melspectrogram",
     {{{"batch_size", 1}, {"samples", 16000}}, {{"batch_size", 2}, {"samples", 1777}}}},
    {"embedding", {{{"unk__314", 1}}, {{"unk__314", 3}}}},
    {"alexa", {{}}},
    {"jarvis", {{}}},
    {"mycroft", {{}}},
    {"timer", {{}}},
    {"weather", {{}}},
    {"hello-deepa", {{}}},
};

std::string cacheFolder() {
  if (const char *named = std::getenv("INGOT_CACHE"))
    return named;
  const char *home = std::getenv("HOME");
  return std::string(home ? home : ".") + "/.cache/ingot";
}

void expectEqualOnnxRuntime(const ModelCase &model, BuildOptions options) {
  std::string path = cacheFolder() + "/models/" + model.name + ".onnx";
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << "no " << path << ": run scripts/fetch-models.sh";
  auto runtime = OnnxRuntime::load();
  if (!runtime)
    GTEST_SKIP() << llvm::toString(runtime.takeError());
  auto session = (*runtime)->openFile(path);
  ASSERT_TRUE(bool(session)) << llvm::toString(session.takeError());
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder)) << llvm::toString(folder.takeError());
  options.compile.name = "model";
  options.compile.verifyEach = true;
  options.optimize = "-O2";
  auto built = buildModel({path}, folder->path(), options);
  ASSERT_TRUE(bool(built)) << llvm::toString(built.takeError());
  for (const ingot::Diagnostic &each : built->compiled.diagnostics)
    ADD_FAILURE() << each.text();
  ASSERT_TRUE(built->model);
  const InterfaceInfo &info = built->model->interface();
  for (const Dims &dims : model.sizes) {
    auto symbols = solveSymbols(info, {}, dims);
    ASSERT_TRUE(bool(symbols)) << llvm::toString(symbols.takeError());
    auto inputs = makeInputs(info, {}, *symbols, 7);
    ASSERT_TRUE(bool(inputs)) << llvm::toString(inputs.takeError());
    auto prepared = built->model->prepare(*inputs, *symbols);
    ASSERT_FALSE(bool(prepared)) << llvm::toString(std::move(prepared));
    ASSERT_EQ(built->model->call(), 0);
    auto expected = (*session)->run(inputNames(info), *inputs);
    ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
    ASSERT_EQ(expected->size(), built->model->outputs().size());
    for (auto [actual, wanted] : llvm::zip(built->model->outputs(), *expected)) {
      ASSERT_EQ(actual.shape(), wanted.shape());
      // ONNX Runtime's sigmoid is a rational function good to 2^-23 absolute: where all outputs are
      // tiny, 1e-4 of their range is less than its own error.
      EXPECT_TRUE(compareInRange(actual, wanted, 1e-4).mismatches == 0 ||
                  compareElements(actual, wanted, 0, 0x1p-22).mismatches == 0);
    }
  }
}

class Models : public testing::TestWithParam<std::tuple<ModelCase, Backend>> {};

TEST_P(Models, EqualOnnxRuntime) {
  BuildOptions options;
  options.backend = std::get<1>(GetParam());
  expectEqualOnnxRuntime(std::get<0>(GetParam()), options);
}

std::string caseName(const testing::TestParamInfo<Models::ParamType> &info) {
  std::string name = std::get<0>(info.param).name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (std::get<1>(info.param) == Backend::C ? "_c" : "_llvm");
}

INSTANTIATE_TEST_SUITE_P(Real, Models,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values(Backend::Llvm, Backend::C)),
                         caseName);

/// The Relay text of a model at its first size gives what the model gives.
class Translations : public testing::TestWithParam<ModelCase> {};

TEST_P(Translations, GiveTheSame) {
  const ModelCase &model = GetParam();
  std::string path = cacheFolder() + "/models/" + model.name + ".onnx";
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << "no " << path << ": run scripts/fetch-models.sh";
  BuildOptions options;
  options.compile.name = "model";
  options.compile.dims = model.sizes.front();
  Translation translation = translateToRelay({path}, options.compile);
  for (const ingot::Diagnostic &each : translation.diagnostics)
    ADD_FAILURE() << each.text();
  std::vector<ScratchFolder> folders;
  std::vector<BuiltModel> both;
  std::vector<Tensor> inputs;
  for (Source source : {Source{path}, Source{"model.relay", translation.text}}) {
    auto folder = ScratchFolder::create();
    ASSERT_TRUE(bool(folder)) << llvm::toString(folder.takeError());
    folders.push_back(std::move(*folder));
    auto built = buildModel(source, folders.back().path(), options);
    ASSERT_TRUE(bool(built)) << llvm::toString(built.takeError());
    for (const ingot::Diagnostic &each : built->compiled.diagnostics)
      ADD_FAILURE() << each.text();
    ASSERT_TRUE(built->model);
    both.push_back(std::move(*built));
    CompiledModel &made = *both.back().model;
    if (inputs.empty()) {
      auto values = makeInputs(made.interface(), {}, {}, 7);
      ASSERT_TRUE(bool(values)) << llvm::toString(values.takeError());
      inputs = std::move(*values);
    }
    auto prepared = made.prepare(inputs, {});
    ASSERT_FALSE(bool(prepared)) << llvm::toString(std::move(prepared));
    ASSERT_EQ(made.call(), 0);
  }
  ASSERT_EQ(both[0].model->outputs().size(), both[1].model->outputs().size());
  for (auto [wanted, actual] : llvm::zip(both[0].model->outputs(), both[1].model->outputs())) {
    ASSERT_EQ(actual.shape(), wanted.shape());
    EXPECT_EQ(compareInRange(actual, wanted, 1e-5).mismatches, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Real, Translations, testing::ValuesIn(cases), [](const auto &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Constants behind a pointer that the caller passes.
class WeightsInFile : public testing::TestWithParam<Backend> {};

TEST_P(WeightsInFile, EqualOnnxRuntime) {
  BuildOptions options;
  options.backend = GetParam();
  options.compile.weights = Weights::File;
  for (const ModelCase &model : cases)
    if (std::string_view(model.name) == "ppocr-cls" || std::string_view(model.name) == "jarvis")
      expectEqualOnnxRuntime(model, options);
}

INSTANTIATE_TEST_SUITE_P(Real, WeightsInFile, testing::Values(Backend::Llvm, Backend::C));

/// What the entry says of wrong arguments, through both back ends.
class Statuses : public testing::TestWithParam<Backend> {};

TEST_P(Statuses, NameWhatIsWrong) {
  std::string path = cacheFolder() + "/models/ppocr-det.onnx";
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << "no " << path << ": run scripts/fetch-models.sh";
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder));
  BuildOptions options;
  options.backend = GetParam();
  options.compile.name = "det";
  options.optimize = "-O0";
  auto built = buildModel({path}, folder->path(), options);
  ASSERT_TRUE(bool(built) && built->model);
  CompiledModel &model = *built->model;
  std::vector<float> picture(3 * 64 * 64), map(64 * 64);
  struct {
    const float *x;
    int64_t batch, height, width;
  } inputs = {picture.data(), 1, 64, 64};
  struct {
    float *map;
  } outputs = {map.data()};
  // NULL inputs and outputs, NULL members, dimensions out of range, dimensions that disagree, the
  // workspace: in the order of the header.
  EXPECT_EQ(model.raw(nullptr, &outputs, nullptr, 0), 1);
  EXPECT_EQ(model.raw(&inputs, nullptr, nullptr, 0), 2);
  inputs.x = nullptr;
  EXPECT_EQ(model.raw(&inputs, &outputs, nullptr, 0), 3);
  inputs.x = picture.data();
  outputs.map = nullptr;
  EXPECT_EQ(model.raw(&inputs, &outputs, nullptr, 0), 4);
  outputs.map = map.data();
  inputs.height = 0;
  EXPECT_EQ(model.raw(&inputs, &outputs, nullptr, 0), 6);
  inputs.height = int64_t(1) << 40;
  EXPECT_EQ(model.raw(&inputs, &outputs, nullptr, 0), 6);
  inputs.height = 33;
  int32_t disagree = model.raw(&inputs, &outputs, nullptr, 0);
  EXPECT_GT(disagree, 7);
  inputs.height = 64;
  int32_t missing = model.raw(&inputs, &outputs, nullptr, 0);
  EXPECT_GT(missing, disagree);
  alignas(64) static char small[128];
  EXPECT_EQ(model.raw(&inputs, &outputs, small, sizeof small), missing + 1);
  EXPECT_EQ(model.raw(&inputs, &outputs, small + 4, size_t(1) << 40), missing + 2);
}

INSTANTIATE_TEST_SUITE_P(Entry, Statuses, testing::Values(Backend::Llvm, Backend::C));

} // namespace
