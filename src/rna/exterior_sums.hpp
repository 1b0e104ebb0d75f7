#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rna/loop_weights.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/scaled.hpp"
#include "warpfold/run/team.hpp"

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
  ExteriorSums(const LoopWeights& weights, const Paired& paired, Team& team)
      : weights_(weights), paired_(paired), team_(team), before_(size() + 1), after_(size() + 1) {
    before_[0] = after_[size()] = Scaled(1);
    std::vector<ScaledTotal> totals(size() + 1);
    for (std::size_t first = 0; first < size(); first += block) {
      const std::size_t end = std::min(first + block, size());
      for (std::size_t i = first; i < end; ++i) {
        if (weights.is_free(i, i + 1)) totals[i + 1].add(before_[i]);
        add_before(i, i + 1, end + 1, totals);
        before_[i + 1] = totals[i + 1].total();
      }
      each_block(end + 1, size() + 1, [&](std::size_t begin, std::size_t beyond) {
        for (std::size_t i = first; i < end; ++i) add_before(i, begin, beyond, totals);
      });
    }
    if (whole().is_zero()) reject_constraint();
  }

  /// Computes `after`, which seed() needs.
  void look_back() {
    std::vector<ScaledTotal> totals(size() + 1);
    for (std::size_t end = size(); end > 0; end -= std::min(block, end)) {
      const std::size_t first = end - std::min(block, end);
      for (std::size_t i = end; i-- > first;) {
        add_after(i, i, end, totals);
        if (weights_.is_free(i, i + 1)) totals[i].add(after_[i + 1]);
        after_[i] = totals[i].total();
      }
      each_block(0, first, [&](std::size_t begin, std::size_t beyond) {
        for (std::size_t i = begin; i < beyond; ++i) add_after(i, first, end, totals);
      });
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
  /// The points that are finished one after the other, before threads add them to all others.
  static constexpr std::size_t block = 64;

  /// Calls visit(begin, end) for the blocks of a range of points, by threads.
  template <class Visit>
  void each_block(std::size_t first, std::size_t end, const Visit& visit) {
    if (first >= end) return;
    team_.parallel_for((end - first + block - 1) / block,
                       [&](std::size_t t, int) { visit(first + t * block, std::min(first + (t + 1) * block, end)); });
  }
  /// Adds the pairs of base i that end at the points begin .. end-1.
  void add_before(std::size_t i, std::size_t begin, std::size_t end, std::vector<ScaledTotal>& totals) const {
    for (std::size_t j = begin; j < end; ++j) {
      if (pairs(i, j)) totals[j].add(before_[i], paired_(i, j), weights_.exterior(i, j - 1));
    }
  }
  /// Adds the pairs of base i that end at the points end .. begin+1, in this order.
  void add_after(std::size_t i, std::size_t begin, std::size_t end, std::vector<ScaledTotal>& totals) const {
    for (std::size_t j = end; j > begin; --j) {
      if (pairs(i, j)) totals[i].add(after_[j], paired_(i, j), weights_.exterior(i, j - 1));
    }
  }
  [[nodiscard]] std::size_t size() const { return weights_.size(); }
  [[nodiscard]] bool pairs(std::size_t i, std::size_t j) const { return weights_.kind(i, j - 1) < pair_kinds; }
  [[nodiscard]] double share(const Scaled& part, std::size_t j) const {
    return (part / before_[j]).times_power_of_two(0);
  }

  const LoopWeights& weights_;
  const Paired& paired_;
  Team& team_;
  std::vector<Scaled> before_, after_;
};

}  // namespace warpfold::rna
