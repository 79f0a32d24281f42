// render OUTPUT.png: makes the sample picture, a page of several lines, one of them upside down.
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  cv::Mat page(480, 800, CV_8UC3, cv::Scalar(250, 252, 252));
  auto write = [](cv::Mat &into, const char *text, int y) {
    cv::putText(into, text, cv::Point(40, y), cv::FONT_HERSHEY_DUPLEX, 1.2, cv::Scalar(40, 30, 20),
                2, cv::LINE_AA);
  };
  write(page, "Ingot compiles neural networks", 80);
  write(page, "ahead of time into native code", 170);
  write(page, "Standalone: libc and libm only", 350);
  write(page, "Printed on 2026-12-01", 440);
  cv::Mat turned(page.size(), page.type(), cv::Scalar(250, 252, 252));
  write(turned, "This line is upside down", 80);
  cv::rotate(turned, turned, cv::ROTATE_180);
  cv::Rect band(0, page.rows - 120, page.cols, 80);
  turned(band).copyTo(page(cv::Rect(0, 205, page.cols, 80)));
  return cv::imwrite(argv[1], page) ? 0 : 1;
}
