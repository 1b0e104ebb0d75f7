#include "warpfold/paths/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/error.hpp"

namespace warpfold::paths {

namespace {

/// Holds one answer against its graph. `Tag` joins lengths; a sum is exact in `Sum`, or rounded in double.
template <class Tag, class T = typename Tag::Value>
class Check {
 public:
  Check(const MatrixView<const T>& edges, const AllPairs<T>& paths, const Options& options, const NameOf& name)
      : edges_(edges), paths_(paths), n_(edges.rows), watch_(options, 0), name_(name) {
    // Where lengths are below 0 a path's rounding may be that of a longer one, which it was better than.
    if constexpr (allows_rounding) {
      if (paths.successors.empty() || has_negative()) least_tolerance_ = largest_tolerance();
      tolerance_.assign(n_ * n_, least_tolerance_);
    }
  }

  Verdict verdict() {
    if (Flaw flaw = flaw_of_lengths()) return miscounted(*flaw);
    const bool walks = !paths_.successors.empty() || n_ == 0;
    if (walks) {
      for (std::size_t j = 0; j < n_; ++j) {
        watch_.check();
        if (Flaw flaw = flaw_of_paths_to(j)) return infeasible(*flaw);
      }
    }
    if (Flaw flaw = flaw_of_edges()) return miscounted(*flaw);
    Verdict verdict{.is_optimal = walks};
    if (!walks) verdict.unchecked = "whether there are paths of these lengths: that takes successors";
    return verdict;
  }

 private:
  static constexpr bool adds = std::is_same_v<Tag, MinPlus<T>> || std::is_same_v<Tag, MaxPlus<T>>;
  static constexpr bool allows_rounding = adds && std::is_floating_point_v<T>;

  /// What walking from a vertex to the target showed.
  struct Walk {
    T length;
    double sum_of_lengths = 0;  ///< of |lengths|
    std::size_t edges = 0;
    enum { unknown, open, walked } state = unknown;
  };

  [[nodiscard]] std::string name(std::size_t vertex) const { return name_ ? name_(vertex) : std::to_string(vertex); }
  [[nodiscard]] bool is_edge(std::size_t i, std::size_t j) const { return !Tag::is_zero(edges_(i, j)); }
  /// Of a path over all vertices by the longest edge, where nobody knows the paths.
  [[nodiscard]] double largest_tolerance() const {
    double longest = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      watch_.check();
      for (std::size_t j = 0; j < n_; ++j) {
        if (is_edge(i, j)) longest = std::max(longest, std::abs(static_cast<double>(edges_(i, j))));
      }
    }
    return allowed({{}, static_cast<double>(n_) * longest, n_});
  }
  [[nodiscard]] bool has_negative() const {
    for (std::size_t i = 0; i < n_; ++i) {
      watch_.check();
      for (std::size_t j = 0; j < n_; ++j) {
        if (is_edge(i, j) && edges_(i, j) < 0) return true;
      }
    }
    return false;
  }
  [[nodiscard]] static double allowed(const Walk& walk) {
    return 2 * static_cast<double>(walk.edges) * static_cast<double>(std::numeric_limits<T>::epsilon()) *
           walk.sum_of_lengths;
  }

  /// Whether a path may be so long, or x says that there is none.
  [[nodiscard]] static bool is_length(T x) {
    if (x == Tag::zero()) return true;
    if (x != x || Tag::is_zero(x)) return false;
    return adds ? x > -infinity<T> && x < infinity<T> : Tag::plus(Tag::one(), x) == Tag::one();
  }

  [[nodiscard]] Flaw flaw_of_lengths() const {
    for (std::size_t i = 0; i < n_; ++i) {
      watch_.check();
      for (std::size_t j = 0; j < n_; ++j) {
        const T length = paths_.lengths(i, j);
        if (is_length(length)) continue;
        return fmt::format("the length from {} to {} is {}: neither that of a path nor {} for none", name(i), name(j),
                           length, Tag::zero());
      }
      if (paths_.lengths(i, i) == Tag::one()) continue;
      return fmt::format("the length from {} to itself is {}, {} was expected", name(i), paths_.lengths(i, i),
                         Tag::one());
    }
    return std::nullopt;
  }

  /// Walks from every vertex to `j`, over each successor once.
  [[nodiscard]] Flaw flaw_of_paths_to(std::size_t j) {
    std::vector<Walk> walks(n_);
    walks[j] = {Tag::one(), 0, 0, Walk::walked};
    if (paths_.successors(j, j) != j)
      return fmt::format("the successor of {0} on the way to itself is not {0}", name(j));
    std::vector<std::size_t> way;
    for (std::size_t start = 0; start < n_; ++start) {
      way.clear();
      std::size_t i = start;
      for (; walks[i].state == Walk::unknown; i = paths_.successors(i, j)) {
        if (paths_.successors(i, j) == no_vertex) break;
        if (Flaw flaw = flaw_of_step(i, j)) return flaw;
        walks[i].state = Walk::open;
        way.push_back(i);
      }
      if (walks[i].state == Walk::open) {
        return fmt::format("the successors from {} to {} form a cycle", name(start), name(j));
      }
      if (walks[i].state == Walk::unknown) {
        if (!way.empty()) return fmt::format("the path from {} to {} ends at {}", name(start), name(j), name(i));
        if (Tag::is_zero(paths_.lengths(i, j))) continue;
        return fmt::format("there is no path from {} to {}, and a length of {}", name(i), name(j),
                           paths_.lengths(i, j));
      }
      for (; !way.empty(); way.pop_back()) {
        if (Flaw flaw = flaw_of_length(way.back(), j, walks)) return flaw;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Flaw flaw_of_step(std::size_t i, std::size_t j) const {
    const std::uint32_t next = paths_.successors(i, j);
    if (next < n_ && is_edge(i, next)) return std::nullopt;
    return fmt::format("the successor of {} on the way to {} is {}, to which there is no edge", name(i), name(j),
                       next < n_ ? name(next) : std::to_string(next));
  }

  [[nodiscard]] Flaw flaw_of_length(std::size_t i, std::size_t j, std::vector<Walk>& walks) {
    const std::uint32_t next = paths_.successors(i, j);
    const Walk& rest = walks[next];
    const T edge = edges_(i, next), said = paths_.lengths(i, j);
    Walk& walk = walks[i];
    walk = {Tag::times(edge, rest.length), rest.sum_of_lengths + std::abs(static_cast<double>(edge)), rest.edges + 1,
            Walk::walked};
    const double tolerance = std::max(allowed(walk), least_tolerance_);
    if constexpr (allows_rounding) tolerance_[i * n_ + j] = tolerance;
    const bool right = allows_rounding
                           ? std::abs(static_cast<double>(walk.length) - static_cast<double>(said)) <= tolerance
                           : walk.length == said;
    if (right) return std::nullopt;
    return fmt::format("the length from {} to {} is {}, its path's is {}", name(i), name(j), said, walk.length);
  }

  /// No edge at the end of a path makes a better one.
  [[nodiscard]] Flaw flaw_of_edges() const {
    std::vector<std::vector<std::uint32_t>> ends(n_);
    for (std::size_t k = 0; k < n_; ++k) {
      watch_.check();
      for (std::size_t j = 0; j < n_; ++j) {
        if (is_edge(k, j)) ends[k].push_back(static_cast<std::uint32_t>(j));
      }
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < n_; ++k) {
        watch_.check();
        if (Tag::is_zero(paths_.lengths(i, k))) continue;
        for (const std::uint32_t j : ends[k]) {
          const T longer = Tag::times(paths_.lengths(i, k), edges_(k, j));
          if (!improves(longer, i, k, j)) continue;
          return fmt::format("the length from {} to {} is {}, by way of {} it is {}", name(i), name(j),
                             paths_.lengths(i, j), name(k), longer);
        }
      }
    }
    return std::nullopt;
  }

  /// Whether the path by way of k is surely better than what is said.
  [[nodiscard]] bool improves(T length, std::size_t i, std::size_t k, std::size_t j) const {
    const T said = paths_.lengths(i, j);
    if (Tag::plus(length, said) == said) return false;
    if constexpr (allows_rounding) {
      if (!Tag::is_zero(said)) {
        const double off = 2 * (tolerance_[i * n_ + j] + tolerance_[i * n_ + k] +
                                std::numeric_limits<T>::epsilon() * std::abs(static_cast<double>(length)));
        return std::abs(static_cast<double>(length) - static_cast<double>(said)) > off;
      }
    }
    return true;
  }

  const MatrixView<const T>& edges_;
  const AllPairs<T>& paths_;
  std::size_t n_;
  Watch watch_;
  const NameOf& name_;
  double least_tolerance_ = 0;
  std::vector<double> tolerance_;  ///< [i][j], of floats
};

}  // namespace

template <class T>
Verdict verify(MatrixView<const T> edges, const AllPairs<T>& paths, const Options& options, const Request& request) {
  const std::size_t n = edges.rows;
  const auto is_square = [n](const auto& matrix) { return matrix.rows() == n && matrix.columns() == n; };
  if (edges.columns != n || !is_square(paths.lengths) || (!paths.successors.empty() && !is_square(paths.successors))) {
    throw Error(ErrorKind::usage, fmt::format("the edges are {} x {}: lengths and successors of {} x {} are accepted",
                                              n, edges.columns, n, n));
  }
  check_view("the edges", edges);
  if (!request.semiring.chooses() || !request.semiring.accepts<T>()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no best paths of {}", to_string(request.semiring), dtype_name<T>()));
  }
  return minplus::with_choosing_tag<T>(
      request.semiring, [&](auto tag) { return Check<decltype(tag)>(edges, paths, options, request.name).verdict(); });
}

#define WARPFOLD_INSTANTIATE(T) \
  template Verdict verify(MatrixView<const T>, const AllPairs<T>&, const Options&, const Request&);
WARPFOLD_INSTANTIATE(std::uint8_t)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
