#include "interval/triangulation/lanes.hpp"

#include <algorithm>
#include <cstdint>

#include "interval/tuning.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/triangulation/lanes.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

#include "interval/triangulation/small-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace shared = small::HWY_NAMESPACE;

/// The table of a group, a vector for each entry: value(i,j) and, below the diagonal, best(i,j), the same without the
/// weight of (i,j). Columns from n on hold numbers without a meaning.
template <class T>
class Table {
 public:
  using D = hn::ScalableTag<T>;
  using Vec = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr std::size_t side = 4;  ///< of a block of entries

  Table(T* values, std::size_t n) : values_(values), n_(n), row_((n + side - 1) / side * side * lanes + lanes) {}

  [[nodiscard]] HWY_INLINE T* value(std::size_t i, std::size_t j) const { return values_ + i * row_ + j * lanes; }
  [[nodiscard]] HWY_INLINE T* best(std::size_t i, std::size_t j) const { return value(j, i); }
  [[nodiscard]] std::size_t row() const { return row_; }

  void copy_weights(const Group<T>& group) const;
  void fill() const;
  void search(Group<T>& group) const;

 private:
  HWY_INLINE void take(Vec& best, std::size_t i, std::size_t k, std::size_t j) const {
    best = hn::Min(best, hn::Add(hn::Load(D(), value(i, k)), hn::Load(D(), value(k, j))));
  }
  HWY_INLINE void close(Vec best_of_all, std::size_t i, std::size_t j) const {
    const auto weight = hn::Min(hn::Load(D(), value(i, j)), hn::Set(D(), infinity<T>));
    hn::Store(shared::closed(D(), best_of_all, weight), D(), value(i, j));
    hn::Store(best_of_all, D(), best(i, j));
  }
  void fill_near(std::size_t i, std::size_t j) const;
  template <int Rows>
  void fill_block(std::size_t i, std::size_t j) const;

  T* values_;
  std::size_t n_, row_;
};

/// Copies weights(i, j), by transposed blocks of a row in 2 or 4 polygons, and 0 for the whole polygon.
template <class T>
void Table<T>::copy_weights(const Group<T>& group) const {
  const hn::CappedTag<T, 16 / sizeof(T)> d;
  constexpr std::size_t width = hn::MaxLanes(d);
  for (std::size_t i = 0; i + 2 < n_; ++i) {
    for (std::size_t lane = 0; lane < lanes; lane += width) {
      const T* from[width];
      for (std::size_t r = 0; r < width; ++r) from[r] = group.weights[lane + r]->row(i);
      std::size_t j = i + 2;
#if HWY_TARGET != HWY_SCALAR
      for (; j + width <= n_; j += width) {
        hn::Vec<decltype(d)> rows[width];
        for (std::size_t r = 0; r < width; ++r) rows[r] = hn::LoadU(d, from[r] + j);
        shared::store_columns(d, rows, value(i, j) + lane, lanes);
      }
#endif
      for (; j < n_; ++j) {
        for (std::size_t r = 0; r < width; ++r) value(i, j)[lane + r] = from[r][j];
      }
    }
  }
  hn::Store(hn::Zero(D()), D(), value(0, n_ - 1));
}

/// Fills a block on the diagonal or next to it, one entry after the other.
template <class T>
void Table<T>::fill_near(std::size_t i, std::size_t j) const {
  for (std::size_t r = i + side; r-- > i;) {
    for (std::size_t c = std::max(r + 1, j); c < j + side; ++c) {
      if (c == r + 1) {
        hn::Store(hn::Zero(D()), D(), value(r, c));
        continue;
      }
      Vec all = hn::Set(D(), infinity<T>);
      for (std::size_t k = r + 1; k < c; ++k) take(all, r, k, c);
      close(all, r, c);
    }
  }
}

/// Fills the entries of rows i to i+Rows-1 and columns j to j+side-1. The splits between are those of all.
template <class T>
template <int Rows>
void Table<T>::fill_block(std::size_t i, std::size_t j) const {
  constexpr int columns = side;
  Vec all[Rows][columns];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c) all[r][c] = hn::Set(D(), infinity<T>);
  }
  for (std::size_t k = i + Rows; k < j; ++k) {
    Vec right[columns];
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c) right[c] = hn::Load(D(), value(k, j + c));
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      const auto left = hn::Load(D(), value(i + r, k));
#pragma GCC unroll 8
      for (int c = 0; c < columns; ++c) all[r][c] = hn::Min(all[r][c], hn::Add(left, right[c]));
    }
  }
#pragma GCC unroll 8
  for (int r = Rows - 1; r >= 0; --r) {
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c) {
#pragma GCC unroll 8
      for (int k = r + 1; k < Rows; ++k) take(all[r][c], i + r, i + k, j + c);
#pragma GCC unroll 8
      for (int k = 0; k < c; ++k) take(all[r][c], i + r, j + k, j + c);
      close(all[r][c], i + r, j + c);
    }
  }
}

template <class T>
void Table<T>::fill() const {
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM
  constexpr int rows = 4;
#else
  constexpr int rows = 2;  // 16 registers
#endif
  for (std::size_t j = 0; j < n_; j += side) {
    fill_near(j, j);
    if (j > 0) fill_near(j - side, j);
    for (std::size_t i = j - std::min(j, side); i > 0; i -= rows) fill_block<rows>(i - rows, j);
  }
}

/// Searches the structures of all polygons, shorter intervals after longer ones: those of one polygon would wait for
/// each other. A triangle's place is known before, because an interval of m edges has m-1.
template <class T>
void Table<T>::search(Group<T>& group) const {
  struct Interval {
    std::uint8_t lane, i, j, place;
  };
  Interval open[lanes * lane_vertices];
  std::size_t end = lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    open[lane] = {static_cast<std::uint8_t>(lane), 0, static_cast<std::uint8_t>(n_ - 1), 0};
    group.costs[lane] = value(0, n_ - 1)[lane];
  }
  const D d;
  const hn::RebindToSigned<D> indices;
  using Index = hn::TFromD<decltype(indices)>;
  const auto steps = hn::Iota(indices, 0);
  for (std::size_t at = 0; at < end; ++at) {
    const auto [lane, i, j, place] = open[at];
    const auto expected = hn::Set(d, best(i, j)[lane]);
    std::size_t k = i + 1;
    for (std::size_t first = k; first < j; first += lanes) {
      const auto splits = hn::Min(steps, hn::Set(indices, static_cast<Index>(j - 1 - first)));
      const auto left =
          hn::GatherIndex(d, value(i, first) + lane, hn::Mul(splits, hn::Set(indices, static_cast<Index>(lanes))));
      const auto right =
          hn::GatherIndex(d, value(first, j) + lane, hn::Mul(splits, hn::Set(indices, static_cast<Index>(row_))));
      const auto found = hn::FindFirstTrue(d, hn::Eq(hn::Add(left, right), expected));
      if (found < 0) continue;
      k = first + static_cast<std::size_t>(found);
      break;
    }
    group.triangles[lane][place] = {i, static_cast<std::uint32_t>(k), j};
    const auto middle = static_cast<std::uint8_t>(k);
    open[end] = {lane, i, middle, static_cast<std::uint8_t>(place + 1)};
    end += k > i + 1u;
    open[end] = {lane, middle, j, static_cast<std::uint8_t>(place + k - i)};
    end += k + 1 < j;
  }
}

template <class T>
void solve_group(Group<T>& group, T* values) {
  const Table<T> table(values, group.n);
  table.copy_weights(group);
  table.fill();
  table.search(group);
}

// HWY_EXPORT takes plain functions only.
std::size_t vector_bytes() { return hn::Lanes(hn::ScalableTag<std::uint8_t>()); }
void solve_i32(Group<std::int32_t>& group, std::int32_t* table) { solve_group(group, table); }
void solve_i64(Group<std::int64_t>& group, std::int64_t* table) { solve_group(group, table); }
void solve_f32(Group<float>& group, float* table) { solve_group(group, table); }
void solve_f64(Group<double>& group, double* table) { solve_group(group, table); }

}  // namespace warpfold::interval::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval::lanes {

HWY_EXPORT(vector_bytes);
HWY_EXPORT(solve_i32);
HWY_EXPORT(solve_i64);
HWY_EXPORT(solve_f32);
HWY_EXPORT(solve_f64);

template <class T>
std::size_t count() {
  return std::max<std::size_t>(1, HWY_DYNAMIC_DISPATCH(vector_bytes)() / sizeof(T));
}
template std::size_t count<std::int32_t>();
template std::size_t count<std::int64_t>();
template std::size_t count<float>();
template std::size_t count<double>();

template <>
void solve(Group<std::int32_t>& group, std::int32_t* table) {
  HWY_DYNAMIC_DISPATCH(solve_i32)(group, table);
}
template <>
void solve(Group<std::int64_t>& group, std::int64_t* table) {
  HWY_DYNAMIC_DISPATCH(solve_i64)(group, table);
}
template <>
void solve(Group<float>& group, float* table) {
  HWY_DYNAMIC_DISPATCH(solve_f32)(group, table);
}
template <>
void solve(Group<double>& group, double* table) {
  HWY_DYNAMIC_DISPATCH(solve_f64)(group, table);
}

}  // namespace warpfold::interval::lanes
#endif
