#pragma once

#include <chrono>
#include <utility>

#include "paths/backends.hpp"
#include "paths/sources/search.hpp"
#include "paths/tuning.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"

/// All pairs of a sparse graph by the recurrence of Floyd and Warshall.
namespace warpfold::paths {

/// Options for a solve of all pairs, whose algorithms have other names.
[[nodiscard]] inline Options with_any_algorithm(Options options) {
  options.algorithm.clear();
  return options;
}

/// The bytes of the matrix of edges, and of its solve.
template <class T>
[[nodiscard]] std::size_t bytes_of_dense(const SparseGraph<T>& graph, const Options& options, const Request& request) {
  const std::size_t n = graph.vertices();
  const Graph<T> matrix{{nullptr, n, n, n}, request};
  return bytes_of(bytes_of(n, n), sizeof(T)) + bytes_of_all_pairs(matrix, options);
}

template <class T>
[[nodiscard]] double dense_seconds(const SourcesProblem<T>& problem, const Options& options) {
  const double n = static_cast<double>(problem.graph.vertices());
  return all_pairs_seconds_a_step * n * n * n / thread_count(options.threads);
}

/// The estimate of a backend that solves all pairs: that of the algorithm which solves them, with the backend's bytes.
template <class Solution, class T>
[[nodiscard]] Estimate estimate_of_dense(const Backend<SourcesProblem<T>, SourcesProblem<T>, Solution>& backend,
                                         const SourcesProblem<T>& problem, const Options& options) {
  Estimate expected = estimate<T>(problem.graph.vertices(), with_any_algorithm(options), problem.request);
  expected.bytes = backend.bytes(problem, options);
  return expected;
}

/// Solves all pairs. The time of making the matrix is the context's `prepare_seconds`.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> solve_dense(const SparseGraph<T>& graph, const Options& options,
                                               const Request& request, Context& context) {
  const std::size_t n = graph.vertices();
  const auto start = std::chrono::steady_clock::now();
  const Budget::Reservation taken = context.budget.reserve(bytes_of(n, n), sizeof(T));
  Matrix<T> edges(n, n, request.semiring.template zero<T>());
  minplus::with_choosing_tag<T>(request.semiring, [&](auto tag) {
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto& [j, length] : graph.from(i)) edges(i, j) = tag.plus(edges(i, j), length);
    }
  });
  context.report.prepare_seconds = seconds_since(start);
  return all_pairs(edges, options, request);
}

}  // namespace warpfold::paths
