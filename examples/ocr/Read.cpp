// Reading lines: which way up, and what they say.
#include "Ocr.h"
#include "cls.h"
#include "rec.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace {

const cv::Scalar kHalf(0.5, 0.5, 0.5);
constexpr int kHeight = 48; // of the lines both models see

cv::Mat scaledTo(const cv::Mat &line, int width) {
  cv::Mat result;
  cv::resize(line, result, cv::Size(width, kHeight));
  return result;
}

} // namespace

std::vector<float> toPlanes(const cv::Mat &picture, const cv::Scalar &mean,
                            const cv::Scalar &deviation) {
  std::vector<float> planes(picture.total() * 3);
  for (int channel = 0; channel < 3; ++channel) {
    float *out = planes.data() + channel * picture.total();
    for (int y = 0; y < picture.rows; ++y)
      for (int x = 0; x < picture.cols; ++x)
        *out++ = float((picture.at<cv::Vec3b>(y, x)[channel] / 255.0 - mean[channel]) /
                       deviation[channel]);
  }
  return planes;
}

bool isUpsideDown(const cv::Mat &line) {
  constexpr int width = 192;
  constexpr float sure = 0.9f;
  int used = std::clamp(int(std::ceil(double(kHeight) * line.cols / line.rows)), 1, width);
  std::vector<float> planes(3 * kHeight * width, 0.0f),
      text = toPlanes(scaledTo(line, used), kHalf, kHalf);
  for (int row = 0; row < 3 * kHeight; ++row)
    std::copy_n(text.data() + row * used, used, planes.data() + row * width);
  float scores[2];
  cls_inputs inputs = {};
  inputs.x = planes.data();
  inputs.dims.p2o_DynamicDimension_0 = 1;
  inputs.dims.p2o_DynamicDimension_1 = kHeight;
  inputs.dims.p2o_DynamicDimension_2 = width;
  cls_outputs outputs = {scores};
  std::size_t size = cls_workspace_size(&inputs.dims);
  auto workspace = makeWorkspace(size, CLS_WORKSPACE_ALIGN);
  if (int status = cls_run(&inputs, &outputs, workspace.get(), size, nullptr))
    throw std::runtime_error("cls_run: status " + std::to_string(status));
  return scores[1] > sure;
}

std::string readLine(const cv::Mat &line, const std::vector<std::string> &alphabet) {
  int width = std::max(8, int(std::ceil(double(kHeight) * line.cols / line.rows)));
  std::vector<float> planes = toPlanes(scaledTo(line, width), kHalf, kHalf);
  rec_inputs inputs = {};
  inputs.x = planes.data();
  inputs.dims.p2o_DynamicDimension_0 = 1;
  inputs.dims.p2o_DynamicDimension_1 = width;
  // The model looks at the line in columns eight pixels apart; class 0 is "nothing new here".
  std::size_t classes = alphabet.size() + 1;
  std::size_t columns = std::size_t(((width - 1) / 4 - 1) / 2 + 1);
  std::vector<float> scores(columns * classes);
  rec_outputs outputs = {scores.data()};
  std::size_t size = rec_workspace_size(&inputs.dims);
  auto workspace = makeWorkspace(size, REC_WORKSPACE_ALIGN);
  if (int status = rec_run(&inputs, &outputs, workspace.get(), size, nullptr))
    throw std::runtime_error("rec_run: status " + std::to_string(status));
  std::string text;
  std::size_t before = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    const float *first = scores.data() + column * classes;
    auto best = std::size_t(std::max_element(first, first + classes) - first);
    if (best != 0 && best != before)
      text += alphabet[best - 1];
    before = best;
  }
  return text;
}

std::vector<std::string> readAlphabet(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::vector<std::string> alphabet;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    alphabet.push_back(line);
  }
  alphabet.push_back(" ");
  return alphabet;
}
