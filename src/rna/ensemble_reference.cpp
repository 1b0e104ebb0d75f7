#include <cmath>
#include <string_view>
#include <vector>

#include "rna/ensemble_backends.hpp"
#include "rna/loop_weights.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/scaled.hpp"

namespace warpfold::rna {

namespace {

/// A square of numbers by two points.
class Square {
 public:
  explicit Square(std::size_t side) : side_(side), values_(side * side) {}
  Scaled& operator()(std::size_t i, std::size_t j) { return values_[i * side_ + j]; }

 private:
  std::size_t side_;
  std::vector<Scaled> values_;
};

/// McCaskill's sums for intervals (i,j) of the bases i .. j-1, and the derivatives of Z by each of them:
///
///     paired(i,j) = hairpin + sum of interior(i,j-1,p,q) helix(p,q+1) + multi_closing * sum over k of
///                   some(i+1,k) one(k,j-1)
///     helix(i,j)  = paired(i,j), or without lone pairs a stack on paired(i+1,j-1)
///     one(i,j)    = sum over l of multi_branch(i,l-1) helix(i,l) multi_base^(j-l)
///     some(i,j)   = sum over k of (multi_base^(k-i) + some(i,k)) one(k,j)
///     all(i)      = all(i+1) + sum over j of exterior(i,j-1) helix(i,j) all(j)
///
/// Of a circular sequence Z is the sum over the loops through the ends instead of all(0). Its multiloops are
/// sum over m < k of some(0,m) one(m,k) one(k,n).
///
/// In a stack helix(p,q+1) is paired(p,q+1).
class ReferenceSums {
 public:
  /// `ends`: the loop through the ends of a circular sequence, or null.
  ReferenceSums(const LoopWeights& weights, const LoopThroughEnds<LoopWeights>* ends, bool lone_pairs,
                const SolveMonitor& monitor)
      : w_(weights),
        ends_(ends),
        lone_pairs_(lone_pairs),
        n_(weights.sequence().size()),
        paired_(n_ + 1),
        one_(n_ + 1),
        some_(n_ + 1),
        all_(n_ + 1) {
    bases_.assign(n_ + 1, Scaled(1));
    for (std::size_t t = 1; t <= n_; ++t) bases_[t] = bases_[t - 1] * Scaled(w_.multi_base());
    for (std::size_t length = 1; length <= n_; ++length) {
      for (std::size_t i = 0; i + length <= n_; ++i) {
        monitor.check();
        fill(i, i + length);
      }
    }
    if (ends_) {
      add_loops_through_ends();
    } else {
      add_exterior();
    }
    if (whole().is_zero()) throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
  }

  [[nodiscard]] const Scaled& whole() const { return whole_; }

  /// paired(i,j) and, without lone pairs, helix(i,j) times the derivative of Z by them, divided by Z.
  Square probabilities(const SolveMonitor& monitor) {
    Square of_paired(n_ + 1), of_helices(n_ + 1), of_one(n_ + 1), of_some(n_ + 1);
    Square& of_helix = lone_pairs_ ? of_paired : of_helices;
    if (ends_) {
      give_loops_through_ends(of_helix, of_one, of_some);
    } else {
      give_exterior(of_helix);
    }
    for (std::size_t length = n_; length >= 1; --length) {
      for (std::size_t i = 0; i + length <= n_; ++i) {
        monitor.check();
        give(i, i + length, of_paired, of_helix, of_one, of_some);
      }
    }
    Square found(n_ + 1);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j <= n_; ++j) {
        found(i, j) = (of_paired(i, j) * paired_(i, j) + of_helices(i, j) * helix(i, j)) / whole();
      }
    }
    return found;
  }

 private:
  [[nodiscard]] bool pairs(std::size_t i, std::size_t j) const { return w_.kind(i, j - 1) < pair_kinds; }
  [[nodiscard]] Scaled helix(std::size_t i, std::size_t j) {
    if (lone_pairs_) return paired_(i, j);
    return can_stack(i, j) ? stack(i, j) * paired_(i + 1, j - 1) : Scaled();
  }
  [[nodiscard]] bool can_stack(std::size_t i, std::size_t j) const { return pairs(i, j) && pairs(i + 1, j - 1); }
  [[nodiscard]] Scaled stack(std::size_t i, std::size_t j) const { return Scaled(w_.interior(i, j - 1, i + 1, j - 2)); }
  [[nodiscard]] bool has_branch(std::size_t i, std::size_t j) const {
    return w_.has_neighbors(i, j - 1) && pairs(i, j);
  }
  [[nodiscard]] Scaled exterior(std::size_t i, std::size_t j) const { return Scaled(w_.exterior(i, j - 1)); }
  [[nodiscard]] Scaled branch(std::size_t i, std::size_t j) const { return Scaled(w_.multi_branch(i, j - 1)); }
  [[nodiscard]] Scaled closing(std::size_t i, std::size_t j) const { return Scaled(w_.multi_closing(i, j - 1)); }

  template <class Visit>
  void for_partners(std::size_t i, const Visit& visit) const {
    for (std::size_t j = i + 1; j <= n_; ++j) {
      if (pairs(i, j)) visit(j);
    }
  }
  void add_exterior() {
    all_[n_] = Scaled(1);
    for (std::size_t i = n_; i-- > 0;) {
      if (w_.is_free(i, i + 1)) all_[i] = all_[i + 1];
      for_partners(i, [&](std::size_t j) { all_[i] = all_[i] + exterior(i, j) * helix(i, j) * all_[j]; });
    }
    whole_ = all_[0];
  }
  void give_exterior(Square& of_helix) {
    std::vector<Scaled> of_all(n_ + 1);
    of_all[0] = Scaled(1);
    for (std::size_t i = 0; i < n_; ++i) {
      if (w_.is_free(i, i + 1)) of_all[i + 1] = of_all[i + 1] + of_all[i];
      for_partners(i, [&](std::size_t j) {
        of_all[j] = of_all[j] + of_all[i] * exterior(i, j) * helix(i, j);
        of_helix(i, j) = of_helix(i, j) + of_all[i] * exterior(i, j) * all_[j];
      });
    }
  }
  void add_loops_through_ends() {
    ends_->each([&](const EndsLoop& loop, double weight) {
      Scaled part(weight);
      for (std::size_t t = 0; t < loop.count; ++t) part = part * helix(loop.pairs[t].i, loop.pairs[t].j);
      if (loop.split > 0) part = part * two(loop.split) * one_(loop.split, n_);
      whole_ = whole_ + part;
    });
  }
  void give_loops_through_ends(Square& of_helix, Square& of_one, Square& of_some) {
    const auto add = [](Scaled& target, const Scaled& part) { target = target + part; };
    ends_->each([&](const EndsLoop& loop, double weight) {
      const auto& [pairs, count, k] = loop;
      for (std::size_t t = 0; t < count; ++t) {
        const Scaled other = count == 2 ? helix(pairs[1 - t].i, pairs[1 - t].j) : Scaled(1);
        add(of_helix(pairs[t].i, pairs[t].j), Scaled(weight) * other);
      }
      if (k > 0) add(of_one(k, n_), Scaled(weight) * two(k));
      for (std::size_t m = 1; m < k; ++m) {
        add(of_some(0, m), Scaled(weight) * one_(m, k) * one_(k, n_));
        add(of_one(m, k), Scaled(weight) * some_(0, m) * one_(k, n_));
      }
    });
  }
  /// Two branches or more in the first k bases, and unpaired bases around them.
  [[nodiscard]] Scaled two(std::size_t k) {
    Scaled sum;
    for (std::size_t m = 1; m < k; ++m) sum = sum + some_(0, m) * one_(m, k);
    return sum;
  }

  /// visit(p, q, weight, is_stack) for the pairs of bases p and q-1 inside an interior loop.
  template <class Visit>
  void for_inner_pairs(std::size_t i, std::size_t j, const Visit& visit) const {
    for (std::size_t p = i + 1; p < j && p - i - 1 <= max_loop; ++p) {
      for (std::size_t q = j - 1; q > p && p - i - 1 + j - 1 - q <= max_loop; --q) {
        if (!pairs(p, q) || !w_.is_free(i + 1, p) || !w_.is_free(q, j - 1)) continue;
        visit(p, q, Scaled(w_.interior(i, j - 1, p, q - 1)), p == i + 1 && q == j - 1);
      }
    }
  }

  void fill(std::size_t i, std::size_t j) {
    if (pairs(i, j)) {
      Scaled sum, multi;
      if (w_.is_free(i + 1, j - 1)) sum = Scaled(w_.hairpin(i, j - 1));
      for_inner_pairs(i, j, [&](std::size_t p, std::size_t q, const Scaled& w, bool is_stack) {
        sum = sum + w * (is_stack ? paired_(p, q) : helix(p, q));
      });
      for (std::size_t k = i + 2; k + 1 < j; ++k) multi = multi + some_(i + 1, k) * one_(k, j - 1);
      paired_(i, j) = sum + closing(i, j) * multi;
    }
    for (std::size_t l = i + 1; l <= j; ++l) {
      if (has_branch(i, l)) one_(i, j) = one_(i, j) + branch(i, l) * helix(i, l) * bases(l, j);
    }
    for (std::size_t k = i; k < j; ++k) some_(i, j) = some_(i, j) + (bases(i, k) + some_(i, k)) * one_(k, j);
  }

  /// The weight of the unpaired bases first .. last-1 of a multiloop.
  [[nodiscard]] Scaled bases(std::size_t first, std::size_t last) const {
    return w_.is_free(first, last) ? bases_[last - first] : Scaled();
  }

  /// Gives the derivatives of one interval to what its sums are made of.
  void give(std::size_t i, std::size_t j, Square& of_paired, Square& of_helix, Square& of_one, Square& of_some) {
    const auto add = [](Scaled& target, const Scaled& part) { target = target + part; };
    const Scaled some = of_some(i, j);
    for (std::size_t k = i; k < j && !some.is_zero(); ++k) {
      if (k > i) add(of_some(i, k), some * one_(k, j));
      add(of_one(k, j), some * (bases(i, k) + some_(i, k)));
    }
    const Scaled one = of_one(i, j);
    for (std::size_t l = i + 1; l <= j && !one.is_zero(); ++l) {
      if (has_branch(i, l)) add(of_helix(i, l), one * branch(i, l) * bases(l, j));
    }
    if (!lone_pairs_ && can_stack(i, j)) add(of_paired(i + 1, j - 1), of_helix(i, j) * stack(i, j));
    const Scaled paired = of_paired(i, j);
    if (paired.is_zero()) return;
    for_inner_pairs(i, j, [&](std::size_t p, std::size_t q, const Scaled& w, bool is_stack) {
      add(is_stack ? of_paired(p, q) : of_helix(p, q), paired * w);
    });
    for (std::size_t k = i + 2; k + 1 < j; ++k) {
      add(of_some(i + 1, k), paired * closing(i, j) * one_(k, j - 1));
      add(of_one(k, j - 1), paired * closing(i, j) * some_(i + 1, k));
    }
  }

  const LoopWeights& w_;
  const LoopThroughEnds<LoopWeights>* ends_;
  bool lone_pairs_;
  std::size_t n_;
  Scaled whole_;
  Square paired_, one_, some_;
  std::vector<Scaled> bases_, all_;
};

}  // namespace

std::size_t ensemble_reference_bytes(const EnsembleProblem& problem, const Options&) {
  return 8 * problem.points * problem.points * sizeof(Scaled);
}

Ensemble ensemble_by_reference(const EnsembleProblem& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(ensemble_reference_bytes(problem, context.options));
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  const LoopEnergies energies = problem.fold.energies_of(sequence);
  const LoopWeights weights(energies);
  check_weights(weights, problem.fold.request.temperature);
  const auto circle = circle_of(problem, sequence, weights);
  const SolveMonitor monitor(context.options, problem.calls());
  ReferenceSums sums(weights, circle ? &circle->loops : nullptr, problem.fold.request.lone_pairs, monitor);
  Ensemble found;
  found.energy = 0 - energies.kt() * sums.whole().ln();  // not -0
  if (problem.wanted.pairs) {
    Square probabilities = sums.probabilities(monitor);
    list_pairs(found, sequence.size(), problem.wanted.threshold,
               [&](std::size_t i, std::size_t j) { return probabilities(i, j + 1).times_power_of_two(0); });
  }
  return found;
}

}  // namespace warpfold::rna
