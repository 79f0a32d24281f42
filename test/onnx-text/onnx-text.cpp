//===- onnx-text.cpp - A model from its text form ---------------------------------------------===//
//
// onnx-text MODEL.onnxtxt MODEL.onnx: ONNX's text form, with lines of comments that begin with //.
//
//===----------------------------------------------------------------------------------------===//

#include <fstream>
#include <iostream>
#include <onnx/defs/parser.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: onnx-text MODEL.onnxtxt MODEL.onnx\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  std::string text;
  for (std::string line; std::getline(in, line);)
    text += (line.rfind("//", 0) == 0 ? "" : line) + "\n";
  onnx::ModelProto model;
  onnx::OnnxParser parser(text.c_str());
  if (auto status = parser.Parse(model); !status.IsOK()) {
    std::cerr << argv[1] << ": " << status.ErrorMessage() << "\n";
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  return model.SerializeToOstream(&out) && out.flush() ? 0 : 1;
}
