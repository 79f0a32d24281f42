// Builds a tree and a list through the C++20 header, runs, reads everything back, by match and by
// std::visit.
#include "forest.hpp"
#include <cstdio>
#include <cstdlib>

namespace {

using forest::float32_2x2, forest::Shape;
using Tree = forest::Tree_Tensor_2_2_float32;
using Trees = forest::List_Tree_Tensor_2_2_float32;
using Shapes = forest::List_Shape;

float total(const Tree &tree);

float total(const Trees &trees) {
  return trees.match([](const Trees::Cons &cons) { return total(cons.f0) + total(cons.f1); },
                     [](const Trees::Nil &) { return 0.f; });
}

float total(const Tree &tree) {
  return tree.match([](const Tree::Rose &rose) {
    float sum = total(rose.f1);
    for (float x : rose.f0.data())
      sum += x;
    return sum;
  });
}

Tree leaf(float x, const ingot_heap &heap) {
  const std::array<float, 4> elements = {x, x, x, x};
  return Tree(Tree::Rose{float32_2x2(elements, heap), Trees::Nil{}}, heap);
}

int run(const ingot_heap &heap) {
  const Tree shared = leaf(3.f, heap);
  const Tree tree(
      Tree::Rose{float32_2x2(std::array{1.f, 2.f, 3.f, 4.f}, heap),
                 Trees(Trees::Cons{shared, Trees(Trees::Cons{shared, Trees::Nil{}}, heap)}, heap)},
      heap);
  const Shapes shapes(
      Shapes::Cons{Shape(Shape::Circle{2.f}, heap),
                   Shapes(Shapes::Cons{Shape(Shape::Box{2.f, 5.f}, heap),
                                       Shapes(Shapes::Cons{Shape::Nothing{}, Shapes::Nil{}}, heap)},
                          heap)},
      heap);
  const forest::outputs out = forest::run({.tree = tree, .shapes = shapes, .scale = 10.f}, heap);
  std::printf("sum %g %g %g %g\n", double(out.output_1[0]), double(out.output_1[1]),
              double(out.output_1[2]), double(out.output_1[3]));
  std::printf("size %d, elements before %g, after %g\n", out.output_2, double(total(tree)),
              double(total(out.output_0)));
  forest::List_Shape_float32 at = out.output_3;
  while (at.tag() == FOREST_LIST_SHAPE_FLOAT32_CONS) {
    const auto cons = std::get<forest::List_Shape_float32::Cons>(at.fields());
    std::printf("%s of area %g\n",
                std::visit(ingot::overloaded{[](const Shape::Circle &) { return "circle"; },
                                             [](const Shape::Box &) { return "box"; },
                                             [](const Shape::Nothing &) { return "nothing"; }},
                           cons.f0.fields()),
                double(cons.f1));
    at = cons.f2;
  }
  return 0;
}

} // namespace

int main() {
  static long live = 0, refused = -1;
  ingot_heap heap = {[](void *, std::size_t bytes) {
                       return refused-- == 0 ? nullptr : (++live, std::malloc(bytes));
                     },
                     [](void *, void *memory) { --live, std::free(memory); }, nullptr, 0};
  run(heap);
  std::printf("%ld blocks left\n", live);
  // Every allocation refused in turn: an exception, and nothing lost.
  int thrown = 0;
  for (long i = 0; thrown == i; ++i) {
    refused = i;
    std::FILE *const out = stdout;
    try {
      if (std::freopen("/dev/null", "w", out) == nullptr)
        return 1;
      run(heap);
    } catch (const std::bad_alloc &) {
      ++thrown;
    } catch (const ingot::error &error) {
      thrown += error.status() == INGOT_OUT_OF_MEMORY;
    }
  }
  std::fprintf(stderr, "%ld blocks left\n", live);
  // Values of two heaps do not mix.
  try {
    refused = -1;
    forest::run({.tree = leaf(1.f, heap), .shapes = Shapes::Nil{}, .scale = 1.f});
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fprintf(stderr, "%s\n%ld blocks left\n", thrown > 10 ? "refusals noticed" : "refusals lost",
               live);
  return 0;
}
