#include "harness/OnnxFiles.h"
#include "onnx/onnx.pb.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <set>

namespace ingot {
namespace {

std::optional<ElementType> elementType(int32_t type) {
  switch (type) {
  case onnx::TensorProto::FLOAT:
    return ElementType::Float32;
  case onnx::TensorProto::UINT8:
    return ElementType::UInt8;
  case onnx::TensorProto::INT8:
    return ElementType::Int8;
  case onnx::TensorProto::UINT16:
    return ElementType::UInt16;
  case onnx::TensorProto::INT16:
    return ElementType::Int16;
  case onnx::TensorProto::INT32:
    return ElementType::Int32;
  case onnx::TensorProto::INT64:
    return ElementType::Int64;
  case onnx::TensorProto::BOOL:
    return ElementType::Bool;
  case onnx::TensorProto::FLOAT16:
    return ElementType::Float16;
  case onnx::TensorProto::DOUBLE:
    return ElementType::Float64;
  case onnx::TensorProto::UINT32:
    return ElementType::UInt32;
  case onnx::TensorProto::UINT64:
    return ElementType::UInt64;
  case onnx::TensorProto::BFLOAT16:
    return ElementType::BFloat16;
  default:
    return std::nullopt;
  }
}

// Writes the low bytes of each value as one element; false if there are not as many values as
// elements.
template <typename Field> bool copyField(const Field &field, Tensor &tensor) {
  if (field.size() != tensor.elements())
    return false;
  int64_t width = elementSize(tensor.type());
  char *to = static_cast<char *>(tensor.data());
  for (const auto &value : field) {
    // Elements narrower than the field's type are its low bytes: the machine is little-endian.
    std::memcpy(to, &value, width);
    to += width;
  }
  return true;
}

} // namespace

llvm::Expected<Tensor> readTensorFile(const std::string &path) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError(path + ": " + reason);
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(file.getError().message());
  onnx::TensorProto proto;
  if (!proto.ParseFromArray((*file)->getBufferStart(), static_cast<int>((*file)->getBufferSize())))
    return fail("not an ONNX tensor");
  std::optional<ElementType> type = elementType(proto.data_type());
  if (!type)
    return fail("element type " + llvm::Twine(proto.data_type()) + " is not a number");
  std::vector<int64_t> shape(proto.dims().begin(), proto.dims().end());
  auto size = shapeBytes(*type, shape);
  if (!size)
    return fail(llvm::toString(size.takeError()));
  // A field holds at most one element a byte, so the file's size bounds what is allocated.
  uint64_t bound = (*file)->getBufferSize() * elementSize(*type);
  if (static_cast<uint64_t>(*size) > bound)
    return fail("says " + describe(*type, shape) + " but is too short for it");
  Tensor tensor(*type, std::move(shape));
  bool complete = false;
  if (proto.has_raw_data()) {
    complete = static_cast<uint64_t>(*size) == proto.raw_data().size();
    if (complete)
      std::memcpy(tensor.data(), proto.raw_data().data(), *size);
  } else if (*type == ElementType::Float32) {
    complete = copyField(proto.float_data(), tensor);
  } else if (*type == ElementType::Float64) {
    complete = copyField(proto.double_data(), tensor);
  } else if (*type == ElementType::Int64) {
    complete = copyField(proto.int64_data(), tensor);
  } else if (*type == ElementType::UInt32 || *type == ElementType::UInt64) {
    complete = copyField(proto.uint64_data(), tensor);
  } else {
    complete = copyField(proto.int32_data(), tensor);
  }
  if (!complete)
    return fail("the elements do not fill " + describe(*type, tensor.shape()));
  return tensor;
}

llvm::Expected<ExposedModel> exposeIntermediates(llvm::StringRef bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return llvm::createStringError("not an ONNX model");
  onnx::GraphProto &graph = *model.mutable_graph();
  std::set<std::string> outputs;
  for (const onnx::ValueInfoProto &output : graph.output())
    outputs.insert(output.name());
  ExposedModel result;
  for (const onnx::NodeProto &node : graph.node()) {
    // A constant is compared wherever it is used.
    if (node.op_type() == "Constant" && node.domain().empty())
      continue;
    std::string label = node.op_type() + (node.name().empty() ? "" : " '" + node.name() + "'");
    for (const std::string &value : node.output()) {
      if (value.empty())
        continue;
      result.values.push_back({value, label});
      if (outputs.insert(value).second)
        graph.add_output()->set_name(value);
    }
  }
  if (!model.SerializeToString(&result.bytes))
    return llvm::createStringError("the model with its inner values as outputs exceeds 2 GB");
  return result;
}

} // namespace ingot
