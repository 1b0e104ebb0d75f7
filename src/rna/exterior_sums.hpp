#pragma once

#include <cstddef>
#include <vector>

#include "rna/loop_weights.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/scaled.hpp"

namespace warpfold::rna {

[[noreturn]] inline void reject_constraint() {
  throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
}

/// The exterior loop: the weights of the first j bases, and of the bases from i on,
///
///     before(0) = 1,   before(j) = before(j-1) + sum over i of before(i) paired(i,j) exterior(i,j-1)
///     after(n) = 1,    after(i)  = after(i+1)  + sum over j of paired(i,j) exterior(i,j-1) after(j)
///
/// `paired(i, j)` is the weight, a Scaled, of the structures in which base i pairs with base j-1.
template <class Paired>
class ExteriorSums {
 public:
  ExteriorSums(const LoopWeights& weights, const Paired& paired)
      : weights_(weights), paired_(paired), before_(size() + 1), after_(size() + 1) {
    before_[0] = after_[size()] = Scaled(1);
    std::vector<ScaledTotal> totals(size() + 1);
    for (std::size_t i = 0; i < size(); ++i) {
      if (weights.is_free(i, i + 1)) totals[i + 1].add(before_[i]);
      for (std::size_t j = i + 1; j <= size(); ++j) {
        if (pairs(i, j)) totals[j].add(before_[i], paired(i, j), weights.exterior(i, j - 1));
      }
      before_[i + 1] = totals[i + 1].total();
    }
    if (whole().is_zero()) reject_constraint();
  }

  /// Computes `after`, which seed() needs.
  void look_back() {
    for (std::size_t i = size(); i-- > 0;) {
      ScaledTotal total;
      for (std::size_t j = size(); j > i; --j) {
        if (pairs(i, j)) total.add(after_[j], paired_(i, j), weights_.exterior(i, j - 1));
      }
      if (weights_.is_free(i, i + 1)) total.add(after_[i + 1]);
      after_[i] = total.total();
    }
  }

  [[nodiscard]] const Scaled& whole() const { return before_[size()]; }

  /// The derivative of ln Z by paired(i,j), apart from pairs around it.
  [[nodiscard]] Scaled seed(std::size_t i, std::size_t j) const {
    if (!pairs(i, j)) return {};
    return before_[i] * Scaled(weights_.exterior(i, j - 1)) * after_[j] / whole();
  }

  /// The probability that the exterior loop has the bases a .. b-1 unpaired, which may be unpaired. After look_back.
  [[nodiscard]] double unpaired(std::size_t a, std::size_t b) const {
    return (before_[a] * after_[b] / whole()).times_power_of_two(0);
  }

  /// Draws the pairs of the exterior loop, as intervals, from the last to the first.
  template <class Random>
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> sample(Random& random) const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t j = size(); j > 0;) {
      double left = random();
      if (weights_.is_free(j - 1, j)) left -= share(before_[j - 1], j);
      if (left < 0) {
        --j;
        continue;
      }
      std::size_t chosen = j;
      for (std::size_t i = 0; i < j && left >= 0; ++i) {
        if (!pairs(i, j)) continue;
        const Scaled part = before_[i] * paired_(i, j) * Scaled(weights_.exterior(i, j - 1));
        if (part.is_zero()) continue;
        left -= share(part, j);
        chosen = i;
      }
      if (chosen == j) {  // rounding left nothing but the unpaired base
        --j;
        continue;
      }
      found.emplace_back(chosen, j);
      j = chosen;
    }
    return found;
  }

 private:
  [[nodiscard]] std::size_t size() const { return weights_.size(); }
  [[nodiscard]] bool pairs(std::size_t i, std::size_t j) const { return weights_.kind(i, j - 1) < pair_kinds; }
  [[nodiscard]] double share(const Scaled& part, std::size_t j) const {
    return (part / before_[j]).times_power_of_two(0);
  }

  const LoopWeights& weights_;
  const Paired& paired_;
  std::vector<Scaled> before_, after_;
};

}  // namespace warpfold::rna
