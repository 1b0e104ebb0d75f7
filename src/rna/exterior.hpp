#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::rna {

/// The exterior loop: the least energy of the first j bases,
///
///     F(0) = 0,   F(j) = min(F(j-1), min over i of F(i) + paired(i,j) + energies.exterior(i, j-1)).
///
/// `paired(i, j)` is the least energy where base i pairs with base j-1, or at least no_loop. `paired.add_pairs(i,
/// least)` is optional: vector code for the pairs of base i > 0 with others than the last. It returns false to leave
/// them. Ties leave the last base unpaired, and then go to the smallest i. Raises Error{infeasible} if no structure
/// satisfies the constraint.
template <class Paired>
class Exterior {
 public:
  Exterior(const LoopEnergies& energies, const Paired& paired)
      : energies_(energies), paired_(paired), least_(energies.size() + 1, no_loop) {
    least_[0] = 0;
    for (std::size_t i = 0; i < energies.size(); ++i) {
      least_[i + 1] = std::min(least_[i + 1], without_pair(i + 1));
      if (least_[i] < no_loop) add_pairs(i);
    }
    if (energy() < no_loop) return;
    throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
  }

  [[nodiscard]] Energy energy() const { return least_.back(); }

  /// The least energy of the first j bases.
  [[nodiscard]] Energy least(std::size_t j) const { return least_[j]; }
  /// The same if the last of them does not pair, and if it pairs with base i.
  [[nodiscard]] Energy without_pair(std::size_t j) const {
    return energies_.is_free(j - 1, j) ? least_[j - 1] : no_loop;
  }
  [[nodiscard]] Energy with_pair(std::size_t i, std::size_t j) const {
    const Energy inside = paired_(i, j);
    if (inside >= no_loop || least_[i] >= no_loop) return no_loop;
    return least_[i] + inside + energies_.exterior(i, j - 1);
  }

  /// The pairs of the exterior loop, as intervals.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairs() const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t j = least_.size() - 1; j > 0;) {
      if (least_[j] == without_pair(j)) {
        --j;
        continue;
      }
      std::size_t i = 0;
      while (with_pair(i, j) != least_[j]) ++i;
      found.emplace_back(i, j);
      j = i;
    }
    return found;
  }

 private:
  /// The pairs of base i. What they add is listed by the other base and the next one. Nothing predicts which bases
  /// pair, so none has a branch.
  void add_pairs(std::size_t i) {
    const std::size_t n = energies_.size();
    if constexpr (requires { paired_.add_pairs(i, least_); }) {
      if (i > 0 && paired_.add_pairs(i, least_)) {
        least_[n] = std::min(least_[n], with_pair(i, n));
        return;
      }
    }
    std::array<Energy, 25> adds{};
    for (std::size_t t = 0; i > 0 && t < adds.size(); ++t) {
      adds[t] = energies_.exterior(i, static_cast<Base>(t / 5), static_cast<Base>(t % 5));
    }
    const Energy before = least_[i];
    const std::vector<Base>& bases = energies_.sequence().bases();
    for (std::size_t j = i + 1; i > 0 && j < n; ++j) {
      const Energy inside = paired_(i, j), all = before + inside + adds[bases[j - 1] * std::size_t{5} + bases[j]];
      least_[j] = std::min(least_[j], inside < no_loop ? all : no_loop);
    }
    for (std::size_t j = i > 0 ? n : 1; j <= n; ++j) least_[j] = std::min(least_[j], with_pair(i, j));
  }

  const LoopEnergies& energies_;
  const Paired& paired_;
  std::vector<Energy> least_;
};

}  // namespace warpfold::rna
