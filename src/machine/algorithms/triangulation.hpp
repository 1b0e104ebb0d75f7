#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// What the programs for optimal polygon triangulation share.
namespace warpfold::machine {

/// A sum of two of these is still one.
inline constexpr Value unknown = Value{1} << 60;

/// The largest n whose n x n tables a memory holds.
inline constexpr std::uint64_t largest_polygon = 65535;

/// Weights of the chords of an n-gon: entry (i, j), i < j, of an n x n matrix; 0 for edges is not assumed, but
/// c(0, n-1) = 0. Random from the seed.
[[nodiscard]] std::vector<Value> random_chords(std::uint64_t n, std::uint64_t seed);

/// M(1, n-1) of the recurrence M(i,j) = min over i <= k < j of M(i,k) + M(k+1,j) + c(i-1,j), M(i,i) = 0, by the plain
/// triple loop.
[[nodiscard]] Value plain_triangulation(std::uint64_t n, const std::vector<Value>& chords);

/// The bounds of Theorems 2 and 3 put into a result of `result_of`.
void state_opt_bounds(const RunRequest& request, RunResult& result);

}  // namespace warpfold::machine
