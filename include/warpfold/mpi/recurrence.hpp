#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/interval/recurrence.hpp"
#include "warpfold/mpi/ranks.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::mpi {

/// The value of the whole interval, and the structure of an optimum in the form of interval::structure.
template <class T>
struct RecurrenceSolution {
  T value = {};
  std::vector<interval::Split> splits = {};
  double sent_bytes = 0;  ///< table bytes that all ranks sent
};

namespace detail {

using interval::Split;
using interval::ValueOf;

/// The k of an interval whose split another rank must find.
inline constexpr std::uint32_t not_yet = std::numeric_limits<std::uint32_t>::max();

/// Walks down from an interval through this rank's super-tiles, whose rows and columns the rank has.
template <class Choose, class IsOwn>
void walk(const Split& from, const Choose& choose, const IsOwn& is_own, std::vector<Split>& found) {
  std::vector<Split> open = {from};
  while (!open.empty()) {
    auto [i, k, j] = open.back();
    open.pop_back();
    if (j < i + 2) continue;
    k = is_own(i, j) ? static_cast<std::uint32_t>(choose(i, j)) : not_yet;
    found.push_back({i, k, j});
    if (i < k && k < j) {
      open.push_back({k, not_yet, j});
      open.push_back({i, not_yet, k});
    }
  }
}

/// Finds the structure by all ranks in rounds: in each, every rank walks on in the super-tiles that it owns. An
/// interval crosses into another rank's super-tiles at most twice as often as there are super-tiles along a side.
template <class R>
std::vector<Split> structure(const R& recurrence, const interval::IntervalTable<ValueOf<R>>& table, std::size_t group,
                             const Communicator& ranks, const Owners& owners, const SolveMonitor& monitor) {
  const std::size_t side = group * interval::IntervalTable<ValueOf<R>>::side;
  interval::detail::SplitSearch<R> search(recurrence, table, &monitor);
  const auto choose = [&](std::size_t i, std::size_t j) {
    monitor.check();
    return interval::detail::choice_of(recurrence, table, i, j, search(i, j));
  };
  const auto is_own = [&](std::size_t i, std::size_t j) { return owners.owner(i / side, j / side) == ranks.rank(); };
  std::vector<Split> splits;
  std::vector<Split> open = {{0, not_yet, static_cast<std::uint32_t>(table.points() - 1)}};
  while (!open.empty()) {
    std::vector<Split> found;
    std::exception_ptr failure;
    try {
      for (const Split& interval : open) {
        if (is_own(interval.i, interval.j)) walk(interval, choose, is_own, found);
      }
    } catch (...) {
      failure = std::current_exception();
    }
    try {
      found = gather(ranks, found, failure != nullptr);
    } catch (const Error&) {
      if (failure) std::rethrow_exception(failure);
      throw;
    }
    open.clear();
    for (const Split& split : found) (split.k == not_yet ? open : splits).push_back(split);
  }
  // Each before those inside it, the left before the right.
  std::sort(splits.begin(), splits.end(),
            [](const Split& a, const Split& b) { return std::tie(a.i, b.j) < std::tie(b.i, a.j); });
  return splits;
}

/// An exchange with ranks and with a checkpointer. Super-tiles of an earlier run come from the checkpointer in all
/// ranks and are not sent.
class KeptExchange final : public TableExchange {
 public:
  KeptExchange(RankExchange& ranks, Checkpointer& checkpointer) : ranks_(ranks), checkpointer_(checkpointer) {}

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override {
    return checkpointer_.comes(i, j) || ranks_.comes(i, j);
  }
  void made(std::size_t i, std::size_t j) override {
    ranks_.made(i, j);
    checkpointer_.made(i, j);
  }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    checkpointer_.progress(arrived);
    ranks_.progress(arrived);
  }

 private:
  RankExchange& ranks_;
  Checkpointer& checkpointer_;
};

/// Fills this rank's part of the table, and returns the number of threads that ran.
template <class Filler>
int fill(Filler& filler, RankExchange& exchange, Checkpointer* checkpointer, int threads, SolveMonitor& monitor) {
  try {
    std::optional<KeptExchange> kept;
    if (checkpointer) kept.emplace(exchange, *checkpointer);
    const int ran = filler.fill(threads, monitor, kept ? &*kept : static_cast<TableExchange*>(&exchange));
    exchange.finish();
    return ran;
  } catch (const Error& error) {
    exchange.fail(error);
    throw;
  } catch (const std::bad_alloc&) {
    exchange.fail({ErrorKind::memory_limit, "there is not enough memory"});
    throw;
  } catch (const std::exception& failure) {
    exchange.fail({ErrorKind::internal, failure.what()});
    throw;
  }
}

/// The part of a table that a rank fills.
struct RankPart {
  const Communicator& ranks;
  const Owners& owners;
  std::size_t group;  ///< tiles along a side of a super-tile

  /// The bytes that the rank holds of a table for that many points.
  template <class T>
  [[nodiscard]] std::size_t bytes(std::size_t points) const {
    using Table = interval::IntervalTable<T>;
    const std::size_t held = owners.held(ranks.rank()) * group * group * Table::side * Table::side * sizeof(T);
    return std::min(held, Table::bytes(points));
  }
  template <class T>
  [[nodiscard]] Pages pages(std::size_t points) const {
    return bytes<T>(points) < interval::IntervalTable<T>::bytes(points) / 10 * 9 ? Pages::as_touched : Pages::huge;
  }
};

/// A rank's TiledSolver.
template <class R>
class RankSolver {
 public:
  using T = ValueOf<R>;
  using Solver = interval::detail::TiledSolver<R>;
  static constexpr bool root_has_all = false;

  RankSolver(const R& recurrence, std::size_t points, const RankPart& part, Context& context)
      : recurrence_(recurrence),
        part_(part),
        taken_(context.budget.reserve(part.bytes<T>(points))),
        reached_(static_cast<std::size_t>(part.ranks.size())),
        solver_(recurrence, points, part.pages<T>(points)) {}

  static double operations(std::size_t points) { return Solver::operations(points); }
  static int useful_threads(std::size_t points, int threads) { return Solver::useful_threads(points, threads); }
  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange) {
    return solver_.fill(threads, monitor, exchange);
  }
  [[nodiscard]] SuperTiles super_tiles() const { return solver_.super_tiles(); }
  [[nodiscard]] const std::vector<bool>& reached() const { return reached_; }  ///< none is reached directly

  /// The value of the whole, in every rank.
  [[nodiscard]] T value() const {
    T value = {};
    if (part_.ranks.rank() == part_.owners.root()) value = solver_.table().value();
    MPI_Bcast(&value, sizeof(T), MPI_BYTE, part_.owners.root(), part_.ranks.get());
    return value;
  }
  [[nodiscard]] std::vector<Split> splits(const SolveMonitor& monitor) const {
    return structure(recurrence_, solver_.table(), part_.group, part_.ranks, part_.owners, monitor);
  }

 private:
  const R& recurrence_;
  RankPart part_;
  Budget::Reservation taken_;
  std::vector<bool> reached_;
  Solver solver_;
};

/// Solves by a Filler on every rank: a RankSolver or an equivalent. emplace(filler, part, context) makes it.
template <class Filler, class R, class Emplace>
Outcome<RecurrenceSolution<ValueOf<R>>> solve_by(const R& recurrence, std::size_t points, const Communicator& ranks,
                                                 const Options& options, const AlgorithmInfo& algorithm,
                                                 const Emplace& emplace) {
  using T = ValueOf<R>;
  using Table = interval::IntervalTable<T>;
  const std::size_t along = Table::tiles(points), group = tiles::TileScheduler::fastest_group(along);
  const Owners owners(ranks.size(), (along + group - 1) / group, Filler::root_has_all);

  Report report{.device = algorithm.device == "cpu" ? "cpu" : gpu_name(options.device), .algorithm = algorithm.name};
  Context context(options, report);
  std::optional<Filler> filler;
  const auto start = std::chrono::steady_clock::now();
  together(ranks, [&] { emplace(filler, RankPart{ranks, owners, group}, context); });
  SolveMonitor monitor(context.options, Filler::operations(points));
  RankExchange exchange(ranks, owners, filler->super_tiles(), monitor, filler->reached());
  Checkpointer* checkpointer = options.checkpointer;
  const auto fill_own = [&] {
    const int threads = Filler::useful_threads(points, thread_count(options.threads));
    report.threads = fill(*filler, exchange, checkpointer, threads, monitor);
  };
  if (checkpointer) {
    KeptTable kept = interval::detail::kept_table(recurrence, filler->super_tiles(), points);
    kept.part = {ranks.rank(), [&](std::size_t i, std::size_t j) { return owners.holds(ranks.rank(), i, j); },
                 [&](const std::function<void()>& action) { together(ranks, action); }};
    checkpointer->solve(kept, context.options, fill_own);
  } else {
    fill_own();
  }
  const auto filled = std::chrono::steady_clock::now();
  report.solve_seconds = std::chrono::duration<double>(filled - start).count();

  RecurrenceSolution<T> solution;
  solution.sent_bytes = sum(ranks, exchange.sent_bytes());
  solution.value = filler->value();
  interval::detail::check_feasible<typename R::Semiring>(points, solution.value);
  solution.splits = filler->splits(monitor);
  report.traceback_seconds = seconds_since(filled);
  report.peak_bytes = largest(ranks, context.budget.peak());
  return {std::move(solution), std::move(report)};
}

}  // namespace detail

/// Runs interval::solve_recurrence and interval::structure on the CPUs of all ranks of a communicator. Every rank gets
/// the same bits as one process, for any number of ranks and threads.
///
/// All ranks call it with the same problem, each from the thread that MPI_THREAD_FUNNELED allows. Options::threads
/// counts for each rank. With Options::checkpointer in every rank, each saves what its rank makes and supplies what any
/// rank made in an earlier run.
///
/// Raises what those two raise. An error of one rank is raised in all others, with that rank's number. If a rank is
/// lost, the communicator's error handler decides. It does not compile for a `close` with an inner value.
///
/// Cost: a rank holds its own super-tiles and those of its rows and columns, not the whole table. The report's bytes
/// are the maximum of all ranks. docs/guides/reach.md has the volume of communication and the memory of a rank.
///
/// Owner computes (ranks.hpp). A rank waits only for data, never at a barrier while the table is filled.
template <class R>
[[nodiscard]] Outcome<RecurrenceSolution<interval::ValueOf<R>>> solve_recurrence(const R& recurrence,
                                                                                 std::size_t points, MPI_Comm comm,
                                                                                 const Options& options = {}) {
  static_assert(!interval::closes_with_inner<R>, "ranks do not solve recurrences whose close takes an inner value");
  using T = interval::ValueOf<R>;
  static_assert(std::is_trivially_copyable_v<T>, "the values of ranks are sent as bytes");
  using Solver = detail::RankSolver<R>;
  interval::detail::check_is_on_cpu(options);
  interval::detail::check_points(points, interval::IntervalTable<T>::max_points);
  const AlgorithmInfo& tiled = backend_for(interval::detail::builtin_backends<R>(), {recurrence, points}, options).info;
  return detail::solve_by<Solver>(recurrence, points, Communicator(comm), options, tiled,
                                  [&](std::optional<Solver>& solver, const detail::RankPart& part, Context& context) {
                                    solver.emplace(recurrence, points, part, context);
                                  });
}

}  // namespace warpfold::mpi
