#pragma once

#include <cstddef>

namespace warpfold::interval {

/// Ranks in a grid, as square as their number allows; a prime number of them makes one row.
struct RankGrid {
  int rows = 1;
  int columns = 1;

  explicit RankGrid(int ranks);
};

/// Who solves together: so many ranks with so many GPUs each, or with one thread where they have none, and what a rank
/// sends a second while it receives as much.
struct Workers {
  int ranks = 1;
  int gpus = 1;
  double link_bytes_per_second = 0;
};

/// What a table of n*n/2 f32 that are not negative takes, by the model of docs/guides/reach.md:
///
///     a rank holds    n*n/2 (1/P + 1/Q - 1/R) values, R = P x Q; its GPUs share these
///     a rank sends    n*n/2 (P + Q - 2) / R values
///     seconds         n*n*n/6 splits by R G workers, a path of n points along the diagonals, and the bytes sent
///
/// The rates are those of tuning.hpp, which names what was measured. No host is asked whether it has as much memory.
struct Prediction {
  RankGrid grid;
  double table_bytes;
  double bytes_of_a_rank;
  double bytes_of_a_gpu;  ///< at least: GPUs that have room for copies hold more; of a thread 0
  double sent_bytes;      ///< by a rank
  double computing_seconds;
  double path_seconds;
  double sending_seconds;
  bool is_extrapolated;  ///< beyond the sizes or the number of workers that were measured

  [[nodiscard]] double seconds() const { return computing_seconds + path_seconds + sending_seconds; }
};

/// Raises Error{usage} for fewer than 3 points, more than 4,194,240 (tiles::max_points), fewer than 1 rank or 0 GPUs,
/// and ranks without a link.
[[nodiscard]] Prediction predict(std::size_t points, const Workers& workers);

}  // namespace warpfold::interval
