#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sequence/align/backends.hpp"

/// Scored alignments on a GPU (gpu/scores.cuh): the score, the end and the script (gpu/scores_path.cuh) of an alignment
/// with linear or affine gaps.
namespace warpfold::sequence::cuda {

/// A kernel for strips of scores.
struct ScoreKernel {
  bool pairs;     ///< 16 bits for a value, otherwise 32
  unsigned rows;  ///< K, of a stripe
  bool operator==(const ScoreKernel&) const = default;
};
inline constexpr ScoreKernel score_kernels[] = {{true, 4}, {true, 8}, {true, 16}, {true, 32}, {false, 8}, {false, 16}};

/// Steps between two kept states of a strip.
inline constexpr unsigned score_interval = 1024;
/// The words of a state of K rows, of a lane.
constexpr unsigned score_state_words(unsigned rows) { return 2 * rows + 4; }

/// A strip's steps in an interval.
struct ScoreTile {
  std::uint64_t strip, interval;
};

/// The tiles whose facts are kept at a time: of some strips those intervals that lie about the straight line from the
/// walk to cell (0,0).
struct ScoreTiles {
  unsigned down, across;

  [[nodiscard]] constexpr unsigned count() const { return down * across; }
  /// The tile of a number, less than `count()`, if the walk is in tile `last`. Its strip or interval may be below 0,
  /// so it wraps around.
  [[nodiscard]] constexpr ScoreTile tile(const ScoreTile& last, unsigned number) const {
    const unsigned up = number / across;
    return {last.strip - up, last_interval(last, up) - number % across};
  }
  /// The number of a tile, or `count()` if it is not kept.
  [[nodiscard]] constexpr std::uint64_t number(const ScoreTile& last, const ScoreTile& tile) const {
    const std::uint64_t up = last.strip - tile.strip, left = last_interval(last, up) - tile.interval;
    const bool is_kept = tile.strip <= last.strip && up < down && left < across;
    return is_kept ? up * across + left : count();
  }

 private:
  /// The last interval that is kept of a strip, `up` strips above the walk's: where the line enters the strip, and half
  /// of what the line does not need.
  [[nodiscard]] constexpr std::uint64_t last_interval(const ScoreTile& last, std::uint64_t up) const {
    if (up == 0 || up > last.strip) return last.interval;
    const std::uint64_t strips = last.strip + 1, entry = last.interval * (strips - up) / strips;
    const std::uint64_t of_line = last.interval / strips + 1;
    const std::uint64_t aside = across > of_line ? (across - of_line) / 2 : 0;
    return std::min(last.interval, entry + aside);
  }
};

/// How A is cut into strips, and what the values of a strip are relative to.
struct ScoreLayout {
  std::uint64_t n, m;
  unsigned codes;
  ScoreKernel kernel;
  int open, extend;
  int corner;       ///< the value that the first row of a strip is moved to, of pairs
  int least_score;  ///< biased; scores below it count as this one: two gaps are no worse
  bool keeps_column;
  bool keeps;  ///< whether what strips hand on and states are kept, for a script

  [[nodiscard]] std::uint64_t rows_of_a_strip() const;
  [[nodiscard]] std::uint64_t strips() const { return (n + rows_of_a_strip() - 1) / rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t rows() const { return strips() * rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t padding() const { return rows() - n; }
  /// Of a warp, on chip.
  [[nodiscard]] std::size_t shared_bytes() const;
  [[nodiscard]] std::size_t packets() const { return (keeps ? strips() : 2) * m; }
  [[nodiscard]] std::uint64_t intervals() const;  ///< of a strip's steps
  [[nodiscard]] std::size_t states() const;       ///< words
  [[nodiscard]] ScoreTiles tiles() const;
  [[nodiscard]] std::size_t facts() const;  ///< words of all tiles
  /// Warps of a multiprocessor, at most.
  [[nodiscard]] unsigned max_warps() const;
  [[nodiscard]] std::size_t device_bytes() const;
  [[nodiscard]] double seconds() const;
};

/// With a given kernel. Nothing if it does not hold the values.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, const ScoreKernel& kernel);
/// With the kernel that takes least time, of those whose memory on the device is within `max_bytes`; otherwise with the
/// one that takes least memory. Nothing if there is none.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, std::size_t max_bytes);

[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context);
/// With a layout of the query.
[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context, const ScoreLayout& layout);
[[nodiscard]] std::size_t device_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::size_t host_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] double seconds_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::string alignment_unsupported_on_gpu(const alignment::Size& size);

}  // namespace warpfold::sequence::cuda
