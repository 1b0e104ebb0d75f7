#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sequence/warp/strips/kernel.hpp"
#include "sequence/warp/strips/layout.hpp"

namespace warpfold::sequence::warp::strips {

/// Two series in the type of the lanes.
template <class T>
struct Points {
  std::span<const T> a, b;
  bool is_squared;
};

/// D of the last row of a strip, in the columns that the band and a part of the table have there.
template <class T>
class Border {
 public:
  Border() = default;  ///< of the row above the table

  void set(const Layout& layout, const TablePart& part, std::size_t strip) {
    const Layout::Columns columns = layout.border_columns(part, strip);
    begin_ = columns.begin;
    values_.resize(columns.count());
    is_top_ = false;
  }
  /// D in the last column.
  [[nodiscard]] T last() const { return values_.back(); }
  /// D in the columns from `first` on.
  void read(std::ptrdiff_t first, std::span<T> values) const {
    std::ranges::fill(values, std::numeric_limits<T>::infinity());
    const auto [from, to] = columns_among(first, values.size());
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(begin_);
    if (from < to) std::copy_n(values_.begin() + (from - begin), to - from, values.begin() + (from - first));
    if (is_top_ && first < 0 && first + std::ssize(values) >= 0) values[static_cast<std::size_t>(-1 - first)] = T{0};
  }
  /// Sets the columns from `first` on, as far as the border has them.
  void set(std::ptrdiff_t first, std::span<const T> values) {
    const auto [from, to] = columns_among(first, values.size());
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(begin_);
    if (from < to) std::copy_n(values.begin() + (from - first), to - from, values_.begin() + (from - begin));
  }
  [[nodiscard]] T least() const { return *std::ranges::min_element(values_); }

  /// D in the columns that the band has in the row, then zeros.
  void save(const Layout& layout, std::size_t strip, std::span<std::byte> row) const {
    const std::span<const T> values = in_band(layout, strip, values_);
    std::memcpy(row.data(), values.data(), values.size_bytes());
    std::ranges::fill(row.subspan(values.size_bytes()), std::byte{0});
  }
  void restore(const Layout& layout, std::size_t strip, std::span<const std::byte> row) {
    std::ranges::fill(values_, std::numeric_limits<T>::infinity());
    const std::span<T> values = in_band(layout, strip, std::span(values_));
    std::memcpy(values.data(), row.data(), values.size_bytes());
  }

 private:
  template <class Values>
  [[nodiscard]] auto in_band(const Layout& layout, std::size_t strip, const Values& values) const {
    const std::size_t row = layout.last_row(strip), begin = layout.band.begin(row);
    return std::span(values).subspan(begin - begin_, layout.band.end(row) - begin);
  }
  /// The first and the end of `count` columns from `first` on that the border has.
  [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> columns_among(std::ptrdiff_t first, std::size_t count) const {
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(begin_), end = first + static_cast<std::ptrdiff_t>(count);
    return {std::max(first, begin), std::min(end, begin + std::ssize(values_))};
  }

  std::size_t begin_ = 0;
  bool is_top_ = true;
  std::vector<T> values_;
};

/// One strip at a time, chunk by chunk.
template <class T>
class Worker {
 public:
  using LayoutOf = Layout;
  using BorderOf = Border<T>;
  using Input = Points<T>;

  /// The points and the layout must outlive it. `has_tile`: whether `walk_through` is called.
  Worker(const Points<T>& points, const Layout& layout, bool has_tile);

  /// Goes to the beginning of a strip, or to a state of it.
  void enter(std::size_t strip);
  void enter(std::size_t strip, const std::byte* state);
  void save(std::byte* state) const;

  /// Runs a chunk of the strip, and sets its part of the border below.
  void run(std::size_t chunk, const Border<T>& above, Border<T>& below);
  /// Runs a chunk up to a walk's step, and walks until it leaves the chunk.
  void walk_through(WarpingWalk& walk, std::size_t chunk, const Border<T>& above);

  [[nodiscard]] std::size_t strip() const { return strip_; }

 private:
  void run_tile(std::size_t chunk, std::size_t last_step, const Border<T>& above);
  /// The step that leads to a cell of the last tile.
  [[nodiscard]] Edit step_to(std::size_t i, std::size_t j) const;
  /// Sets the part of the border below that the step before the chunk has.
  void hand_on(std::size_t chunk, Border<T>& below) const;
  void set_rows(std::size_t strip);
  void prepare(std::size_t chunk, std::size_t end_step, const Border<T>& above);
  void set_columns();
  [[nodiscard]] bool set_band();
  void advance();
  /// The column of a lane in a step's first column.
  [[nodiscard]] std::ptrdiff_t column_of(std::size_t step, std::size_t lane) const {
    return (static_cast<std::ptrdiff_t>(step) - static_cast<std::ptrdiff_t>(strip_ * layout_.lanes + lane)) *
           static_cast<std::ptrdiff_t>(columns_together);
  }
  [[nodiscard]] T point_of_b(std::ptrdiff_t column, std::size_t dimension) const {
    const auto j = static_cast<std::size_t>(column);
    return j < layout_.band.m ? points_.b[j * layout_.dimensions + dimension] : T{0};
  }

  const Points<T>& points_;
  const Layout& layout_;
  std::size_t strip_ = ~std::size_t{0};
  hwy::AlignedFreeUniquePtr<T[]> rows_, state_, columns_, right_, down_, tile_;
  std::vector<T> lane_points_, above_, below_;
  std::size_t first_step_ = 0;
  bool is_at_state_ = false;  ///< whether the border below lacks the step before
  Steps<T> steps_ = {};
};

extern template class Worker<float>;
extern template class Worker<double>;

}  // namespace warpfold::sequence::warp::strips
