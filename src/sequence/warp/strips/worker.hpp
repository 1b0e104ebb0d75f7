#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <limits>
#include <span>
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
  /// D in a column; column -1 is the one before the table.
  [[nodiscard]] T at(std::ptrdiff_t j) const {
    if (is_top_) return j == -1 ? T{0} : std::numeric_limits<T>::infinity();
    const auto place = static_cast<std::size_t>(j) - begin_;  // beyond the end for columns before
    return place < values_.size() ? values_[place] : std::numeric_limits<T>::infinity();
  }
  /// Sets the columns from `first` on, as far as the border has them.
  void set(std::ptrdiff_t first, std::span<const T> values) {
    for (const T value : values) {
      const auto place = static_cast<std::size_t>(first++) - begin_;
      if (place < values_.size()) values_[place] = value;
    }
  }
  [[nodiscard]] T least() const { return *std::ranges::min_element(values_); }

 private:
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
