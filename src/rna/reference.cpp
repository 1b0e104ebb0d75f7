#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "rna/backends.hpp"
#include "rna/circular.hpp"
#include "rna/exterior.hpp"

namespace warpfold::rna {

namespace {

/// a + b, where no_loop and more stays no loop.
Energy sum_of(Energy a, Energy b) { return a >= no_loop || b >= no_loop ? no_loop : a + b; }

/// The recurrence as it is written: for intervals (i,j) of the bases i .. j-1,
///
///     paired(i,j) = min of the hairpin, of interior(i,j-1,p,q) + helix(p,q+1), and of
///                   multi_closing + the least of stems(i+1,k) + stems(k,j-1);
///     helix(i,j)  = paired(i,j), or without lone pairs a stack on paired(i+1,j-1);
///     stems(i,j)  = min of multi_branch + helix(i,j), stems(i+1,j) and stems(i,j-1) with a base more, and of
///                   stems(i,k) + stems(k,j).
///
/// In a stack helix(p,q+1) is paired(p,q+1).
class Reference {
 public:
  Reference(const LoopEnergies& energies, bool lone_pairs, const SolveMonitor& monitor)
      : energies_(energies),
        lone_pairs_(lone_pairs),
        n_(energies.sequence().size()),
        paired_((n_ + 1) * (n_ + 1), no_loop),
        stems_(paired_) {
    for (std::size_t length = 1; length <= n_; ++length) {
      for (std::size_t i = 0; i + length <= n_; ++i) {
        monitor.check();
        paired_[at(i, i + length)] = std::min(no_loop, best_loop(i, i + length, nullptr));
        stems_[at(i, i + length)] = best_stems(i, i + length);
      }
    }
  }

  [[nodiscard]] Energy helix(std::size_t i, std::size_t j) const {
    if (lone_pairs_) return paired(i, j);
    if (energies_.kind(i, j - 1) == pair_kinds || energies_.kind(i + 1, j - 2) == pair_kinds) return no_loop;
    return sum_of(energies_.interior(i, j - 1, i + 1, j - 2), paired(i + 1, j - 1));
  }

  /// Two branches of a multiloop or more, and one or more.
  [[nodiscard]] Energy branches(std::size_t i, std::size_t j) const { return best_branches(i, j); }
  [[nodiscard]] Energy stems(std::size_t i, std::size_t j) const { return stems_[at(i, j)]; }
  /// Marks the pairs of the multiloop through the ends of a circular sequence.
  void mark_multiloop(std::size_t split, std::string& structure) const {
    mark_stems(0, split, true, structure);
    mark_stems(split, n_, false, structure);
  }

  /// Marks the pairs inside the interval of the first pair of a helix.
  void mark_helix(std::size_t i, std::size_t j, std::string& structure) const {
    if (lone_pairs_) return mark(i, j, structure);
    structure[i] = '(';
    structure[j - 1] = ')';
    mark(i + 1, j - 1, structure);
  }

 private:
  [[nodiscard]] Energy paired(std::size_t i, std::size_t j) const { return paired_[at(i, j)]; }

  /// Marks the pairs inside the interval of a pair.
  void mark(std::size_t i, std::size_t j, std::string& structure) const {
    structure[i] = '(';
    structure[j - 1] = ')';
    Inside inside;
    static_cast<void>(best_loop(i, j, &inside));
    if (inside.is_pair && inside.i == i + 1 && inside.j == j - 1) {
      mark(inside.i, inside.j, structure);
    } else if (inside.is_pair) {
      mark_helix(inside.i, inside.j, structure);
    }
    if (inside.is_multiloop) mark_stems(inside.i, inside.j, true, structure);
  }

  /// What follows inside the best loop.
  struct Inside {
    bool is_pair = false, is_multiloop = false;
    std::size_t i = 0, j = 0;
  };

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j) const { return i * (n_ + 1) + j; }

  Energy best_loop(std::size_t i, std::size_t j, Inside* inside) const {
    if (energies_.kind(i, j - 1) == pair_kinds) return no_loop;
    Energy best = energies_.is_free(i + 1, j - 1) ? energies_.hairpin(i, j - 1) : no_loop;
    const auto take = [&](Energy energy, const Inside& next) {
      if (energy >= best) return;
      best = energy;
      if (inside) *inside = next;
    };
    for (const LoopKind kind : {LoopKind::small, LoopKind::bulge, LoopKind::one_by_more, LoopKind::generic}) {
      for (std::size_t left = 0; left <= max_loop; ++left) {
        for (std::size_t right = 0; left + right <= max_loop && left + right + 6 < j - i; ++right) {
          const std::size_t p = i + 1 + left, q = j - 2 - right;
          if (loop_kind(left, right) != kind || energies_.kind(p, q) == pair_kinds) continue;
          if (!energies_.is_free(i + 1, p) || !energies_.is_free(q + 1, j - 1)) continue;
          const Energy rest = left + right == 0 ? paired(p, q + 1) : helix(p, q + 1);
          take(sum_of(energies_.interior(i, j - 1, p, q), rest), {true, false, p, q + 1});
        }
      }
    }
    take(sum_of(energies_.multi_closing(i, j - 1), best_branches(i + 1, j - 1)), {false, true, i + 1, j - 1});
    return best;
  }
  [[nodiscard]] Energy best_branches(std::size_t i, std::size_t j) const {
    Energy best = no_loop;
    for (std::size_t k = i + 1; k < j; ++k) best = std::min(best, sum_of(stems_[at(i, k)], stems_[at(k, j)]));
    return best;
  }
  [[nodiscard]] Energy branch(std::size_t i, std::size_t j) const {
    if (!energies_.has_neighbors(i, j - 1) || helix(i, j) >= no_loop) return no_loop;
    return energies_.multi_branch(i, j - 1) + helix(i, j);
  }
  [[nodiscard]] Energy without_first(std::size_t i, std::size_t j) const {
    return energies_.is_free(i, i + 1) ? sum_of(energies_.multi_base(), stems_[at(i + 1, j)]) : no_loop;
  }
  [[nodiscard]] Energy without_last(std::size_t i, std::size_t j) const {
    return energies_.is_free(j - 1, j) ? sum_of(energies_.multi_base(), stems_[at(i, j - 1)]) : no_loop;
  }
  [[nodiscard]] Energy best_stems(std::size_t i, std::size_t j) const {
    Energy best = branch(i, j);
    if (i + 1 < j) best = std::min({best, without_first(i, j), without_last(i, j)});
    return std::min({no_loop, best, best_branches(i, j)});
  }
  void mark_stems(std::size_t i, std::size_t j, bool two, std::string& structure) const {
    const Energy energy = stems_[at(i, j)];
    if (!two && branch(i, j) == energy) return mark_helix(i, j, structure);
    if (!two && without_first(i, j) == energy) return mark_stems(i + 1, j, false, structure);
    if (!two && without_last(i, j) == energy) return mark_stems(i, j - 1, false, structure);
    const Energy best = best_branches(i, j);
    std::size_t k = i + 1;
    while (sum_of(stems_[at(i, k)], stems_[at(k, j)]) != best) ++k;
    mark_stems(i, k, false, structure);
    mark_stems(k, j, false, structure);
  }

  const LoopEnergies& energies_;
  bool lone_pairs_;
  std::size_t n_;
  std::vector<Energy> paired_, stems_;
};

}  // namespace

std::size_t reference_bytes(const FoldProblem& problem, const Options&) {
  return 2 * problem.points * problem.points * sizeof(Energy);
}

Folding fold_by_reference(const FoldProblem& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(reference_bytes(problem, context.options));
  const Sequence sequence(std::string_view(problem.sequence.letters()).substr(0, problem.points - 1));
  const LoopEnergies energies = problem.energies_of(sequence);
  const SolveMonitor monitor(context.options, problem.calls());
  const Reference reference(energies, problem.request.lone_pairs, monitor);
  if (problem.request.circular) {
    const WrittenTwice twice(sequence, problem.parameters, problem.request_for(sequence.size()));
    const LoopThroughEnds<LoopEnergies> loops(energies, twice.energies());
    const CircularExterior exterior(loops, reference, sequence.size());
    const auto& [pairs, count, split] = exterior.loop();
    Folding folding{exterior.energy(), std::string(sequence.size(), '.')};
    for (std::size_t t = 0; t < count; ++t) reference.mark_helix(pairs[t].i, pairs[t].j, folding.structure);
    if (split > 0) reference.mark_multiloop(split, folding.structure);
    return folding;
  }
  const auto paired = [&](std::size_t i, std::size_t j) { return reference.helix(i, j); };
  const Exterior exterior(energies, paired);
  Folding folding{exterior.energy(), std::string(sequence.size(), '.')};
  for (const auto& [i, j] : exterior.pairs()) reference.mark_helix(i, j, folding.structure);
  return folding;
}

}  // namespace warpfold::rna
