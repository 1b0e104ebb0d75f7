#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::knapsack {

/// The limits after which the core search gives up: visited states, and bytes besides the pieces.
struct CoreBudget {
  double states = 0;
  std::size_t bytes = 0;
};

struct CoreResult {
  bool finished = false;  ///< false: a budget ran out; nothing below holds then but the counts
  std::int64_t value = 0;
  std::vector<char> taken;     ///< for each piece, whether it is packed
  std::size_t enumerated = 0;  ///< pieces whose both ways were tried
  std::size_t max_states = 0;  ///< the length of the longest list
  double states = 0;           ///< states visited in total
  bool cardinality_bound = false;
  std::size_t peak_bytes = 0;
};

/// The exact core algorithm for 0-1 pieces with positive weight and value. Each weighs at most `capacity`.
///
/// D. Pisinger, "A minimal algorithm for the 0-1 knapsack problem" (1997): sort by value / weight, and pack greedily up
/// to the break piece. Then try one piece after another both ways, outwards from there. Keep the list of states
/// (weight, value) that no other state dominates and whose upper bound beats the best packing found.
///
/// When the list grows long, a bound on the number of pieces in any better packing (S. Martello, D. Pisinger, P. Toth
/// 1999) is added as a surrogate. Pieces are then ordered by value / (weight + S), which makes strongly correlated
/// instances easy.
///
/// States remember their last 64 decisions. Older ones are found by searching again for that state, as in minknap.
[[nodiscard]] CoreResult core(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
                              const SolveMonitor& monitor);

/// The bytes of a search with that many pieces, including them: at least, with the shortest lists, and at most, with
/// lists of as many states as the budget allows.
[[nodiscard]] std::size_t min_core_bytes(std::size_t pieces);
[[nodiscard]] double min_core_seconds(std::size_t pieces);
[[nodiscard]] ResourceEstimate worst_case_of_core(std::size_t pieces, const CoreBudget& budget);

}  // namespace warpfold::knapsack
