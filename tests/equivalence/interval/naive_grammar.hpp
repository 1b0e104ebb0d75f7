#pragma once

#include <cstddef>
#include <vector>

#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::test {

/// The tables as grammar_model.hpp describes them, the oracle: diagonal by diagonal, every sum anew.
template <class G>
class NaiveGrammar {
 public:
  using S = typename G::Semiring;
  using T = typename S::Value;

  NaiveGrammar(const G& grammar, std::size_t n)
      : grammar_(grammar), n_(n), values_(interval::table_count<G> * n * n, S::zero()) {
    for (std::size_t length = 1; length < n; ++length) {
      for (std::size_t i = 0; i + length < n; ++i) {
        i_ = i;
        j_ = i + length;
        grammar.terms(i_, j_, *this);
        for (unsigned t = 0; t < interval::table_count<G>; ++t) {
          if (S::is_zero(at(t, i_, j_))) at(t, i_, j_) = S::zero();
        }
      }
    }
  }

  T& at(unsigned table, std::size_t i, std::size_t j) { return values_[(table * n_ + i) * n_ + j]; }

  template <class... Parts>
  void operator()(unsigned table, Parts... parts) {
    T term = S::one();
    ((term = S::times(term, parts)), ...);
    at(table, i_, j_) = S::plus(at(table, i_, j_), term);
  }
  T inside(unsigned table, std::size_t a, std::size_t b) {
    return i_ + a + b < j_ ? at(table, i_ + a, j_ - b) : S::zero();
  }
  T here(unsigned table) { return at(table, i_, j_); }
  T product(unsigned p) {
    T sum = S::zero();
    for (std::size_t k = i_ + 1; k < j_; ++k) {
      sum = S::plus(sum, S::times(at(G::products[p].left, i_, k), at(G::products[p].right, k, j_)));
    }
    return sum;
  }
  T stencil(unsigned s) {
    T sum = S::zero();
    for (std::size_t a = 0; a <= G::stencils[s].deep; ++a) {
      for (std::size_t b = 0; a + b <= G::stencils[s].deep && i_ + a + b + 2 < j_; ++b) {
        const std::size_t i = i_ + 1 + a, j = j_ - 1 - b;
        const T value = at(G::stencils[s].of, i, j);
        const T inner = S::is_zero(value) ? value : S::times(value, grammar_.inner(s, i, j));
        sum = S::plus(sum, S::times(interval::detail::loop_of(grammar_, s, a, b), inner));
      }
    }
    return sum;
  }

 private:
  const G& grammar_;
  std::size_t n_, i_ = 0, j_ = 0;
  std::vector<T> values_;
};

}  // namespace warpfold::test
