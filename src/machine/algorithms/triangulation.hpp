#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// Helpers of the programs for optimal polygon triangulation.
namespace warpfold::machine {

/// Infinity: a sum of two does not overflow.
inline constexpr Value unknown = Value{1} << 60;

/// The largest n whose n x n tables fit a memory.
inline constexpr std::uint64_t largest_polygon = 65535;

/// Weights of the chords of an n-gon.
struct Chords {
  std::vector<Value> list;    ///< (0,2), (0,3), .., (0,n-2), (1,3), ..
  std::vector<Value> matrix;  ///< n x n: entry (i, j), i < j; 0 for the sides
};

/// Returns the list "chords", or random weights. Raises Error{usage} for an n that these algorithms do not accept.
[[nodiscard]] Chords chords_for(const RunRequest& request);
[[nodiscard]] List chords_list();

/// Returns M(1, n-1) of the recurrence M(i,j) = min over i <= k < j of M(i,k) + M(k+1,j) + c(i-1,j), M(i,i) = 0, by the
/// plain triple loop.
[[nodiscard]] Value plain_triangulation(std::uint64_t n, const std::vector<Value>& chords);

/// Loops A and B of Algorithms DP-OPT and UMM-OPT: M(i,j) is unknown for i < j and 0 for i = j.
Program clear_table(Thread thread, std::uint64_t n, Array<Value> m);

/// Returns the result of a run that found `cost`: whether it is correct, and the lower bound of every program.
[[nodiscard]] RunResult optimum_result(const RunRequest& request, const Simulation& simulation, Value cost,
                                       const Chords& chords);

/// Returns the result of a run that left M(1, n-1) at `place` of M: whether it is correct, and the bounds of Theorems 2
/// and 3 of UMM 2013.
[[nodiscard]] RunResult opt_result(const RunRequest& request, Simulation& simulation, Array<Value> m,
                                   std::uint64_t place, const Chords& chords);

}  // namespace warpfold::machine
