// The stages of reading a page.
#pragma once
#include <cstdlib>
#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

// The text lines of `page` (8-bit BGR) as rotated rectangles, top to bottom.
std::vector<cv::RotatedRect> detectLines(const cv::Mat &page);

// The part of `page` within `line`, upright as far as its shape tells.
cv::Mat cutLine(const cv::Mat &page, const cv::RotatedRect &line);

// True if the text on `line` stands on its head.
bool isUpsideDown(const cv::Mat &line);

// The text on `line`. `alphabet` holds the characters of the recognition model in order.
std::string readLine(const cv::Mat &line, const std::vector<std::string> &alphabet);

// The lines of a dictionary file, and the space that the model knows besides.
std::vector<std::string> readAlphabet(const std::string &path);

// `picture` (8-bit BGR) as floats, one channel after the other: (value / 255 - mean) / deviation.
std::vector<float> toPlanes(const cv::Mat &picture, const cv::Scalar &mean,
                            const cv::Scalar &deviation);

// Workspace for a compiled model: memory of `size` bytes, aligned to `align`.
struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
inline std::unique_ptr<void, FreeMemory> makeWorkspace(std::size_t size, std::size_t align) {
  return std::unique_ptr<void, FreeMemory>(
      std::aligned_alloc(align, (size + align - 1) / align * align));
}
