#include "warpfold/permutation/coloring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "warpfold/core/error.hpp"

namespace warpfold::permutation {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// An edge of the current subgraph. Its left node is not stored: the edges of left node u are the slice [u * degree, (u
/// + 1) * degree) of the subgraph.
struct Edge {
  std::uint32_t right;
  std::uint32_t id;
};

class Colorer {
 public:
  Colorer(std::uint32_t nodes, std::size_t edges, std::uint64_t seed)
      : nodes_(nodes), partner_(edges), seen_(nodes), taken_(nodes), mate_(nodes), random_(seed), color_(edges) {}

  /// Colors the edges of a regular subgraph with the colors from `first` on. Destroys `edges`; `spare` has the same
  /// length.
  void run(std::span<Edge> edges, std::span<Edge> spare, std::uint32_t first) {
    const std::size_t degree = edges.size() / nodes_;
    if (degree == 0) return;
    if (degree == 1) {
      for (const Edge& edge : edges) color_[edge.id] = first;
      return;
    }
    if (degree % 2 == 1) {
      remove_matching(edges, degree, first);
      const std::size_t rest = edges.size() - nodes_;
      return run(edges.first(rest), spare.first(rest), first + 1);
    }
    split(edges, spare);
    const std::size_t half = edges.size() / 2;
    run(spare.first(half), edges.first(half), first);
    run(spare.subspan(half), edges.subspan(half), first + static_cast<std::uint32_t>(degree / 2));
  }

  std::vector<std::uint32_t> take_colors() { return std::move(color_); }

 private:
  /// An Euler split of a graph of even degree into two halves of half the degree. Every node pairs up its edges. The
  /// partner of an edge at its right node, then that one's partner at its left node, and so on, form a cycle of even
  /// length. Its edges go to the two halves alternately. So each pair, and with it each node, is divided evenly.
  ///
  /// The left partner of the edge at position e is at e ^ 1. The pair fills one place of each half, which keeps both
  /// halves in slices by left node.
  void split(std::span<const Edge> edges, std::span<Edge> halves) {
    std::fill(seen_.begin(), seen_.end(), none);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      std::uint32_t& waiting = seen_[edges[e].right];
      if (waiting == none) {
        waiting = e;
      } else {
        partner_[e] = waiting;
        partner_[waiting] = e;
        waiting = none;
      }
    }
    const std::size_t half = edges.size() / 2;
    for (std::uint32_t start = 0; start < edges.size(); start += 2) {
      for (std::uint32_t e = start; partner_[e] != none;) {
        const std::uint32_t other = partner_[e];
        halves[e / 2] = edges[e];
        halves[half + other / 2] = edges[other];
        partner_[e] = partner_[other] = none;
        e = other ^ 1;
      }
    }
  }

  /// Finds a perfect matching, colors it and closes the gaps, so that slices of degree - 1 edges remain.
  void remove_matching(std::span<Edge> edges, std::size_t degree, std::uint32_t color) {
    match(edges, degree);
    std::size_t to = 0;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      if (taken_[e / degree] == e) {
        color_[edges[e].id] = color;
      } else {
        edges[to++] = edges[e];
      }
    }
  }

  /// Fills taken_ (left node -> position of its matched edge). A walk leaves a left node by a random edge, and a
  /// matched right node by its matched edge, until it meets a free right node. Remembering only the last edge out of
  /// each node erases the walk's loops. An augmenting path remains.
  void match(std::span<const Edge> edges, std::size_t degree) {
    std::fill(mate_.begin(), mate_.end(), none);
    for (std::uint32_t start = 0; start < nodes_; ++start) {
      for (std::uint32_t u = start; u != none;) {
        seen_[u] = static_cast<std::uint32_t>(u * degree + below(static_cast<std::uint32_t>(degree)));
        u = mate_[edges[seen_[u]].right];
      }
      for (std::uint32_t u = start; u != none;) {
        taken_[u] = seen_[u];
        u = std::exchange(mate_[edges[seen_[u]].right], u);
      }
    }
  }

  /// An integer in [0, bound), uniform except for a bias of bound / 2^32, which does not matter to a walk.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((std::uint64_t{static_cast<std::uint32_t>(random_())} * bound) >> 32);
  }

  std::uint32_t nodes_;
  std::vector<std::uint32_t> partner_;  ///< of a position: the edge it is paired with at its right node; none: placed
  std::vector<std::uint32_t> seen_;     ///< split: right node -> edge waiting for a partner; match: last edge walked
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> mate_;  ///< right node -> its matched left node
  std::mt19937_64 random_;
  std::vector<std::uint32_t> color_;
};

void check_regular(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right, std::uint32_t nodes) {
  if (left.size() != right.size()) {
    throw Error(ErrorKind::input, fmt::format("left has {} edges and right has {}: the same number is accepted",
                                              left.size(), right.size()));
  }
  if (left.size() >= none) {
    throw Error(ErrorKind::memory_limit, fmt::format("{} edges: fewer than {} are accepted", left.size(), none));
  }
  if (left.empty()) return;
  if (nodes == 0 || left.size() % nodes != 0) {
    throw Error(ErrorKind::input,
                fmt::format("{} edges on {} nodes a side: the same degree everywhere is accepted", left.size(), nodes));
  }
  const std::size_t degree = left.size() / nodes;
  for (const auto& [side, name] : {std::pair{left, "left"}, std::pair{right, "right"}}) {
    std::vector<std::size_t> count(nodes);
    for (std::size_t e = 0; e < side.size(); ++e) {
      if (side[e] >= nodes) {
        throw Error(ErrorKind::input, fmt::format("{}[{}] is {}: 0 .. {} are accepted", name, e, side[e], nodes - 1));
      }
      ++count[side[e]];
    }
    for (std::size_t node = 0; node < nodes; ++node) {
      if (count[node] == degree) continue;
      throw Error(ErrorKind::input,
                  fmt::format("{} node {} has degree {}: {}, the degree of a regular graph of this size, "
                              "is accepted",
                              name, node, count[node], degree));
    }
  }
}

}  // namespace

std::vector<std::uint32_t> color_edges(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                                       std::uint32_t nodes, std::uint64_t seed) {
  check_regular(left, right, nodes);
  if (left.empty()) return {};
  const std::size_t degree = left.size() / nodes;
  std::vector<Edge> edges(left.size());
  std::vector<Edge> spare(left.size());
  std::vector<std::size_t> next(nodes);
  for (std::uint32_t e = 0; e < left.size(); ++e) edges[left[e] * degree + next[left[e]]++] = {right[e], e};
  Colorer colorer(nodes, left.size(), seed);
  colorer.run(edges, spare, 0);
  return colorer.take_colors();
}

bool is_edge_coloring(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right, std::uint32_t nodes,
                      std::span<const std::uint32_t> color) {
  if (left.size() != right.size() || color.size() != left.size()) return false;
  if (left.empty()) return true;
  if (nodes == 0 || left.size() % nodes != 0) return false;
  const std::size_t colors = left.size() / nodes;
  std::vector<bool> at_left(left.size());
  std::vector<bool> at_right(left.size());
  for (std::size_t e = 0; e < left.size(); ++e) {
    if (color[e] >= colors || left[e] >= nodes || right[e] >= nodes) return false;
    const std::size_t a = left[e] * colors + color[e];
    const std::size_t b = right[e] * colors + color[e];
    if (at_left[a] || at_right[b]) return false;
    at_left[a] = at_right[b] = true;
  }
  return true;
}

}  // namespace warpfold::permutation
