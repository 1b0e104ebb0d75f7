#pragma once

#include <cstdint>

#include "sequence/backends.hpp"

/// Furthest-reaching points (Ukkonen 1985, Myers 1986): F_e(k) is the largest i with D(i, i - k) <= e, and
///
///     F_e(k) = slide(max(F_e-1(k) + 1, F_e-1(k-1) + 1, F_e-1(k+1)))
///
/// where slide follows equal symbols along diagonal k. Without substitutions the first term is left out.
///
/// After the first costs, a search near the furthest diagonal finds a script. Its cost bounds the distance, and seeds
/// bound what is left from each row (seeds.hpp). Diagonals whose point exceeds both together are left out at the ends.
namespace warpfold::sequence {

/// The time for a point of sequences with so many codes.
[[nodiscard]] double seconds_of_point(std::uint32_t codes);

/// Takes O(n + m + d^2) expected steps, fewer by seeds. A script takes O(d sqrt(d)) memory beyond 64 MB: some frontiers
/// are kept, and those between two of them are computed again near the walk. Gives up if another algorithm promises to
/// be faster.
[[nodiscard]] Distance by_diagonals(const Query& query, Context& context);

}  // namespace warpfold::sequence
