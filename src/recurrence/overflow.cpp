#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

namespace {

template <class T>
long double largest_finite(std::span<const T> values) {
  long double largest = 0;
  for (const T value : values) {
    if (std::isfinite(value)) largest = std::max<long double>(largest, std::abs(value));
  }
  return largest;
}

/// Whether every sum of finite numbers is far from the range's end of T.
template <class T>
bool stays_far(const Problem<T>& problem, std::span<const T> values) {
  const long double terms = problem.op() == Op::sum ? static_cast<long double>(problem.offsets().size()) : 1;
  const long double factor = problem.has_coefficients() ? largest_finite(problem.coefficients()) : 1;
  const long double largest = factor * largest_finite(values) + largest_finite(problem.weights());
  return terms * largest < std::numeric_limits<T>::max() / 2;
}

/// Whether the infinity at index i comes from earlier values: from one of them, or from all if it loses against every
/// number.
template <class T>
bool is_inherited(const Problem<T>& problem, std::span<const T> values, std::size_t i) {
  const auto is_the_same = [&](std::int64_t offset) {
    return values[i - static_cast<std::size_t>(offset)] == values[i];
  };
  const bool loses = problem.op() == Op::min ? values[i] > 0 : problem.op() == Op::max && values[i] < 0;
  const auto offsets = problem.offsets();
  return loses ? std::all_of(offsets.begin(), offsets.end(), is_the_same)
               : std::any_of(offsets.begin(), offsets.end(), is_the_same);
}

}  // namespace

template <class T>
void check_overflow(const Problem<T>& problem, std::span<const T> values, const Options& options) {
  const bool adds = problem.is_weighted() || problem.op() == Op::sum;
  const bool is_defined = std::none_of(values.begin(), values.end(), [](T value) { return std::isnan(value); });
  if (!adds || (is_defined && stays_far(problem, values))) return;
  SolveMonitor monitor(options, 0);
  PeriodicCheck ticker(monitor, 1 + 65536 / problem.offsets().size());
  for (std::size_t i = problem.initial().size(); i < values.size(); ++i) {
    ticker.tick();
    if (std::isfinite(values[i]) || (std::isinf(values[i]) && is_inherited(problem, values, i))) continue;
    throw Error(ErrorKind::overflow,
                fmt::format("value {} or a sum on the way to it is larger than {} holds", i, dtype_name<T>()));
  }
}

template void check_overflow(const Problem<float>&, std::span<const float>, const Options&);
template void check_overflow(const Problem<double>&, std::span<const double>, const Options&);

}  // namespace warpfold::recurrence
