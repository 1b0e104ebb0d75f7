#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/sequence/edit_distance.hpp"

namespace warpfold::sequence {

/// A longest common subsequence: its length, and if requested the script of matches, deletions and insertions.
struct Subsequence {
  /// Nothing: the insert/delete distance n + m - 2 length is more than Request::max_distance.
  std::optional<std::int64_t> length = {};
  Script script = {};
};

/// Computes the length of a longest common subsequence of A and B:
///
///     L(i,0) = L(0,j) = 0,
///     L(i,j) = L(i-1,j-1) + 1 if A[i] = B[j], else max(L(i-1,j), L(i,j-1)).
///
/// The algorithms are those of `edit_distance`; `slices` takes (2 p + 3) n m / L operations and half the bytes. One
/// more, `dominance`, takes r log n operations for r pairs of equal symbols, and up to 8 bytes a pair for a script.
///
/// Request::max_distance bounds the insert/delete distance n + m - 2 L(n,m). `Ties` says which of several scripts is
/// returned: a match first, then a deletion, an insertion. Every algorithm, number of threads and instruction set gives
/// the same length and script.
///
/// Raises Error{usage} for a request of transpositions or of other costs than 1. Raises Error{usage}, Error{device},
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<Subsequence> lcs(const Coded& pair, const Options& options = {}, const Request& request = {});
/// The same for two strings, whose symbols are their bytes.
[[nodiscard]] Outcome<Subsequence> lcs(std::string_view a, std::string_view b, const Options& options = {},
                                       const Request& request = {});

/// Returns every algorithm by name, with its purpose.
[[nodiscard]] std::vector<AlgorithmInfo> lcs_algorithms();

/// Returns the time and memory that `lcs` would take. Raises what it raises for the options and the request.
[[nodiscard]] Estimate estimate_lcs(const Coded& pair, const Options& options = {}, const Request& request = {});
/// The same for sequences of n and m symbols from an alphabet of `alphabet` symbols, each as frequent as any other.
[[nodiscard]] Estimate estimate_lcs(std::uint64_t n, std::uint64_t m, const Options& options = {},
                                    const Request& request = {}, std::uint32_t alphabet = 4);

}  // namespace warpfold::sequence
