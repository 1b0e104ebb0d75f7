#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "rna/loop_energies.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::rna {

/// A circular sequence written twice: the loop through its ends is one of the loops around its middle.
class WrittenTwice {
 public:
  WrittenTwice(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request)
      : twice_(sequence.letters() + sequence.letters()), energies_(twice_, parameters, of_twice(request)) {}
  WrittenTwice(const WrittenTwice&) = delete;
  WrittenTwice& operator=(const WrittenTwice&) = delete;

  [[nodiscard]] const LoopEnergies& energies() const { return energies_; }

 private:
  static FoldRequest of_twice(FoldRequest request) {
    request.circular = false;
    request.constraint.clear();
    request.pair_energies.clear();  // the loops inside the pairs have them
    request.stack_energies.insert(request.stack_energies.end(), request.stack_energies.begin(),
                                  request.stack_energies.end());
    return request;
  }

  Sequence twice_;
  LoopEnergies energies_;
};

/// One loop through the ends: the intervals of its pairs, none, one or two; or a multiloop, whose last branch or
/// branches begin at `split` > 0.
struct EndsLoop {
  struct Interval {
    std::size_t i, j;
  };
  std::array<Interval, 2> pairs{};
  std::size_t count = 0, split = 0;
};

/// The loop through the ends of a circular sequence of n bases, which takes the place of the exterior loop: its
/// energies or its weights. `loops` has those of the sequence, `twice` those of the sequence written twice.
///
///     no pair                   energy 0
///     one pair (i,j)            hairpin(i,j), with 3 bases or more on its other side
///     two pairs (i,j), (p,q)    interior(i,j,p,q), j < p, with at most max_loop bases between them
///     three pairs or more       multi_ends, and what its branches and bases have
template <class Loops>
class LoopThroughEnds {
 public:
  using Value = decltype(std::declval<const Loops&>().multi_ends());

  LoopThroughEnds(const Loops& loops, const Loops& twice) : loops_(loops), twice_(twice), n_(loops.size()) {}

  // Pairs are named by their bases, i < j.
  /// A hairpin: the loop of (i,j) on its other side.
  [[nodiscard]] Value hairpin(std::size_t i, std::size_t j) const { return twice_.hairpin(j, i + n_); }
  /// A stack, a bulge or an interior loop between the pairs (i,j) and (p,q), j < p.
  [[nodiscard]] Value interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    return twice_.interior(j, i + n_, p, q);
  }
  /// Whether the pair of an interval may be the only one of a hairpin through the ends.
  [[nodiscard]] bool may_close_hairpin(std::size_t i, std::size_t j) const {
    return n_ - (j - i) >= 3 && pairs(i, j) && loops_.is_free(0, i) && loops_.is_free(j, n_);
  }

  /// Calls visit(loop, value) for each, in the order above, then by i, j, p and q, or by the split.
  template <class Visit>
  void each(const Visit& visit) const {
    if (loops_.is_free(0, n_)) visit(EndsLoop{}, std::is_integral_v<Value> ? Value{0} : Value{1});
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j <= n_; ++j) {
        if (may_close_hairpin(i, j)) visit(EndsLoop{{{{i, j}}}, 1}, hairpin(i, j - 1));
      }
    }
    for (std::size_t i = 0; i <= max_loop && i < n_ && loops_.is_free(0, i); ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) {
        if (pairs(i, j)) each_interior(i, j, visit);
      }
    }
    for (std::size_t k = 1; k < n_; ++k) visit(EndsLoop{{}, 0, k}, loops_.multi_ends());
  }

 private:
  [[nodiscard]] bool pairs(std::size_t i, std::size_t j) const { return loops_.kind(i, j - 1) < pair_kinds; }
  template <class Visit>
  void each_interior(std::size_t i, std::size_t j, const Visit& visit) const {
    for (std::size_t p = j; p < n_ && i + p - j <= max_loop && loops_.is_free(j, p); ++p) {
      const std::size_t most = max_loop - (i + p - j);
      for (std::size_t q = std::max(p + 1, n_ - std::min(n_, most)); q <= n_; ++q) {
        if (!pairs(p, q) || !loops_.is_free(q, n_)) continue;
        visit(EndsLoop{{{{i, j}, {p, q}}}, 2}, interior(i, j - 1, p, q - 1));
      }
    }
  }

  const Loops& loops_;
  const Loops& twice_;
  std::size_t n_;
};

/// The least energies of a grammar's tables that the loop outside all pairs reads, for Exterior and CircularExterior.
/// `stems_table`: of one stem or more.
template <class G, unsigned stems_table>
struct LeastEnergies {
  const interval::GrammarTables<G>& tables;

  [[nodiscard]] Energy operator()(std::size_t i, std::size_t j) const { return helix(i, j); }
  [[nodiscard]] Energy helix(std::size_t i, std::size_t j) const { return least(G::helix, i, j); }
  [[nodiscard]] Energy branches(std::size_t i, std::size_t j) const { return least(G::branches, i, j); }
  [[nodiscard]] Energy stems(std::size_t i, std::size_t j) const { return least(stems_table, i, j); }

 private:
  [[nodiscard]] Energy least(unsigned table, std::size_t i, std::size_t j) const {
    return std::min(tables.value(table, i, j), no_loop);
  }
};

/// The least energy of a loop through the ends with all that is inside its pairs: of a multiloop
///
///     branches(0,k) + stems(k,n) + multi_ends
///
/// `tables` has helix(i,j), branches(0,k) and stems(k,n) of intervals, at least no_loop for those without a value. Ties
/// go to the first in the order of LoopThroughEnds. Raises Error{infeasible} if no structure satisfies the constraint.
template <class Tables>
class CircularExterior {
 public:
  CircularExterior(const LoopThroughEnds<LoopEnergies>& loops, const Tables& tables, std::size_t bases)
      : loops_(loops), tables_(tables), n_(bases) {
    each([&](const EndsLoop& loop, Energy energy) {
      if (energy >= least_) return;
      least_ = energy;
      best_ = loop;
    });
    if (least_ < no_loop) return;
    throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
  }

  [[nodiscard]] Energy energy() const { return least_; }
  [[nodiscard]] const EndsLoop& loop() const { return best_; }

  /// Calls visit(loop, energy) for each with all that is inside its pairs, if it has a value.
  template <class Visit>
  void each(const Visit& visit) const {
    loops_.each([&](const EndsLoop& loop, Energy energy) {
      const auto add = [&](Energy inside) {
        energy = energy < no_loop && inside < no_loop ? energy + inside : no_loop;
      };
      for (std::size_t t = 0; t < loop.count; ++t) add(tables_.helix(loop.pairs[t].i, loop.pairs[t].j));
      if (loop.split > 0) {
        add(tables_.branches(0, loop.split));
        add(tables_.stems(loop.split, n_));
      }
      if (energy < no_loop) visit(loop, energy);
    });
  }

 private:
  const LoopThroughEnds<LoopEnergies>& loops_;
  const Tables& tables_;
  std::size_t n_;
  Energy least_ = no_loop;
  EndsLoop best_;
};

}  // namespace warpfold::rna
