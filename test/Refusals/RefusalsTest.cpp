//===- RefusalsTest.cpp - What files from strangers get ---------------------------------------===//

#include "harness/CompiledModel.h"
#include "ingot/Compile.h"
#include "onnx/onnx.pb.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace ingot;

namespace {

void declare(onnx::ValueInfoProto &value, const std::string &name, std::vector<int64_t> shape) {
  value.set_name(name);
  auto *tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(onnx::TensorProto::FLOAT);
  for (int64_t extent : shape)
    tensor->mutable_shape()->add_dim()->set_dim_value(extent);
}

onnx::NodeProto *addNode(onnx::GraphProto &graph, const std::string &op, const std::string &name,
                         std::vector<std::string> inputs, std::vector<std::string> outputs) {
  onnx::NodeProto *node = graph.add_node();
  node->set_op_type(op);
  node->set_name(name);
  for (const std::string &input : inputs)
    node->add_input(input);
  for (const std::string &output : outputs)
    node->add_output(output);
  return node;
}

/// y = Relu(x), sound.
onnx::ModelProto soundModel(std::vector<int64_t> shape = {2, 3}) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto &graph = *model.mutable_graph();
  declare(*graph.add_input(), "x", shape);
  declare(*graph.add_output(), "y", shape);
  addNode(graph, "Relu", "relu", {"x"}, {"y"});
  return model;
}

struct Answer {
  std::vector<ingot::Diagnostic> diagnostics;
  bool isFolderEmpty;
};

Answer answerTo(const std::string &bytes) {
  auto folder = ScratchFolder::create();
  EXPECT_TRUE(bool(folder));
  CompileOptions options;
  options.emit = {Emit::C, Emit::Library};
  Compiled compiled = compile({"hostile.onnx", bytes}, folder->path(), options);
  EXPECT_FALSE(compiled.ok());
  EXPECT_TRUE(compiled.refused());
  std::error_code error;
  bool isEmpty = llvm::sys::fs::directory_iterator(folder->path(), error) ==
                 llvm::sys::fs::directory_iterator();
  return {compiled.diagnostics, isEmpty};
}

/// Expects one refusal that names the file, and holds `text`; nothing is written.
void expectRefusal(const std::string &bytes, const std::string &text,
                   const std::string &node = "") {
  Answer answer = answerTo(bytes);
  EXPECT_TRUE(answer.isFolderEmpty);
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_NE(answer.diagnostics[0].text().find("hostile.onnx"), std::string::npos);
  EXPECT_NE(answer.diagnostics[0].message.find(text), std::string::npos)
      << answer.diagnostics[0].message;
  EXPECT_EQ(answer.diagnostics[0].node, node);
}

TEST(Refusals, SoundModelCompiles) {
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder));
  CompileOptions options;
  options.emit = {Emit::C};
  EXPECT_TRUE(
      compile({"sound.onnx", soundModel().SerializeAsString()}, folder->path(), options).ok());
}

TEST(Refusals, NameThatIsNoIdentifier) {
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder));
  for (const char *name : {"3d", "my-model 2", "int", "_run"}) {
    CompileOptions options;
    options.emit = {Emit::C};
    options.name = name;
    Compiled compiled =
        compile({"sound.onnx", soundModel().SerializeAsString()}, folder->path(), options);
    ASSERT_EQ(compiled.diagnostics.size(), 1u) << name;
    EXPECT_NE(compiled.diagnostics[0].message.find(name), std::string::npos);
  }
}

TEST(Refusals, NoModel) {
  expectRefusal("this is text", "not an ONNX model");
  std::string whole = soundModel().SerializeAsString();
  expectRefusal(whole.substr(0, whole.size() - 7), "not an ONNX model");
}

TEST(Refusals, UnknownOperatorSet) {
  onnx::ModelProto model = soundModel();
  model.mutable_opset_import(0)->set_version(99);
  expectRefusal(model.SerializeAsString(), "operator set 99");
}

TEST(Refusals, EveryUnsupportedOperatorAtOnce) {
  onnx::ModelProto model = soundModel();
  addNode(*model.mutable_graph(), "Mystery", "first", {"x"}, {"a"});
  addNode(*model.mutable_graph(), "Riddle", "second", {"a"}, {"b"});
  Answer answer = answerTo(model.SerializeAsString());
  ASSERT_EQ(answer.diagnostics.size(), 2u);
  EXPECT_EQ(answer.diagnostics[0].node, "first");
  EXPECT_EQ(answer.diagnostics[1].node, "second");
  EXPECT_TRUE(answer.isFolderEmpty);
}

TEST(Refusals, Cycle) {
  onnx::ModelProto model = soundModel();
  addNode(*model.mutable_graph(), "Add", "ring", {"x", "b"}, {"a"});
  addNode(*model.mutable_graph(), "Relu", "back", {"a"}, {"b"});
  expectRefusal(model.SerializeAsString(), "cycle", "ring");
}

TEST(Refusals, DefinedTwiceAndNotAtAll) {
  onnx::ModelProto twice = soundModel();
  addNode(*twice.mutable_graph(), "Abs", "again", {"x"}, {"y"});
  expectRefusal(twice.SerializeAsString(), "defined twice", "again");
  onnx::ModelProto missing = soundModel();
  addNode(*missing.mutable_graph(), "Abs", "lost", {"nowhere"}, {"z"});
  expectRefusal(missing.SerializeAsString(), "'nowhere' is not defined", "lost");
}

TEST(Refusals, ImpossibleShape) {
  expectRefusal(soundModel({65536, 65536, 65536, 65536}).SerializeAsString(), "impossible");
}

TEST(Refusals, DataThatDoesNotFit) {
  onnx::ModelProto model = soundModel();
  onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(int64_t(1) << 29);
  tensor.set_raw_data("four");
  expectRefusal(model.SerializeAsString(), "4 bytes of data");
}

TEST(Refusals, ExternalDataElsewhere) {
  for (const char *location : {"../secret", "/etc/passwd", "a/../../secret"}) {
    onnx::ModelProto model = soundModel();
    onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(1);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto *entry = tensor.add_external_data();
    entry->set_key("location");
    entry->set_value(location);
    expectRefusal(model.SerializeAsString(), "not a file beside the model");
  }
}

TEST(Refusals, FunctionThatCallsItself) {
  onnx::ModelProto model = soundModel();
  onnx::FunctionProto &function = *model.add_functions();
  function.set_domain("own");
  function.set_name("Loop");
  function.add_input("a");
  function.add_output("b");
  onnx::NodeProto &inner = *function.add_node();
  inner.set_op_type("Loop");
  inner.set_domain("own");
  inner.add_input("a");
  inner.add_output("b");
  onnx::NodeProto *call = addNode(*model.mutable_graph(), "Loop", "call", {"x"}, {"z"});
  call->set_domain("own");
  model.add_opset_import()->set_domain("own");
  Answer answer = answerTo(model.SerializeAsString());
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_NE(answer.diagnostics[0].message.find("calls itself"), std::string::npos);
}

TEST(Refusals, WrongDimension) {
  auto folder = ScratchFolder::create();
  ASSERT_TRUE(bool(folder));
  CompileOptions options;
  options.emit = {Emit::C};
  options.dims["batch"] = 0;
  Compiled compiled =
      compile({"hostile.onnx", soundModel().SerializeAsString()}, folder->path(), options);
  EXPECT_TRUE(compiled.refused());
}

} // namespace
