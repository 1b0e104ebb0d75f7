#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

/// The sizes in a first line `VERTICES EDGES` or `VERTICES EDGES SOURCE`.
struct AnnouncedSizes {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::optional<std::uint64_t> source = {};
};

/// The edges of a list in which every vertex is an integer below 2^64, before the set of vertices is known.
class NumberedEdges {
 public:
  void reserve(std::size_t edges) { narrow_.reserve(edges); }
  void add(std::uint64_t from, std::uint64_t to);

  [[nodiscard]] std::size_t size() const { return narrow_.empty() ? wide_.size() : narrow_.size(); }
  [[nodiscard]] bool fit(const AnnouncedSizes& sizes) const;

  /// Moves the edges to a graph whose vertices are 0 to n - 1, or 1 to n if n is one of them.
  void move_to(Graph& graph, const AnnouncedSizes& sizes);
  /// Moves the edges to a graph whose vertices are 0 to n - 1. Raises Error{usage} for an edge with any other vertex.
  void move_to(Graph& graph, std::size_t n);
  /// Moves the edges to a graph. If the largest vertex is below 4 times the number of edges plus 1000, its vertices are
  /// 0 to that one; otherwise they are those that occur. Raises Error{input} for more than 2^31 vertices.
  void move_to(Graph& graph);

 private:
  struct Edge {
    std::uint64_t from, to;
  };

  void widen();
  void renumber(Graph& graph);

  std::vector<GraphEdge> narrow_;  ///< used as long as all vertices are below 2^32
  std::vector<Edge> wide_;
  std::uint64_t smallest_ = UINT64_MAX;
  std::uint64_t largest_ = 0;
};

}  // namespace warpfold::formats
