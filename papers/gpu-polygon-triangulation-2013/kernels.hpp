#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "papers/gpu-polygon-triangulation-2013/plan.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/run.hpp"

/// The GPU methods of Ito and Nakano, "A GPU Implementation of Dynamic Programming for the Optimal Polygon
/// Triangulation" (2013), as the paper describes them: one kernel per stage, no tiles, no reuse from registers. They
/// serve for comparison with the tiled solver, so they have no optimizations of ours.
///
/// The paper numbers the edges of an n-gon from 1. M(i, j), 1 <= i <= j <= n-1, is the best weight of the polygon
/// v(i-1) .. v(j) with its closing chord. So M(i, j) is this library's value(i-1, j). Stage p computes every M(i, i+p)
/// = min over i <= k < i+p of (M(i, k) + M(k+1, i+p)) + w(i-1, i+p), with M(i, i) = 0. (The paper prints M(i, j) = 0
/// for j - i <= 1. Its Stage 1 has M(i, i+1) = w(i-1, i+1), which is right.)
namespace warpfold::papers::gpu_polygon_2013 {

using interval::Triangulation;

/// The position of M(i, j), i <= j, in the n x n array; under mirroring that above the diagonal.
[[nodiscard]] constexpr std::size_t element(Arrangement arrangement, std::size_t n, std::size_t i, std::size_t j) {
  return (arrangement == Arrangement::sliding ? j - i : i) * n + j;
}

/// The position from which the block-based method reads M(i, j) as the right operand: the mirror image if there is one.
[[nodiscard]] constexpr std::size_t right_element(Arrangement arrangement, std::size_t n, std::size_t i,
                                                  std::size_t j) {
  return arrangement == Arrangement::mirroring ? j * n + i : element(arrangement, n, i, j);
}

/// The pairs [first, last) of p that block `block` of `blocks` takes (section 4.1: "equally partitioned").
struct PairRange {
  std::size_t first;
  std::size_t last;
};

[[nodiscard]] constexpr PairRange pair_range(std::size_t p, std::size_t block, std::size_t blocks) {
  return {p * block / blocks, p * (block + 1) / blocks};
}

/// The times of a run on the device, in seconds between device events.
struct Timing {
  double total_seconds = 0;
  std::vector<double> stage_seconds;  ///< entry p: stage p including its launch; empty unless requested
  double conversion_seconds = 0;      ///< included in the total; 0 without a conversion
};

/// An n-gon on one GPU: its weights, and the working array in the arrangements that a run needs. Device memory: (1 +
/// number of arrangements) * n * n values. T is float, double, std::int32_t or std::int64_t. Raises Error{device} if
/// there is no GPU or it fails, and Error{memory_limit} if its memory is too small.
template <class T>
class PaperSolver {
 public:
  /// Of a matrix.
  PaperSolver(int device, const Triangulation<T>& problem);
  ~PaperSolver();
  PaperSolver(PaperSolver&&) noexcept;
  PaperSolver& operator=(PaperSolver&&) noexcept;

  /// Runs all stages of `plan` and waits for the device. `each_stage`: whether to time each stage, too. Raises what
  /// `monitor` raises, and advances it by operation_count in total.
  Timing run(const Plan& plan, SolveMonitor& monitor, bool each_stage = false);

  /// The table after a run: value(i, j) = M(i+1, j), i < j, at [i * n + j]. The other entries are undefined.
  [[nodiscard]] std::vector<T> values() const;
  /// value(0, n-1) alone.
  [[nodiscard]] T cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The plan of an algorithm's name: "tb", "tb-naive", "bb", "bb-naive", each alone or with ":THREADS" or
/// ":THREADS,BLOCKS" ("bb:256,2"), or "adaptive", the tuning in the user's cache. Raises Error{usage} for any other
/// name, and if there is no tuning.
[[nodiscard]] Plan algorithm_plan(const std::string& algorithm, std::size_t n, int device);

/// Raises Error{device} if there is no such GPU.
[[nodiscard]] GpuInfo gpu_at(int device);

/// These methods as backends of interval::solve. Empty in a build without CUDA.
template <class T>
[[nodiscard]] std::vector<interval::TriangulationBackend<T>> backends();

}  // namespace warpfold::papers::gpu_polygon_2013
