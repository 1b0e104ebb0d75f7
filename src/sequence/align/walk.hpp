#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sequence/align/backends.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence::alignment {

/// A walk from the end of an alignment to its beginning, through blocks of the table.
class AlignmentWalk {
 public:
  AlignmentWalk(const Query& query, const BestEnd& end)
      : query_(query),
        min_extend_(query.gaps().second ? std::min(query.gaps().extend, query.gaps().second->extend)
                                        : query.gaps().extend),
        walk_{end.i, end.j} {}

  [[nodiscard]] std::size_t i() const { return walk_.i; }
  [[nodiscard]] std::size_t j() const { return walk_.j; }
  /// Whether the walk has reached the beginning of a local alignment, row 0 or column 0.
  [[nodiscard]] bool is_done() const { return is_at_zero_ || i() == 0 || j() == 0; }

  /// Walks until it is done, or at row `top` or column `left`. `at(i, j)`: H of every cell of the block, these
  /// included. `deleted_to(j, length)`: the best score of what ends at row `top` + `length` and column j with a
  /// deletion that begins above row `top`.
  template <class At, class DeletedTo>
  void walk_through(std::size_t top, std::size_t left, const At& at, const DeletedTo& deleted_to) {
    while (!is_done() && i() > top && j() > left) {
      if (gap_) {
        continue_gap(top, left, at);
      } else {
        step(top, left, at, deleted_to);
      }
    }
  }

  /// Takes edits that are known. A match stands for a substitution, too.
  void follow(Edit edit, std::uint64_t length) {
    if (edit != Edit::match) return take(edit, length);
    for (std::uint64_t step = 0; step < length; ++step) walk_.take(pair_edit());
  }

  /// The script, once the walk is done.
  [[nodiscard]] Script finished() {
    const FreeEnds& ends = query_.ends();
    if (!ends.local && !ends.begin_a) take(Edit::deletion, i());
    if (!ends.local && !ends.begin_b) take(Edit::insertion, j());
    Script script = walk_.backwards.reversed();
    script.begin_a = i();
    script.begin_b = j();
    return script;
  }

 private:
  /// A gap that reaches beyond a block.
  struct Gap {
    Edit edit;
    std::int64_t value;    ///< H where the gap ends
    std::uint64_t length;  ///< symbols so far
  };

  [[nodiscard]] Edit pair_edit() const {
    const bool is_match = query_.pair.matches(query_.pair.a()[i() - 1], query_.pair.b()[j() - 1]);
    return is_match ? Edit::match : Edit::substitution;
  }

  void take(Edit edit, std::uint64_t length) {
    for (std::uint64_t step = 0; step < length; ++step) walk_.take(edit);
  }

  template <class At, class DeletedTo>
  void step(std::size_t top, std::size_t left, const At& at, const DeletedTo& deleted_to) {
    const std::int64_t value = at(i(), j());
    if (query_.ends().local && value == 0) {
      is_at_zero_ = true;
    } else if (value == at(i() - 1, j() - 1) + query_.score(i(), j())) {
      walk_.take(pair_edit());
    } else {
      gap_ = {is_deleted(top, value, at, deleted_to) ? Edit::deletion : Edit::insertion, value, 0};
      continue_gap(top, left, at);
    }
  }

  /// Whether a deletion ends here. A cell that is worse by more than an extension can cost ends the search: H is at
  /// least what a deletion from any cell above gives.
  template <class At, class DeletedTo>
  [[nodiscard]] bool is_deleted(std::size_t top, std::int64_t value, const At& at, const DeletedTo& deleted_to) const {
    for (std::size_t length = 1; length <= i() - top; ++length) {
      const std::int64_t before = at(i() - length, j());
      if (before - query_.gaps().of(length) == value) return true;
      if (before - static_cast<std::int64_t>(length) * min_extend_ < value) return false;
    }
    return top > 0 && deleted_to(j(), i() - top) == value;
  }

  /// Takes symbols of the gap until it begins, or to the block's border.
  template <class At>
  void continue_gap(std::size_t top, std::size_t left, const At& at) {
    const bool is_deletion = gap_->edit == Edit::deletion;
    while (is_deletion ? i() > top : j() > left) {
      walk_.take(gap_->edit);
      if (at(i(), j()) - query_.gaps().of(++gap_->length) == gap_->value) {
        gap_.reset();
        return;
      }
    }
  }

  const Query& query_;
  std::int64_t min_extend_;
  Walk walk_;
  std::optional<Gap> gap_ = {};
  bool is_at_zero_ = false;
};

}  // namespace warpfold::sequence::alignment
