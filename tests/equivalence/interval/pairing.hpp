#pragma once

#include <random>
#include <vector>

#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::test {

inline std::vector<double> drawn_weights(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> weights;
  for (int t = 0; t < 997; ++t) weights.push_back(0.01 + static_cast<double>(random() % 1000) / 500);
  return weights;
}

/// All terms of one table at one interval take this factor.
struct ChangedInterval {
  unsigned table = 0;
  std::size_t i = 0, j = 0;
  double factor = 1;
};

/// Pairs with weights, in stacks, loops and branches. `gain` is the weight of a pair on another. `Weights`: a list that
/// the grammar owns, or a span of one on the host or the device.
template <class S, class Weights>
struct PairingOf {
  using Semiring = S;
  enum Table : unsigned { paired, shifted, branches, stems, tables };
  static constexpr interval::Product products[1] = {{.left = stems, .right = paired}};
  static constexpr interval::Stencil stencils[1] = {{.of = shifted, .deep = 30}};
  Weights weights;
  double gain = 1;
  std::size_t helix = 0;  ///< if not 0, only points whose sum is this pair
  ChangedInterval changed = {};

  [[nodiscard]] constexpr double weight(std::size_t i, std::size_t j) const {
    return weights[(3 * i + 4 * j) % weights.size()];
  }
  [[nodiscard]] constexpr double loop(std::size_t a, std::size_t b) const {
    return a + b == 0 ? 0 : weight(a, b) / static_cast<double>(100 * (a + b));
  }
  [[nodiscard]] constexpr double inner(std::size_t i, std::size_t j) const { return weight(j, i + 1); }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    const auto factor = [&](unsigned table) {
      return table == changed.table && i == changed.i && j == changed.j ? changed.factor : 1.0;
    };
    const bool pairs = helix == 0 ? j > i + 2 && (i * i + 3 * j) % 5 < 2 : i + j == helix || j == i + 4;
    if (pairs) {
      add(paired, 0.001, weight(i, j), factor(paired));
      add(paired, gain, weight(j, i), factor(paired), add.inside(paired, 1, 1));
      add(paired, weight(i, i), factor(paired), add.stencil(0));
      add(paired, 0.01, factor(paired), add.inside(branches, 1, 1));
    }
    add(shifted, weight(j, j), add.here(paired));
    add(branches, add.product(0), factor(branches));
    add(branches, add.inside(branches, 0, 1), factor(branches));
    add(stems, add.here(paired), factor(stems));
    add(stems, add.inside(stems, 1, 0), factor(stems));
    add(stems, add.here(branches), factor(stems));
  }
};

/// The table's values are given by its weights alone.
struct Written {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { whole, tables };
  double rate;
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    add(whole, j == i + 1 ? 1.0 : 0.0);
    add(whole, rate, add.inside(whole, 0, 1));
  }
};

/// The same values of the intervals from 0, beside a stencil that reads a table without values.
struct WrittenBesideNothing {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { nothing, whole, tables };
  static constexpr interval::Stencil stencils[1] = {{.of = nothing, .deep = 3}};
  double rate;

  [[nodiscard]] constexpr double loop(std::size_t /*a*/, std::size_t /*b*/) const { return 1; }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    add(nothing, 0.0);
    add(whole, i == 0 && j == 1 ? 1.0 : 0.0);
    add(whole, add.stencil(0));
    if (i == 0) add(whole, rate, add.inside(whole, 0, 1));
  }
};

}  // namespace warpfold::test
