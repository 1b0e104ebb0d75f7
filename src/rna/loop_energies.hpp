#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
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

/// What a pair adds to a loop, by the pair's bases and the two beside it. Any numbers if the bases do not pair.
struct LoopEnd {
  std::array<Energy, summed_kinds> of;  ///< by the kind of loop
  Energy of_23;                         ///< to a loop of 2 x 3 bases
  Energy multi;                         ///< to a multiloop; the base before the pair is the first beside it
  Energy exterior;                      ///< to the exterior loop, in the same order
};

/// Where the lists are that energies depend on. Nothing predicts whether two bases pair, and how: the last two lists
/// take the place of branches.
struct LoopLists {
  const Base* bases = nullptr;
  const LoopTables* numbers = nullptr;
  const Energy* hairpin_initiation = nullptr;  ///< by the number of bases
  const Energy* small_hairpins = nullptr;      ///< whole hairpins: see LoopEnergyView::small_hairpin_place
  ConstraintView constraint;
  const LoopEnd* ends = nullptr;               ///< by the pair's bases, then by those beside it, 5 of each
  const Base* any_kinds = nullptr;             ///< the kinds of pairs, and any kind for bases that do not pair
  const Energy* stack_energies = nullptr;      ///< of each base, if the request has any
  const PairEnergy* pair_energies = nullptr;   ///< by their bases, if the request has any
  const std::size_t* first_of_base = nullptr;  ///< the place of the first pair of each base, and their number
};

/// The energies of the loops of one sequence at one temperature, wherever their tables are. Bases are counted from 0. A
/// pair is named by its two bases, i < j, and its kind is below pair_kinds. Hosts and devices run the same functions.
class LoopEnergyView {
 public:
  /// The same energies with lists elsewhere.
  LoopEnergyView(const LoopEnergyView& other, const LoopLists& lists) : LoopEnergyView(other) { lists_ = lists; }
  /// Those of another sequence with so many bases.
  LoopEnergyView(const LoopEnergyView& other, const LoopLists& lists, std::size_t size) : LoopEnergyView(other, lists) {
    size_ = size;
  }

  /// The kind of the pair (i,j), or pair_kinds if the bases do not pair, enclose fewer than 3, are too far apart, or
  /// may not pair by the constraint.
  [[nodiscard]] constexpr std::size_t kind(std::size_t i, std::size_t j) const {
    return lists_.constraint.may_pair(i, j) ? unconstrained_kind(i, j) : pair_kinds;
  }

  /// Whether the bases first .. last-1 may all be unpaired.
  [[nodiscard]] constexpr bool is_free(std::size_t first, std::size_t last) const {
    return lists_.constraint.is_free(first, last);
  }

  [[nodiscard]] constexpr Energy hairpin(std::size_t i, std::size_t j) const {
    const std::size_t size = j - i - 1;
    if (size <= max_special_hairpin) return lists_.small_hairpins[small_hairpin_place(i, size)] + of_pair(i, j);
    return lists_.hairpin_initiation[size] + of_pair(i, j) +
           lists_.numbers->mismatch_hairpin(pair(i, j), lists_.bases[i + 1], lists_.bases[j - 1]);
  }
  /// The loop of (i,j) around (p,q): a stack, a bulge or an interior loop of at most max_loop unpaired bases.
  [[nodiscard]] constexpr Energy interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    const std::size_t left = p - i - 1, right = j - q - 1;
    const LoopKind kind = loop_kind(left, right);
    if (kind != LoopKind::small) return loop(kind, left, right) + outer(kind, i, j) + inner(kind, p, q);
    Energy energy = no_loop;
    for_small_loops([&](auto on_left, auto on_right) {
      if (on_left == left && on_right == right) energy = small_loop<on_left(), on_right()>(i, j);
    });
    return energy;
  }
  /// What the pair (i,j) adds to the multiloop that it closes.
  [[nodiscard]] constexpr Energy multi_closing(std::size_t i, std::size_t j) const {
    return lists_.numbers->multi_closing(0) + end(j, i, j - 1, i + 1).multi + of_pair(i, j);
  }
  /// Whether there is a base on both sides of a pair (i,j), as in a multiloop.
  [[nodiscard]] constexpr bool has_neighbors(std::size_t i, std::size_t j) const {
    return circular_ || (i > 0 && j + 1 < size_);
  }
  /// What the pair (i,j) adds to the multiloop around it. It has neighbors. Any number if the bases do not pair.
  [[nodiscard]] constexpr Energy multi_branch(std::size_t i, std::size_t j) const {
    return end(i, j, i > 0 ? i - 1 : size_ - 1, j + 1 < size_ ? j + 1 : 0).multi;
  }
  /// What the multiloop through the ends of a circular sequence has besides its branches and bases.
  [[nodiscard]] constexpr Energy multi_ends() const { return lists_.numbers->multi_closing(0); }
  [[nodiscard]] constexpr Energy multi_base() const { return lists_.numbers->multi_base(0); }
  /// What the pair (i,j) adds to the exterior loop. Any number if the bases do not pair.
  [[nodiscard]] constexpr Energy exterior(std::size_t i, std::size_t j) const {
    const bool has_left = i > 0, has_right = j + 1 < size_;
    if (has_left && has_right) return end(i, j, i - 1, j + 1).exterior;
    const std::size_t kind = any_kind(i, j);
    const Energy energy = terminal_au(kind);
    if (dangles_ == 0 || (!has_left && !has_right)) return energy;
    if (!has_right) return energy + lists_.numbers->dangle5(kind, lists_.bases[i - 1]);
    return energy + lists_.numbers->dangle3(kind, lists_.bases[j + 1]);
  }

  /// The same for base i > 0 with a later base that is not the last, by that base and the next one.
  [[nodiscard]] constexpr Energy exterior(std::size_t i, Base other, Base next) const {
    const Base* s = lists_.bases;
    return lists_.ends[((s[i] * std::size_t{5} + other) * 5 + s[i - 1]) * 5 + next].exterior;
  }

  // The energy of a loop that is not small, in three parts: of its sizes, of its outer pair and of its inner pair.
  [[nodiscard]] constexpr Energy loop(LoopKind kind, std::size_t left, std::size_t right) const {
    if (kind == LoopKind::bulge) return lists_.numbers->bulge(left + right);
    const std::size_t difference = std::max(left, right) - std::min(left, right);
    return lists_.numbers->interior(left + right) +
           std::min(max_asymmetry_, static_cast<Energy>(difference) * lists_.numbers->asymmetry(0));
  }
  [[nodiscard]] constexpr Energy outer(LoopKind kind, std::size_t i, std::size_t j) const {
    return end(i, j, i + 1, j - 1).of[static_cast<std::size_t>(kind)] + of_pair(i, j);
  }
  [[nodiscard]] constexpr Energy inner(LoopKind kind, std::size_t p, std::size_t q) const {
    return end(q, p, q + 1, p - 1).of[static_cast<std::size_t>(kind)];
  }
  /// The energy of a small loop with these sizes, which the pair (i,j) closes. Any number if the inner bases do not
  /// pair.
  template <std::size_t left, std::size_t right>
  [[nodiscard]] constexpr Energy small_loop(std::size_t i, std::size_t j) const {
    return listed_loop<left, right>(i, j) + of_pair(i, j);
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool is_circular() const { return circular_; }
  /// The bases of a pair are less than this apart.
  [[nodiscard]] constexpr std::size_t max_span() const { return max_span_; }
  [[nodiscard]] constexpr const LoopLists& lists() const { return lists_; }
  /// Whether the bases beside a pair add to multiloops and the exterior loop.
  [[nodiscard]] constexpr bool has_dangles() const { return dangles_ != 0; }

  static constexpr std::size_t max_special_hairpin = 6;
  /// The place of a hairpin of 3 to max_special_hairpin bases in a list of all.
  [[nodiscard]] static constexpr std::size_t small_hairpin_place(std::size_t i, std::size_t size) {
    return i * (max_special_hairpin - 2) + size - 3;
  }

 protected:
  LoopEnergyView() = default;
  /// The same without what the request adds to the pair.
  template <std::size_t left, std::size_t right>
  [[nodiscard]] constexpr Energy listed_loop(std::size_t i, std::size_t j) const {
    const std::size_t p = i + 1 + left, q = j - 1 - right, outer = pair(i, j);
    const std::size_t inner = any_kind(q, p);
    const LoopTables& n = *lists_.numbers;
    const Base* s = lists_.bases;
    if constexpr (left + right == 0) return n.stack(outer, inner) + of_stack(i, j);
    if constexpr (left + right == 1) return n.bulge(1) + n.stack(outer, inner);
    if constexpr (left == 1 && right == 1) return n.interior_11(outer, inner, s[i + 1], s[j - 1]);
    if constexpr (left == 1 && right == 2) return n.interior_21(outer, inner, s[i + 1], s[q + 1], s[j - 1]);
    if constexpr (left == 2 && right == 1) return n.interior_21(inner, outer, s[q + 1], s[i + 1], s[p - 1]);
    if constexpr (left == 2 && right == 2) return n.interior_22(outer, inner, s[i + 1], s[p - 1], s[q + 1], s[j - 1]);
    if constexpr (left + right == 5) {
      return loop(LoopKind::generic, left, right) + end(i, j, i + 1, j - 1).of_23 + end(q, p, q + 1, p - 1).of_23;
    }
  }
  [[nodiscard]] constexpr std::size_t unconstrained_kind(std::size_t i, std::size_t j) const {
    return j < i + 4 || j - i >= max_span_ ? pair_kinds : pair(i, j);
  }
  [[nodiscard]] constexpr std::size_t pair(std::size_t i, std::size_t j) const {
    return pair_kind(lists_.bases[i], lists_.bases[j]);
  }
  /// The kind of a pair, and any kind if the bases do not pair.
  [[nodiscard]] constexpr std::size_t any_kind(std::size_t i, std::size_t j) const {
    return lists_.any_kinds[lists_.bases[i] * std::size_t{5} + lists_.bases[j]];
  }
  /// What the request adds to the stack of (i,j) on (i+1,j-1).
  [[nodiscard]] constexpr Energy of_stack(std::size_t i, std::size_t j) const {
    const Energy* of = lists_.stack_energies;
    return of ? of[i] + of[i + 1] + of[j - 1] + of[j] : 0;
  }
  /// What the request adds to the pair (i,j).
  [[nodiscard]] constexpr Energy of_pair(std::size_t i, std::size_t j) const {
    return lists_.pair_energies ? energy_in_list(i, j) : 0;
  }
  /// Not inlined: few requests have a list.
  [[nodiscard, gnu::noinline]] constexpr Energy energy_in_list(std::size_t i, std::size_t j) const {
    std::size_t first = lists_.first_of_base[i], end = lists_.first_of_base[i + 1];
    while (first < end) {
      const std::size_t middle = first + (end - first) / 2;
      const PairEnergy& pair = lists_.pair_energies[middle];
      if (pair.j == j) return pair.energy;
      if (pair.j < j) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return 0;
  }
  [[nodiscard]] constexpr const LoopEnd& end(std::size_t i, std::size_t j, std::size_t beside,
                                             std::size_t other) const {
    const Base* s = lists_.bases;
    return lists_.ends[((s[i] * 5U + s[j]) * 5 + s[beside]) * 5 + s[other]];
  }
  /// A pair that is not of C and G costs at the end of a helix.
  [[nodiscard]] constexpr Energy terminal_au(std::size_t kind) const {
    return kind >= 2 ? lists_.numbers->terminal_au(0) : 0;
  }

  LoopLists lists_;
  std::size_t size_ = 0;
  Energy max_asymmetry_ = 0;
  int dangles_ = 2;
  std::size_t max_span_ = 0;
  bool circular_ = false;
};

/// The same energies of a request without a constraint: less code, for devices.
class UnconstrainedEnergyView : public LoopEnergyView {
 public:
  explicit UnconstrainedEnergyView(const LoopEnergyView& all) : LoopEnergyView(all) {}

  [[nodiscard]] constexpr std::size_t kind(std::size_t i, std::size_t j) const { return unconstrained_kind(i, j); }
  [[nodiscard]] static constexpr bool is_free(std::size_t, std::size_t) { return true; }
};

/// The tables of a set of parameters at one temperature, which all sequences share.
class EnergyTables {
 public:
  /// Raises Error{usage} for a temperature or dangles that are not accepted.
  EnergyTables(const Parameters& parameters, const FoldRequest& request);

  [[nodiscard]] const LoopNumbers& numbers() const { return numbers_; }
  /// See LoopLists.
  [[nodiscard]] const std::vector<LoopEnd>& ends() const { return ends_; }
  [[nodiscard]] const std::vector<Base>& any_kinds() const { return any_kinds_; }
  /// The same as in Parameters, at this temperature.
  [[nodiscard]] double log_slope() const { return log_slope_; }
  [[nodiscard]] Energy max_asymmetry() const { return max_asymmetry_; }
  /// k T in kcal/mol.
  [[nodiscard]] double kt() const { return kt_; }

 private:
  [[nodiscard]] LoopEnd end_of(int dangles, std::size_t kind, Base first, Base second) const;

  LoopNumbers numbers_;
  double log_slope_, kt_;
  Energy max_asymmetry_;
  std::vector<LoopEnd> ends_;
  std::vector<Base> any_kinds_;
};

/// These energies with their tables.
class LoopEnergies : public LoopEnergyView {
 public:
  /// `shared`: the tables of the parameters and the request, or null: it makes its own. Raises Error{usage} for a
  /// request that is not accepted, Error{input} for a constraint or energies that do not fit the sequence.
  LoopEnergies(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
               std::shared_ptr<const EnergyTables> shared = nullptr);
  LoopEnergies(const LoopEnergies&) = delete;
  LoopEnergies& operator=(const LoopEnergies&) = delete;

  /// The energy that rounding takes from a hairpin of this many bases, in 0.01 kcal/mol, less than 1.
  [[nodiscard]] double lost_of_long_loop(std::size_t size) const;
  /// k T in kcal/mol.
  [[nodiscard]] double kt() const { return shared_->kt(); }
  [[nodiscard]] const Sequence& sequence() const { return sequence_; }
  /// The tables, with the hairpins that have an energy of their own.
  [[nodiscard]] const LoopNumbers& numbers() const { return shared_->numbers(); }

  /// Appends what belongs to base i; for i = 0 also what belongs to all. All together tell these energies from others.
  void describe(std::size_t i, std::vector<std::byte>& bytes) const;

  /// The same energies with their tables elsewhere: `copied(span)` copies a list and returns where the copy is.
  template <class Copied>
  [[nodiscard]] LoopEnergyView copied_by(const Copied& copied) const {
    const auto list = [&](const auto& values) { return values.empty() ? nullptr : copied(std::span(values)); };
    const LoopTables& tables = shared_->numbers();
    return {*this,
            {list(sequence_.bases()),
             copied(std::span(&tables, 1)),
             list(initiation_list_),
             list(small_hairpin_list_),
             {list(constraint_list_.places()), list(constraint_list_.forced())},
             list(shared_->ends()),
             list(shared_->any_kinds()),
             list(stack_list_),
             list(pair_list_),
             list(first_list_)}};
  }

 private:
  void list_stack_energies(const FoldRequest& request);
  void list_pair_energies(const FoldRequest& request);
  [[nodiscard]] Energy initiation_of_hairpin(std::size_t size) const;
  [[nodiscard]] Energy small_hairpin(std::size_t i, std::size_t size) const;
  void list_small_hairpins();

  const Sequence& sequence_;
  Constraint constraint_list_;
  std::shared_ptr<const EnergyTables> shared_;
  std::vector<Energy> initiation_list_, small_hairpin_list_, stack_list_;
  std::vector<PairEnergy> pair_list_;
  std::vector<std::size_t> first_list_;
};

}  // namespace warpfold::rna
