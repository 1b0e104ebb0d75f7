#pragma once

#include <cstddef>
#include <cstdint>

/// The recurrence of diagonals.hpp in vectors: a vector of diagonals, and 8 symbols of each compared at a time.
namespace warpfold::sequence {

inline constexpr std::int64_t points_of_vector = 8;  ///< at most
inline constexpr std::size_t symbols_compared = 8;   ///< that may be read from any position of a sequence on
inline constexpr std::int64_t unreached = -2;        ///< F of a diagonal that no script of the cost comes to

/// Points on diagonals that follow each other, with what they come from.
struct Points {
  const std::uint8_t* a;  ///< n symbols and `symbols_compared` more bytes
  const std::uint8_t* b;  ///< m symbols, likewise
  std::int64_t n, m;
  std::int64_t first;          ///< the first diagonal
  std::int64_t step;           ///< from one diagonal to the next
  std::int64_t count;          ///< the diagonals; up to `points_of_vector` more are read and set
  const std::int64_t* lower;   ///< F_e-1 of diagonals k - 1
  const std::int64_t* same;    ///< of diagonals k, or null without substitutions
  const std::int64_t* higher;  ///< of diagonals k + 1
  std::int64_t* next;          ///< F_e
};

using AdvancePoints = void (*)(const Points& points);

/// For the best instruction set of this processor. Fetch it once per solve.
[[nodiscard]] AdvancePoints advance_points();

}  // namespace warpfold::sequence
