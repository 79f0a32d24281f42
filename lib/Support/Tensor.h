// A tensor in memory, for tests, checks and the command line. The compiler itself has attributes
// for that.
#pragma once
#include "ingot/Model.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ingot {

// Row-major elements, aligned to 64 bytes. Empty when an extent is zero; rank 0 has one element.
class Tensor {
public:
  Tensor() = default;
  // Zeroed elements. The caller has checked the shape with shapeBytes.
  Tensor(ElementType type, std::vector<int64_t> shape);

  ElementType type() const { return elementType; }
  // The same bytes read as another type with elements of the same size.
  void reinterpret(ElementType type) { elementType = type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t elements() const { return count; }
  int64_t bytes() const { return count * elementSize(elementType); }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

  // Element `index` as a number; 64-bit integers beyond 2^53 lose their low bits.
  double number(int64_t index) const;
  // Stores a number in the element's type: rounded to even for integers, and wrapped to their
  // width.
  void setNumber(int64_t index, double number);

private:
  struct Free {
    void operator()(void *pointer) const { free(pointer); }
  };
  ElementType elementType = ElementType::Float32;
  std::vector<int64_t> extents;
  int64_t count = 1;
  std::unique_ptr<void, Free> memory;
};

// Bytes of a tensor, or an error if an extent is negative or the size leaves 63 bits.
llvm::Expected<int64_t> shapeBytes(ElementType type, std::span<const int64_t> shape);
// "float32 [1,3,48,192]"
std::string describe(ElementType type, std::span<const int64_t> shape);

// NumPy's .npy, versions 1 to 3, C order, little-endian or one-byte elements.
llvm::Expected<Tensor> readNpy(const std::string &path);
llvm::Error writeNpy(const std::string &path, const Tensor &tensor);

// How far two tensors lie apart. NaN equals NaN, an infinity equals itself.
struct Difference {
  int64_t mismatches = 0; // elements outside the tolerance
  int64_t worst = -1;     // index of the largest excess; -1: none
  double largest = 0;     // largest absolute difference; infinite if only one side is finite
  double range = 0; // largest less smallest finite element of the reference, or its magnitude if
                    // that is larger
};

// |actual - reference| <= absolute + relative * |reference|, element by element; the shapes are
// equal.
Difference compareElements(const Tensor &actual, const Tensor &reference, double relative,
                           double absolute);
// |actual - reference| <= tolerance * range of the reference.
Difference compareInRange(const Tensor &actual, const Tensor &reference, double tolerance);

} // namespace ingot
