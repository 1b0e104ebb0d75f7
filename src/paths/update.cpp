#include "warpfold/paths/update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"

namespace warpfold::paths {

namespace {

/// Reads the length from i to j, or "no edge". Returns whether it is an edge.
template <class T>
bool check_edge(const Request& request, std::size_t n, std::size_t i, std::size_t j, T length) {
  LengthCheck<T> check(request.semiring);
  check.look_at(i, j, length);
  check.check_sums(n);
  return minplus::with_choosing_tag<T>(request.semiring, [&](auto tag) { return !tag.is_zero(length); });
}

/// Raises Error{overflow} if the sum of a path to a vertex and one from it may exceed T.
template <class Tag, class T = typename Tag::Value>
void check_sums(const Request& request, long double there, long double on) {
  if (!request.semiring.adds() || there + on <= static_cast<long double>(minplus::largest_factor<T>)) return;
  throw Error(ErrorKind::overflow,
              fmt::format("paths of length {} would be there: up to {} are accepted in {}",
                          static_cast<double>(there + on), minplus::largest_factor<T>, dtype_name<T>()));
}

/// Returns the largest finite |length(k)| for k below n.
template <class Tag, class Length>
long double largest_of(std::size_t n, const Length& length) {
  long double largest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (!Tag::is_zero(length(k))) largest = std::max(largest, std::abs(static_cast<long double>(length(k))));
  }
  return largest;
}

/// Returns the vertex after x on the path by i to j. An edge leads from i to j.
template <class T>
std::uint32_t successor_by(const AllPairs<T>& paths, std::size_t x, std::size_t i, std::size_t j) {
  return x == i ? static_cast<std::uint32_t>(j) : paths.successors(x, i);
}

/// Updates all pairs. A path from x to y changes only if it is strictly better by the edge. It then begins like that
/// from x to i. As no cycle improves, every vertex on the path to i changes too, and none on the path from j does. So
/// every path ends.
template <class Tag, class T = typename Tag::Value>
void take_edge(AllPairs<T>& paths, std::size_t i, std::size_t j, T edge) {
  const std::size_t n = paths.lengths.rows();
  for (std::size_t x = 0; x < n; ++x) {
    if (Tag::is_zero(paths.lengths(x, i))) continue;
    const T there = Tag::times(paths.lengths(x, i), edge);
    const std::uint32_t successor = paths.successors.empty() ? no_vertex : successor_by(paths, x, i, j);
    for (std::size_t y = 0; y < n; ++y) {
      const T length = Tag::times(there, paths.lengths(j, y));
      if (!is_better<Tag>(length, paths.lengths(x, y))) continue;
      paths.lengths(x, y) = length;
      if (!paths.successors.empty()) paths.successors(x, y) = successor;
    }
  }
}

/// Returns the same paths with one more vertex, which none reaches.
template <class Tag, class T = typename Tag::Value>
AllPairs<T> with_room(const AllPairs<T>& paths) {
  const std::size_t n = paths.lengths.rows(), more = n + 1;
  AllPairs<T> larger{Matrix<T>(more, more, Tag::zero()), {}};
  if (!paths.successors.empty() || n == 0) larger.successors = {more, more, no_vertex};
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(paths.lengths.view().row(i), n, larger.lengths.view().row(i));
    if (!paths.successors.empty()) std::copy_n(paths.successors.view().row(i), n, larger.successors.view().row(i));
  }
  larger.lengths(n, n) = Tag::one();
  if (!larger.successors.empty()) larger.successors(n, n) = static_cast<std::uint32_t>(n);
  return larger;
}

/// Finds the paths to the last vertex, each by the first of its best last edges, and the paths from it.
template <class Tag, class T = typename Tag::Value>
void connect_last(AllPairs<T>& paths, std::span<const T> to, std::span<const T> from) {
  const std::size_t n = to.size();
  const bool successors = !paths.successors.empty();
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t i = 0; i < n; ++i) {
      const T length = Tag::times(paths.lengths(x, i), static_cast<T>(to[i] + T{0}));  // no -0.0
      if (!is_better<Tag>(length, paths.lengths(x, n))) continue;
      paths.lengths(x, n) = length;
      if (successors) paths.successors(x, n) = successor_by(paths, x, i, n);
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t y = 0; y < n; ++y) {
      const T length = Tag::times(static_cast<T>(from[j] + T{0}), paths.lengths(j, y));
      if (!is_better<Tag>(length, paths.lengths(n, y))) continue;
      paths.lengths(n, y) = length;
      if (successors) paths.successors(n, y) = static_cast<std::uint32_t>(j);
    }
  }
}

/// Returns the vertices from i to j without j, or i alone if there are no successors.
template <class T>
std::vector<std::size_t> way(const AllPairs<T>& paths, std::size_t i, std::size_t j) {
  if (paths.successors.empty()) return {i};
  const std::vector<std::uint32_t> path = paths.path(i, j);
  return {path.begin(), path.end() - 1};
}

}  // namespace

template <class T>
void add_edge(AllPairs<T>& paths, std::size_t i, std::size_t j, T length, const Request& request) {
  check_request<T>(request);
  check_tables(paths);
  const std::size_t n = paths.lengths.rows();
  if (i >= n || j >= n) {
    throw Error(ErrorKind::usage, fmt::format("an edge leads from {} to {}: vertices below {} are accepted", i, j, n));
  }
  if (!check_edge(request, n, i, j, length)) return;
  minplus::with_choosing_tag<T>(request.semiring, [&]<class Tag>(Tag) {
    const T edge = static_cast<T>(length + T{0});  // no -0.0
    const long double there = largest_of<Tag>(n, [&](std::size_t x) { return paths.lengths(x, i); });
    const long double on = largest_of<Tag>(n, [&](std::size_t y) { return paths.lengths(j, y); });
    check_sums<Tag>(request, there + std::abs(static_cast<long double>(edge)), on);
    if (is_better<Tag>(Tag::times(edge, paths.lengths(j, i)), Tag::one())) {
      std::vector<std::size_t> cycle = i == j ? std::vector<std::size_t>{} : way(paths, j, i);
      cycle.insert(cycle.begin(), i);
      reject_cycle(cycle, request);
    }
    take_edge<Tag>(paths, i, j, edge);
  });
}

template <class T>
void add_vertex(AllPairs<T>& paths, std::span<const std::type_identity_t<T>> to,
                std::span<const std::type_identity_t<T>> from, const Request& request) {
  check_request<T>(request);
  check_tables(paths);
  const std::size_t n = paths.lengths.rows();
  check_vertices(n + 1);
  if (to.size() != n || from.size() != n) {
    throw Error(ErrorKind::usage,
                fmt::format("{} edges to a vertex and {} from it: {} of each are accepted", to.size(), from.size(), n));
  }
  for (std::size_t k = 0; k < n; ++k) {
    static_cast<void>(check_edge(request, n + 1, k, n, to[k]));
    static_cast<void>(check_edge(request, n + 1, n, k, from[k]));
  }
  minplus::with_choosing_tag<T>(request.semiring, [&]<class Tag>(Tag) {
    AllPairs<T> larger = with_room<Tag>(paths);
    connect_last<Tag>(larger, to, from);
    const long double there = largest_of<Tag>(n, [&](std::size_t x) { return larger.lengths(x, n); });
    const long double on = largest_of<Tag>(n, [&](std::size_t y) { return larger.lengths(n, y); });
    check_sums<Tag>(request, there, on);
    for (std::size_t x = 0; x < n; ++x) {
      if (!is_better<Tag>(Tag::times(larger.lengths(n, x), larger.lengths(x, n)), Tag::one())) continue;
      std::vector<std::size_t> cycle = way(larger, n, x);
      const std::vector<std::size_t> back = way(larger, x, n);
      cycle.insert(cycle.end(), back.begin(), back.end());
      reject_cycle(cycle, request);
    }
    take_edge<Tag>(larger, n, n, Tag::one());
    paths = std::move(larger);
  });
}

#define WARPFOLD_INSTANTIATE(T)                                                      \
  template void add_edge(AllPairs<T>&, std::size_t, std::size_t, T, const Request&); \
  template void add_vertex(AllPairs<T>&, std::span<const T>, std::span<const T>, const Request&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
