#include "warpfold/paths/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/number_types.hpp"
#include "paths/checks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::paths {

namespace {

/// The difference that rounding may make in lengths of floats that are added or multiplied. Integers of a checked graph
/// are exact.
///
/// A path's length is rounded once per edge. So is that of any other path of up to all vertices that it was compared
/// with. So 2 n eps of the length are allowed, and more in two cases. If edges have both signs, a sum may be far
/// smaller than its parts, so n times the longest edge counts. A product below the normal numbers loses up to the
/// smallest positive number at each edge.
template <class Tag>
class Rounding {
 public:
  using T = typename Tag::Value;
  static constexpr bool adds = SemiringTraits<Tag>::adds, multiplies = SemiringTraits<Tag>::multiplies;
  static constexpr bool is_there = (adds || multiplies) && std::is_floating_point_v<T>;

  template <class Edges>
  Rounding(const Edges& edges, const SolveMonitor& monitor) {
    if constexpr (is_there) {
      const std::size_t n = edges.vertices();
      unit_ = 2 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon());
      bool has_negative = false, has_positive = false;
      double longest = 0;
      for (std::size_t k = 0; k < n; ++k) {
        monitor.check();
        edges.each_from(k, [&](std::size_t, T edge) {
          has_negative = has_negative || edge < 0;
          has_positive = has_positive || edge > 0;
          longest = std::max(longest, std::abs(static_cast<double>(edge)));
        });
      }
      if (adds && has_negative && has_positive) least_ = unit_ * static_cast<double>(n) * longest;
      if (multiplies) least_ = 2 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::denorm_min());
    }
  }

  /// `length` is a sum and finite. The stated length need not be.
  [[nodiscard]] bool are_alike(T length, T said) const {
    if constexpr (!is_there) return length == said;
    return std::abs(static_cast<double>(length) - static_cast<double>(said)) <= of(length);
  }
  /// Whether a length is better than the stated one beyond rounding. A product may be rounded to 0, which means "no
  /// path".
  [[nodiscard]] bool improves(T length, T said) const {
    const bool is_beyond_rounding = Tag::is_zero(said) && !multiplies;
    return Tag::plus(length, said) != said && (is_beyond_rounding || !are_alike(length, said));
  }

 private:
  [[nodiscard]] double of(T length) const { return std::max(least_, unit_ * std::abs(static_cast<double>(length))); }

  double unit_ = 0;
  double least_ = 0;
};

/// The paths that end at one vertex (the root), or that begin there. For every vertex it has the next one on the path
/// to the root, the edge between the two, and the stated length.
template <class Tag>
struct Tree {
  using T = typename Tag::Value;

  Tree(std::size_t n, std::size_t of, bool end)
      : root(of), is_end(end), next(n, no_vertex), edges(n, Tag::zero()), lengths(n, Tag::zero()) {}

  std::size_t root;
  bool is_end;
  std::vector<std::uint32_t> next;  ///< no_vertex where there is no path
  std::vector<T> edges;             ///< zero() where there is none
  std::vector<T> lengths;
};

/// Follows the paths of a tree. It visits each edge once.
template <class Tag>
class TreeCheck {
 public:
  using T = typename Tag::Value;

  TreeCheck(const Tree<Tag>& tree, const Rounding<Tag>& rounding, const NameOf& name)
      : tree_(tree),
        n_(tree.next.size()),
        rounding_(rounding),
        walks_(n_, Tag::one()),
        states_(n_, unknown),
        name_(name) {}

  [[nodiscard]] Violation violation() {
    if (tree_.next[tree_.root] != tree_.root) {
      return fmt::format("the {} of {} on the way {} itself is not {}", step(), name_of(name_, tree_.root),
                         preposition(), name_of(name_, tree_.root));
    }
    states_[tree_.root] = walked;
    for (std::size_t start = 0; start < n_; ++start) {
      if (Violation violation = find_path_violation(start)) return violation;
    }
    return std::nullopt;
  }

 private:
  enum State : std::uint8_t { unknown, open, walked };

  [[nodiscard]] Violation find_path_violation(std::size_t start) {
    way_.clear();
    std::size_t i = start;
    for (; states_[i] == unknown && tree_.next[i] != no_vertex; i = tree_.next[i]) {
      if (Violation violation = find_step_violation(i)) return violation;
      states_[i] = open;
      way_.push_back(i);
    }
    if (states_[i] == open) return fmt::format("the {}s {} form a cycle", step(), ends(start));
    if (states_[i] == unknown) {
      if (!way_.empty())
        return fmt::format("the path {} {} at {}", ends(start), tree_.is_end ? "ends" : "begins", name_of(name_, i));
      if (Tag::is_zero(tree_.lengths[i])) return std::nullopt;
      return fmt::format("there is no path {}, and a length of {}", ends(i), tree_.lengths[i]);
    }
    for (; !way_.empty(); way_.pop_back()) {
      if (Violation violation = find_length_violation(way_.back())) return violation;
    }
    return std::nullopt;
  }

  [[nodiscard]] Violation find_step_violation(std::size_t i) const {
    if (!Tag::is_zero(tree_.edges[i])) return std::nullopt;
    const std::uint32_t next = tree_.next[i];
    return fmt::format("the {} of {} on the way {} {} is {}, {} which there is no edge", step(), name_of(name_, i),
                       preposition(), name_of(name_, tree_.root),
                       next < n_ ? name_of(name_, next) : std::to_string(next), preposition());
  }

  [[nodiscard]] Violation find_length_violation(std::size_t i) {
    walks_[i] = Tag::times(tree_.edges[i], walks_[tree_.next[i]]);
    states_[i] = walked;
    if (rounding_.are_alike(walks_[i], tree_.lengths[i])) return std::nullopt;
    return fmt::format("the length {} is {}, its path's is {}", ends(i), tree_.lengths[i], walks_[i]);
  }

  [[nodiscard]] const char* step() const { return tree_.is_end ? "successor" : "predecessor"; }
  [[nodiscard]] const char* preposition() const { return tree_.is_end ? "to" : "from"; }
  [[nodiscard]] std::string ends(std::size_t i) const {
    return tree_.is_end ? fmt::format("from {} to {}", name_of(name_, i), name_of(name_, tree_.root))
                        : fmt::format("from {} to {}", name_of(name_, tree_.root), name_of(name_, i));
  }

  const Tree<Tag>& tree_;
  std::size_t n_;
  const Rounding<Tag>& rounding_;
  std::vector<T> walks_;  ///< how long the paths are
  std::vector<State> states_;
  std::vector<std::size_t> way_;
  const NameOf& name_;
};

/// The edges of a matrix from a vertex, in the form of `SparseGraph`.
template <class Tag>
class DenseEdges {
 public:
  using T = typename Tag::Value;

  DenseEdges(const MatrixView<const T>& edges, const SolveMonitor& monitor) : edges_(edges), ends_(edges.rows) {
    for (std::size_t k = 0; k < edges.rows; ++k) {
      monitor.check();
      for (std::size_t j = 0; j < edges.rows; ++j) {
        if (!Tag::is_zero(edges(k, j))) ends_[k].push_back(static_cast<std::uint32_t>(j));
      }
    }
  }

  [[nodiscard]] std::size_t vertices() const { return edges_.rows; }
  template <class Visit>
  void each_from(std::size_t k, const Visit& visit) const {
    for (const std::uint32_t j : ends_[k]) visit(j, edges_(k, j));
  }

 private:
  const MatrixView<const T>& edges_;
  std::vector<std::vector<std::uint32_t>> ends_;
};

template <class Tag>
class SparseEdges {
 public:
  using T = typename Tag::Value;

  explicit SparseEdges(const SparseGraph<T>& graph) : graph_(graph) {}

  [[nodiscard]] std::size_t vertices() const { return graph_.vertices(); }
  template <class Visit>
  void each_from(std::size_t k, const Visit& visit) const {
    for (const auto& [j, length] : graph_.from(k)) {
      if (!Tag::is_zero(length)) visit(j, length);
    }
  }

 private:
  const SparseGraph<T>& graph_;
};

/// Whether x is a possible length of a path, or states that there is none.
template <class Tag, class T = typename Tag::Value>
bool is_length(T x) {
  if (x == Tag::zero()) return true;
  if (x != x || Tag::is_zero(x)) return false;
  return SemiringTraits<Tag>::adds ? x > -infinity<T> && x < infinity<T> : Tag::plus(Tag::one(), x) == Tag::one();
}

/// Checks the stated lengths from a vertex against the graph.
template <class Tag, class Edges>
class DistanceCheck {
 public:
  using T = typename Tag::Value;

  DistanceCheck(const Edges& edges, const SolveMonitor& monitor, const NameOf& name)
      : edges_(edges), n_(edges.vertices()), rounding_(edges, monitor), monitor_(monitor), name_(name) {}

  [[nodiscard]] const Rounding<Tag>& rounding() const { return rounding_; }

  [[nodiscard]] Violation find_lengths_violation(std::size_t from, const T* lengths) const {
    monitor_.check();
    for (std::size_t j = 0; j < n_; ++j) {
      if (is_length<Tag>(lengths[j])) continue;
      return fmt::format("the length from {} to {} is {}: neither that of a path nor {} for none", name_of(name_, from),
                         name_of(name_, j), lengths[j], Tag::zero());
    }
    if (lengths[from] == Tag::one()) return std::nullopt;
    return fmt::format("the length from {} to itself is {}, {} was expected", name_of(name_, from), lengths[from],
                       Tag::one());
  }

  /// Checks that no edge at the end of a path makes a better one.
  [[nodiscard]] Violation find_edges_violation(std::size_t from, const T* lengths) const {
    Violation violation;
    for (std::size_t k = 0; k < n_ && !violation; ++k) {
      monitor_.check();
      if (Tag::is_zero(lengths[k])) continue;
      edges_.each_from(k, [&](std::size_t j, T edge) {
        const T longer = Tag::times(lengths[k], edge);
        if (violation || !rounding_.improves(longer, lengths[j])) return;
        violation = fmt::format("the length from {} to {} is {}, by way of {} it is {}", name_of(name_, from),
                                name_of(name_, j), lengths[j], name_of(name_, k), longer);
      });
    }
    return violation;
  }

 private:
  const Edges& edges_;
  std::size_t n_;
  Rounding<Tag> rounding_;
  const SolveMonitor& monitor_;
  const NameOf& name_;
};

Verdict verdict_where_paths(bool are_known) {
  Verdict verdict{.is_optimal = are_known};
  if (!are_known) verdict.unchecked = "whether there are paths of these lengths: that takes successors or predecessors";
  return verdict;
}

/// The paths that end at vertex j.
template <class Tag, class T>
Tree<Tag> tree_to(std::size_t j, const MatrixView<const T>& edges, const AllPairs<T>& paths) {
  Tree<Tag> tree(edges.rows, j, true);
  for (std::size_t i = 0; i < edges.rows; ++i) {
    const std::uint32_t next = paths.successors(i, j);
    tree.next[i] = next;
    tree.lengths[i] = paths.lengths(i, j);
    if (next < edges.rows) tree.edges[i] = edges(i, next);
  }
  return tree;
}

/// The paths from source s.
template <class Tag, class T>
Tree<Tag> tree_from(std::size_t s, const SparseEdges<Tag>& edges, const PathsFrom<T>& paths) {
  const std::size_t n = edges.vertices();
  Tree<Tag> tree(n, paths.sources[s], false);
  tree.next.assign(paths.predecessors.view().row(s), paths.predecessors.view().row(s) + n);
  tree.lengths.assign(paths.lengths.view().row(s), paths.lengths.view().row(s) + n);
  for (std::size_t k = 0; k < n; ++k) {
    edges.each_from(k, [&](std::size_t j, T edge) {
      if (tree.next[j] == k) tree.edges[j] = Tag::plus(tree.edges[j], edge);
    });
  }
  return tree;
}

template <class Tag, class T = typename Tag::Value>
Verdict check_all_pairs(const MatrixView<const T>& matrix, const AllPairs<T>& paths, const SolveMonitor& monitor,
                        const NameOf& name) {
  const std::size_t n = matrix.rows;
  const DenseEdges<Tag> edges(matrix, monitor);
  const DistanceCheck<Tag, DenseEdges<Tag>> check(edges, monitor, name);
  for (std::size_t i = 0; i < n; ++i) {
    if (Violation violation = check.find_lengths_violation(i, paths.lengths.view().row(i)))
      return wrong_cost(*violation);
  }
  const bool knows_paths = !paths.successors.empty() || n == 0;
  for (std::size_t j = 0; knows_paths && j < n; ++j) {
    monitor.check();
    const Tree<Tag> tree = tree_to<Tag>(j, matrix, paths);
    if (Violation violation = TreeCheck<Tag>(tree, check.rounding(), name).violation()) return infeasible(*violation);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (Violation violation = check.find_edges_violation(i, paths.lengths.view().row(i))) return wrong_cost(*violation);
  }
  return verdict_where_paths(knows_paths);
}

template <class Tag, class T = typename Tag::Value>
Verdict check_from_sources(const SparseGraph<T>& graph, const PathsFrom<T>& paths, const SolveMonitor& monitor,
                           const NameOf& name) {
  const SparseEdges<Tag> edges(graph);
  const DistanceCheck<Tag, SparseEdges<Tag>> check(edges, monitor, name);
  for (std::size_t s = 0; s < paths.sources.size(); ++s) {
    const std::size_t from = paths.sources[s];
    const T* const lengths = paths.lengths.view().row(s);
    if (Violation violation = check.find_lengths_violation(from, lengths)) return wrong_cost(*violation);
    const Tree<Tag> tree = tree_from<Tag>(s, edges, paths);
    if (Violation violation = TreeCheck<Tag>(tree, check.rounding(), name).violation()) return infeasible(*violation);
    if (Violation violation = check.find_edges_violation(from, lengths)) return wrong_cost(*violation);
  }
  return verdict_where_paths(true);
}

/// Returns the best edge between two vertices.
template <class Tag, class T = typename Tag::Value>
T edge_between(const SparseEdges<Tag>& edges, std::uint32_t from, std::uint32_t to) {
  T best = Tag::zero();
  edges.each_from(from, [&](std::size_t end, T edge) {
    if (end == to) best = Tag::plus(best, edge);
  });
  return best;
}

template <class Tag, class T = typename Tag::Value>
Verdict check_path(const SparseGraph<T>& graph, std::span<const std::uint32_t> path, T length, const NameOf& name) {
  if (path.empty() && length == Tag::zero()) return {};
  if (path.empty()) return infeasible(fmt::format("there is no path, and a length of {}", length));
  const SparseEdges<Tag> edges(graph);
  std::vector<bool> passed(graph.vertices());
  T walked = Tag::one();
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (passed[path[at]]) return infeasible(fmt::format("the path passes {} twice", name_of(name, path[at])));
    passed[path[at]] = true;
    if (at == 0) continue;
    const T edge = edge_between(edges, path[at - 1], path[at]);
    if (Tag::is_zero(edge)) {
      return infeasible(fmt::format("the path leads from {} to {}: there is no edge", name_of(name, path[at - 1]),
                                    name_of(name, path[at])));
    }
    walked = Tag::times(edge, walked);
  }
  if (Rounding<Tag>(edges, SolveMonitor({}, 0)).are_alike(walked, length)) return {};
  return wrong_cost(fmt::format("the length is {}, the path's is {}", length, walked));
}

template <class T>
void check_shapes(const SparseGraph<T>& graph, const PathsFrom<T>& paths) {
  const std::size_t n = graph.vertices();
  const auto has_rows = [&](const auto& matrix) {
    return matrix.rows() == paths.sources.size() && (matrix.columns() == n || paths.sources.empty());
  };
  if (!has_rows(paths.lengths) || !has_rows(paths.predecessors)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} sources and {} vertices: lengths and predecessors of {} x {} are accepted",
                            paths.sources.size(), n, paths.sources.size(), n));
  }
}

}  // namespace

template <class T>
Verdict verify(MatrixView<const T> edges, const AllPairs<T>& paths, const Options& options, const Request& request) {
  const std::size_t n = edges.rows;
  check_tables(paths);
  if (edges.columns != n || paths.lengths.rows() != n) {
    throw Error(ErrorKind::usage, fmt::format("the edges are {} x {}: lengths and successors of {} x {} are accepted",
                                              n, edges.columns, n, n));
  }
  check_graph(edges, options, request);
  const SolveMonitor monitor(options, 0);
  return minplus::with_choosing_tag<T>(
      request.semiring, [&](auto tag) { return check_all_pairs<decltype(tag)>(edges, paths, monitor, request.name); });
}

template <class T>
Verdict verify(const SparseGraph<T>& graph, const PathsFrom<T>& paths, const Options& options, const Request& request) {
  check_are_vertices("source", paths.sources, graph.vertices());
  check_shapes(graph, paths);
  check_graph(graph, options, request);
  const SolveMonitor monitor(options, 0);
  return minplus::with_choosing_tag<T>(request.semiring, [&](auto tag) {
    return check_from_sources<decltype(tag)>(graph, paths, monitor, request.name);
  });
}

template <class T>
Verdict verify_path(const SparseGraph<T>& graph, std::span<const std::uint32_t> path, T length,
                    const Request& request) {
  check_are_vertices("the path's", path, graph.vertices());
  check_graph(graph, {}, request);
  return minplus::with_choosing_tag<T>(
      request.semiring, [&](auto tag) { return check_path<decltype(tag)>(graph, path, length, request.name); });
}

#define WARPFOLD_INSTANTIATE(T)                                                                        \
  template Verdict verify(MatrixView<const T>, const AllPairs<T>&, const Options&, const Request&);    \
  template Verdict verify(const SparseGraph<T>&, const PathsFrom<T>&, const Options&, const Request&); \
  template Verdict verify_path(const SparseGraph<T>&, std::span<const std::uint32_t>, T, const Request&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
