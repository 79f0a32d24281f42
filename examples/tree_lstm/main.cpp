// Classifies a sentence by its syntax tree with a Tree-LSTM that Ingot compiled.
//
// Usage: tree_lstm [TREE]      a word and its dependents in parentheses: "(saw (cat the) (dog the
// big))"
//
// The weights are random, so the classes mean nothing; each word's input is made of its letters.
#include "tree_lstm.hpp"
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using Tree = tree_lstm::Tree_Tensor_1_64_float32;
using Trees = tree_lstm::List_Tree_Tensor_1_64_float32;
using tree_lstm::float32_1x64;

/// Numbers between -1 and 1 that depend on the letters of `word` alone (FNV-1a, then Knuth's MMIX
/// generator).
float32_1x64 embed(std::string_view word) {
  std::uint64_t state = 14695981039346656037u;
  for (unsigned char letter : word)
    state = (state ^ letter) * 1099511628211u;
  std::array<float, 64> elements;
  for (float &element : elements) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    element = static_cast<float>(state >> 40) / 8388608.f - 1.f;
  }
  return float32_1x64(elements);
}

class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  Tree read() {
    Tree tree = node(0);
    if (!token().empty())
      fail("a single tree was expected");
    return tree;
  }

private:
  /// A parenthesis or a word; empty at the end.
  std::string_view token() {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == text.npos)
      return {};
    const std::size_t letters = text.find_first_of(" ()", begin) - begin;
    const std::string_view result = text.substr(begin, letters == 0 ? 1 : letters);
    text.remove_prefix(begin + result.size());
    return result;
  }

  Tree node(int depth) {
    const std::string_view first = token();
    if (first.empty() || first == ")" || depth > 1000)
      fail("a word or '(' was expected");
    if (first != "(")
      return Tree(Tree::Rose{embed(first), Trees::Nil{}});
    const float32_1x64 word = embed(token());
    std::vector<Tree> dependents;
    for (;;) {
      const std::string_view before = text;
      const std::string_view next = token();
      if (next == ")")
        break;
      text = before;
      dependents.push_back(node(depth + 1));
    }
    Trees children = Trees::Nil{};
    while (!dependents.empty()) {
      children = Trees(Trees::Cons{dependents.back(), children});
      dependents.pop_back();
    }
    return Tree(Tree::Rose{word, children});
  }

  [[noreturn]] static void fail(const char *what) {
    std::fprintf(stderr, "tree_lstm: %s, as in \"(saw (cat the) (dog the big))\"\n", what);
    std::exit(2);
  }

  std::string_view text;
};

} // namespace

int main(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : "(saw (cat the) (dog the big))";
  const tree_lstm::outputs out = tree_lstm::run({.tree = Reader(text).read()});
  std::printf("%s\n", text);
  for (std::size_t i = 0; i < out.output.size(); ++i)
    std::printf("class %zu: %.4f\n", i, static_cast<double>(out.output[i]));
  return 0;
}
