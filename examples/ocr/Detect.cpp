// Finding lines: a probability map of text, its contours, a rectangle around each.
#include "Ocr.h"
#include "det.h"
#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace {

constexpr float kText = 0.3f; // a pixel is text from this probability on
constexpr double kLine = 0.6; // a contour is a line from this mean probability on
constexpr double kGrow = 1.6; // the map shows the kernel of a line, which is smaller than the line
constexpr int kLongestSide = 960; // of the picture the model sees
constexpr int kMultiple = 32;     // the model halves the picture five times

// The map of probabilities of `picture`, as large as it.
cv::Mat textMap(const cv::Mat &picture) {
  std::vector<float> planes =
      toPlanes(picture, cv::Scalar(0.485, 0.456, 0.406), cv::Scalar(0.229, 0.224, 0.225));
  cv::Mat map(picture.rows, picture.cols, CV_32F);
  det_inputs inputs = {};
  inputs.x = planes.data();
  inputs.dims.p2o_DynamicDimension_0 = 1;
  inputs.dims.p2o_DynamicDimension_1 = picture.rows;
  inputs.dims.p2o_DynamicDimension_2 = picture.cols;
  det_outputs outputs = {map.ptr<float>()};
  std::size_t size = det_workspace_size(&inputs.dims);
  auto workspace = makeWorkspace(size, DET_WORKSPACE_ALIGN);
  int status = det_run(&inputs, &outputs, workspace.get(), size, nullptr);
  if (status != DET_OK)
    throw std::runtime_error("det_run: status " + std::to_string(status));
  return map;
}

double meanInside(const cv::Mat &map, const std::vector<cv::Point> &contour) {
  cv::Rect box = cv::boundingRect(contour);
  cv::Mat mask = cv::Mat::zeros(box.size(), CV_8U);
  std::vector<std::vector<cv::Point>> polygons = {contour};
  cv::fillPoly(mask, polygons, cv::Scalar(255), cv::LINE_8, 0, -box.tl());
  return cv::mean(map(box), mask)[0];
}

} // namespace

std::vector<cv::RotatedRect> detectLines(const cv::Mat &page) {
  double scale = std::min(1.0, double(kLongestSide) / std::max(page.rows, page.cols));
  auto multiple = [&](int extent) {
    return std::max(kMultiple, cvRound(extent * scale / kMultiple) * kMultiple);
  };
  cv::Mat picture;
  cv::resize(page, picture, cv::Size(multiple(page.cols), multiple(page.rows)));
  cv::Mat map = textMap(picture), text = map > kText;
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(text, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
  double scaleX = double(page.cols) / picture.cols, scaleY = double(page.rows) / picture.rows;
  std::vector<cv::RotatedRect> lines;
  for (const std::vector<cv::Point> &contour : contours) {
    cv::RotatedRect box = cv::minAreaRect(contour);
    if (std::min(box.size.width, box.size.height) < 3 || meanInside(map, contour) < kLine)
      continue;
    // Grown on all sides by the same distance: area * ratio / perimeter.
    double distance = box.size.area() * kGrow / (2.0 * (box.size.width + box.size.height));
    box.size.width = float((box.size.width + 2 * distance) * scaleX);
    box.size.height = float((box.size.height + 2 * distance) * scaleY);
    box.center.x *= float(scaleX);
    box.center.y *= float(scaleY);
    lines.push_back(box);
  }
  std::sort(lines.begin(), lines.end(), [](const cv::RotatedRect &a, const cv::RotatedRect &b) {
    return a.center.y < b.center.y;
  });
  return lines;
}

cv::Mat cutLine(const cv::Mat &page, const cv::RotatedRect &line) {
  // Corners in the order top left, top right, bottom right, bottom left of the longer side up.
  cv::Point2f corners[4];
  line.points(corners);
  std::sort(corners, corners + 4, [](cv::Point2f a, cv::Point2f b) { return a.x < b.x; });
  if (corners[0].y > corners[1].y)
    std::swap(corners[0], corners[1]);
  if (corners[2].y > corners[3].y)
    std::swap(corners[2], corners[3]);
  cv::Point2f from[4] = {corners[0], corners[2], corners[3], corners[1]};
  auto width = float(cv::norm(from[1] - from[0])), height = float(cv::norm(from[3] - from[0]));
  cv::Point2f to[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
  cv::Mat result;
  cv::warpPerspective(page, result, cv::getPerspectiveTransform(from, to),
                      cv::Size(std::max(1, cvRound(width)), std::max(1, cvRound(height))),
                      cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  if (result.rows > 1.5 * result.cols)
    cv::rotate(result, result, cv::ROTATE_90_COUNTERCLOCKWISE);
  return result;
}
