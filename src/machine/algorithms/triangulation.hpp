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

/// Loops A and B of Algorithms DP-OPT and UMM-OPT: M(i,j) is unknown for i < j and 0 for i = j.
Program clear_table(Thread thread, std::uint64_t n, Array<Value> m);

/// Weights for an n-gon of a size that these algorithms accept. Raises Error{usage} for others.
[[nodiscard]] std::vector<Value> accepted_chords(const RunRequest& request);

/// What a run of DP-OPT or UMM-OPT left in M: whether that is right, and the bounds of Theorems 2 and 3.
[[nodiscard]] RunResult opt_result(const RunRequest& request, Simulation& simulation, Array<Value> m,
                                   const std::vector<Value>& chords);

}  // namespace warpfold::machine
