#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "knapsack/core_pieces.hpp"

namespace warpfold::knapsack {

/// The surrogate with the lowest bound, when the greedy packing has as many pieces as any packing can have, or fewer
/// than any better one than `best` must have. Otherwise the number of pieces bounds nothing. `plain`: the pieces by
/// their weights alone.
[[nodiscard]] std::optional<Surrogate> cardinality_surrogate(std::span<const Piece> pieces, std::int64_t capacity,
                                                             const CorePieces& plain, std::int64_t best);

}  // namespace warpfold::knapsack
