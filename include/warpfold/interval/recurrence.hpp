#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/interval/split.hpp"
#include "warpfold/interval/tiled_solver.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/probe.hpp"

/// Solves a recurrence of your own (recurrence_model.hpp says how to write one).
namespace warpfold::interval {

namespace detail {

template <class S, class T = typename S::Value>
inline constexpr bool has_infinite_zero = is_one_of<S, MinPlus<T>, MaxPlus<T>, MinMax<T>, MaxMin<T>>;

/// Raises Error{infeasible} where the whole has no value and zero() is infinite.
template <class S>
void check_feasible(std::size_t points, const typename S::Value& whole) {
  if constexpr (has_infinite_zero<S>) {
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

/// The memory of a table for `fill_table`, for as long as the caller keeps the table.
template <class R>
[[nodiscard]] Budget::Share take_table(std::size_t points, Context& context) {
  using Table = RecurrenceTable<ValueOf<R>>;
  check_points(points, Table::most_points);
  return context.budget.take(Table::bytes(points));
}

/// A recurrence that appends what tells its point i from another's: less than all weights from there, which it knows by
/// a rule.
template <class R>
concept DescribesPoints = requires(const R& recurrence, std::size_t i, std::vector<std::byte>& bytes) {
  recurrence.describe_point(i, bytes);
};

/// What tells a recurrence that closes by weights from others: what it says itself, or its semiring, leaves, weights
/// and split.
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

/// Raises Error{usage} for a recurrence that a keeper cannot tell from others.
template <class R>
tiles::KeptTable kept_table(const R& recurrence, const tiles::SuperTiles& place, std::size_t points) {
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

/// Fills the table of a TiledSolver, or of what does the same elsewhere; the options' keeper keeps it meanwhile.
template <class R, class Filler>
void fill_beside_keeper(const R& recurrence, std::size_t points, Filler& filler, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  Watch watch(context.options, Filler::operations(points));
  tiles::TableKeeper* keeper = context.options.keeper;
  const auto fill = [&] {
    const int threads = Filler::useful_threads(points, thread_count(context.options.threads));
    context.report.threads = filler.fill(threads, watch, keeper);
  };
  if (keeper) {
    keeper->solve(kept_table(recurrence, filler.super_tiles(), points), context.options, fill);
  } else {
    fill();
  }
  context.report.solve_seconds = seconds_since(start);
}

/// The table, whether the whole has a value or not.
template <class R>
RecurrenceTable<ValueOf<R>> fill_table(const R& recurrence, std::size_t points, Context& context) {
  TiledSolver<R> solver(recurrence, points);
  fill_beside_keeper(recurrence, points, solver, context);
  return solver.take_table();
}

/// A caller's recurrence for so many points, or for fewer in an estimate.
template <class R>
struct OwnProblem {
  const R& recurrence;
  std::size_t points;

  /// Its splits.
  [[nodiscard]] double operations() const {
    const auto n = static_cast<double>(points);
    return n * (n - 1) * (n - 2) / 6;
  }
  /// What grows like the time of functions that are slow: they are called once an interval, but for a free split.
  [[nodiscard]] double calls() const {
    const auto n = static_cast<double>(points);
    if constexpr (splits_freely<R>) return operations();
    return (n - 1) * (n - 2) / 2;
  }
};

template <class R, class Table = RecurrenceTable<ValueOf<R>>>
using OwnBackend = Backend<OwnProblem<R>, OwnProblem<R>, Table>;

template <class R>
RecurrenceTable<ValueOf<R>> solve_tiled(const OwnProblem<R>& problem, Context& context) {
  const Budget::Share taken = take_table<R>(problem.points, context);
  return fill_table(problem.recurrence, problem.points, context);
}

template <class R>
std::size_t table_bytes(const OwnProblem<R>& problem, const Options&) {
  return RecurrenceTable<ValueOf<R>>::bytes(problem.points);
}

template <class R>
double operations_of(const OwnProblem<R>& problem) {
  return problem.operations();
}

/// The lesser of two probes, where they take long enough to tell: one may have waited for another process.
template <class R, class Table>
double probe_own(const OwnBackend<R, Table>& backend, const OwnProblem<R>& few, const Options& options) {
  const auto probe = [&] { return probe_seconds(backend, few, options, ProbeEnd::as_asked); };
  const double taken = probe();
  return taken < enough_to_probe ? taken : std::min(taken, probe());
}

/// The rate is that of the first points alone: of the more, the longer they take, so that it is no single call's. Less
/// than a tile of them takes long by the caller's functions alone. (On a GPU so few would time the launch.)
template <class R, class Table>
double seconds_of_points(const OwnBackend<R, Table>& backend, const OwnProblem<R>& problem, const Options& options) {
  constexpr std::size_t tile = RecurrenceTable<ValueOf<R>>::side;
  for (std::size_t points = backend.probe_size;; points *= 2) {
    const OwnProblem<R> few{problem.recurrence, std::min(points, problem.points)};
    const double taken = probe_own(backend, few, options);
    if (taken < enough_to_probe && few.points < problem.points) continue;
    const auto work = [&](const OwnProblem<R>& of) {
      return std::max(1.0, few.points < tile ? of.calls() : of.operations());
    };
    return taken * work(problem) / work(few);
  }
}

/// What solve_recurrence chooses from.
template <class R>
std::span<const OwnBackend<R>> own_backends() {
  static const OwnBackend<R> tiled = {
      .info = {"tiled", "cpu", "64 x 64 tiles, all threads", "n^3/6 operations, 0.5 n^2 values"},
      .bytes = table_bytes<R>,
      .run = solve_tiled<R>,
      .keeps = true,
      .operations = operations_of<R>,
      .seconds = seconds_of_points<R, RecurrenceTable<ValueOf<R>>>,
      .probe_size = 4};
  return {&tiled, 1};
}

/// Recurrences of which each is one thread's.
template <class R>
struct OwnBatch {
  std::span<const R> recurrences;
  std::span<const std::size_t> points;
};

template <class R>
std::vector<ValueOf<R>> solve_each_tiled(const OwnBatch<R>& batch, Context& context) {
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
using OwnBatchBackend = Backend<OwnBatch<R>, OwnBatch<R>, std::vector<ValueOf<R>>>;

template <class R>
std::span<const OwnBatchBackend<R>> own_batch_backends() {
  static const OwnBatchBackend<R> tiled = {.info = {"tiled", "cpu", "each recurrence by one thread"},
                                           .run = solve_each_tiled<R>};
  return {&tiled, 1};
}

}  // namespace detail

/// Solves a recurrence for n >= 2 points on the CPU. The order in which `plus` sees its candidates is the same for
/// every number of threads. Raises Error{input} for fewer points and for 2^32 or more; Error{overflow} as
/// recurrence_model.hpp says; Error{infeasible} where the whole has no value and the semiring's zero() is infinite;
/// Error{device} for a GPU (recurrence.cuh solves there); Error{usage} for an algorithm other than "tiled";
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask, the last within 0.1 s and a call of
/// `split`.
template <class R>
[[nodiscard]] Outcome<RecurrenceTable<ValueOf<R>>> solve_recurrence(const R& recurrence, std::size_t points,
                                                                    const Options& options = {}) {
  detail::check_is_on_cpu(options);
  const detail::OwnProblem<R> problem{recurrence, points};
  auto outcome = solve_by(detail::own_backends<R>(), problem, problem, options);
  detail::check_feasible<typename R::Semiring>(points, outcome.solution.value());
  return outcome;
}

/// What solve_recurrence would take. Its rate is that of the first points alone, by some milliseconds of solving those,
/// or some calls of the recurrence's functions where one takes longer. Raises what solve_recurrence raises for the
/// options, stop and deadline among them, and for those points.
template <class R>
[[nodiscard]] Estimate estimate_recurrence(const R& recurrence, std::size_t points, const Options& options = {}) {
  detail::check_is_on_cpu(options);
  detail::check_points(points, RecurrenceTable<ValueOf<R>>::most_points);
  return estimate_by(detail::own_backends<R>(), {recurrence, points}, options);
}

/// Solves many recurrences at once, recurrences[t] for points[t] points; the values of the wholes are the solution,
/// zero() where there is none. Each runs on one thread, all threads share them. Raises what solve_recurrence raises,
/// but never Error{infeasible}.
template <class R>
[[nodiscard]] Outcome<std::vector<ValueOf<R>>> solve_recurrences(std::span<const R> recurrences,
                                                                 std::span<const std::size_t> points,
                                                                 const Options& options = {}) {
  if (recurrences.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(recurrences.size()) + " recurrences have " +
                                      std::to_string(points.size()) + " numbers of points: as many are accepted");
  }
  detail::check_is_on_cpu(options);
  const detail::OwnBatch<R> batch{recurrences, points};
  return solve_by(detail::own_batch_backends<R>(), batch, batch, options);
}

/// The best of an interval's splits, and the smallest k that attains it.
template <class T>
struct BestSplit {
  T value;
  std::size_t k;
};

namespace detail {

/// best_split, called often.
template <class R>
class SplitSearch {
 public:
  using S = typename R::Semiring;
  using T = ValueOf<R>;

  SplitSearch(const R& recurrence, const RecurrenceTable<T>& table, const Watch* watch)
      : recurrence_(recurrence), table_(table), calls_(watch) {
    if constexpr (splits_by_product<R>) split_ = recurrence.product_split();
  }

  BestSplit<T> operator()(std::size_t i, std::size_t j) {
    constexpr std::size_t side = RecurrenceTable<T>::side;
    BestSplit<T> best{Stored<S>::zero(), i + 1};
    bool misfit = false;
    for (std::size_t first = i + 1; first < j;) {
      const std::size_t last = std::min((first / side + 1) * side, j);
      const T* row = table_.tile(i / side, first / side) + i % side * side + first % side;
      const T* column = table_.tile(first / side, j / side) + first % side * side + j % side;
      for (std::size_t k = first; k < last; ++k, ++row, column += side) {
        const T candidate = join(recurrence_, split_, *row, *column, i, k, j, misfit);
        if constexpr (splits_freely<R>) calls_.made(1);
        take(best, candidate, k);
      }
      first = last;
    }
    best.value = Stored<S>::is_zero(best.value) ? S::zero() : Stored<S>::meant(best.value);
    return best;
  }

 private:
  void take(BestSplit<T>& best, const T& candidate, std::size_t k) {
    const T better = S::plus(best.value, candidate);
    if (better == best.value) return;
    if (!(better == candidate)) {
      throw Error(ErrorKind::usage,
                  "a semiring that adds its terms up has no best split: one that chooses is accepted");
    }
    best = {better, k};
  }

  const R& recurrence_;
  const RecurrenceTable<T>& table_;
  ProductSplit<T> split_;
  CallerCalls calls_;
};

/// How an interval was closed: BestSplit::k, or i or j as Split says. Values are compared with values that the
/// same call computed and never with the table's, which other code may have rounded otherwise. A part that did not
/// count is one without which the interval is worth the same.
template <class R>
std::size_t choice_of(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table, std::size_t i, std::size_t j,
                      const BestSplit<ValueOf<R>>& best) {
  using S = typename R::Semiring;
  using T = ValueOf<R>;
  if constexpr (closes_by_weight<R>) {
    return best.k;
  } else {
    const std::array<T, 3> split = {best.value, table.zero(), table.zero()};
    std::array<T, 3> inner = {table.zero(), table.zero(), table.zero()};
    if constexpr (closes_with_inner<R>) inner[1] = table.value(i + 1, j - 1);
    std::array<T, 3> value;
    for (std::size_t way = 0; way < value.size(); ++way) {
      if constexpr (closes_with_inner<R>) {
        value[way] = recurrence.close(i, j, split[way], inner[way]);
      } else {
        value[way] = recurrence.close(i, j, split[way]);
      }
    }
    const auto as_good = [&](std::size_t way, std::size_t other) {
      return S::plus(value[way], value[other]) == value[way];
    };
    if (as_good(2, 0) && as_good(2, 1)) return j;
    return as_good(0, 1) ? best.k : i;
  }
}

}  // namespace detail

/// Searches interval (i,j), j >= i+2, again, along the tiles of its row and column. For semirings that choose.
template <class R>
[[nodiscard]] BestSplit<ValueOf<R>> best_split(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table,
                                               std::size_t i, std::size_t j) {
  return detail::SplitSearch<R>(recurrence, table, nullptr)(i, j);
}

/// The structure of an optimum, each interval before those inside it: found by searching again. Where several choices
/// attain a value a split wins over the inner interval, and the smallest k over the others. Added up in the
/// recurrence's order it gives the table's value, in bits where the caller's compiler contracts nothing
/// (-ffp-contract=off, or a processor without fused operations) and the split is not fused, else within rounding.
///
/// For semirings that choose, and a `close` that is monotone in its last two arguments. Raises Error{infeasible} where
/// the whole has no value, Error{usage} where no choice gives the value, as where the semiring adds them up,
/// Error{time_limit} and Error{cancelled} as the options ask.
template <class R>
[[nodiscard]] std::vector<Split> structure(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table,
                                           const Options& options = {}) {
  static_assert(std::equality_comparable<ValueOf<R>>,
                "structure compares values: give the semiring's Value operator==");
  if (R::Semiring::is_zero(table.value(0, table.points() - 1))) {
    throw Error(ErrorKind::infeasible, "the whole has no value, and so no structure");
  }
  const Watch watch(options, 0);
  detail::SplitSearch<R> search(recurrence, table, &watch);
  return splits_from_root(table.points(), [&](std::size_t i, std::size_t j) {
    watch.check();
    return detail::choice_of(recurrence, table, i, j, search(i, j));
  });
}

}  // namespace warpfold::interval
