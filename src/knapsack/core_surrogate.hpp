#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "knapsack/core_pieces.hpp"

namespace warpfold::knapsack {

/// Returns the surrogate with the lowest bound. This needs a greedy packing with as many pieces as any packing can
/// have, or with fewer than any better one than `best` must have. Otherwise the number of pieces gives no bound.
/// `plain`: the pieces by their weights alone.
[[nodiscard]] std::optional<Surrogate> cardinality_surrogate(std::span<const Piece> pieces, std::int64_t capacity,
                                                             const CorePieces& plain, std::int64_t best);

}  // namespace warpfold::knapsack
