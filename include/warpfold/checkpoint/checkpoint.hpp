#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "warpfold/run/checkpointer.hpp"

namespace warpfold {

/// A folder that saves the table of a long solve, so that a later run can continue an interrupted one.
///
///     Checkpoint checkpoint("folder");          // or Checkpoint::resumed("folder")
///     options.checkpointer = &checkpoint;
///     auto outcome = interval::solve(problem, options);
///
/// These solvers accept a checkpoint: `interval::solve` with algorithm "tiled", `polygon::solve` of a convex outline,
/// algorithm "dp" of matrix chains, `solve_recurrence` with weights on the CPU, and `rna::fold` on the CPU. Of two
/// sequences these do on the CPU: `edit_distance` and `lcs` by "slices" or "strips", `align` and `dtw` by "strips". So
/// does `mpi::solve`: each rank has a Checkpoint of one folder that all ranks see. A run can continue what any other
/// began, with one process or any number of ranks, on CPUs or GPUs. The result has the same bits as an uninterrupted
/// run.
///
/// One thread writes super-tiles to the folder as they become final; a slow disk does not delay the solve. Every
/// `every` seconds it makes them durable and replaces the list of durable super-tiles, with a checksum each. A solve
/// that ends early, by an error, a deadline or a stop, writes the list too, and waits up to 8 s for that. Super-tiles
/// that are not on the list are computed again. A solve that succeeds does not wait for the disk.
///
/// Errors: Error{memory_limit} if the disk has less room than the table needs, or if the system starts no thread.
/// Error{input} that names the folder in these cases:
///
/// * The folder cannot be read or written, fills up, or is in use by another run.
/// * A new checkpoint begins in a folder that has one.
/// * A run resumes in a folder without a checkpoint, or with one that is damaged, truncated, or of another problem,
///   type or layout.
///
/// The messages of Error{time_limit} and Error{cancelled} state how many super-tiles the folder has.
///
/// Cost: a file of n*n/2 values, and for each rank a file of 8 bytes per super-tile (64 to 256 values a side). For two
/// sequences the first file has some rows of the table instead. On GPUs the host holds a copy of the table.
class Checkpoint final : public Checkpointer {
 public:
  /// Begins a new checkpoint in a folder that holds none; other files may be there. The folder is created if it is
  /// missing. `every` is the time between durable checkpoints in seconds. Raises Error{usage} for an interval below 0
  /// or above a year.
  explicit Checkpoint(std::string folder, std::chrono::duration<double> every = default_interval);
  /// Continues the checkpoint of the folder, and saves to it. `every` is as above.
  [[nodiscard]] static Checkpoint resumed(std::string folder, std::chrono::duration<double> every = default_interval);
  Checkpoint(Checkpoint&&) noexcept;
  ~Checkpoint();

  static constexpr std::chrono::seconds default_interval{10};

  /// Numbers of super-tiles in the table of the last solve.
  struct Count {
    std::size_t all = 0;
    std::size_t resumed = 0;  ///< read from the folder
    std::size_t safe = 0;     ///< durable in the folder and on its list
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
