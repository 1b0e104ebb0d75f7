#pragma once

#include <cstddef>

namespace warpfold::interval {

/// A grid of ranks, as square as their number allows. A prime number of ranks makes one row.
struct RankGrid {
  int rows = 1;
  int columns = 1;

  explicit RankGrid(int ranks);
};

/// The ranks that solve together, with `gpus` GPUs each, or with one thread each if `gpus` is 0. A rank sends
/// `link_bytes_per_second` while it receives as much.
struct Workers {
  int ranks = 1;
  int gpus = 1;
  double link_bytes_per_second = 0;
};

/// The predicted memory and time of a table of n*n/2 f32 values that are not negative (model: docs/guides/reach.md):
///
///     a rank holds    n*n/2 (1/P + 1/Q - 1/R) values, R = P x Q; its GPUs share these
///     a rank sends    n*n/2 (P + Q - 2) / R values
///     seconds         n*n*n/6 splits by R G workers, a path of n points along the diagonals, and the bytes sent
///
/// The rates are those of tuning.hpp, which names the machines. Whether a host has the memory is not checked.
struct Prediction {
  RankGrid grid;
  double table_bytes;
  double bytes_of_a_rank;
  double bytes_of_a_gpu;  ///< the least; GPUs with room for copies hold more; 0 for a thread
  double sent_bytes;      ///< by one rank
  double computing_seconds;
  double path_seconds;
  double sending_seconds;
  bool is_extrapolated;  ///< beyond the sizes or the number of workers that were measured

  [[nodiscard]] double seconds() const { return computing_seconds + path_seconds + sending_seconds; }
};

/// Predicts a solve. Raises Error{usage} for fewer than 3 points or more than 4,194,240 (tiles::max_points), and for
/// fewer than 1 rank or 0 GPUs. Raises it also for a link rate that is negative or not finite, or 0 with several ranks.
[[nodiscard]] Prediction predict(std::size_t points, const Workers& workers);

}  // namespace warpfold::interval
