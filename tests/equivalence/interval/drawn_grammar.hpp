#pragma once

#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

#include "semiring_types.hpp"
#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::test {

template <class T>
std::vector<T> drawn_costs(std::size_t points, int largest) {
  std::mt19937 random(static_cast<unsigned>(points));
  std::vector<T> costs;
  for (std::size_t t = 0; t < 7 * points + 997; ++t) {
    const int cost = static_cast<int>(random() % static_cast<unsigned>(largest)) - largest / 3;
    costs.push_back(static_cast<T>(std::is_signed_v<T> ? cost : std::abs(cost)));
  }
  return costs;
}

/// A folding's tables with drawn costs: two products, two stencils that weight what they read, reads on all sides, and
/// intervals without a value. `Costs`: a list that the grammar owns, or a span of one on the host or the device.
template <class S, class Costs>
struct DrawnGrammar {
  using Semiring = S;
  using T = typename S::Value;
  enum Table : unsigned { paired, shifted, branches, stems, tables };
  static constexpr interval::Product products[2] = {{.left = stems, .right = stems}, {.left = stems, .right = paired}};
  static constexpr interval::Stencil stencils[2] = {{.of = shifted, .deep = 30}, {.of = stems, .deep = 3}};
  Costs costs;

  [[nodiscard]] constexpr T cost(std::size_t i, std::size_t j) const { return costs[(3 * i + 4 * j) % costs.size()]; }
  [[nodiscard]] constexpr T loop(std::size_t s, std::size_t a, std::size_t b) const {
    return a + b == 0 ? S::zero() : costs[(s * 31 + a * 7 + b) % costs.size()];
  }
  [[nodiscard]] constexpr T inner(std::size_t s, std::size_t i, std::size_t j) const {
    return s == 1 || (i + j) % 11 == 0 ? S::one() : cost(i + j, s);
  }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool pairs = (i * i + 3 * j) % 5 < 2;
    const T pair = pairs ? S::one() : S::zero();
    add(paired, pair, cost(i, j));
    add(paired, pair, cost(j, i), add.inside(paired, 1, 1));
    add(paired, pair, add.stencil(0));
    add(paired, pair, cost(i, i), add.inside(branches, 1, 1));
    add(shifted, cost(j, j), add.here(paired), S::one());
    add(branches, S::one(), add.product(0));
    add(branches, cost(i, i + 1), add.product(1));
    add(stems, j == i + 1 ? cost(i, j) : S::zero());
    add(stems, cost(i + 2, j), add.here(paired));
    add(stems, cost(i, 0), add.inside(stems, 1, 0));
    add(stems, cost(0, j), add.inside(stems, 0, 1));
    add(stems, cost(i, 1), add.inside(stems, 2, 3));
    add(stems, cost(i, 2), add.inside(paired, 70, 9));
    add(stems, add.stencil(1));
    add(stems, S::one(), add.here(branches));
  }
};

}  // namespace warpfold::test
