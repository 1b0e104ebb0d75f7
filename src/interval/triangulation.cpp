#include "warpfold/interval/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "minplus/magnitude.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval {

namespace {

template <class T>
[[noreturn]] void refuse_weight(const MatrixView<const T>& weights, T bound) {
  const std::size_t n = weights.rows;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    for (std::size_t j = i + 2; j < n - (i == 0); ++j) {
      const T w = weights(i, j);
      if ((w >= -bound && w <= bound) || w >= infinity<T>) continue;
      throw Error(ErrorKind::input,
                  fmt::format("weight ({}, {}) is {}: with {} vertices and {}, weights from {} to {} are "
                              "accepted, and {} to forbid the chord",
                              i, j, w, n, dtype_name<T>(), -bound, bound, infinity<T>));
    }
  }
  throw Error(ErrorKind::internal, "the refused weight was not found");
}

}  // namespace

template <class T>
Triangulation<T>::Triangulation(MatrixView<const T> weights) : weights_(weights) {
  const std::size_t n = weights.rows;
  if (weights.columns != n || n < 3) {
    throw Error(ErrorKind::input, fmt::format("weights are {} x {}: a square matrix of at least 3 rows is accepted",
                                              weights.rows, weights.columns));
  }
  if (n > UINT32_MAX) throw Error(ErrorKind::input, fmt::format("{} vertices: at most {} are accepted", n, UINT32_MAX));
  const auto chords = static_cast<T>(n - 3);
  const T bound = minplus::largest_accepted_total<T> / std::max(chords, T{1});
  T most = 0;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    const T row = minplus::largest_magnitude(weights.row(i) + i + 2, n - (i == 0) - (i + 2));
    if (!(row <= bound)) refuse_weight(weights, bound);
    most = std::max(most, row);
  }
  largest_total_ = static_cast<T>(chords * most);
}

template class Triangulation<std::int32_t>;
template class Triangulation<std::int64_t>;
template class Triangulation<float>;
template class Triangulation<double>;

}  // namespace warpfold::interval
