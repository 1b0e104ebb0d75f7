// The kernel of kernel.hpp for the instruction set that is being compiled. simd_dispatch.cpp includes it once for each.
#if defined(WARPFOLD_SEQUENCE_WARP_STRIPS_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_WARP_STRIPS_KERNEL_INL_H_
#undef WARPFOLD_SEQUENCE_WARP_STRIPS_KERNEL_INL_H_
#else
#define WARPFOLD_SEQUENCE_WARP_STRIPS_KERNEL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "sequence/warp/strips/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::warp::strips::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Lanes = hn::ScalableTag<T>;
template <class T>
using V = hn::Vec<Lanes<T>>;

/// Moves values on by a lane.
template <class T>
class MoveOn {
 public:
  MoveOn() {
    const Lanes<T> d;
    using Index = hn::TFromD<hn::RebindToUnsigned<Lanes<T>>>;
    HWY_ALIGN Index from[hn::MaxLanes(d)];
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) from[lane] = static_cast<Index>(lane > 0 ? lane - 1 : 0);
    lane_before_ = hn::SetTableIndices(d, from);
  }
  /// Each lane gets the one before it, lane 0 gets `first`.
  HWY_INLINE V<T> operator()(V<T> v, T first) const {
    const Lanes<T> d;
    return hn::IfThenElse(hn::FirstN(d, 1), hn::Set(d, first), hn::TableLookupLanes(v, lane_before_));
  }

 private:
  using Indices = decltype(hn::SetTableIndices(
      Lanes<T>(), static_cast<const hn::TFromD<hn::RebindToUnsigned<Lanes<T>>>*>(nullptr)));
  Indices lane_before_;
};

template <class T, bool is_squared>
HWY_INLINE V<T> term(V<T> x, V<T> y) {
  const V<T> difference = hn::Sub(x, y);
  if constexpr (is_squared) {
    return hn::Mul(difference, difference);
  } else {
    return hn::Abs(difference);
  }
}

/// A row of a step after the other.
template <class T, bool is_squared, bool is_one_dimensional, bool is_banded>
struct Pass {
  static_assert(columns_together == 4);
  V<T> up0, up1, up2, up3, diagonal;
  V<T> point0, point1, point2, point3;
  const T* columns;
  std::size_t dimensions;
  V<T> right, down;

  /// The distance of a row's point and that of column c.
  HWY_INLINE V<T> distance(const T* row, V<T> first, V<T> point, std::size_t c) const {
    const Lanes<T> d;
    const std::size_t lanes = hn::Lanes(d);
    V<T> sum = term<T, is_squared>(first, point);
    if constexpr (!is_one_dimensional) {
      const T* const column = columns + c * dimensions * lanes;
      for (std::size_t k = 1; k < dimensions; ++k) {
        sum = hn::Add(sum, term<T, is_squared>(hn::Load(d, row + k * lanes), hn::Load(d, column + k * lanes)));
      }
    }
    if constexpr (is_banded) {
      const auto is_in =
          hn::And(hn::Ge(right, hn::Set(d, static_cast<T>(c))), hn::Ge(down, hn::Set(d, -static_cast<T>(c))));
      sum = hn::IfThenElse(is_in, sum, hn::Inf(d));
    }
    return sum;
  }

  HWY_INLINE void row(const T* row, T* left_at, T* tile) {
    const Lanes<T> d;
    const std::size_t lanes = hn::Lanes(d);
    const V<T> first = hn::Load(d, row), left = hn::Load(d, left_at);
    const V<T> value0 = hn::Add(distance(row, first, point0, 0), hn::Min(hn::Min(diagonal, up0), left));
    const V<T> value1 = hn::Add(distance(row, first, point1, 1), hn::Min(hn::Min(up0, up1), value0));
    const V<T> value2 = hn::Add(distance(row, first, point2, 2), hn::Min(hn::Min(up1, up2), value1));
    const V<T> value3 = hn::Add(distance(row, first, point3, 3), hn::Min(hn::Min(up2, up3), value2));
    diagonal = left;
    up0 = value0, up1 = value1, up2 = value2, up3 = value3;
    hn::Store(value3, d, left_at);
    if (tile != nullptr) keep(tile, lanes);
    if constexpr (is_banded) {
      right = hn::Add(right, hn::Set(d, T{1}));
      down = hn::Sub(down, hn::Set(d, T{1}));
    }
  }

  HWY_INLINE void keep(T* to, std::size_t lanes) const {
    const Lanes<T> d;
    hn::Store(up0, d, to), hn::Store(up1, d, to + lanes);
    hn::Store(up2, d, to + 2 * lanes), hn::Store(up3, d, to + 3 * lanes);
  }
};

/// Copies the state to the last columns of the step before the tile's first one.
template <class T>
void keep_state(const Steps<T>& steps, std::size_t lanes) {
  const Lanes<T> d;
  T* to = steps.tile + (columns_together - 1) * lanes;
  const T* const corner = steps.state + (steps.words + columns_together) * lanes;
  hn::Store(hn::Load(d, corner), d, to);
  for (std::size_t word = 0; word < steps.words; ++word) {
    to += columns_together * lanes;
    hn::Store(hn::Load(d, steps.state + word * lanes), d, to);
  }
}

template <class T, bool is_squared, bool is_one_dimensional, bool is_banded>
void advance(const Steps<T>& steps) {
  using P = Pass<T, is_squared, is_one_dimensional, is_banded>;
  const Lanes<T> d;
  constexpr std::size_t together = columns_together;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t dimensions = is_one_dimensional ? 1 : steps.dimensions;
  T* const last_row = steps.state + steps.words * lanes;
  T* const corner = last_row + together * lanes;
  const std::size_t tile_step = (steps.words + 1) * together * lanes;
  if (steps.tile != nullptr) keep_state(steps, lanes);
  HWY_ALIGN T below[together * hn::MaxLanes(d)];
  const MoveOn<T> moved_on;
  P pass;
  pass.columns = steps.columns;
  pass.dimensions = dimensions;
  pass.right = pass.down = hn::Zero(d);
  for (std::size_t step = 0; step < steps.steps; ++step) {
    const T* const points = steps.points + step * together * dimensions;
    for (std::size_t at = 0; at < together * dimensions; ++at) {
      T* const column = steps.columns + at * lanes;
      hn::Store(moved_on(hn::Load(d, column), points[at]), d, column);
    }
    const std::size_t column_size = dimensions * lanes;
    pass.point0 = hn::Load(d, steps.columns), pass.point1 = hn::Load(d, steps.columns + column_size);
    pass.point2 = hn::Load(d, steps.columns + 2 * column_size);
    pass.point3 = hn::Load(d, steps.columns + 3 * column_size);
    const T* const above = steps.above + step * together;
    pass.up0 = moved_on(hn::Load(d, last_row), above[0]);
    pass.up1 = moved_on(hn::Load(d, last_row + lanes), above[1]);
    pass.up2 = moved_on(hn::Load(d, last_row + 2 * lanes), above[2]);
    pass.up3 = moved_on(hn::Load(d, last_row + 3 * lanes), above[3]);
    pass.diagonal = hn::Load(d, corner);
    hn::Store(pass.up3, d, corner);
    if constexpr (is_banded) {
      const V<T> moved = hn::Set(d, static_cast<T>(step * together));
      pass.right = hn::Sub(hn::Load(d, steps.right), moved);
      pass.down = hn::Add(hn::Load(d, steps.down), moved);
    }
    T* tile = steps.tile == nullptr ? nullptr : steps.tile + (step + 1) * tile_step;
    if (tile != nullptr) pass.keep(tile, lanes);
    const auto rows = [&](std::size_t from, std::size_t to) HWY_ATTR {
      P rows_of_step = pass;
      const T* row = steps.rows + from * column_size;
      if (tile == nullptr) {
        for (std::size_t word = from; word < to; ++word, row += column_size) {
          rows_of_step.row(row, steps.state + word * lanes, nullptr);
        }
      } else {
        for (std::size_t word = from; word < to; ++word, row += column_size) {
          rows_of_step.row(row, steps.state + word * lanes, tile + (word + 1) * together * lanes);
        }
      }
      pass = rows_of_step;
    };
    rows(0, steps.last_word + 1);
    pass.keep(below, lanes);
    for (std::size_t c = 0; c < together; ++c) {
      steps.below[step * together + c] = below[c * lanes + steps.last_lane];
    }
    rows(steps.last_word + 1, steps.words);
    pass.keep(last_row, lanes);
  }
}

template <class T, bool is_squared>
Advance<T> kernel_of(bool is_one_dimensional, bool is_banded) {
  if (is_one_dimensional) return is_banded ? advance<T, is_squared, true, true> : advance<T, is_squared, true, false>;
  return is_banded ? advance<T, is_squared, false, true> : advance<T, is_squared, false, false>;
}

template <class T>
Advance<T> kernel_for(bool is_squared, bool is_one_dimensional, bool is_banded) {
  return is_squared ? kernel_of<T, true>(is_one_dimensional, is_banded)
                    : kernel_of<T, false>(is_one_dimensional, is_banded);
}

/// Cells that are independent of each other. Nothing is loaded or stored.
template <class T>
CeilingLoop ceiling_loop(std::size_t rounds) {
  const Lanes<T> d;
  constexpr std::size_t cells = 8;
  const V<T> point = hn::Iota(d, T{1}), diagonal = hn::Iota(d, T{2}), left = hn::Iota(d, T{3});
  V<T> values[cells];
  for (V<T>& value : values) value = point;
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 8
    for (V<T>& value : values) value = hn::Add(term<T, true>(point, value), hn::Min(hn::Min(diagonal, value), left));
  }
  double sum = 0;
  for (const V<T>& value : values) sum += static_cast<double>(hn::GetLane(value));
  return {static_cast<double>(rounds * cells * hn::Lanes(d)), sum};
}

Advance<float> kernel_of_f32(bool is_squared, bool is_one_dimensional, bool is_banded) {
  return kernel_for<float>(is_squared, is_one_dimensional, is_banded);
}
Advance<double> kernel_of_f64(bool is_squared, bool is_one_dimensional, bool is_banded) {
  return kernel_for<double>(is_squared, is_one_dimensional, is_banded);
}
std::size_t lanes_of_f32() { return hn::Lanes(Lanes<float>()); }
std::size_t lanes_of_f64() { return hn::Lanes(Lanes<double>()); }
CeilingLoop ceiling_of_f32(std::size_t rounds) { return ceiling_loop<float>(rounds); }
CeilingLoop ceiling_of_f64(std::size_t rounds) { return ceiling_loop<double>(rounds); }

}  // namespace warpfold::sequence::warp::strips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
