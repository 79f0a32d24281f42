//===- Components.h - Strongly connected components -------------------------------------------===//
#pragma once

#include <cstddef>
#include <vector>

namespace ingot {

/// The strongly connected components of the graph in which node i has an edge to each of edges[i]
/// (Tarjan, 1972; without recursion). Components come after those that they have edges to.
std::vector<std::vector<size_t>>
stronglyConnectedComponents(const std::vector<std::vector<size_t>> &edges);

} // namespace ingot
