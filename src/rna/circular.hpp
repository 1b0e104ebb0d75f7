#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::rna {

/// The energies of the loop through the ends of a circular sequence, which takes the place of the exterior loop: those
/// of the sequence written twice. Pairs are named by their bases, i < j.
class LoopThroughEnds {
 public:
  LoopThroughEnds(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request)
      : n_(sequence.size()),
        twice_(sequence.letters() + sequence.letters()),
        energies_(twice_, parameters, of_twice(request)) {}

  /// A hairpin: the loop of (i,j) on its other side.
  [[nodiscard]] Energy hairpin(std::size_t i, std::size_t j) const { return energies_.hairpin(j, i + n_); }
  /// A stack, a bulge or an interior loop between the pairs (i,j) and (p,q), j < p.
  [[nodiscard]] Energy interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    return energies_.interior(j, i + n_, p, q);
  }

 private:
  static FoldRequest of_twice(FoldRequest request) {
    request.circular = false;
    request.constraint.clear();
    request.pair_energies.clear();  // the loops inside the pairs have them
    request.stack_energies.insert(request.stack_energies.end(), request.stack_energies.begin(),
                                  request.stack_energies.end());
    return request;
  }

  std::size_t n_;
  Sequence twice_;
  LoopEnergies energies_;
};

/// The loop through the ends of a circular sequence of n bases: the least energy of
///
///     0                                          no pair
///     hairpin(i,j) + paired(i,j)                 one pair, with 3 bases or more on its other side
///     interior(i,j,p,q) + paired(i,j) + paired(p,q)   two pairs, j < p, with at most max_loop bases between them
///     multi_closing + branches(0,k) + stems(k,n)      three pairs or more
///
/// `tables` has helix(i,j), branches(0,k) and stems(k,n) of intervals, at least no_loop for those without a value. Ties
/// go to the first kind, then to the smallest i, j, p and q, or k. Raises Error{infeasible} if no structure satisfies
/// the constraint.
template <class Tables>
class CircularExterior {
 public:
  CircularExterior(const LoopEnergies& energies, const LoopThroughEnds& loop, const Tables& tables)
      : energies_(energies), loop_(loop), tables_(tables), n_(energies.size()) {
    if (energies.is_free(0, n_)) least_ = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j <= n_; ++j) add_hairpin(i, j);
    }
    for (std::size_t i = 0; i <= max_loop && i < n_ && energies.is_free(0, i); ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) add_interiors(i, j);
    }
    for (std::size_t k = 1; k < n_; ++k) {
      const Energy branches = tables.branches(0, k), stems = tables.stems(k, n_);
      if (branches < no_loop && stems < no_loop) take(branches + stems + energies.multi_ends(), {}, k);
    }
    if (least_ < no_loop) return;
    throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
  }

  [[nodiscard]] Energy energy() const { return least_; }
  /// The pairs of the loop, as intervals, if they are one or two.
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& pairs() const { return pairs_; }
  /// The k of a multiloop, or 0.
  [[nodiscard]] std::size_t split() const { return split_; }

 private:
  void take(Energy energy, std::vector<std::pair<std::size_t, std::size_t>> pairs, std::size_t split = 0) {
    if (energy >= least_) return;
    least_ = energy;
    pairs_ = std::move(pairs);
    split_ = split;
  }
  void add_hairpin(std::size_t i, std::size_t j) {
    if (n_ - (j - i) < 3 || !energies_.is_free(0, i) || !energies_.is_free(j, n_)) return;
    const Energy inside = tables_.helix(i, j);
    if (inside < no_loop) take(inside + loop_.hairpin(i, j - 1), {{i, j}});
  }
  void add_interiors(std::size_t i, std::size_t j) {
    const Energy first = tables_.helix(i, j);
    if (first >= no_loop) return;
    for (std::size_t p = j; p < n_ && i + p - j <= max_loop && energies_.is_free(j, p); ++p) {
      const std::size_t most = max_loop - (i + p - j);
      for (std::size_t q = std::max(p + 1, n_ - std::min(n_, most)); q <= n_; ++q) {
        const Energy second = energies_.is_free(q, n_) ? tables_.helix(p, q) : no_loop;
        if (second < no_loop) take(first + second + loop_.interior(i, j - 1, p, q - 1), {{i, j}, {p, q}});
      }
    }
  }

  const LoopEnergies& energies_;
  const LoopThroughEnds& loop_;
  const Tables& tables_;
  std::size_t n_;
  Energy least_ = no_loop;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::size_t split_ = 0;
};

}  // namespace warpfold::rna
