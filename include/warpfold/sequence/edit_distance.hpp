#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/sequence/script.hpp"
#include "warpfold/sequence/symbols.hpp"

namespace warpfold::sequence {

/// What to compute, besides the distance.
struct Request {
  bool script = false;     ///< whether to return a script
  Ties ties = Ties::left;  ///< which of several optimal scripts
  /// Larger distances are not computed. With costs of 1 the work is at most O((n + m) max_distance).
  std::optional<std::uint64_t> max_distance = {};
  Costs costs = {};             ///< of edit distances
  bool transpositions = false;  ///< whether neighbors may swap; no symbol is edited again after it swapped
  /// With transpositions: two symbols also swap if those between them are deleted first or are inserted later.
  bool unrestricted = false;
};

/// A distance, and if requested a script of this cost.
struct Distance {
  std::optional<std::int64_t> distance = {};  ///< nothing: it is more than Request::max_distance
  Script script = {};
};

/// Computes the least cost of a script that turns A into B:
///
///     D(i,0) = i deletion,   D(0,j) = j insertion,
///     D(i,j) = min(D(i-1,j-1) + (A[i] = B[j] ? 0 : substitution), D(i-1,j) + deletion, D(i,j-1) + insertion)
///
/// and with transpositions also D(i-2,j-2) + transposition if A[i-1] = B[j] and A[i] = B[j-1] and A[i] != A[i-1].
/// D(n,m) is the distance.
///
/// With unrestricted transpositions also
///
///     D(k-1,l-1) + (i - k - 1) deletion + transposition + (j - l - 1) insertion
///
/// for the last k < i with A[k] = B[j] and the last l < j with B[l] = A[i] (Lowrance and Wagner 1975). Of all sequences
/// of edits, each of which may edit what another one has made, none costs less if a transposition costs at least half
/// of an insertion and a deletion. `table` alone solves it, with 8 n m bytes.
///
/// All costs 1, no transpositions, with bits a symbol p, vectors of L bits and a distance d:
///
/// | algorithm | operations | bytes, and for a script |
/// |---|---|---|
/// | `words` | n m / 64 words, some 15 each | 8 n + m, n m / 4 |
/// | `diagonals` | n + m + d^2 expected | 32 d, d^2 / 2 up to 64 MB, then 16 d sqrt(d) |
/// | `slices` | (2 p + 7) n m / L | m / 4 a thread, at least 1.3 (n + m) or so |
/// | `band` | those of `slices` for n (d + 4,000) cells | the same |
///
/// On a GPU `slices` takes (p + 5) n m / 32 operations and up to n m / 4,096 bytes of its memory. A script takes as
/// much again or up to 4 GB, and up to 540 MB to find it. It is found on the GPU.
///
/// Any costs: `rows` takes n m operations and 40 m bytes. A script takes two to three times the operations, 64 MB and
/// 16 bytes a symbol, and at least 8 m for each of some 25 + 4 log2(n / 20) rows. If insertions cost as much as
/// deletions, without transpositions, `strips` takes 8 n m / L vector operations of L lanes, and memory as `align`.
///
/// `Ties` says which of several optimal scripts is returned. Every algorithm, number of threads and instruction set
/// gives the same distance and script.
///
/// Raises Error{usage} for a cost below 0 and for unrestricted transpositions that cost less than that or are requested
/// without `transpositions`, Error{overflow} if a script can cost more than 2^61. Raises Error{usage},
/// Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<Distance> edit_distance(const Coded& pair, const Options& options = {},
                                              const Request& request = {});
/// The same for two strings, whose symbols are their bytes.
[[nodiscard]] Outcome<Distance> edit_distance(std::string_view a, std::string_view b, const Options& options = {},
                                              const Request& request = {});

/// Returns every algorithm by name, with its purpose.
[[nodiscard]] std::vector<AlgorithmInfo> edit_distance_algorithms();

/// Returns the time and memory that `edit_distance` would take. Raises what it raises for the options and the request.
[[nodiscard]] Estimate estimate_edit_distance(const Coded& pair, const Options& options = {},
                                              const Request& request = {});
/// The same for sequences of n and m symbols from an alphabet of `alphabet` symbols, each as frequent as any other.
[[nodiscard]] Estimate estimate_edit_distance(std::uint64_t n, std::uint64_t m, const Options& options = {},
                                              const Request& request = {}, std::uint32_t alphabet = 4);

}  // namespace warpfold::sequence
