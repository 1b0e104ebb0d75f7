#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"
#include "warpfold/sequence/script.hpp"

namespace warpfold::sequence {

/// A series of points of one or several dimensions, for T = float, double or std::int32_t. The values must outlive it.
template <class T>
class TimeSeries {
 public:
  /// `values`: point by point. Raises Error{input} for NaN and an infinity, with the point, for a number of values that
  /// is no multiple of `dimensions`, and for more than `max_length` points. Raises Error{usage} for 0 dimensions.
  explicit TimeSeries(std::span<const T> values, std::size_t dimensions = 1);

  [[nodiscard]] std::size_t size() const { return values_.size() / dimensions_; }  ///< points
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] std::span<const T> values() const { return values_; }

 private:
  std::span<const T> values_;
  std::size_t dimensions_;
};

/// The distance of two points x and y: the sum of |x[k] - y[k]|, or of (x[k] - y[k])^2, over the dimensions k in
/// ascending order.
enum class PointDistance : std::uint8_t { absolute, squared };

/// What to compute, besides the distance.
struct WarpingRequest {
  bool script = false;  ///< whether to return a path
  PointDistance distance = PointDistance::absolute;
  /// The width W of a Sakoe-Chiba band. A path of series of n and m points keeps to the pairs (i,j) with
  ///
  ///     -W < j - i + max(0, n - m)   and   j - i - max(0, m - n) < W.
  ///
  /// Series of equal lengths are compared point by point with W = 1. No path fits W = 0. This is the `window` of
  /// dtaidistance, and one more than the `sakoe_chiba_radius` of tslearn.
  std::optional<std::uint64_t> window = {};
  /// A larger distance is answered by "more than". The solve ends where all paths have passed the bound.
  std::optional<double> max_distance = {};
};

/// The type of a distance: that of the values, and std::int64_t for integers.
template <class T>
using WarpingCost = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

/// A distance of two series, and if requested a path of this cost.
template <class T>
struct Warping {
  std::optional<WarpingCost<T>> distance = {};  ///< nothing: it is more than WarpingRequest::max_distance
  /// The steps of the path. A `match` goes on by a point in both series and begins at their first points, a `deletion`
  /// goes on in A alone, an `insertion` in B alone.
  Script script = {};
};

/// Computes the least cost of a path from the first pair of points to the last one. A step goes on by a point in A, in
/// B or in both. A path costs the sum of its pairs' distances:
///
///     D(0,0) = 0,   D(i,0) = D(0,j) = infinity,
///     D(i,j) = distance(A[i], B[j]) + min(D(i-1,j-1), D(i-1,j), D(i,j-1)), and infinity outside the band.
///
/// Each sum is rounded once, in the type of the values, in the order of the recurrence. Integers are exact: they
/// are added in vectors of f32 or f64 that provably hold every sum, otherwise in 64 bits.
///
/// With dimensions d, vectors of L values, a band of c cells:
///
/// | algorithm | operations | bytes, and for a path |
/// |---|---|---|
/// | `table` | (3 d + 2) n m | n m values |
/// | `rows` | (3 d + 2) c | m values, at most 64 MB and 16 bytes a point |
/// | `strips` | (3 d + 2) c / L vector operations | m values a thread, at most 64 MB and 16 bytes a point |
///
/// `strips` also runs on a GPU. A distance of f32 takes 3 to 4 operations for a cell and some 24 bytes a point of the
/// GPU's memory, a path n m / 48 bytes, or c / 48 in a band. Integers whose sums need 64 bits are left to the CPU.
///
/// Ties. The path is what the complete table gives when it is walked from its end to its beginning: a step in both
/// series first, then one in A alone, then one in B alone. Every algorithm, number of threads and instruction set gives
/// the same distance and path.
///
/// Raises Error{input} for an empty series and for series of different dimensions, Error{usage} for a bound that is
/// negative or NaN, Error{infeasible} for a band that no path fits into, and Error{overflow} for a distance beyond the
/// type. Raises Error{usage}, Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to
/// the options.
template <class T>
[[nodiscard]] Outcome<Warping<T>> dtw(const TimeSeries<T>& a, const TimeSeries<T>& b, const Options& options = {},
                                      const WarpingRequest& request = {});

/// Returns every algorithm by name, with its purpose.
[[nodiscard]] std::vector<AlgorithmInfo> dtw_algorithms();

/// Returns the time and memory that `dtw` would take. Raises what it raises for the series, options and request.
template <class T>
[[nodiscard]] Estimate estimate_dtw(const TimeSeries<T>& a, const TimeSeries<T>& b, const Options& options = {},
                                    const WarpingRequest& request = {});

/// The pairs of points of a path, from 0, in ascending order.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> warping_path(const Script& script);

/// Checks that a path goes from the first pair of points to the last one within the band, that it costs the stated
/// distance, and with `optimal` that no path costs less. The optimum is computed anew by the rows of the recurrence.
/// Cost: O(n + m), with `optimal` n m and m values. Shares no code with the solvers.
template <class T>
[[nodiscard]] Verdict verify(const TimeSeries<T>& a, const TimeSeries<T>& b, const Warping<T>& solution,
                             const WarpingRequest& request = {}, bool optimal = false, const Options& options = {});

/// Returns the distance that `verify` computes anew, without regard to WarpingRequest::max_distance.
template <class T>
[[nodiscard]] WarpingCost<T> verified_dtw(const TimeSeries<T>& a, const TimeSeries<T>& b,
                                          const WarpingRequest& request = {}, const Options& options = {});

}  // namespace warpfold::sequence
