#include "sequence/gpu/traceback.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

/// The straight line from a cell to cell (0,0), and how far from it the walk may be.
class Line {
 public:
  explicit Line(const Position& from) : from_(from) {}

  struct Columns {
    std::uint32_t first, last;
  };
  /// The columns of row `i` that the walk may come to.
  [[nodiscard]] Columns at(std::uint32_t i) const {
    const double part = static_cast<double>(i) / from_.i, j = part * from_.j;
    const double gone = (1 - part) * std::max(from_.i, from_.j);
    const double aside = static_cast<double>(tuning::ahead_step) + tuning::ahead_aside * std::sqrt(gone);
    return {static_cast<std::uint32_t>(std::max(1.0, j - aside)),
            static_cast<std::uint32_t>(std::min<double>(from_.j, j + aside))};
  }

 private:
  Position from_;
};

/// Adds segments to a round while there is memory for them.
class Planner {
 public:
  Planner(const Position& at, const Layout& layout) : at_(at), layout_(layout), line_(at) {}

  /// Returns false if there is no memory.
  [[nodiscard]] bool add(std::uint32_t top, std::uint32_t bottom) {
    const bool is_first = round_.segments.empty();
    const Line::Columns entry = is_first ? Line::Columns{at_.j, at_.j} : line_.at(bottom);
    Window window = window_of(static_cast<std::uint32_t>(top / layout_.rows_of_a_strip()), entry.last);
    window.left = std::min(window.left, line_.at(top).first - 1);
    window.right = std::max(window.right, entry.last);
    if (is_first) window.left = std::max(window.left, window.right - std::min(window.right, max_columns()));
    const bool is_new = is_first || window.strip != round_.windows.back().strip;
    const Segment segment{static_cast<std::uint32_t>(round_.windows.size() - (is_new ? 0 : 1)),
                          top,
                          bottom,
                          window.left,
                          entry.first,
                          entry.last - entry.first + 1,
                          exits_,
                          runs_};
    const std::uint64_t choices = window.choices + choice_of(warp, 0, window.columns(), layout_.rows);
    const std::uint64_t exits = std::uint64_t{exits_} + segment.entries;
    const std::uint64_t runs = std::uint64_t{runs_} + (bottom - top) + (entry.last - window.left);
    const bool fits =
        choices <= max_choices(layout_) && exits <= tuning::gpu_max_exits && runs <= tuning::gpu_run_bytes;
    if (!fits) return false;
    choices_ = choices, exits_ = static_cast<std::uint32_t>(exits), runs_ = static_cast<std::uint32_t>(runs);
    if (!is_new) round_.windows.pop_back();
    round_.windows.push_back(window);
    round_.segments.push_back(segment);
    return true;
  }

  [[nodiscard]] Round finished() {
    for (Window& window : round_.windows) {
      const std::uint64_t last_step = std::uint64_t{window.right} - 1 + lag_steps;
      window.first_chunk = window.left / chunk_columns / layout_.interval * layout_.interval;
      window.chunks = static_cast<std::uint32_t>(last_step / chunk_columns) + 1 - window.first_chunk;
    }
    return std::move(round_);
  }

 private:
  /// The last one, if it is of this strip.
  [[nodiscard]] Window window_of(std::uint32_t strip, std::uint32_t right) const {
    const bool is_new = round_.windows.empty() || round_.windows.back().strip != strip;
    return is_new ? Window{strip, right, right, 0, 0, choices_} : round_.windows.back();
  }
  /// Of a window that has all memory.
  [[nodiscard]] std::uint32_t max_columns() const {
    const std::size_t columns = max_choices(layout_) / (std::size_t{warp} * layout_.rows) - warp;
    return static_cast<std::uint32_t>(std::min(columns, tuning::gpu_run_bytes - tuning::gpu_segment_rows));
  }

  const Position at_;
  const Layout& layout_;
  const Line line_;
  Round round_;
  std::uint64_t choices_ = 0;
  std::uint32_t exits_ = 0, runs_ = 0;
};

}  // namespace

Round round_from(const Position& at, const Layout& layout, std::size_t max_segments) {
  constexpr auto height = static_cast<std::uint32_t>(tuning::gpu_segment_rows);
  Planner planner(at, layout);
  std::uint32_t bottom = at.i;
  for (std::size_t count = 0; count < max_segments && bottom > 0; ++count) {
    const std::uint32_t top = (bottom - 1) / height * height;
    if (!planner.add(top, bottom)) break;
    bottom = top;
  }
  return planner.finished();
}

std::size_t max_choices(const Layout& layout) {
  const std::size_t all = layout.strips() * choice_of(warp, 0, static_cast<std::uint32_t>(layout.m), layout.rows);
  return std::min(all, tuning::gpu_choice_bytes / sizeof(std::uint64_t));
}

std::size_t traceback_bytes(const Layout& layout) {
  return sizeof(std::uint64_t) * max_choices(layout) + sizeof(std::uint32_t) * tuning::gpu_max_exits +
         tuning::gpu_run_bytes;
}

}  // namespace warpfold::sequence::cuda
