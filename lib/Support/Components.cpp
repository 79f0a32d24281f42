//===- Components.cpp - Strongly connected components -----------------------------------------===//

#include "Support/Components.h"
#include <algorithm>

namespace ingot {

std::vector<std::vector<size_t>>
stronglyConnectedComponents(const std::vector<std::vector<size_t>> &edges) {
  size_t count = edges.size(), counter = 0;
  std::vector<std::vector<size_t>> components;
  std::vector<size_t> number(count, 0), low(count, 0), next(count, 0), stack, path;
  std::vector<bool> onStack(count);
  for (size_t root = 0; root < count; ++root) {
    if (number[root])
      continue;
    path.push_back(root);
    while (!path.empty()) {
      size_t v = path.back();
      if (!number[v]) {
        number[v] = low[v] = ++counter;
        stack.push_back(v);
        onStack[v] = true;
      }
      if (next[v] < edges[v].size()) {
        size_t w = edges[v][next[v]++];
        if (!number[w])
          path.push_back(w);
        else if (onStack[w])
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] != number[v])
        continue;
      auto &component = components.emplace_back();
      size_t w;
      do {
        w = stack.back();
        stack.pop_back();
        onStack[w] = false;
        component.push_back(w);
      } while (w != v);
    }
  }
  return components;
}

} // namespace ingot
