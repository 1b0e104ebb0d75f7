#pragma once

#include <cstddef>

#include "sequence/backends.hpp"

/// Furthest-reaching points (Ukkonen 1985, Myers 1986): F_e(k) is the largest i with D(i, i - k) <= e, and
///
///     F_e(k) = slide(max(F_e-1(k) + 1, F_e-1(k-1) + 1, F_e-1(k+1)))
///
/// where slide follows equal symbols along diagonal k. Without substitutions the first term is left out.
namespace warpfold::sequence {

/// Takes O(n + m + d^2) expected steps. A script takes O(d sqrt(d)) memory beyond 64 MB: some frontiers are kept, and
/// those between two of them are computed again for the walk. Gives up if another algorithm promises to be faster.
[[nodiscard]] Distance by_diagonals(const Query& query, Context& context);

}  // namespace warpfold::sequence
