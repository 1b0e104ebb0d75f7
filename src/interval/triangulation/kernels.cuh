#pragma once

#include "tiles/gpu/fill.cuh"
#include "warpfold/core/point.hpp"

/// The triangulation as the GPU solver's rules, and the sources of its weights.
namespace warpfold::interval::device {

using namespace tiles::device;

/// Weights from the caller's matrices, on the device or where it can read them.
template <class T>
struct MatrixWeights {
  const T* weights;
  std::size_t stride;  ///< of the rows; 0: each job's n

  __device__ __forceinline__ T operator()(const Job<T>& job, unsigned i, unsigned j) const {
    return weights[job.first_weight + i * (stride ? stride : job.n) + j];
  }
};

/// Weights from coordinates, by the steps of interval::chord_weight.
template <class T>
struct PointWeights {
  const Point* points;
  ChordWeight weight;

  __device__ __forceinline__ T operator()(const Job<T>& job, unsigned i, unsigned j) const {
    const Point a = points[job.first_vertex + i], b = points[job.first_vertex + j];
    const double dx = a.x - b.x, dy = a.y - b.y, squared = dx * dx + dy * dy;
    return static_cast<T>(weight == ChordWeight::length ? sqrt(squared) : squared);
  }
};

/// value(i,j) = min of value(i,k) + value(k,j), + weight(i,j). `Source`: a device functor like MatrixWeights.
template <class Arithmetic, class Source>
struct TriangulationRules {
  using Value = typename Arithmetic::Value;
  static constexpr ClosingKind closing = ClosingKind::by_weight;
  static constexpr bool commutes = true;
  static constexpr bool splits = false;
  static constexpr bool splits_by_product = false;
  static constexpr bool checks = false;
  static constexpr bool unrolled = true;
  static constexpr bool loads_ahead = !Arithmetic::by_pairs;
  static constexpr bool fills_by_teams = true;
  /// Blocks of three teams wait less for each other. 2026-11-28, H200, i32, ms with three blocks of one team and with
  /// one of three: n = 8192 8.95 and 7.89, 16384 60.3 and 55.3, 32768 449 and 415. f32 loses 1 %, not negative 8 %
  /// (16384).
  static constexpr bool large_by_teams = std::is_same_v<Value, std::int32_t>;

  Source source;
  Value infinite;  ///< from here on a total is infinity<Value>

  static __device__ __forceinline__ Value zero() { return infinity<Value>; }
  static __device__ __forceinline__ Value one() { return 0; }
  static __device__ __forceinline__ Value plus(Value x, Value y) { return least(x, y); }
  static __device__ __forceinline__ Value times(Value x, Value y) { return x + y; }
  __device__ __forceinline__ Value join(Value left, Value right, unsigned, unsigned, unsigned) const {
    return left + right;
  }
  __device__ __forceinline__ Value accumulate(Value best, Value left0, Value right0, Value left1, Value right1,
                                              unsigned, unsigned, unsigned) const {
    return Arithmetic::accumulate(best, left0, right0, left1, right1);
  }

  __device__ __forceinline__ Value weight(const Job<Value>& job, unsigned i, unsigned j) const {
    return weight_of(job.n, i, j, [&] { return source(job, i, j); });
  }
  /// 0 for edges and for the root, infinity for forbidden chords and outside of the polygon. Only chords are read.
  template <class Read>
  static __device__ __forceinline__ Value weight_of(unsigned n, unsigned i, unsigned j, Read&& read) {
    if (j >= n || i >= j) return zero();
    if (j == i + 1 || (i == 0 && j == n - 1)) return 0;
    return least(read(), zero());
  }
  /// close_entry of close.hpp. It is not called, because std::min would take the address of a constant of the host.
  __device__ __forceinline__ Value close(unsigned, unsigned, unsigned, Value best, Value weight) const {
    if constexpr (std::is_floating_point_v<Value>) {
      return best + weight;
    } else {
      const Value value = least(best, zero()) + weight;
      return value < infinite ? value : zero();
    }
  }
};

}  // namespace warpfold::interval::device
