#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "warpfold/run/checkpointer.hpp"

namespace warpfold {

/// A folder that keeps the table of a long solve, so that a run that was killed goes on where it stood.
///
///     Checkpoint checkpoint("folder");          // or Checkpoint::resumed("folder")
///     options.checkpointer = &checkpoint;
///     auto outcome = interval::solve(problem, options);
///
/// Super-tiles are written behind the solve as they become final, by one thread that waits for them; a slow disk does
/// not hold up the solve. The list of those that are safe, with a checksum each, is replaced as a whole every so often
/// and when the solve ends early, by an error, a deadline or a stop, which waits up to 8 s for what is final by then.
/// What is not on the list is computed again: with any number of threads the same bits. A solve that ends well does not
/// wait for the disk.
///
/// `interval::solve` by "tiled", polygon::solve of a convex outline, the matrix chain's "dp" and `solve_recurrence`
/// with weights on the CPU take one, and the ranks of mpi::solve, each its own, of a folder that all of them see. A run
/// may go on with what any other began: one process or ranks in any number, processors or GPUs. A file of n*n/2 values
/// and one of 8 bytes a super-tile (64 to 256 values a side) for each rank. On GPUs the host has the table, too.
///
/// A solve that is stopped, or passes its deadline, says how much the folder keeps. It raises Error{memory_limit} where
/// the folder has no room for the table, Error{input} that names the folder for one that cannot be read or written, is
/// in use, or fills up; that holds a checkpoint where a new one begins; and where an earlier run is to go on for one
/// that holds none, a damaged or truncated one, or that of another problem, type or layout.
class Checkpoint final : public Checkpointer {
 public:
  /// A new checkpoint in a folder that holds none, whatever else it holds, or in one that is made. Raises Error{usage}
  /// for an interval below 0 or above a year.
  explicit Checkpoint(std::string folder, std::chrono::duration<double> every = default_interval);
  /// One that goes on with the folder's, and goes on keeping there.
  [[nodiscard]] static Checkpoint resumed(std::string folder, std::chrono::duration<double> every = default_interval);
  Checkpoint(Checkpoint&&) noexcept;
  ~Checkpoint();

  static constexpr std::chrono::seconds default_interval{10};

  /// Super-tiles of the last solve's table.
  struct Count {
    std::size_t all = 0;
    std::size_t resumed = 0;  ///< read from the folder
    std::size_t safe = 0;     ///< of which the folder has the bytes and the list knows
  };
  [[nodiscard]] Count count() const;

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override;
  void made(std::size_t i, std::size_t j) override;
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override;
  void solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) override;

 private:
  class Run;
  Checkpoint(std::string folder, std::chrono::duration<double> every, bool resumes);
  void end_run();

  std::string folder_;
  std::chrono::duration<double> every_;
  bool resumes_;
  Count count_;
  std::unique_ptr<Run> run_;  ///< while a solve runs
};

}  // namespace warpfold
