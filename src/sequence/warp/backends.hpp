#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "sequence/warp/band.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/sequence/time_warping.hpp"

/// The algorithms for dynamic time warping.
namespace warpfold::sequence::warp {

/// What the choice of an algorithm looks at.
struct Size {
  Band band;
  std::size_t dimensions;
  std::size_t lane_bytes;  ///< of the values of `strips`; 0: none holds every sum
  bool converts;           ///< whether these are another type than the series'
  bool script;

  [[nodiscard]] double n() const { return static_cast<double>(band.n); }
  [[nodiscard]] double m() const { return static_cast<double>(band.m); }
  [[nodiscard]] double operations() const { return band.cells() * static_cast<double>(3 * dimensions + 2); }
};

/// Two series of at least one point each, and a band that a path fits into.
template <class T>
struct Query {
  using Cost = WarpingCost<T>;

  const TimeSeries<T>& a;
  const TimeSeries<T>& b;
  const WarpingRequest& request;
  Size size;

  [[nodiscard]] std::size_t n() const { return a.size(); }
  [[nodiscard]] std::size_t m() const { return b.size(); }
  [[nodiscard]] bool is_squared() const { return request.distance == PointDistance::squared; }

  /// The distance of two points, counted from 0.
  [[nodiscard]] Cost distance(std::size_t i, std::size_t j) const {
    const std::size_t dimensions = a.dimensions();
    Cost sum = term(a.values()[i * dimensions], b.values()[j * dimensions]);
    for (std::size_t k = 1; k < dimensions; ++k) {
      sum += term(a.values()[i * dimensions + k], b.values()[j * dimensions + k]);
    }
    return sum;
  }
  [[nodiscard]] bool exceeds_bound(Cost distance) const {
    if (!request.max_distance) return false;
    if constexpr (std::is_integral_v<T>) {
      return *request.max_distance < 0x1p62 && distance > static_cast<Cost>(std::floor(*request.max_distance));
    } else {
      return static_cast<double>(distance) > *request.max_distance;
    }
  }

 private:
  [[nodiscard]] Cost term(T x, T y) const {
    const Cost difference = static_cast<Cost>(x) - static_cast<Cost>(y);
    return is_squared() ? difference * difference : std::max(difference, -difference);
  }
};

/// The value of cells that no path has.
template <class Cost>
inline constexpr Cost unreachable = std::numeric_limits<Cost>::has_infinity ? std::numeric_limits<Cost>::infinity()
                                                                            : std::numeric_limits<Cost>::max() / 2;

template <class T>
using WarpingBackend = Backend<Size, Query<T>, Warping<T>>;

/// The step that leads to a cell, by the values of the three cells before it.
template <class Cost>
[[nodiscard]] Edit step_from(Cost diagonal, Cost above, Cost left) {
  if (diagonal <= above && diagonal <= left) return Edit::match;
  return above <= left ? Edit::deletion : Edit::insertion;
}

/// A walk from the last pair of points to the first one.
struct WarpingWalk {
  std::size_t i, j;  ///< of the pair, from 0
  Script backwards = {};

  [[nodiscard]] bool is_done() const { return i == 0 && j == 0; }
  void take(Edit edit) {
    i -= edit != Edit::insertion ? 1 : 0;
    j -= edit != Edit::deletion ? 1 : 0;
    backwards.push(edit);
  }
  /// The script, once the walk is done.
  [[nodiscard]] Script finished() {
    backwards.push(Edit::match);
    return backwards.reversed();
  }
};

/// The complete table, the oracle of the others.
template <class T>
[[nodiscard]] Warping<T> reference(const Query<T>& query, Context& context);

/// Row by row, for all types.
template <class T>
[[nodiscard]] Warping<T> by_rows(const Query<T>& query, Context& context);
template <class T>
[[nodiscard]] std::size_t bytes_of_rows(const Size& size, const Options& options);

}  // namespace warpfold::sequence::warp
