#include "sequence/gpu/pair_layout.hpp"

#include <algorithm>
#include <optional>
#include <ranges>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

std::uint32_t rounded_up(std::uint32_t number, std::uint32_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

/// The fewest lanes whose rows are as many as `longest`, or all.
unsigned lanes_for(std::uint32_t longest, unsigned rows) {
  unsigned lanes = 1;
  while (lanes < warp && lanes * rows < longest) lanes *= 2;
  return lanes;
}

/// Limits the groups of a warp to the diagonals that scripts of cost `bound` can reach, of all pairs.
void limit(PairGroup& group, std::span<const Pair> pairs, Bound bound) {
  const auto symbols = pairs | std::views::transform([](const Pair& pair) { return std::int64_t{pair.n} + pair.m; });
  const std::int64_t columns = group.columns, rows = group.rows;
  group.above = static_cast<std::int32_t>(
      bound ? std::max(((std::ranges::min(symbols) - std::int64_t{*bound}) >> 1) - columns, -columns) : -columns);
  group.below = static_cast<std::int32_t>(
      bound ? std::min(((std::ranges::max(symbols) + std::int64_t{*bound}) >> 1) - columns + 1, rows + 1) : rows + 1);
}

/// Adds a warp, whose groups share the sizes of the longest sequences.
void add_warp(PairLayout& layout, std::span<const Pair> pairs, std::uint32_t first, unsigned lanes, Bound bound) {
  const std::uint32_t rows = rounded_up(std::max(pairs.front().n, 1U), lanes * layout.rows);
  const std::uint32_t columns = std::max(std::ranges::max(pairs | std::views::transform(&Pair::m)), 1U);
  const std::uint32_t width_a = rounded_up(rows, block_symbols), width_b = rounded_up(columns, block_symbols);
  const auto planes = static_cast<std::uint64_t>(layout.planes), signs = static_cast<std::uint64_t>(layout.signs);
  layout.warps.push_back({static_cast<std::uint32_t>(layout.groups.size()), lanes});
  for (std::uint32_t at = 0; at < pairs.size(); at += pairs_of_group) {
    const std::uint64_t a = layout.words, b = a + (planes + 1) * width_a;
    layout.groups.push_back({first + at, rows, columns, width_a, width_b, a, b, 0, 0});
    limit(layout.groups.back(), pairs, bound);
    layout.words = b + (planes + signs) * width_b;
  }
}

/// Of all strips of a group.
double steps_of(const PairGroup& group, std::uint32_t of_a_strip, unsigned lanes) {
  double steps = 0;
  for (std::uint32_t row = 0; row < group.rows; row += of_a_strip) {
    steps += group.last_column(row + of_a_strip) - group.first_column(row) + lanes - 1;
  }
  return steps;
}

}  // namespace

/// A warp takes what its scheduler issues for all of its warps, or what the longest warp waits for.
double PairLayout::seconds() const {
  double all = 0, longest = 0;
  for (const PairWarp& work : warps) {
    const PairGroup& group = groups[work.first_group];
    const double step = (planes + (signs == 2 ? 5.0 : 2.0)) * rows + tuning::gpu_pair_step;
    const double instructions = steps_of(group, work.lanes * rows, work.lanes) * step;
    all += instructions, longest = std::max(longest, instructions);
  }
  const double cycles = std::max(tuning::gpu_pair_cycles_shared * all / static_cast<double>(tuning::gpu_schedulers),
                                 tuning::gpu_pair_cycles_alone * longest);
  return tuning::gpu_cycle_seconds * cycles;
}

int planes_of_pair_kernel(std::size_t planes) {
  for (const int most : {2, 3, 5, 6}) {
    if (planes <= static_cast<std::size_t>(most)) return most;
  }
  return 8;
}

std::span<const unsigned> rows_of_pair_kernels(int planes) {
  static constexpr unsigned rows[] = {8, 16, 32};
  return std::span(rows).first(planes > 2 ? 2 : 3);
}

PairLayout layout_of(std::span<const Pair> pairs, int planes, Measure measure, Bound bound, unsigned rows) {
  PairLayout layout{.planes = planes, .signs = measure == Measure::edit ? 2 : 1, .rows = rows};
  for (std::size_t first = 0; first < pairs.size();) {
    const unsigned lanes = lanes_for(pairs[first].n, rows);
    const std::size_t count = std::min<std::size_t>(pairs.size() - first, warp / lanes * pairs_of_group);
    add_warp(layout, pairs.subspan(first, count), static_cast<std::uint32_t>(first), lanes, bound);
    first += count;
  }
  layout.words += PairLayout::slack;
  return layout;
}

PairLayout layout_of(std::span<const Pair> pairs, int planes, Measure measure, Bound bound) {
  std::optional<PairLayout> best;
  for (const unsigned rows : rows_of_pair_kernels(planes)) {
    PairLayout layout = layout_of(pairs, planes, measure, bound, rows);
    if (!best || layout.seconds() < best->seconds()) best = std::move(layout);
  }
  return std::move(*best);
}

}  // namespace warpfold::sequence::cuda
