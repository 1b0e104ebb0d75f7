#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "interval/triangulation/triangulation_recurrence.hpp"
#include "tiles/gpu/table_handle.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/clock.hpp"

/// What fills a triangulation's table on GPUs where super-tiles of it come and go: folders keep it, ranks share it.
namespace warpfold::interval::cuda {

/// TiledSolver of the GPUs that the options name. They have the table, and the host has it besides, so that an exchange
/// finds there what is final, and puts there what comes.
template <class T>
class DeviceFiller {
 public:
  /// Takes the memory of the GPUs, and the host's: raises what `context` does. What it is given outlives it; it is the
  /// problem of with_recurrence.
  DeviceFiller(const Triangulation<T>& problem, Context& context, Pages pages = Pages::huge);
  ~DeviceFiller();
  DeviceFiller(const DeviceFiller&) = delete;
  DeviceFiller& operator=(const DeviceFiller&) = delete;

  static double operations(std::size_t points);
  static int useful_threads(std::size_t /*points*/, int threads) { return threads; }
  /// Returns how many threads ran.
  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange) {
    const int ran = prepare(threads, monitor, *exchange);
    run(monitor, true);
    return ran;
  }

  /// Of `fill` the part after which tiles may come, from other processes, too, and the rest. Where all of the table is
  /// wanted here `run` waits for it.
  int prepare(int threads, SolveMonitor& monitor, TableExchange& exchange);
  void run(SolveMonitor& monitor, bool all_of_it);
  /// Lets another process of this host write here.
  [[nodiscard]] tiles::TableHandle handle() const;
  /// From `prepare` on this reader gets what it needs; says whether that can be.
  bool reach(const tiles::TableReader& reader);
  /// Lets go of all readers' tables, which may end then.
  void leave() noexcept;

  [[nodiscard]] SuperTiles super_tiles() const;
  [[nodiscard]] const IntervalTable<T>& table() const;
  /// The solution, once the GPUs have all of the table: searched there, where a deep tree takes no longer.
  Solution<T> solution(Context& context);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Solves a problem of with_recurrence exchange the options' checkpointer: the seconds of the solve are the host's
/// then, with all that the checkpointer does before and after.
template <class R, class T>
Solution<T> solve_kept(const R& recurrence, const Triangulation<T>& problem, Context& context) {
  const Budget::Reservation taken = detail::take_table<R>(problem.vertices(), context);
  const auto start = std::chrono::steady_clock::now();
  DeviceFiller<T> filler(problem, context);
  context.report.prepare_seconds += seconds_since(start);
  detail::fill_beside_keeper(recurrence, problem.vertices(), filler, context);
  return filler.solution(context);
}

}  // namespace warpfold::interval::cuda
