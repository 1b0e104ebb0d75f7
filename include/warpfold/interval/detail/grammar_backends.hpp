#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/grammar_solver.hpp"
#include "warpfold/interval/detail/prefix_terms.hpp"
#include "warpfold/interval/detail/recurrence_backends.hpp"

/// The backends of grammar.hpp and their estimates.
namespace warpfold::interval::detail {

/// A caller's grammar with its number of points, or with fewer for an estimate.
template <class G>
struct GrammarProblem {
  const G& grammar;
  std::size_t points;
  std::size_t max_blocks = ~std::size_t{0};  ///< of a GPU, which has places left for other problems at the same time

  /// The terms of its products, stencils and prefix sums.
  [[nodiscard]] double operations() const {
    const auto n = static_cast<double>(points);
    double of_interval = 0;
    for (const Stencil& stencil : stencils_of<G>()) {
      const auto deep = static_cast<double>(stencil.deep);
      of_interval += (deep + 1) * (deep + 2) / 2;
    }
    of_interval += static_cast<double>(prefix_sums_of<G>().size());
    return static_cast<double>(products_of<G>().size()) * n * (n - 1) * (n - 2) / 6 + n * (n - 1) / 2 * of_interval;
  }
  /// A count that grows like the time of slow caller functions.
  [[nodiscard]] double calls() const {
    const auto n = static_cast<double>(points);
    return n * (n - 1) / 2;
  }
};

template <class G>
using GrammarBackend = Backend<GrammarProblem<G>, GrammarProblem<G>, GrammarTables<G>>;

/// The threads that fill the tables.
inline int threads_for(std::size_t points, const Options& options) {
  return tiles::TileScheduler::useful_threads(tile_count(points, tiles::tile_side), thread_count(options.threads));
}

template <class G>
std::size_t bytes_for_points(std::size_t points, const Options& options) {
  return GrammarTables<G>::bytes(points) +
         std::max(GrammarSolver<G>::sums_bytes(points, threads_for(points, options)), PrefixSolver<G>::bytes(points));
}
template <class G>
std::size_t grammar_bytes(const GrammarProblem<G>& problem, const Options& options) {
  return bytes_for_points<G>(problem.points, options);
}

template <class G>
double operations_of_grammar(const GrammarProblem<G>& problem) {
  return problem.operations();
}

/// Appends the part of a problem that belongs to point i, as KeptTable::describe.
using DescribePoint = std::function<void(std::size_t i, std::vector<std::byte>& bytes)>;

/// Fills the tables. The options' checkpointer saves them meanwhile if the problem has a description.
template <class G>
void fill_kept(GrammarSolver<G>& solver, std::size_t points, const DescribePoint& describe, Context& context) {
  SolveMonitor monitor(context.options, GrammarSolver<G>::operations(points));
  Checkpointer* checkpointer = describe ? context.options.checkpointer : nullptr;
  const auto fill = [&] {
    context.report.threads = solver.fill(threads_for(points, context.options), monitor, checkpointer);
  };
  if (!checkpointer) return fill();
  std::vector<SuperTiles> places = solver.super_tiles();
  KeptTable table{std::string(dtype_name<GrammarValue<G>>()), points, places.front(), describe};
  table.more.assign(places.begin() + 1, places.end());
  checkpointer->solve(table, context.options, fill);
}

/// `lost`: of sums (ScaledSum).
template <class G>
GrammarTables<G> solve_grammar_tiled(const GrammarProblem<G>& problem, Context& context, const DescribePoint& describe,
                                     LostValues lost = LostValues::rejected) {
  check_points(problem.points, IntervalTable<GrammarValue<G>>::max_points);
  const Budget::Reservation taken = context.budget.reserve(grammar_bytes(problem, context.options));
  const auto start = std::chrono::steady_clock::now();
  GrammarSolver<G> solver(problem.grammar, problem.points, Pages::huge, lost);
  fill_kept(solver, problem.points, describe, context);
  GrammarTables<G> tables = solver.take_tables();
  if constexpr (has_prefixes<G>) {
    Team team(context.report.threads);
    PrefixSolver<G>(problem.grammar, tables).solve(team, SolveMonitor(context.options, 0));
  }
  context.report.solve_seconds += seconds_since(start);
  return tables;
}

/// Whether a checkpointer saves the tables of a user's grammar and tells them from others.
template <class G>
inline constexpr bool keeps_checkpoint = DescribesPoints<G> && !dtype_name<GrammarValue<G>>().empty();

template <class G>
GrammarTables<G> solve_grammar_tiled(const GrammarProblem<G>& problem, Context& context) {
  DescribePoint describe;
  if constexpr (keeps_checkpoint<G>) {
    describe = [&](std::size_t i, std::vector<std::byte>& bytes) {
      if (i == 0) bytes.push_back(static_cast<std::byte>(table_count<G>));
      if (i == 0 && is_scaled<typename G::Semiring>) bytes.push_back(std::byte{'s'});
      problem.grammar.describe_point(i, bytes);
    };
  }
  return solve_grammar_tiled(problem, context, describe);
}

/// The backends that solve_grammar chooses from.
template <class G>
std::span<const GrammarBackend<G>> grammar_backends() {
  static const GrammarBackend<G> tiled = {
      .info = {"tiled", "cpu", "64 x 64 tiles, all threads", "n^3/6 operations a product, 0.5 n^2 values a table"},
      .bytes = grammar_bytes<G>,
      .run = solve_grammar_tiled<G>,
      .supports_checkpoint = keeps_checkpoint<G>,
      .operations = operations_of_grammar<G>,
      .seconds = seconds_of_points<GrammarProblem<G>, GrammarTables<G>>,
      .probe_size = 4};
  return {&tiled, 1};
}

/// Grammars that are solved by one thread each.
template <class G>
struct GrammarBatch {
  std::span<const G> grammars;
  std::span<const std::size_t> points;
};

template <class G>
std::vector<GrammarTables<G>> solve_each_grammar(const GrammarBatch<G>& batch, Context& context) {
  const auto operations = GrammarSolver<G>::operations;
  double all = 0;
  for (const std::size_t n : batch.points) all += operations(n);
  std::vector<std::optional<GrammarTables<G>>> solved(batch.points.size());
  const auto solve_one = [&](std::size_t t, const Options& each) {
    Report alone;
    Context own(each, alone);
    solved[t] = solve_grammar_tiled<G>({batch.grammars[t], batch.points[t]}, own);
    return operations(batch.points[t]);
  };
  add_part(context.report, warpfold::detail::solve_each(solved.size(), all, context.options, solve_one));
  std::vector<GrammarTables<G>> tables;
  tables.reserve(solved.size());
  for (auto& one : solved) tables.push_back(std::move(*one));
  return tables;
}

template <class G>
using GrammarBatchBackend = Backend<GrammarBatch<G>, GrammarBatch<G>, std::vector<GrammarTables<G>>>;

template <class G>
std::span<const GrammarBatchBackend<G>> grammar_batch_backends() {
  static const GrammarBatchBackend<G> tiled = {.info = {"tiled", "cpu", "each grammar by one thread"},
                                               .run = solve_each_grammar<G>};
  return {&tiled, 1};
}

}  // namespace warpfold::interval::detail
