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
    const auto take = [&](const auto& part) {
      if constexpr (is_weight<decltype(part)>) {
        term = S::times(term, T(static_cast<GrammarValue<G>>(part)));
      } else {
        term = S::times(term, static_cast<T>(part));
      }
    };
    (take(parts), ...);
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

 protected:
  const G& grammar_;
  const GrammarTables<G>& tables_;
  std::size_t i_, j_;

 private:
  std::array<T, std::max(table_count<G>, prefix_count<G>)> values_;
};

/// The prefix tables' values at one point as the grammar is written, from the points before it.
template <class G>
class WrittenPrefixes : public WrittenTerms<G> {
 public:
  using typename WrittenTerms<G>::S, typename WrittenTerms<G>::T;

  WrittenPrefixes(const G& grammar, const GrammarTables<G>& tables, std::size_t j)
      : WrittenTerms<G>(grammar, tables, 0, j) {}

  [[nodiscard]] T before(unsigned table, std::size_t distance) const {
    return distance <= this->j_ ? this->tables_.prefix_value(table, this->j_ - distance) : S::zero();
  }
  [[nodiscard]] T prefix(unsigned s) const {
    T sum = S::zero();
    const auto [left, right] = prefix_sums_of<G>()[s];
    for (std::size_t i = 0; i < this->j_; ++i) {
      const T before = this->tables_.prefix_value(left, i), inside = this->tables_.value(right, i, this->j_);
      if (S::is_zero(before) || S::is_zero(inside)) continue;
      T term = S::times(before, inside);
      if constexpr (joins<G>) term = S::times(term, T(join_of(this->grammar_, s, i, this->j_)));
      sum = S::plus(sum, term);
    }
    return sum;
  }
};

/// The verdict on a value of a table that is another than the one that its terms give.
template <class T>
Verdict wrong_value(unsigned table, std::size_t i, std::size_t j, [[maybe_unused]] const T& stated,
                    [[maybe_unused]] const T& written) {
  const std::string place = place_in_table(table, i, j);
  if constexpr (std::is_arithmetic_v<T>) {
    return wrong_cost(place + " is " + number_text(stated) + ", not " + number_text(written));
  } else {
    return wrong_cost(place + " is another");
  }
}

/// Checks the prefix tables at one point.
template <class G>
Verdict verify_prefixes(const G& grammar, const GrammarTables<G>& tables, std::size_t j) {
  WrittenPrefixes<G> written(grammar, tables, j);
  grammar.prefix_terms(j, written);
  for (unsigned p = 0; p < prefix_count<G>; ++p) {
    const auto stated = tables.prefix_value(p, j);
    if (is_same_value<typename WrittenPrefixes<G>::S>(stated, written.value(p), j)) continue;
    return wrong_value(table_count<G> + p, 0, j, stated, written.value(p));
  }
  return {.is_optimal = true};
}

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
        const auto stated = tables.value(t, i, j);
        if (detail::is_same_value<typename detail::WrittenTerms<G>::S>(stated, written.value(t), j - i)) continue;
        return detail::wrong_value(t, i, j, stated, written.value(t));
      }
    }
  }
  if constexpr (has_prefixes<G>) {
    for (std::size_t j = 0; j < tables.points(); ++j) {
      monitor.check();
      if (Verdict found = detail::verify_prefixes(grammar, tables, j); found.violation) return found;
    }
  }
  return {.is_optimal = true};
}

}  // namespace warpfold::interval
