#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/verify_recurrence.hpp"

namespace warpfold::interval {

namespace detail {

/// The tables' values of one interval as the grammar is written, from the values inside the interval.
template <class G>
class WrittenTerms {
 public:
  using T = typename GrammarTables<G>::Value;
  using S = std::conditional_t<is_scaled<typename G::Semiring>, Counting<T>, typename G::Semiring>;

  WrittenTerms(const G& grammar, const GrammarTables<G>& tables, std::size_t i, std::size_t j)
      : grammar_(grammar), tables_(tables), i_(i), j_(j) {
    values_.fill(S::zero());
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    T term = S::one();
    ((term = S::times(term, static_cast<T>(parts))), ...);
    values_[table] = S::plus(values_[table], term);
  }
  [[nodiscard]] T inside(unsigned table, std::size_t a, std::size_t b) const {
    return a < j_ - i_ && b < j_ - i_ - a ? tables_.value(table, i_ + a, j_ - b) : S::zero();
  }
  [[nodiscard]] T here(unsigned table) const { return tables_.value(table, i_, j_); }
  [[nodiscard]] T product(unsigned p) const {
    T sum = S::zero();
    for (std::size_t k = i_ + 1; k < j_; ++k) {
      sum = S::plus(sum, S::times(tables_.value(products_of<G>()[p].left, i_, k),
                                  tables_.value(products_of<G>()[p].right, k, j_)));
    }
    return sum;
  }
  [[nodiscard]] T stencil(unsigned s) const {
    T sum = S::zero();
    const auto [of, deep] = stencils_of<G>()[s];
    for (std::size_t a = 0; a <= deep && i_ + 1 + a < j_; ++a) {
      for (std::size_t b = 0; a + b <= deep && i_ + 2 + a + b < j_; ++b) {
        const std::size_t i = i_ + 1 + a, j = j_ - 1 - b;
        T inner = tables_.value(of, i, j);
        if constexpr (weights_inner<G>) {
          if (!S::is_zero(inner)) inner = S::times(inner, static_cast<T>(inner_of(grammar_, s, i, j)));
        }
        sum = S::plus(sum, S::times(static_cast<T>(loop_of(grammar_, s, a, b)), inner));
      }
    }
    return sum;
  }
  [[nodiscard]] const T& value(unsigned table) const { return values_[table]; }

 private:
  const G& grammar_;
  const GrammarTables<G>& tables_;
  std::size_t i_, j_;
  std::array<T, table_count<G>> values_;
};

}  // namespace detail

/// Checks every value of the tables against the grammar, from the values inside its interval. If all agree, the tables
/// are correct. Integers must agree exactly, floating point up to rounding.
///
/// Cost: the grammar's operations by plain loops that share no code with the solver, and no memory. Raises
/// Error{time_limit} and Error{cancelled} as the options ask.
template <class G>
[[nodiscard]] Verdict verify_grammar(const G& grammar, const GrammarTables<G>& tables, const Options& options = {}) {
  const SolveMonitor monitor(options, 0);
  for (std::size_t i = tables.points() - 1; i-- > 0;) {
    for (std::size_t j = i + 1; j < tables.points(); ++j) {
      monitor.check();
      detail::WrittenTerms<G> written(grammar, tables, i, j);
      grammar.terms(i, j, written);
      for (unsigned t = 0; t < table_count<G>; ++t) {
        if (detail::is_same_value<typename detail::WrittenTerms<G>::S>(tables.value(t, i, j), written.value(t), j - i))
          continue;
        const std::string place = detail::place_in_table(t, i, j);
        if constexpr (std::is_arithmetic_v<typename GrammarTables<G>::Value>) {
          return wrong_cost(place + " is " + detail::number_text(tables.value(t, i, j)) + ", not " +
                            detail::number_text(written.value(t)));
        } else {
          return wrong_cost(place + " is another");
        }
      }
    }
  }
  return {.is_optimal = true};
}

}  // namespace warpfold::interval
