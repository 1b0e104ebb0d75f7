#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rna/folding_grammar.hpp"
#include "rna/row_kernels.hpp"
#include "warpfold/core/tile_storage.hpp"

namespace warpfold::rna {

/// The loops of a sequence listed for vector code. The intervals (i,j), (i,j+1) .. of a row share the bases next to i.
/// So what a loop adds is a list by the right base and those next to it, made once for each two bases on the left.
class FoldingRows {
 public:
  /// Whether there is vector code for a request: not with a constraint or energies of pairs.
  [[nodiscard]] static bool supports(const FoldRequest& request) {
    return request.constraint.empty() && request.pair_energies.empty();
  }
  /// The lists for a request that is supported; null for numbers so large that sums need checks.
  [[nodiscard]] static std::unique_ptr<FoldingRows> of(const LoopEnergies& energies);
  /// The bytes of the lists for the first bases of a sequence.
  [[nodiscard]] static std::size_t bytes(const Sequence& sequence, std::size_t bases);

  /// What `close_row` and `inner_row` of a grammar do (grammar_model.hpp).
  [[nodiscard]] bool close(const FoldingTables& tables, const interval::GrammarRow<Energy>& row) const;
  void weigh(LoopKind kind, std::size_t i, std::size_t j, std::span<const Energy> values, Energy* weighted) const;

  /// What the pairs of base i > 0 with the bases j-1, j, .. add to the exterior loop, except that of the last base.
  [[nodiscard]] const Energy* exterior(std::size_t i, std::size_t j) const {
    return list(List::exterior, base(i), base(i - 1)) + j;
  }
  [[nodiscard]] const RowKernels& kernels() const { return kernels_; }

  /// What the loops of a row add, of the intervals (i,j), (i,j+1) .. (i,j+63), and what those of all rows add.
  [[nodiscard]] RowEnergies energies_of_row(std::size_t i, std::size_t j) const;
  [[nodiscard]] const CommonEnergies& common() const { return common_; }
  /// What the pairs (i,j-1), (i,j) and so on add to a loop around them.
  [[nodiscard]] const Energy* inner(LoopKind kind, std::size_t i, std::size_t j) const {
    const List of = list_of(List::inner, static_cast<std::size_t>(kind));
    return i > 0 ? list(of, base(i), base(i - 1)) + j : list(RightList::none);
  }
  /// Calls visit(column, interval end) for the intervals of a row whose hairpin is not a sum.
  template <class Visit>
  void each_listed_hairpin(std::size_t i, std::size_t j, const Visit& visit) const {
    for (std::size_t end = i + 5; end < i + 5 + listed_hairpins && end <= energies_.size() && end < j + side; ++end) {
      if (end >= j && pair_kind(base(i), base(end - 1)) < pair_kinds) visit(end - j, end);
    }
  }
  /// The most that an energy of a row or its negative is: a sum of listed ones.
  [[nodiscard]] Energy max_energy() const { return std::max(4 * max_listed_, max_listed_ + max_initiation_); }

 private:
  /// Lists by two bases on the left, i and the one named here. The right bases are that of j-1 and the one named.
  enum class List : std::size_t {
    stack,    ///< i+1, j-2
    stack_2,  ///< i+1, j-3
    hairpin,  ///< i+1, j-2, as all up to multi_closing
    outer,    ///< one for each kind of loop that is a sum
    outer_23 = outer + summed_kinds,
    multi_closing,
    multi_branch,  ///< i-1, j, as all that follow
    inner,         ///< one for each kind of loop that is a sum
    inner_23 = inner + summed_kinds,
    exterior,
    count
  };
  /// The list of a kind of loop, from `outer` or `inner` on.
  [[nodiscard]] static List list_of(List first, std::size_t kind) {
    return static_cast<List>(static_cast<std::size_t>(first) + kind);
  }
  /// Lists by base i, and lists that do not depend on it: see RowEnergies. `none` has zero() everywhere.
  enum class KindList : std::size_t { outer, inner, count };
  enum class RightList : std::size_t { base, bases, stack, none, count };

  static constexpr std::size_t side = tiles::tile_side, front = 16, letters = 5;

  explicit FoldingRows(const LoopEnergies& energies);
  void list_loops();
  void list_ends();
  void end_before_last(List of);
  void list_kinds();
  void list_right();
  void check(std::span<const Energy> energies, Energy& most);
  template <class Adds>
  void fill(List list, std::ptrdiff_t beside, const Adds& adds);

  [[nodiscard]] static std::size_t stride_of(std::size_t size);
  [[nodiscard]] static std::size_t number_of_lists(std::size_t of_letters);
  /// A base of the sequence. Beyond its ends any base, or those on the other side if the sequence is circular.
  [[nodiscard]] Base base(std::size_t i) const { return padded_[front + i]; }
  /// The entry for j = 0 of the list with this number.
  [[nodiscard]] Energy* entries(std::size_t number) const { return lists_.data() + number * stride_ + front; }
  [[nodiscard]] Energy* list(List list, Base first, Base second) const {
    return entries((static_cast<std::size_t>(list) * letters_ + place(first)) * letters_ + place(second));
  }
  [[nodiscard]] Energy* list(KindList list, Base first) const {
    const std::size_t before = static_cast<std::size_t>(List::count) * letters_ * letters_;
    return entries(before + static_cast<std::size_t>(list) * letters_ + place(first));
  }
  [[nodiscard]] Energy* list(RightList list) const {
    return entries(number_of_lists(letters_) - 1 - static_cast<std::size_t>(list));
  }
  [[nodiscard]] std::size_t place(Base base) const { return base + letters_ - letters; }

  const LoopEnergies& energies_;
  RowKernels kernels_ = row_kernels();
  CommonEnergies common_{};
  std::size_t letters_;  ///< 5 if the sequence has an N, else 4
  std::size_t stride_;
  std::vector<Base> padded_;
  TileStorage<Energy> lists_;
  std::vector<Energy> initiation_;                         ///< of hairpins, after `side + 2` entries for none
  std::array<std::vector<std::uint64_t>, letters> pairs_;  ///< by base and tile: the columns whose bases pair with it
  bool fits_ = true;                                       ///< whether all energies are accepted ones
  Energy max_listed_ = 0, max_initiation_ = 0;             ///< the largest magnitudes of energies of loops
};

/// The grammar with vector code for its rows.
template <bool lone_pairs>
struct RowFolding : FoldingGrammar<lone_pairs> {
  using Terms = FoldingGrammar<lone_pairs>;
  static constexpr std::size_t row_reach = 4;

  const FoldingRows* rows;  ///< null: the terms alone

  [[nodiscard]] bool close_row(const interval::GrammarRow<Energy>& row) const {
    return rows && rows->close({Terms::paired, Terms::helix, Terms::branches, Terms::stems}, row);
  }
  [[nodiscard]] bool inner_row(std::size_t s, std::size_t i, std::size_t j, std::span<const Energy> values,
                               Energy* weighted) const {
    if (rows) rows->weigh(LoopKind{s}, i, j, values, weighted);
    return rows != nullptr;
  }
};

}  // namespace warpfold::rna
