#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include "warpfold/core/scaled.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/verdict.hpp"

namespace warpfold::interval {

namespace detail {

/// value(i,j) as the recurrence is written, from the values inside the interval.
template <class R>
ValueOf<R> written_value(const R& recurrence, const IntervalTable<ValueOf<R>>& table, std::size_t i, std::size_t j) {
  using S = typename R::Semiring;
  using T = ValueOf<R>;
  if (j == i + 1) return recurrence.leaf(i);
  ProductSplit<T> product;
  if constexpr (splits_by_product<R>) product = recurrence.product_split();
  T best = S::zero();
  for (std::size_t k = i + 1; k < j; ++k) {
    T term = S::times(table.value(i, k), table.value(k, j));
    if constexpr (splits_by_product<R>) {
      term = S::times(term, static_cast<T>(product.left[i] * static_cast<T>(product.middle[k] * product.right[j])));
    }
    if constexpr (splits_freely<R>) term = S::times(term, recurrence.split(i, k, j));
    best = S::plus(best, term);
  }
  if constexpr (closes_by_weight<R>) return S::times(best, recurrence.weight(i, j));
  if constexpr (closes_with_inner<R>) return recurrence.close(i, j, best, table.value(i + 1, j - 1));
  if constexpr (!closes_by_weight<R> && !closes_with_inner<R>) return recurrence.close(i, j, best);
}

/// Whether two values agree. Floating point agrees up to rounding: the solver may add in another order, and the
/// caller's compiler may round once where the solver rounds twice.
template <class S, class T = typename S::Value>
bool is_same_value(const T& stated, const T& written, std::size_t terms) {
  if (S::is_zero(stated) || S::is_zero(written)) return S::is_zero(stated) && S::is_zero(written);
  if constexpr (std::is_integral_v<T> && SemiringTraits<S>::has_infinite_zero) {
    return stated == S::times(written, S::one());  // integers beyond an infinity count as that infinity
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isinf(stated) || std::isinf(written)) return stated == written;
    const T slack = static_cast<T>(2 * terms + 4) * std::numeric_limits<T>::epsilon();
    return std::abs(stated - written) <= slack * (std::abs(stated) + std::abs(written));
  } else if constexpr (std::is_same_v<T, Scaled>) {
    const double ratio = (stated / written).times_power_of_two(0);
    return std::abs(ratio - 1) <= static_cast<double>(4 * terms + 2000) * std::numeric_limits<double>::epsilon();
  } else {
    return stated == written;
  }
}

}  // namespace detail

/// Checks every value of a table against the recurrence, from the values inside its interval. If all agree, the whole
/// table is correct. Integers must agree exactly, floating point up to rounding.
///
/// Cost: n*n*n/6 operations by plain loops that share no code with the solver, and no memory. Raises Error{time_limit}
/// and Error{cancelled} as the options ask.
///
/// Floating-point sums in which large numbers cancel may fail the check by rounding alone.
template <class R>
[[nodiscard]] Verdict verify_recurrence(const R& recurrence, const IntervalTable<ValueOf<R>>& table,
                                        const Options& options = {}) {
  const SolveMonitor monitor(options, 0);
  for (std::size_t i = table.points() - 1; i-- > 0;) {
    for (std::size_t j = i + 1; j < table.points(); ++j) {
      monitor.check();
      const auto written = detail::written_value(recurrence, table, i, j);
      if (detail::is_same_value<typename R::Semiring>(table.value(i, j), written, j - i)) continue;
      const std::string place = "value" + detail::interval_text(i, j);
      if constexpr (std::is_arithmetic_v<ValueOf<R>>) {
        return wrong_cost(place + " is " + detail::number_text(table.value(i, j)) + ", not " +
                          detail::number_text(written));
      } else {
        return wrong_cost(place + " is another");
      }
    }
  }
  return {.is_optimal = true};
}

}  // namespace warpfold::interval
