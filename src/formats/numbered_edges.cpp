#include "formats/numbered_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/vertex_names.hpp"

namespace warpfold::formats {

void NumberedEdges::widen() {
  wide_.reserve(2 * narrow_.size());
  for (const auto& [from, to] : narrow_) wide_.push_back({from, to});
  narrow_ = {};
}

void NumberedEdges::add(std::uint64_t from, std::uint64_t to) {
  smallest_ = std::min({smallest_, from, to});
  largest_ = std::max({largest_, from, to});
  if (largest_ > UINT32_MAX) {
    if (!narrow_.empty()) widen();
    return wide_.push_back({from, to});
  }
  narrow_.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
}

bool NumberedEdges::fit(const AnnouncedSizes& sizes) const {
  const bool counts_from_0 = largest_ < sizes.vertices;
  const bool counts_from_1 = smallest_ > 0 && largest_ <= sizes.vertices;
  return size() == sizes.edges && (counts_from_0 || counts_from_1) && sizes.source.value_or(0) <= sizes.vertices;
}

void NumberedEdges::move_to(Graph& graph, const AnnouncedSizes& sizes) {
  graph.vertices = sizes.vertices;
  graph.first = largest_ == sizes.vertices ? 1 : 0;
  for (auto& [from, to] : narrow_) {
    from -= static_cast<std::uint32_t>(graph.first);
    to -= static_cast<std::uint32_t>(graph.first);
  }
  graph.edges = std::move(narrow_);
}

void NumberedEdges::move_to(Graph& graph, std::size_t n) {
  if (largest_ >= n) {
    throw Error(ErrorKind::usage,
                fmt::format("--vertices is {}: a number above the largest vertex, {}, is accepted", n, largest_));
  }
  graph.vertices = n;
  graph.edges = std::move(narrow_);
}

void NumberedEdges::move_to(Graph& graph) {
  constexpr std::size_t edges_factor = 4, always = 1000;
  if (largest_ >= edges_factor * size() + always) return renumber(graph);
  move_to(graph, largest_ + 1);
}

void NumberedEdges::renumber(Graph& graph) {
  if (!narrow_.empty()) widen();
  struct End {
    std::uint64_t id, place;  ///< the place among the ends of all edges
  };
  std::vector<End> ends;
  ends.reserve(2 * wide_.size());
  for (const Edge& edge : wide_) {
    ends.push_back({edge.from, ends.size()});
    ends.push_back({edge.to, ends.size()});
  }
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.id < b.id; });
  graph.edges.resize(wide_.size());
  wide_ = {};
  for (const auto& [id, place] : ends) {
    if (graph.ids.empty() || graph.ids.back() != id) graph.ids.push_back(id);
    GraphEdge& edge = graph.edges[place / 2];
    (place % 2 == 0 ? edge.from : edge.to) = static_cast<std::uint32_t>(graph.ids.size() - 1);
  }
  graph.vertices = graph.ids.size();
  if (graph.vertices > max_vertices)
    throw Error(ErrorKind::input, "has more than 2^31 vertices: up to 2^31 are accepted");
}

}  // namespace warpfold::formats
