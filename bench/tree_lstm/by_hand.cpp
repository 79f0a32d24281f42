// A compiled Tree-LSTM and the same recursion by hand in C++ over the same kernels, side by side.
//
// Usage: by_hand [NODES [RUNS]]      prints microseconds a node, minimum and median over the runs,
// and their ratio
#include "cell.h"
#include "classify.h"
#include "forget.h"
#include "gates.h"
#include "sum.h"
#include "tree_lstm.hpp"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using Tree = tree_lstm::Tree_Tensor_1_64_float32;
using Trees = tree_lstm::List_Tree_Tensor_1_64_float32;
using Vector = std::array<float, 64>;

struct Node {
  Vector input;
  std::vector<const Node *> children;
};

struct State {
  Vector hidden, memory;
};

void check(std::int32_t status) {
  if (status != 0)
    std::abort();
}

void evaluate(const Node &node, State &result) {
  std::vector<State> states(node.children.size());
  for (std::size_t i = 0; i < states.size(); ++i)
    evaluate(*node.children[i], states[i]);
  Vector sums[2] = {}, memories[2], output, forget;
  int at = 0;
  for (const State &state : states) {
    const sum_inputs in = {sums[at].data(), state.hidden.data()};
    const sum_outputs out = {sums[1 - at].data()};
    check(sum_run(&in, &out, nullptr, 0, nullptr));
    at = 1 - at;
  }
  alignas(64) unsigned char workspace[GATES_WORKSPACE_SIZE];
  const gates_inputs in = {node.input.data(), sums[at].data()};
  const gates_outputs out = {output.data(), forget.data(), memories[0].data()};
  check(gates_run(&in, &out, workspace, sizeof workspace, nullptr));
  at = 0;
  for (const State &state : states) {
    const forget_inputs child = {memories[at].data(), forget.data(), state.hidden.data(),
                                 state.memory.data()};
    const forget_outputs sum = {memories[1 - at].data()};
    check(forget_run(&child, &sum, nullptr, 0, nullptr));
    at = 1 - at;
  }
  result.memory = memories[at];
  const cell_inputs last = {output.data(), result.memory.data()};
  const cell_outputs hidden = {result.hidden.data()};
  check(cell_run(&last, &hidden, nullptr, 0, nullptr));
}

std::array<float, 5> byHand(const Node &root) {
  State state;
  evaluate(root, state);
  std::array<float, 5> classes;
  alignas(64) unsigned char workspace[CLASSIFY_WORKSPACE_SIZE];
  const classify_inputs in = {state.hidden.data()};
  const classify_outputs out = {classes.data()};
  check(classify_run(&in, &out, workspace, sizeof workspace, nullptr));
  return classes;
}

Tree toData(const Node &node) {
  Trees children = Trees::Nil{};
  for (std::size_t i = node.children.size(); i-- > 0;)
    children = Trees(Trees::Cons{toData(*node.children[i]), children});
  return Tree(Tree::Rose{tree_lstm::float32_1x64(node.input), children});
}

template <class Work> double microseconds(const Work &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const std::size_t runs = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200;
  if (count == 0 || runs == 0)
    return 2;
  std::vector<Node> nodes(count);
  std::uint64_t state = 1;
  const auto next = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(state >> 40) / 16777216.f;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (float &x : nodes[i].input)
      x = next() - 0.5f;
    if (i > 0)
      nodes[static_cast<std::size_t>(next() * 0.999f * static_cast<float>(i))].children.push_back(
          &nodes[i]);
  }
  const Tree tree = toData(nodes[0]);
  std::vector<double> compiled, hand;
  std::vector<float> left;
  std::array<float, 5> right = {};
  for (std::size_t i = 0; i < runs; ++i) {
    compiled.push_back(microseconds([&] { left = tree_lstm::run({.tree = tree}).output; }) /
                       static_cast<double>(count));
    hand.push_back(microseconds([&] { right = byHand(nodes[0]); }) / static_cast<double>(count));
  }
  for (std::size_t i = 0; i < 5; ++i)
    if (!(std::fabs(left[i] - right[i]) < 1e-5f)) {
      std::fprintf(stderr, "by_hand: the results differ\n");
      return 1;
    }
  std::sort(compiled.begin(), compiled.end());
  std::sort(hand.begin(), hand.end());
  std::printf("%zu nodes, %zu runs, microseconds a node, minimum and median\n", count, runs);
  std::printf("compiled  %.3f  %.3f\nby hand   %.3f  %.3f\nratio     %.3f  %.3f\n", compiled[0],
              compiled[runs / 2], hand[0], hand[runs / 2], compiled[0] / hand[0],
              compiled[runs / 2] / hand[runs / 2]);
  return 0;
}
