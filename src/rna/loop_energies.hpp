#pragma once

#include <cstddef>

#include "rna/constraint.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::rna {

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

  [[nodiscard]] Energy hairpin(std::size_t i, std::size_t j) const;
  /// The loop of (i,j) around (p,q): a stack, a bulge or an interior loop of at most max_loop unpaired bases.
  [[nodiscard]] Energy interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const;
  /// What the pair (i,j) adds to the multiloop that it closes.
  [[nodiscard]] Energy multi_closing(std::size_t i, std::size_t j) const;
  /// What the pair (i,j) adds to the multiloop around it. There is a base on both sides.
  [[nodiscard]] Energy multi_branch(std::size_t i, std::size_t j) const;
  [[nodiscard]] Energy multi_base() const { return numbers_.multi_base(0); }
  /// What the pair (i,j) adds to the exterior loop.
  [[nodiscard]] Energy exterior(std::size_t i, std::size_t j) const;

  // The energy of a generic interior loop, in three parts. A loop is generic if its energy depends on its sizes and the
  // two mismatches alone.
  [[nodiscard]] static bool is_generic(std::size_t left, std::size_t right);
  [[nodiscard]] Energy generic_loop(std::size_t left, std::size_t right) const;
  [[nodiscard]] Energy outer_mismatch(std::size_t i, std::size_t j) const;
  [[nodiscard]] Energy inner_mismatch(std::size_t p, std::size_t q) const;

  /// The energy that rounding takes from a hairpin of this many bases, in 0.01 kcal/mol, less than 1.
  [[nodiscard]] double lost_of_long_loop(std::size_t size) const;
  /// k T in kcal/mol.
  [[nodiscard]] double kt() const { return kt_; }
  [[nodiscard]] const Sequence& sequence() const { return sequence_; }

 private:
  [[nodiscard]] Energy initiation(const Grid<max_loop + 1>& listed, std::size_t size) const;
  [[nodiscard]] Energy asymmetry(std::size_t left, std::size_t right) const;
  [[nodiscard]] Energy terminal_au(std::size_t kind) const;
  [[nodiscard]] Energy small_interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const;
  [[nodiscard]] Energy bulge(std::size_t size, std::size_t outer, std::size_t inner) const;

  const Sequence& sequence_;
  Constraint constraint_;
  LoopNumbers numbers_;
  double log_slope_, kt_;
  Energy max_asymmetry_;
  int dangles_;
  std::size_t max_span_;
};

}  // namespace warpfold::rna
