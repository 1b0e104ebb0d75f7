#include "warpfold/paths/closure.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/number_types.hpp"
#include "minplus/widened.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::paths {

namespace {

/// The type in which a closure of T is solved: 16 bits are too few for sums of many lengths.
template <class T>
using Solved = std::conditional_t<std::is_same_v<T, std::int16_t>, std::int32_t, T>;

/// Raises Error{overflow} for an entry beyond 16 bits.
Matrix<std::int16_t> narrowed(const Matrix<std::int32_t>& lengths, Budget& budget) {
  const std::size_t n = lengths.rows();
  const Budget::Reservation taken = budget.reserve(n * n, sizeof(std::int16_t));
  Matrix<std::int16_t> narrow(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t length = lengths(i, j);
      const bool is_infinite = length >= infinity<std::int32_t> || length <= -infinity<std::int32_t>;
      if (!is_infinite && (length >= infinity<std::int16_t> || length <= -infinity<std::int16_t>)) {
        throw Error(ErrorKind::overflow, fmt::format("entry ({}, {}) is {}: i16 holds from {} to {}", i, j, length,
                                                     1 - infinity<std::int16_t>, infinity<std::int16_t> - 1));
      }
      narrow(i, j) = with_infinities<std::int16_t>(length);
    }
  }
  return narrow;
}

Outcome<Matrix<std::int16_t>> closure_of_narrow(Semiring semiring, const MatrixView<const std::int16_t>& a,
                                                const Options& options) {
  Budget budget(options);
  Options within = options;
  within.budget = &budget;
  const Budget::Reservation taken = budget.reserve(a.rows * a.columns, sizeof(std::int32_t));
  const Matrix<std::int32_t> wide = minplus::widened(a);
  auto [closed, report] = closure(semiring, wide, within);
  Matrix<std::int16_t> narrow = narrowed(closed, budget);
  report.peak_bytes = budget.peak();
  return {std::move(narrow), std::move(report)};
}

}  // namespace

template <class T>
Outcome<Matrix<T>> closure(Semiring semiring, MatrixView<const T> a, const Options& options) {
  if constexpr (std::is_same_v<T, Solved<T>>) {
    auto [paths, report] = all_pairs(a, options, {semiring, false});
    return {std::move(paths.lengths), std::move(report)};
  } else {
    check_view("A", a);
    return closure_of_narrow(semiring, a, options);
  }
}

template <class T>
Estimate estimate_closure(Semiring semiring, std::size_t n, const Options& options) {
  Estimate expected = estimate<Solved<T>>(n, options, {semiring, false});
  if (!std::is_same_v<T, Solved<T>>) expected.bytes += n * n * (sizeof(T) + sizeof(Solved<T>));
  return expected;
}

#define WARPFOLD_INSTANTIATE(T)                                                       \
  template Outcome<Matrix<T>> closure(Semiring, MatrixView<const T>, const Options&); \
  template Estimate estimate_closure<T>(Semiring, std::size_t, const Options&);
WARPFOLD_FOR_EACH_CHOOSING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
