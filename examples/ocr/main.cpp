// ocr PICTURE DICTIONARY: prints the lines of text in a picture.
#include "Ocr.h"
#include <cstdio>
#include <exception>
#include <opencv2/imgcodecs.hpp>

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: ocr PICTURE DICTIONARY\n");
    return 2;
  }
  try {
    cv::Mat page = cv::imread(argv[1], cv::IMREAD_COLOR);
    if (page.empty()) {
      std::fprintf(stderr, "ocr: cannot read %s\n", argv[1]);
      return 1;
    }
    std::vector<std::string> alphabet = readAlphabet(argv[2]);
    for (const cv::RotatedRect &where : detectLines(page)) {
      cv::Mat line = cutLine(page, where);
      if (isUpsideDown(line))
        cv::rotate(line, line, cv::ROTATE_180);
      std::printf("%s\n", readLine(line, alphabet).c_str());
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "ocr: %s\n", error.what());
    return 1;
  }
  return 0;
}
