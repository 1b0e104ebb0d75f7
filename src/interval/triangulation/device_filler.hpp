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

/// Fills a triangulation's table on GPUs while super-tiles of it are exchanged: with a folder of checkpoints, or among
/// ranks.
namespace warpfold::interval::cuda {

/// The TiledSolver of the GPUs that the options name. The GPUs have the table and the host has a copy. An exchange
/// reads final super-tiles from the host's copy and writes arrived ones to it.
template <class T>
class DeviceFiller {
 public:
  /// Reserves the memory of the GPUs and of the host. Raises what `context` raises. Its arguments must outlive it;
  /// `problem` is that of with_recurrence.
  DeviceFiller(const Triangulation<T>& problem, Context& context, Pages pages = Pages::huge);
  ~DeviceFiller();
  DeviceFiller(const DeviceFiller&) = delete;
  DeviceFiller& operator=(const DeviceFiller&) = delete;

  static double operations(std::size_t points);
  static int useful_threads(std::size_t /*points*/, int threads) { return threads; }
  /// Fills the table and returns the number of threads that ran.
  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange) {
    const int ran = prepare(threads, monitor, *exchange);
    run(monitor, true);
    return ran;
  }

  /// The two parts of `fill`. After `prepare`, tiles may arrive, also from other processes. `run` does the rest, and
  /// waits for the whole table if this process needs all of it.
  int prepare(int threads, SolveMonitor& monitor, TableExchange& exchange);
  void run(SolveMonitor& monitor, bool all_of_it);
  /// Lets another process of this host write to this table.
  [[nodiscard]] tiles::TableHandle handle() const;
  /// Makes this reader get what it needs, from `prepare` on. Returns whether that is possible.
  bool reach(const tiles::TableReader& reader);
  /// Closes all readers' tables, which may then be freed.
  void leave() noexcept;

  [[nodiscard]] SuperTiles super_tiles() const;
  [[nodiscard]] const IntervalTable<T>& table() const;
  /// The solution, after the GPUs have the whole table. It is searched there, where a deep tree takes no longer.
  Solution<T> solution(Context& context);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Solves a problem of with_recurrence with the options' checkpointer. The report's solve seconds are then the host's,
/// including the checkpointer's work before and after.
template <class R, class T>
Solution<T> solve_kept(const R& recurrence, const Triangulation<T>& problem, Context& context) {
  const Budget::Reservation taken = detail::take_table<R>(problem.vertices(), context);
  const auto start = std::chrono::steady_clock::now();
  DeviceFiller<T> filler(problem, context);
  context.report.prepare_seconds += seconds_since(start);
  detail::fill_with_checkpoints(recurrence, problem.vertices(), filler, context);
  return filler.solution(context);
}

}  // namespace warpfold::interval::cuda
