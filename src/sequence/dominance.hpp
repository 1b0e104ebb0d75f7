#pragma once

#include "sequence/backends.hpp"

/// Common subsequences from the pairs of equal symbols (Hunt and Szymanski 1977). In row i, T(c) is the least j with
/// L(i,j) >= c. A pair (i,j) lowers the first T(c) >= j to j.
namespace warpfold::sequence {

/// Takes r log n steps for r pairs, and for a script 8 bytes for each T that is lowered.
[[nodiscard]] Distance by_dominance(const Query& query, Context& context);

}  // namespace warpfold::sequence
