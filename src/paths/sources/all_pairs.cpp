#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "core/number_types.hpp"
#include "paths/checks.hpp"
#include "paths/sources/dense.hpp"
#include "paths/sources/reversed.hpp"
#include "paths/sources/search.hpp"
#include "warpfold/paths/from_sources.hpp"

/// All pairs of a sparse graph: by a search for each vertex, or by the recurrence of Floyd and Warshall.
namespace warpfold::paths {

namespace {

/// Transposes in squares that stay in a core's cache.
template <class T>
void transpose(Matrix<T>& matrix) {
  constexpr std::size_t side = 64;
  const std::size_t n = matrix.rows();
  for (std::size_t i = 0; i < n; i += side) {
    for (std::size_t j = i; j < n; j += side) {
      for (std::size_t row = i; row < std::min(i + side, n); ++row) {
        for (std::size_t column = std::max(j, row + 1); column < std::min(j + side, n); ++column) {
          std::swap(matrix(row, column), matrix(column, row));
        }
      }
    }
  }
}

template <class T>
std::size_t result_bytes(const SourcesProblem<T>& problem) {
  const std::size_t n = problem.graph.vertices();
  return bytes_of(bytes_of(n, n), sizeof(T) + (problem.request.successors ? sizeof(std::uint32_t) : 0));
}

template <class T, Search search>
std::size_t bytes_of_search(const SourcesProblem<T>& problem, const Options& options) {
  const std::size_t of_edges = sizeof(Edge<T>) + sizeof(typename SparseGraph<T>::End);
  return result_bytes(problem) + search_bytes(search, problem, options) + problem.graph.edges() * of_edges +
         2 * problem.graph.vertices() * sizeof(std::size_t);
}

template <class T, Search search>
AllPairs<T> by_search(const SourcesProblem<T>& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(bytes_of_search<T, search>(problem, context.options));
  const std::size_t n = problem.graph.vertices(), kept = problem.request.successors ? n : 0;
  // The search from a vertex there finds the paths to it, so that following the successors to a vertex stays in one
  // tree.
  const SparseGraph<T> graph = reversed(problem.graph);
  std::vector<std::uint32_t> targets(n);
  std::iota(targets.begin(), targets.end(), 0U);
  AllPairs<T> paths{Matrix<T>(n, n), Matrix<std::uint32_t>(kept, kept)};
  const SourcesProblem<T> turned{graph, targets, n, problem.request, problem.improves, true};
  search_rows(search, turned, context, paths.lengths.view(), paths.successors.view());
  transpose(paths.lengths);
  transpose(paths.successors);
  return paths;
}

template <class T, Search search>
auto backend_of() {
  return search_backend<search>(bytes_of_search<T, search>, by_search<T, search>);
}

template <class T>
std::size_t dense_bytes(const SourcesProblem<T>& problem, const Options& options) {
  return bytes_of_dense(problem.graph, with_any_algorithm(options), problem.request);
}

template <class T>
AllPairs<T> dense(const SourcesProblem<T>& problem, Context& context) {
  static_cast<void>(context.budget.reserve(dense_bytes(problem, context.options)));  // before the memory is touched
  auto [all, report] = solve_dense(problem.graph, with_any_algorithm(context.options), problem.request, context);
  add_part(context.report, report);
  return std::move(all);
}

template <class T>
const std::vector<Backend<SourcesProblem<T>, SourcesProblem<T>, AllPairs<T>>>& backends() {
  using P = SourcesProblem<T>;
  static const std::vector<Backend<P, P, AllPairs<T>>> list = {
      backend_of<T, Search::dijkstra>(),
      backend_of<T, Search::bellman_ford>(),
      backend_of<T, Search::johnson>(),
      {.info = {"all-pairs", "cpu",
                "the recurrence of Floyd and Warshall, by the algorithm that is chosen for a matrix",
                "n^3 operations, 3 n^2 values"},
       .cost = [](const P& problem, const Options& options) { return dense_seconds(problem, options); },
       .bytes = dense_bytes<T>,
       .run = dense<T>,
       .estimate = estimate_of_dense<AllPairs<T>, T>}};
  return list;
}

/// Whether the caller asks for a GPU, or for an algorithm for matrices.
bool asks_for_dense(const Options& options) {
  const auto names = algorithms();
  const bool is_named = std::ranges::find(names, options.algorithm, &AlgorithmInfo::name) != names.end();
  return is_named || options.device.kind == Device::Kind::cuda;
}

}  // namespace

template <class T>
Outcome<AllPairs<T>> all_pairs(const SparseGraph<T>& graph, const Options& options, const Request& request) {
  const auto problem = checked_problem<T>(graph, {}, graph.vertices(), options, request);
  if (!asks_for_dense(options)) return solve_by(std::span(backends<T>()), problem, problem, options);
  Report report;
  Context context(options, report);
  static_cast<void>(context.budget.reserve(bytes_of_dense(graph, options, request)));
  auto found = solve_dense(graph, options, request, context);
  add_part(found.report, report);
  return found;
}

template <class T>
Estimate estimate_all_pairs(const SparseGraph<T>& graph, const Options& options, const Request& request) {
  const auto problem = checked_problem<T>(graph, {}, graph.vertices(), options, request);
  if (asks_for_dense(options)) return estimate<T>(graph.vertices(), options, request);
  return estimate_by(std::span(backends<T>()), problem, options);
}

#define WARPFOLD_INSTANTIATE(T)                                                                   \
  template Outcome<AllPairs<T>> all_pairs(const SparseGraph<T>&, const Options&, const Request&); \
  template Estimate estimate_all_pairs(const SparseGraph<T>&, const Options&, const Request&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
