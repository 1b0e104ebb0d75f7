#pragma once

#include <cstddef>

#include "equivalence/interval/drawn_grammar.hpp"
#include "equivalence/interval/pairing.hpp"
#include "warpfold/core/scaled.hpp"

namespace warpfold::test {

/// The drawn grammar with two prefix tables that read each other, two prefix sums, and intervals that do not join.
template <class S, class Costs>
struct PrefixedGrammar : DrawnGrammar<S, Costs> {
  using T = typename S::Value;
  using Base = DrawnGrammar<S, Costs>;
  using Base::cost;
  enum PrefixTable : unsigned { first, second, prefix_tables };
  static constexpr interval::PrefixSum prefix_sums[2] = {{.left = first, .right = Base::stems},
                                                         {.left = second, .right = Base::paired}};

  [[nodiscard]] constexpr T join(std::size_t s, std::size_t i, std::size_t j) const {
    return s == 0 && (i + j) % 7 == 0 ? S::zero() : cost(i, j + 5);
  }
  template <class Add>
  constexpr void prefix_terms(std::size_t j, Add& add) const {
    add(first, j == 0 ? S::one() : S::zero());
    add(first, cost(j, 3), add.before(first, 1));
    add(first, add.prefix(0));
    add(first, cost(1, j), cost(j, 2), add.prefix(1));
    add(second, cost(j, j), add.before(first, 0));
    add(second, add.before(second, 3));
  }
};

/// Pairs of a sequence whose loop outside of all pairs is a prefix table.
template <class Weights>
struct OuterPairs : PairingOf<ScaledSum<double>, Weights> {
  using Base = PairingOf<ScaledSum<double>, Weights>;
  enum PrefixTable : unsigned { free, exterior, prefix_tables };
  static constexpr interval::PrefixSum prefix_sums[2] = {{.left = free, .right = Base::stems},
                                                         {.left = exterior, .right = Base::paired}};

  [[nodiscard]] constexpr double join(std::size_t s, std::size_t i, std::size_t j) const {
    return (i + j) % 9 == 0 ? 0 : 0.5 + static_cast<double>((s + i * j) % 5);
  }
  template <class Add>
  constexpr void prefix_terms(std::size_t j, Add& add) const {
    add(free, j == 0 ? 1.0 : 0.0);
    add(free, 0.7, add.before(free, 1));
    add(free, add.prefix(1));
    add(exterior, add.before(free, 0));
    add(exterior, 1.5, add.before(exterior, 2));
    add(exterior, 0.1, add.prefix(0));
  }
};

}  // namespace warpfold::test
