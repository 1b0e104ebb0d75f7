// The shortest paths between all pairs of vertices: "from to length" on every line of standard input, lengths also
// negative; one row of the distances on every line of standard output.
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "warpfold/paths/all_pairs.hpp"

struct Edge {
  std::size_t from, to;
  double length;
};

int main() try {
  std::vector<Edge> edges;
  std::size_t n = 0;
  for (Edge edge{}; std::cin >> edge.from >> edge.to >> edge.length;) {
    edges.push_back(edge);
    n = std::max({n, edge.from + 1, edge.to + 1});
  }
  warpfold::Matrix<double> graph(n, n, warpfold::infinity<double>);
  for (const auto& [from, to, length] : edges) graph(from, to) = std::min(graph(from, to), length);
  const warpfold::Matrix<double> distances = warpfold::paths::all_pairs(graph).solution.lengths;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) std::cout << distances(i, j) << (j + 1 < n ? ' ' : '\n');
  }
} catch (const std::exception& error) {
  std::cerr << "all_pairs_shortest_paths: error: " << error.what() << '\n';
  return 3;
}
