#include "warpfold/interval/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/magnitude.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::interval {

namespace {

template <class T>
[[noreturn]] void refuse_weight(const MatrixView<const T>& weights, T bound) {
  const std::size_t n = weights.rows;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    for (std::size_t j = i + 2; j < n - (i == 0); ++j) {
      const T w = weights(i, j);
      if ((w >= -bound && w <= bound) || w >= infinity<T>) continue;
      throw Error(kind_of_refused(w),
                  fmt::format("weight ({}, {}) is {}: with {} vertices and {}, weights from {} to {} are "
                              "accepted, and {} to forbid the chord",
                              i, j, w, n, dtype_name<T>(), -bound, bound, infinity<T>));
    }
  }
  throw Error(ErrorKind::internal, "the refused weight was not found");
}

/// What one pass over the chords' weights tells.
template <class T>
struct Extent {
  T magnitude = 0;
  bool negative = false;
  bool accepted = true;  ///< no magnitude is beyond the bound
};

/// A large matrix is read as fast as memory gives it, by several threads.
template <class T>
Extent<T> extent_of(const MatrixView<const T>& weights, T bound, int threads) {
  const std::size_t n = weights.rows;
  const std::size_t useful = n * n / (2 * weights_a_thread);
  const std::size_t team = useful < 2 && threads >= 0 ? 1 : std::min<std::size_t>(useful, thread_count(threads));
  std::vector<Extent<T>> found(team);
  parallel(static_cast<int>(team), [&](int thread) {
    Extent<T> own;
    for (auto i = static_cast<std::size_t>(thread); i + 2 < n && own.accepted; i += team) {
      const T* row = weights.row(i) + i + 2;
      const std::size_t chords = n - (i == 0) - (i + 2);
      const T magnitude = largest_magnitude(row, chords);
      own.accepted = magnitude <= bound;
      own.magnitude = std::max(own.magnitude, magnitude);
      own.negative = own.negative || has_negative(row, chords);
    }
    found[static_cast<std::size_t>(thread)] = own;
  });
  Extent<T> all;
  for (const Extent<T>& one : found) {
    all = {std::max(all.magnitude, one.magnitude), all.negative || one.negative, all.accepted && one.accepted};
  }
  return all;
}

}  // namespace

template <class T>
Triangulation<T>::Triangulation(MatrixView<const T> weights, int threads) : weights_(weights) {
  check_view("the matrix of weights", weights);
  const std::size_t n = weights.rows;
  if (weights.columns != n || n < 3) {
    throw Error(ErrorKind::input, fmt::format("weights are {} x {}: a square matrix of at least 3 rows is accepted",
                                              weights.rows, weights.columns));
  }
  if (n > UINT32_MAX) throw Error(ErrorKind::input, fmt::format("{} vertices: at most {} are accepted", n, UINT32_MAX));
  const auto chords = static_cast<T>(n - 3);
  const T bound = largest_accepted_total<T> / std::max(chords, T{1});
  const Extent<T> extent = extent_of(weights, bound, threads);
  if (!extent.accepted) refuse_weight(weights, bound);
  largest_total_ = static_cast<T>(chords * extent.magnitude);
  nonnegative_ = !extent.negative;
}

template class Triangulation<std::int32_t>;
template class Triangulation<std::int64_t>;
template class Triangulation<float>;
template class Triangulation<double>;

}  // namespace warpfold::interval
