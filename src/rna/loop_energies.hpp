#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "rna/constraint.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::rna {

/// The unpaired bases of an interior loop on both sides.
struct LoopSizes {
  std::size_t left, right;
};

/// Stacks, bulges and interior loops by what their energy depends on. The energy of a small loop is listed for its two
/// pairs: a stack, a bulge of one base, 1 x 1, 1 x 2, 2 x 2 and 2 x 3. Others are a sum: see LoopEnergies::loop.
enum class LoopKind : std::size_t { bulge, one_by_more, generic, small };

/// The number of kinds that are sums.
inline constexpr std::size_t summed_kinds = static_cast<std::size_t>(LoopKind::small);

[[nodiscard]] constexpr LoopKind loop_kind(std::size_t left, std::size_t right) {
  const std::size_t large = std::max(left, right), small = std::min(left, right);
  if (large <= 1 || (small == 1 && large == 2) || (small == 2 && large <= 3)) return LoopKind::small;
  if (small == 0) return LoopKind::bulge;
  return small == 1 ? LoopKind::one_by_more : LoopKind::generic;
}

/// The small loops, by the unpaired bases on the left and then on the right.
inline constexpr std::array<LoopSizes, 9> small_loops = {
    {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 2}}};

/// Calls visit(left, right) for the small loops in their order, with sizes that are constants.
template <class Visit>
constexpr void for_small_loops(const Visit& visit) {
  [&]<std::size_t... t>(std::index_sequence<t...>) {
    (visit(std::integral_constant<std::size_t, small_loops[t].left>(),
           std::integral_constant<std::size_t, small_loops[t].right>()),
     ...);
  }
  (std::make_index_sequence<small_loops.size()>());
}

/// The energies of the loops of one sequence at one temperature. Bases are counted from 0. A pair is named by its two
/// bases, i < j, and its kind is below pair_kinds.
class LoopEnergies {
 public:
  /// Raises Error{input} for a temperature that is not above absolute zero, Error{usage} for other dangles.
  LoopEnergies(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request);

  /// The kind of the pair (i,j), or pair_kinds if the bases do not pair, enclose fewer than 3, are too far apart, or
  /// may not pair by the constraint.
  [[nodiscard]] std::size_t kind(std::size_t i, std::size_t j) const {
    if (j < i + 4 || j - i >= max_span_ || !constraint_.may_pair(i, j)) return pair_kinds;
    return pair_kind(sequence_[i], sequence_[j]);
  }

  /// Whether the bases first .. last-1 may all be unpaired.
  [[nodiscard]] bool is_free(std::size_t first, std::size_t last) const { return constraint_.is_free(first, last); }

  [[nodiscard]] Energy hairpin(std::size_t i, std::size_t j) const {
    const std::size_t size = j - i - 1;
    if (size <= max_special_hairpin) return small_hairpin(i, j);
    return hairpin_initiation_[size] + numbers_.mismatch_hairpin(pair(i, j), bases_[i + 1], bases_[j - 1]);
  }
  /// The loop of (i,j) around (p,q): a stack, a bulge or an interior loop of at most max_loop unpaired bases.
  [[nodiscard]] Energy interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const;
  /// What the pair (i,j) adds to the multiloop that it closes.
  [[nodiscard]] Energy multi_closing(std::size_t i, std::size_t j) const {
    return numbers_.multi_closing(0) + end(j, i, j - 1, i + 1).multi;
  }
  /// What the pair (i,j) adds to the multiloop around it. There is a base on both sides. Any number if the bases do not
  /// pair.
  [[nodiscard]] Energy multi_branch(std::size_t i, std::size_t j) const {
    return end(i, j, i - 1, j + 1).multi;
  }
  [[nodiscard]] Energy multi_base() const { return numbers_.multi_base(0); }
  /// What the pair (i,j) adds to the exterior loop.
  [[nodiscard]] Energy exterior(std::size_t i, std::size_t j) const;

  // The energy of a loop that is not small, in three parts: of its sizes, of its outer pair and of its inner pair.
  [[nodiscard]] Energy loop(LoopKind kind, std::size_t left, std::size_t right) const {
    if (kind == LoopKind::bulge) return numbers_.bulge(left + right);
    const std::size_t difference = std::max(left, right) - std::min(left, right);
    return numbers_.interior(left + right) +
           std::min(max_asymmetry_, static_cast<Energy>(difference) * numbers_.asymmetry(0));
  }
  [[nodiscard]] Energy outer(LoopKind kind, std::size_t i, std::size_t j) const {
    return end(i, j, i + 1, j - 1).of[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] Energy inner(LoopKind kind, std::size_t p, std::size_t q) const {
    return end(q, p, q + 1, p - 1).of[static_cast<std::size_t>(kind)];
  }
  /// The energy of a small loop with these sizes, which the pair (i,j) closes. Any number if the inner bases do not
  /// pair.
  template <std::size_t left, std::size_t right>
  [[nodiscard]] Energy small_loop(std::size_t i, std::size_t j) const {
    const std::size_t p = i + 1 + left, q = j - 1 - right, outer = pair(i, j);
    const std::size_t inner = any_kinds_[bases_[q] * std::size_t{5} + bases_[p]];
    const auto& n = numbers_;
    const Base* s = bases_;
    if constexpr (left + right == 0) return n.stack(outer, inner);
    if constexpr (left + right == 1) return n.bulge(1) + n.stack(outer, inner);
    if constexpr (left == 1 && right == 1) return n.interior_11(outer, inner, s[i + 1], s[j - 1]);
    if constexpr (left == 1 && right == 2) return n.interior_21(outer, inner, s[i + 1], s[q + 1], s[j - 1]);
    if constexpr (left == 2 && right == 1) return n.interior_21(inner, outer, s[q + 1], s[i + 1], s[p - 1]);
    if constexpr (left == 2 && right == 2) return n.interior_22(outer, inner, s[i + 1], s[p - 1], s[q + 1], s[j - 1]);
    if constexpr (left + right == 5) {
      return loop(LoopKind::generic, left, right) + end(i, j, i + 1, j - 1).of_23 + end(q, p, q + 1, p - 1).of_23;
    }
  }

  /// The energy that rounding takes from a hairpin of this many bases, in 0.01 kcal/mol, less than 1.
  [[nodiscard]] double lost_of_long_loop(std::size_t size) const;
  /// k T in kcal/mol.
  [[nodiscard]] double kt() const { return kt_; }
  [[nodiscard]] const Sequence& sequence() const { return sequence_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t max_special_hairpin = 6;

  /// What a pair adds to a loop, by the pair's bases and the two beside it. Any numbers if the bases do not pair.
  struct End {
    std::array<Energy, summed_kinds> of;  ///< by the kind of loop
    Energy of_23;                         ///< to a loop of 2 x 3 bases
    Energy multi;                         ///< to a multiloop; the base before the pair is the first beside it
  };

  [[nodiscard]] std::size_t pair(std::size_t i, std::size_t j) const { return pair_kind(bases_[i], bases_[j]); }
  [[nodiscard]] const End& end(std::size_t i, std::size_t j, std::size_t beside, std::size_t other) const {
    return ends_[((bases_[i] * std::size_t{5} + bases_[j]) * 5 + bases_[beside]) * 5 + bases_[other]];
  }
  void list_ends();
  [[nodiscard]] Energy initiation_of_hairpin(std::size_t size) const;
  [[nodiscard]] Energy small_hairpin(std::size_t i, std::size_t j) const;
  /// A pair that is not of C and G costs at the end of a helix.
  [[nodiscard]] Energy terminal_au(std::size_t kind) const { return kind >= 2 ? numbers_.terminal_au(0) : 0; }
  /// The bases are those before and after the pair.
  [[nodiscard]] Energy multi_pair(std::size_t kind, Base before, Base after) const {
    return numbers_.multi_branch(0) + terminal_au(kind) +
           (dangles_ == 0 ? 0 : numbers_.mismatch_multi(kind, before, after));
  }
  /// What a pair adds to a loop that is not small. The bases are the unpaired ones beside it.
  [[nodiscard]] Energy loop_end(LoopKind of, std::size_t kind, Base after, Base before) const {
    if (of == LoopKind::bulge) return terminal_au(kind);
    const auto& mismatch = of == LoopKind::one_by_more ? numbers_.mismatch_interior_1n : numbers_.mismatch_interior;
    return mismatch(kind, after, before);
  }

  const Sequence& sequence_;
  const Base* bases_;
  std::size_t size_;
  Constraint constraint_;
  LoopNumbers numbers_;
  double log_slope_, kt_;
  std::vector<Energy> hairpin_initiation_;  ///< by the number of bases
  Energy max_asymmetry_;
  int dangles_;
  std::size_t max_span_;
  // Nothing predicts whether two bases pair, and how: these lists take the place of branches.
  std::array<Base, 25> any_kinds_;  ///< the kinds of pairs, and any kind for bases that do not pair
  std::array<End, 625> ends_;
};

}  // namespace warpfold::rna
