#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/tiled_solver.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/probe.hpp"

/// The implementation of recurrence.hpp: its checks, the table with its checkpoint, the backends and their estimates.
namespace warpfold::interval::detail {

/// Raises Error{infeasible} if the whole has no value and zero() is infinite.
template <class S>
void check_feasible(std::size_t points, const typename S::Value& whole) {
  if constexpr (SemiringTraits<S>::has_infinite_zero) {
    if (!S::is_zero(whole)) return;
    throw Error(ErrorKind::infeasible, "the recurrence forbids every way to (0," + std::to_string(points - 1) + ")");
  }
}

inline void check_is_on_cpu(const Options& options) {
  if (options.device.kind != Device::Kind::cuda) return;
  throw Error(ErrorKind::device,
              "solve_recurrence runs on the CPU: cuda::solve_recurrence runs on " + to_string(options.device));
}

inline void check_points(std::size_t points, std::size_t most, const char* where = "") {
  if (points >= 2 && points <= most) return;
  throw Error(ErrorKind::input, "a recurrence has " + std::to_string(points) + " points: 2 to " + std::to_string(most) +
                                    " are accepted" + where);
}

/// Reserves the memory of a table for `fill_table`, for as long as the caller keeps the table.
template <class R>
[[nodiscard]] Budget::Reservation take_table(std::size_t points, Context& context) {
  using Table = IntervalTable<ValueOf<R>>;
  check_points(points, Table::max_points);
  return context.budget.reserve(Table::bytes(points));
}

/// A recurrence that describes its point i itself. A rule describes it in fewer bytes than all weights from there.
template <class R>
concept DescribesPoints = requires(const R& recurrence, std::size_t i, std::vector<std::byte>& bytes) {
  recurrence.describe_point(i, bytes);
};

/// Describes point i of a recurrence that closes by weights, so that a checkpointer can tell the problem from others:
/// by its own description, or by its semiring, leaf, weights and split.
template <class R>
void describe_point(const R& recurrence, std::size_t points, std::size_t i, std::vector<std::byte>& bytes) {
  if constexpr (DescribesPoints<R>) return recurrence.describe_point(i, bytes);
  using S = typename R::Semiring;
  using T = ValueOf<R>;
  std::vector<T> numbers;
  numbers.reserve(points - i + 6);
  numbers.insert(numbers.end(), {S::zero(), S::one(), Stored<S>::zero()});
  if (i + 1 < points) numbers.push_back(Stored<S>::of(recurrence.leaf(i)));
  for (std::size_t j = i + 2; j < points; ++j) numbers.push_back(Stored<S>::of(recurrence.weight(i, j)));
  if constexpr (splits_by_product<R>) {
    const ProductSplit<T> split = recurrence.product_split();
    numbers.insert(numbers.end(), {split.left[i], split.middle[i], split.right[i]});
  }
  const auto all = std::as_bytes(std::span(numbers));
  bytes.insert(bytes.end(), all.begin(), all.end());
}

/// The description of a table for a checkpointer. Raises Error{usage} for a recurrence that it cannot tell from others.
template <class R>
KeptTable kept_table(const R& recurrence, const SuperTiles& place, std::size_t points) {
  if constexpr (closes_by_weight<R> && !splits_freely<R> && !dtype_name<ValueOf<R>>().empty()) {
    return {std::string(dtype_name<ValueOf<R>>()), points, place,
            [&recurrence, points](std::size_t i, std::vector<std::byte>& bytes) {
              describe_point(recurrence, points, i, bytes);
            }};
  } else {
    throw Error(ErrorKind::usage,
                "a recurrence with a close or a split of its own keeps no checkpoint: one of numbers that closes by "
                "weights does");
  }
}

/// Fills the table of a TiledSolver or an equivalent filler. The options' checkpointer saves it meanwhile.
template <class R, class Filler>
void fill_with_checkpoints(const R& recurrence, std::size_t points, Filler& filler, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  SolveMonitor monitor(context.options, Filler::operations(points));
  Checkpointer* checkpointer = context.options.checkpointer;
  const auto fill = [&] {
    const int threads = Filler::useful_threads(points, thread_count(context.options.threads));
    context.report.threads = filler.fill(threads, monitor, checkpointer);
  };
  if (checkpointer) {
    checkpointer->solve(kept_table(recurrence, filler.super_tiles(), points), context.options, fill);
  } else {
    fill();
  }
  context.report.solve_seconds = seconds_since(start);
}

/// Solves and returns the table, whether the whole has a value or not.
template <class R>
IntervalTable<ValueOf<R>> fill_table(const R& recurrence, std::size_t points, Context& context) {
  TiledSolver<R> solver(recurrence, points);
  fill_with_checkpoints(recurrence, points, solver, context);
  return solver.take_table();
}

/// A caller's recurrence with its number of points, or with fewer for an estimate.
template <class R>
struct UserProblem {
  const R& recurrence;
  std::size_t points;

  /// The number of its splits.
  [[nodiscard]] double operations() const {
    const auto n = static_cast<double>(points);
    return n * (n - 1) * (n - 2) / 6;
  }
  /// A count that grows like the time of slow caller functions: once for each interval, or once for each free split.
  [[nodiscard]] double calls() const {
    const auto n = static_cast<double>(points);
    if constexpr (splits_freely<R>) return operations();
    return (n - 1) * (n - 2) / 2;
  }
};

template <class R, class Table = IntervalTable<ValueOf<R>>>
using UserBackend = Backend<UserProblem<R>, UserProblem<R>, Table>;

template <class R>
IntervalTable<ValueOf<R>> solve_tiled(const UserProblem<R>& problem, Context& context) {
  const Budget::Reservation taken = take_table<R>(problem.points, context);
  return fill_table(problem.recurrence, problem.points, context);
}

template <class R>
std::size_t table_bytes(const UserProblem<R>& problem, const Options&) {
  return IntervalTable<ValueOf<R>>::bytes(problem.points);
}

template <class R>
double operations_of(const UserProblem<R>& problem) {
  return problem.operations();
}

/// The lesser of two probes if the first is long enough to tell: one may have waited for another process.
template <class Problem, class Table>
double probe_own(const Backend<Problem, Problem, Table>& backend, const Problem& few, const Options& options) {
  const auto probe = [&] { return probe_seconds(backend, few, options, ProbeEnd::as_asked); };
  const double taken = probe();
  return taken < min_probe_seconds ? taken : std::min(taken, probe());
}

/// What the time of a problem is in proportion to: its operations, unless it has a better measure.
template <class Problem>
double time_units(const Problem& problem) {
  if constexpr (requires { problem.time_units(); }) {
    return problem.time_units();
  } else {
    return problem.operations();
  }
}

/// Seconds at the rate of the first points. Doubles their number until a run is longer than a single call's cost, and
/// on the CPU long enough for the whole. Fewer points than a tile take long only if the caller's functions are slow.
/// (On a GPU so few would time the launch.)
template <class Problem, class Table>
double seconds_of_points(const Backend<Problem, Problem, Table>& backend, const Problem& problem,
                         const Options& options) {
  for (std::size_t points = backend.probe_size;; points *= 2) {
    Problem few = problem;
    few.points = std::min(points, problem.points);
    const double taken = probe_own(backend, few, options);
    if (taken < min_probe_seconds && few.points < problem.points) continue;
    const bool has_slow_calls = few.points < tiles::tile_side;
    const auto work = [&](const Problem& of) { return std::max(1.0, has_slow_calls ? of.calls() : time_units(of)); };
    const double whole = taken * work(problem) / work(few);
    const bool is_long = backend.info.device == "cuda" || taken >= std::min(long_probe_seconds, whole / 1000);
    if (is_long || has_slow_calls || few.points == problem.points) return whole;
  }
}

/// The backends that solve_recurrence chooses from.
template <class R>
std::span<const UserBackend<R>> builtin_backends() {
  static const UserBackend<R> tiled = {
      .info = {"tiled", "cpu", "64 x 64 tiles, all threads", "n^3/6 operations, 0.5 n^2 values"},
      .bytes = table_bytes<R>,
      .run = solve_tiled<R>,
      .supports_checkpoint = true,
      .operations = operations_of<R>,
      .seconds = seconds_of_points<UserProblem<R>, IntervalTable<ValueOf<R>>>,
      .probe_size = 4};
  return {&tiled, 1};
}

/// Recurrences that are solved by one thread each.
template <class R>
struct UserBatch {
  std::span<const R> recurrences;
  std::span<const std::size_t> points;
};

template <class R>
std::vector<ValueOf<R>> solve_each_tiled(const UserBatch<R>& batch, Context& context) {
  const auto operations = TiledSolver<R>::operations;
  double all = 0;
  for (const std::size_t n : batch.points) all += operations(n);
  std::vector<ValueOf<R>> values(batch.points.size());
  const auto solve_one = [&](std::size_t t, const Options& each) {
    Report alone;
    Context own(each, alone);
    values[t] = solve_tiled<R>({batch.recurrences[t], batch.points[t]}, own).value();
    return operations(batch.points[t]);
  };
  add_part(context.report, warpfold::detail::solve_each(values.size(), all, context.options, solve_one));
  return values;
}

template <class R>
using UserBatchBackend = Backend<UserBatch<R>, UserBatch<R>, std::vector<ValueOf<R>>>;

template <class R>
std::span<const UserBatchBackend<R>> builtin_batch_backends() {
  static const UserBatchBackend<R> tiled = {.info = {"tiled", "cpu", "each recurrence by one thread"},
                                            .run = solve_each_tiled<R>};
  return {&tiled, 1};
}

}  // namespace warpfold::interval::detail
