# IngotOnnxProto: the classes protoc generates from ONNX's own onnx.proto (Debian's libonnx-dev), as "onnx/onnx.pb.h".
find_path(INGOT_ONNX_PROTO_DIR onnx/onnx.proto REQUIRED)
set(onnx_generated ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${onnx_generated}/onnx)
add_custom_command(
  OUTPUT ${onnx_generated}/onnx/onnx.pb.cc ${onnx_generated}/onnx/onnx.pb.h
  COMMAND protobuf::protoc --cpp_out=${onnx_generated} -I${INGOT_ONNX_PROTO_DIR} ${INGOT_ONNX_PROTO_DIR}/onnx/onnx.proto
  DEPENDS ${INGOT_ONNX_PROTO_DIR}/onnx/onnx.proto
  VERBATIM)
add_library(IngotOnnxProto STATIC ${onnx_generated}/onnx/onnx.pb.cc ${onnx_generated}/onnx/onnx.pb.h)
# Generated code: not ours to warn about.
target_include_directories(IngotOnnxProto SYSTEM PUBLIC ${onnx_generated})
target_link_libraries(IngotOnnxProto PUBLIC protobuf::libprotobuf)
