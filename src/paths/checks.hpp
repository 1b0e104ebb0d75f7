#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/run/run.hpp"

/// The checks of every graph before it is solved.
namespace warpfold::paths {

[[nodiscard]] inline std::string name_of(const NameOf& name, std::size_t vertex) {
  return name ? name(vertex) : std::to_string(vertex);
}

/// Raises Error{usage} for a semiring that has no best paths, or that does not accept the type of that name.
void check_semiring(Semiring semiring, bool is_accepted, std::string_view type);

/// Raises Error{usage} for a semiring that has no best paths, or that T does not have.
template <class T>
void check_request(const Request& request) {
  check_semiring(request.semiring, request.semiring.accepts<T>(), dtype_name<T>());
}

/// Raises Error{input} for so many vertices that no memory holds their table.
void check_vertices(std::size_t n);

/// Raises Error{usage} unless lengths and successors, if there are any, are square and of one size.
void check_table_sizes(std::size_t rows, std::size_t columns, std::size_t successor_rows,
                       std::size_t successor_columns);
template <class T>
void check_tables(const AllPairs<T>& paths) {
  check_table_sizes(paths.lengths.rows(), paths.lengths.columns(), paths.successors.rows(), paths.successors.columns());
}

/// Raises Error{usage} for a number that is no vertex of n. `what` describes it in the message.
void check_are_vertices(std::string_view what, std::span<const std::uint32_t> numbers, std::size_t n);

/// Raises Error{usage} for a matrix of edges that is not square.
void check_is_square(std::size_t rows, std::size_t columns);

/// Checks every length of a graph.
template <class T>
class LengthCheck {
 public:
  explicit LengthCheck(Semiring semiring)
      : zero_(semiring.zero<T>()), adds_(semiring.adds()), is_of_unit_interval_(semiring.is_of_unit_interval()) {
    constexpr T finite = std::is_floating_point_v<T> ? std::numeric_limits<T>::max() : infinity<T> - 1;
    most_ = is_of_unit_interval_ ? T{1} : adds_ ? finite : infinity<T>;
    least_ = is_of_unit_interval_ ? T{0} : static_cast<T>(-most_);
  }

  /// Raises Error{input} for an entry of row i of a matrix that is neither a length nor "no edge".
  void look_at_row(std::size_t i, const T* row, std::size_t n) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {  // zeros and ones are checked in vectors
      if (std::accumulate(row, row + n, T{0}, std::bit_or<T>()) <= 1) return;
    }
    for (std::size_t j = 0; j < n; ++j) look_at(i, j, row[j]);
  }

  /// Raises Error{input} for a value that is neither a length nor "no edge".
  void look_at(std::size_t i, std::size_t j, T x) {
    if (x == zero_) return;
    if (!(x >= least_ && x <= most_)) {
      constexpr const char* fraction = std::is_integral_v<T> ? "1" : "a number above 0 and up to 1";
      const char* length = is_of_unit_interval_ ? fraction : "a finite length";
      throw Error(ErrorKind::input,
                  fmt::format("the edge ({}, {}) is {}: {}, or {} for no edge, is accepted", i, j, x, length, zero_));
    }
    largest_ = std::max(largest_, x < T{0} ? static_cast<T>(-x) : x);
  }

  /// Raises Error{overflow} if sums along paths of n vertices may not fit.
  void check_sums(std::size_t n) const {
    const T most = max_length<T>(n);
    if (!adds_ || n < 2 || largest_ <= most) return;
    throw Error(ErrorKind::overflow, fmt::format("a length is {}: up to {} are accepted for {} vertices in {}",
                                                 largest_, most, n, dtype_name<T>()));
  }

 private:
  T zero_;
  bool adds_;
  bool is_of_unit_interval_;
  T least_, most_;  ///< the limits of lengths
  T largest_ = 0;
};

/// Raises what `all_pairs` raises for the edges and the request.
template <class T>
void check_graph(const MatrixView<const T>& edges, const Options& options, const Request& request) {
  check_request<T>(request);
  check_is_square(edges.rows, edges.columns);
  check_view("the edges", edges);
  check_vertices(edges.rows);
  const SolveMonitor monitor(options, 0);
  LengthCheck<T> check(request.semiring);
  for (std::size_t i = 0; i < edges.rows; ++i) {
    monitor.check();
    check.look_at_row(i, edges.row(i), edges.columns);
  }
  check.check_sums(edges.rows);
}
template <class T>
void check_graph(const SparseGraph<T>& graph, const Options& options, const Request& request) {
  check_request<T>(request);
  const SolveMonitor monitor(options, 0);
  LengthCheck<T> check(request.semiring);
  for (std::size_t i = 0; i < graph.vertices(); ++i) {
    monitor.check();
    for (const auto& [j, length] : graph.from(i)) check.look_at(i, j, length);
  }
  check.check_sums(graph.vertices());
}

}  // namespace warpfold::paths
