#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/scores.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

constexpr std::int64_t max_gap_cost = 8192;

/// Sets what the values are relative to. Returns whether they fit.
///
/// Let e be the cost to extend a gap, o that to open it, both of long gaps, and M the largest of s + 2 e and e for a
/// largest score s. With the bias, H is at least H of any cell above and to the left minus two gaps, 2 o. It is larger
/// by at most M a row and M a column, and 2 o: without its last rows, an alignment has their matches as insertions, and
/// without its last columns as deletions. While the first row of a strip is at one of 32 columns, other rows are at
/// columns up to `stripes` before. E, F and sums are less than H by at most 2 o and a score. For a script a score that
/// is worse than two gaps stays so, because the walk asks whether H is that of a substitution.
///
/// All of this holds for local alignments, too. For them 16 bits also hold any H less what 32 steps and K rows cost to
/// extend, and any H is more than the least value and so much.
///
/// The piece of short gaps changes nothing: a gap costs at most o, and E and F of short gaps are higher than H - o,
/// too.
bool set_range(ScoreLayout& layout, const alignment::Size& size) {
  const std::int64_t open = layout.gaps.open, extend = layout.gaps.extend, first = layout.gaps.short_open;
  const std::int64_t rise = std::max(size.max_score + 2 * extend, extend);
  const std::int64_t two_gaps = -2 * first - (layout.keeps ? 1 : 0);
  const std::int64_t least = std::max({size.min_score + 2 * extend, two_gaps, std::int64_t{-128}});
  layout.least_score = static_cast<int>(least);
  const bool fits_bytes =
      std::max(size.min_score + 2 * extend, two_gaps) >= -128 && extend - first >= -128 && rise <= 127;
  if (!fits_bytes) return false;
  const double total =
      static_cast<double>(layout.rows() + layout.m + 1024) * static_cast<double>(rise) + 16 * static_cast<double>(open);
  if (total >= std::numeric_limits<std::int32_t>::max()) return false;
  if (!layout.kernel.pairs) return true;
  const std::int64_t of_local = layout.is_local ? (2 * warp + layout.kernel.rows) * extend : 0;
  const std::int64_t below = 6 * open + 256 + (2 * warp + 1) * rise + of_local;
  const std::int64_t above = 6 * open + 256 + (static_cast<std::int64_t>(layout.rows_of_a_strip()) + 2 * warp) * rise;
  layout.corner = static_cast<int>(std::numeric_limits<std::int16_t>::min() + below);
  return layout.corner + above <= std::numeric_limits<std::int16_t>::max();
}

/// A second piece counts if a gap of one symbol costs less by it, and longer ones come to cost more.
ScoreGaps gaps_of(const GapCosts& costs) {
  const GapCosts::Piece first{costs.open, costs.extend}, second = costs.second.value_or(first);
  const auto [lower, steep] = std::minmax(first, second, [](const auto& x, const auto& y) {
    return std::pair(x.extend, x.open) < std::pair(y.extend, y.open);
  });
  const std::int64_t more = steep.extend - lower.extend;
  const bool has_short = more > 0 && steep.open + more < lower.open;
  return {static_cast<int>(lower.open), static_cast<int>(lower.extend),
          static_cast<int>(has_short ? steep.open + more : lower.open), static_cast<int>(has_short ? more : 0)};
}

bool are_small(const GapCosts& gaps) {
  return std::ranges::all_of(alignment::pieces_of(gaps), [](const GapCosts::Piece& piece) {
    return piece.open <= max_gap_cost && piece.extend <= max_gap_cost;
  });
}

}  // namespace

std::uint64_t ScoreLayout::rows_of_a_strip() const {
  return std::uint64_t{warp} * kernel.rows * (kernel.pairs ? 2 : 1);
}

std::size_t ScoreLayout::shared_bytes() const {
  const std::size_t borders = 2 * warp * gaps.pieces() * (kernel.pairs ? 4 : 8);
  return (codes * rows_of_a_strip() + borders + 127) / 128 * 128;
}

unsigned ScoreLayout::max_warps() const {
  const unsigned of_registers = kernel.rows == 32 ? 8 : 16;
  return std::min(of_registers, static_cast<unsigned>(tuning::gpu_shared_bytes / shared_bytes()));
}

std::uint64_t ScoreLayout::intervals() const {
  const unsigned steps_behind = warp * (kernel.pairs ? 2 : 1);  // of the last stripe
  return (m + steps_behind + score_interval - 1) / score_interval;
}

std::size_t ScoreLayout::states() const {
  return keeps ? group() * (intervals() - 1) * score_state_words(kernel.rows, gaps.pieces()) * warp : 0;
}

std::size_t ScoreLayout::end_states() const {
  return is_local ? strips() * 2 * score_end_state_words(kernel.pairs, kernel.rows, gaps.pieces()) * warp : 0;
}

/// A strip has as many of them as the line goes through, and some more on both sides. A local alignment goes along a
/// diagonal. Groups are for less memory, so they have fewer tiles.
ScoreTiles ScoreLayout::tiles() const {
  const std::uint64_t all = std::max<std::uint64_t>(tuning::gpu_score_tiles / groups, 32);
  const std::uint64_t slope = is_local ? (rows_of_a_strip() << KeptScoreTiles::slope_bits) / score_interval : 0;
  const std::uint64_t of_line = (is_local ? rows_of_a_strip() / score_interval : intervals() / strips()) + 1;
  const std::uint64_t width = std::min({intervals(), of_line + tuning::gpu_score_tiles_aside, all});
  const std::uint64_t down = std::min(group(), all / width), across = std::min(intervals(), all / down);
  return {static_cast<unsigned>(down), static_cast<unsigned>(across), slope};
}

std::size_t ScoreLayout::facts() const {
  if (!keeps) return 0;
  return std::size_t{tiles().count()} * score_interval * warp * gaps.pieces() * kernel.rows / 4;
}

std::size_t ScoreLayout::device_bytes() const {
  const std::size_t of_a = (keeps_column ? 5 : 1) * rows(), of_b = (4 + 16 * gaps.pieces()) * m;
  const std::size_t kept = 8 * group_rows() + 4 * (borders() + states() + facts());
  const std::size_t of_script = keeps ? kept + static_cast<std::size_t>(n + m) : 0;
  const std::size_t of_ends = is_local ? 4 * end_states() + 16 * strips() : 0;
  return 16384 + of_a + of_b + of_script + of_ends + std::size_t{codes + 1} * codes;
}

/// A strip begins `gpu_score_lag` steps after the one before, pairs 32 steps later. A step takes what its warp waits
/// for, or what the warps of a scheduler issue.
double ScoreLayout::cycles(double strips, double columns) const {
  const double behind = tuning::gpu_score_lag + (kernel.pairs ? 32 : 0);
  const double steps = columns + behind * strips;
  const double at_once = strips * columns / steps;
  const auto all = static_cast<double>(tuning::gpu_schedulers);
  const double rounds = std::max(1.0, at_once / (all / 4 * max_warps()));
  const double of_scheduler = std::ceil(std::min(at_once, all / 4 * max_warps()) / all);
  const double alone = tuning::gpu_score_wait * kernel.rows + tuning::gpu_score_step_alone;
  const double shared = tuning::gpu_score_issue * kernel.rows + tuning::gpu_score_step;
  const double longer =
      1 + (is_local ? tuning::gpu_score_local : 0) + (gaps.pieces() == 2 ? tuning::gpu_score_pieces : 0);
  return longer * steps * rounds * std::max(alone, of_scheduler * shared);
}

/// A walk is in the middle column of a group, in the mean.
double ScoreLayout::seconds() const {
  const auto columns = static_cast<double>(m), all = static_cast<double>(groups);
  const double again = keeps && groups > 1 ? all * cycles(static_cast<double>(group()), columns / 2) : 0;
  const double cycles = this->cycles(static_cast<double>(strips()), columns) + again;
  const double of_symbol = tuning::gpu_symbol_seconds + (keeps ? tuning::gpu_score_walk_seconds : 0);
  return tuning::gpu_start_seconds + of_symbol * static_cast<double>(n + m) + tuning::gpu_cycle_seconds * cycles;
}

std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, const ScoreKernel& kernel) {
  if (!are_small(size.request.gaps) || std::abs(size.max_score) > max_gap_cost) return {};
  ScoreLayout layout{.n = static_cast<std::uint64_t>(size.n),
                     .m = static_cast<std::uint64_t>(size.m),
                     .codes = size.codes,
                     .kernel = kernel,
                     .gaps = gaps_of(size.request.gaps),
                     .corner = 0,
                     .least_score = 0,
                     .is_local = size.request.ends.local,
                     .keeps_column = size.request.ends.end_a && !size.request.ends.local,
                     .keeps = size.request.script};
  if (layout.shared_bytes() > tuning::gpu_shared_bytes) return {};
  if (layout.codes * layout.rows_of_a_strip() > std::numeric_limits<std::uint16_t>::max()) return {};
  return set_range(layout, size) ? std::optional(layout) : std::nullopt;
}

std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, std::size_t max_bytes) {
  const auto cost = [&](const ScoreLayout& layout) {
    const std::size_t bytes = layout.device_bytes();
    return std::pair(bytes <= max_bytes ? 0 : bytes, layout.seconds());
  };
  std::optional<ScoreLayout> best;
  for (const ScoreKernel& kernel : score_kernels) {
    std::optional<ScoreLayout> layout = score_layout_of(size, kernel);
    if (!layout) continue;
    const std::uint64_t most = layout->keeps ? layout->strips() : 1;
    for (layout->groups = 1; layout->groups <= most; layout->groups *= 2) {
      if (!best || cost(*layout) < cost(*best)) best = layout;
      if (layout->device_bytes() <= max_bytes) break;
    }
  }
  return best;
}

namespace {

std::optional<ScoreLayout> layout_for(const alignment::Size& size, const Options& options) {
  return score_layout_of(size, options.max_device_memory);
}

}  // namespace

std::size_t device_bytes_of_alignment(const alignment::Size& size, const Options& options) {
  const std::optional<ScoreLayout> layout = layout_for(size, options);
  return layout ? layout->device_bytes() : 0;
}

std::size_t host_bytes_of_alignment(const alignment::Size& size, const Options& options) {
  const std::optional<ScoreLayout> layout = layout_for(size, options);
  if (!layout) return 0;
  const auto& ends = size.request.ends;
  const std::size_t of_script = layout->keeps ? layout->n + layout->m : 0;
  const std::size_t of_ends = layout->is_local ? 16 * layout->strips()
                                               : (ends.end_b ? 8 * layout->m * layout->gaps.pieces() : 0) +
                                                     (ends.end_a ? 4 * layout->rows() : 0);
  return layout->rows() + 4 * layout->m + of_ends + of_script;
}

double seconds_of_alignment(const alignment::Size& size, const Options& options) {
  const std::optional<ScoreLayout> layout = layout_for(size, options);
  return layout ? layout->seconds() : 0;
}

std::string alignment_unsupported_on_gpu(const alignment::Size& size) {
  return layout_for(size, {}) ? "" : "takes scores and gap costs of 8 bits and up to 255 symbols: the CPU takes others";
}

}  // namespace warpfold::sequence::cuda
