#pragma once

#include <cstddef>

namespace warpfold::interval::detail {

/// A row of a tile of outside values: the intervals (i,j), (i,j+1) .. (i,j+63), for a grammar with vector code for the
/// rows of marginals:
///
///     bool outside_row(const OutsideRow& row) const;
///
/// It finds the outside values, and gives the parts of the terms to what they read, in the order of OutsideSolver. It
/// returns false, before it writes anything, to leave the row to the terms.
///
/// Some lists are by columns c, others from the right: entry 63 - c. Lists of products and of stencils are by their
/// numbers, others by tables.
struct OutsideRow {
  std::size_t i, j;
  std::size_t begin, end;  ///< the columns that have intervals
  std::size_t reach;       ///< the grammar's row_reach
  /// The results by tables and columns. First the seeds, of sparse tables where they may have values.
  double* const* out;
  /// See `given`.
  double* const* inside;
  double* const* outside;       ///< the results by products and columns
  double* const* left;          ///< by products and columns: what products with other tiles give to `left`
  const double* const* right;   ///< the same of `right`
  const double* const* turned;  ///< by products: `right` between the points j .. j+63, transposed
  const double* const* around;  ///< by stencils, from the right: what their terms give, without `inner`
  double* const* of_stencils;   ///< the results by stencils, from the right

  /// What intervals outside have given to those that begin at i + a, a <= reach, from the right. A part for the
  /// interval (i+a, j+c-b), b <= reach, is added to the entry 63 - c + b. One for (i, j+c-b) is a part of this row's.
  [[nodiscard]] double* given(unsigned table, std::size_t a) const { return inside[table * (reach + 1) + a]; }
};

/// Whether G has vector code for the rows of marginals.
template <class G>
inline constexpr bool closes_outside_rows = requires(const G& g, const OutsideRow& row) {
  g.outside_row(row);
};

}  // namespace warpfold::interval::detail
