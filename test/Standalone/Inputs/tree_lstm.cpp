// examples/tree_lstm against the same recursion in plain loops and double precision, on random
// trees.
#include "tree_lstm.hpp"
#include <cmath>
#include <cstdio>
#include <cstdlib>

#ifdef INGOT_HEAP_COUNT
std::uint64_t ingot_count_allocate, ingot_count_retain, ingot_count_release;
#endif

namespace {

using Tree = tree_lstm::Tree_Tensor_1_64_float32;
using Trees = tree_lstm::List_Tree_Tensor_1_64_float32;
constexpr std::size_t width = 64;
using Vector = std::array<double, width>;

struct Node {
  std::array<float, width> input;
  std::size_t parent = 0;
  std::vector<std::size_t> children;
};

std::uint64_t state = 1;
/// As examples/tree_lstm/weights.py has it.
float next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (static_cast<float>(state >> 40) / 16777216.f - 0.5f) / 4.f;
}

struct Weights {
  std::vector<float> input, hidden, bias, forgetInput, forgetBias, forgetHidden, classes, classBias;
  Weights() {
    for (auto [list, count] : {std::pair{&input, 3 * width * width},
                               {&hidden, 3 * width * width},
                               {&bias, 3 * width},
                               {&forgetInput, width * width},
                               {&forgetBias, width},
                               {&forgetHidden, width * width},
                               {&classes, 5 * width},
                               {&classBias, std::size_t{5}}})
      for (std::size_t i = 0; i < count; ++i)
        list->push_back(next());
  }
};

template <class Numbers>
double row(const std::vector<float> &matrix, std::size_t i, const Numbers &x) {
  double sum = 0;
  for (std::size_t k = 0; k < width; ++k)
    sum += static_cast<double>(matrix[i * width + k]) * static_cast<double>(x[k]);
  return sum;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Hidden state and memory of node `at`.
std::pair<Vector, Vector> evaluate(const std::vector<Node> &nodes, std::size_t at,
                                   const Weights &w) {
  std::vector<std::pair<Vector, Vector>> children;
  for (std::size_t child : nodes[at].children)
    children.push_back(evaluate(nodes, child, w));
  Vector sum = {}, hidden, memory;
  for (const auto &child : children)
    for (std::size_t i = 0; i < width; ++i)
      sum[i] += child.first[i];
  const auto gate = [&](std::size_t i) {
    return row(w.input, i, nodes[at].input) + row(w.hidden, i, sum) +
           static_cast<double>(w.bias[i]);
  };
  for (std::size_t i = 0; i < width; ++i) {
    memory[i] = sigmoid(gate(i)) * std::tanh(gate(2 * width + i));
    const double forget =
        row(w.forgetInput, i, nodes[at].input) + static_cast<double>(w.forgetBias[i]);
    for (const auto &child : children)
      memory[i] += sigmoid(forget + row(w.forgetHidden, i, child.first)) * child.second[i];
    hidden[i] = sigmoid(gate(width + i)) * std::tanh(memory[i]);
  }
  return {hidden, memory};
}

/// Children come after their parents; the depth grows with the logarithm of `count`.
std::vector<Node> randomTree(std::size_t count) {
  std::vector<Node> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (float &x : nodes[i].input)
      x = next() * 4.f;
    if (i == 0)
      continue;
    nodes[i].parent =
        static_cast<std::size_t>((next() * 4.f + 0.5f) * static_cast<float>(i) * 0.999f);
    nodes[nodes[i].parent].children.push_back(i);
  }
  return nodes;
}

Tree build(const std::vector<Node> &nodes) {
  std::vector<Trees> built(nodes.size(), Trees::Nil{});
  for (std::size_t i = nodes.size(); i-- > 1;) {
    const Tree tree(Tree::Rose{tree_lstm::float32_1x64(nodes[i].input), built[i]});
    built[nodes[i].parent] = Trees(Trees::Cons{tree, built[nodes[i].parent]});
  }
  return Tree(Tree::Rose{tree_lstm::float32_1x64(nodes[0].input), built[0]});
}

} // namespace

int main() {
  const Weights weights;
  double worst = 0;
  for (std::size_t count : {1, 2, 3, 10, 300, 2000}) {
    const std::vector<Node> nodes = randomTree(count);
    const Tree tree = build(nodes);
#ifdef INGOT_HEAP_COUNT
    ingot_count_allocate = ingot_count_retain = ingot_count_release = 0;
#endif
    const tree_lstm::outputs out = tree_lstm::run({.tree = tree});
#ifdef INGOT_HEAP_COUNT
    std::printf("%zu nodes: %.2f allocations, %.2f retains, %.2f releases a node\n", count,
                double(ingot_count_allocate) / double(count),
                double(ingot_count_retain) / double(count),
                double(ingot_count_release) / double(count));
#endif
    const Vector hidden = evaluate(nodes, 0, weights).first;
    std::array<double, 5> classes;
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i)
      sum += classes[i] =
          std::exp(row(weights.classes, i, hidden) + static_cast<double>(weights.classBias[i]));
    for (std::size_t i = 0; i < 5; ++i)
      worst = std::fmax(worst, std::fabs(classes[i] / sum - static_cast<double>(out.output[i])));
  }
  std::printf(worst < 1e-6 ? "equal to the reference\n" : "differs from the reference by %g\n",
              worst);

  // A tree of 100,000 nodes, shared with itself as little as any: chains of ten below one root.
  Trees children = Trees::Nil{};
  const std::array<float, width> input = {1.f};
  const tree_lstm::float32_1x64 word(input);
  for (int i = 0; i < 10000; ++i) {
    Trees below = Trees::Nil{};
    for (int depth = 0; depth < 10; ++depth)
      below = Trees(Trees::Cons{Tree(Tree::Rose{word, below}), Trees::Nil{}});
    children =
        below.match([&](const Trees::Cons &cons) { return Trees(Trees::Cons{cons.f0, children}); },
                    [&](const Trees::Nil &) { return children; });
  }
  const tree_lstm::outputs large = tree_lstm::run({.tree = Tree(Tree::Rose{word, children})});
  std::printf(std::isfinite(large.output[0]) ? "100,001 nodes\n" : "100,001 nodes: no number\n");
  return 0;
}
