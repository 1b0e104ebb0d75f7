#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sequence/align/backends.hpp"

/// Scored alignments on a GPU (gpu/scores.cuh): the score, the end and the script (gpu/scores_path.cuh) of an alignment
/// with gaps of one piece or two.
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
constexpr unsigned score_state_words(unsigned rows, unsigned pieces) { return (1 + pieces) * rows + 3 + pieces; }
/// The same of a step in which a local alignment may end.
constexpr unsigned score_end_state_words(bool pairs, unsigned rows, unsigned pieces) {
  return score_state_words(rows, pieces) + pieces * (pairs ? 1 : 2);
}

/// What gaps cost. With two pieces `open` and `extend` are those of long gaps, and short gaps cost less.
struct ScoreGaps {
  int open, extend;
  int short_open;    ///< of a gap of one symbol, beyond `extend`; with one piece `open`
  int short_extend;  ///< of each symbol more, beyond `extend`; 0 with one piece

  [[nodiscard]] constexpr unsigned pieces() const { return short_extend > 0 ? 2 : 1; }
  /// Of a gap of at least one symbol, beyond `extend` for each.
  [[nodiscard]] constexpr int of(std::uint64_t length) const {
    const std::uint64_t more = std::min(length - 1, static_cast<std::uint64_t>(open));
    return std::min(open, short_open + short_extend * static_cast<int>(more));
  }
};

/// A strip's steps in an interval.
struct ScoreTile {
  std::uint64_t strip, interval;
};

/// How many tiles are kept at a time: of so many strips so many intervals. They lie about a straight line.
struct ScoreTiles {
  unsigned down, across;
  std::uint64_t slope;      ///< of the line, intervals of a strip in 2^-16; 0: it goes to cell (0,0)
  std::uint64_t first = 0;  ///< strip whose tiles may be kept

  [[nodiscard]] constexpr unsigned count() const { return down * across; }
};

/// The tiles whose facts are kept while the walk is in tile `last`: of the strips up from there those intervals that
/// lie about the straight line.
class KeptScoreTiles {
 public:
  constexpr KeptScoreTiles(const ScoreTiles& tiles, const ScoreTile& last)
      : tiles_(tiles),
        last_(last),
        slope_(tiles.slope > 0 ? tiles.slope : (last.interval << slope_bits) / (last.strip + 1)) {
    const std::uint64_t of_line = (slope_ >> slope_bits) + 1;
    aside_ = tiles.across > of_line ? (tiles.across - of_line) / 2 : 0;
  }

  /// The tile of a number, less than ScoreTiles::count(). Its strip or interval may be below 0, so it wraps around.
  [[nodiscard]] constexpr ScoreTile tile(unsigned number) const {
    const unsigned up = number / tiles_.across;
    return {last_.strip - up, last_interval(up) - number % tiles_.across};
  }
  /// The number of a tile, or ScoreTiles::count() if it is not kept.
  [[nodiscard]] constexpr std::uint64_t number(const ScoreTile& tile) const {
    const std::uint64_t up = last_.strip - tile.strip, left = last_interval(up) - tile.interval;
    const bool is_below = tile.strip >= tiles_.first && tile.strip <= last_.strip;
    const bool is_kept = is_below && up < tiles_.down && left < tiles_.across;
    return is_kept ? up * tiles_.across + left : tiles_.count();
  }
  [[nodiscard]] constexpr bool is_kept(const ScoreTile& tile) const { return number(tile) < tiles_.count(); }

  static constexpr unsigned slope_bits = 16;

 private:
  /// The last interval that is kept of a strip, `up` strips above the walk's: where the line enters the strip, and half
  /// of what the line does not need.
  [[nodiscard]] constexpr std::uint64_t last_interval(std::uint64_t up) const {
    if (up == 0 || up > last_.strip) return last_.interval;
    return std::min(last_.interval, last_.interval - (slope_ * up >> slope_bits) + aside_);
  }

  ScoreTiles tiles_;
  ScoreTile last_;
  std::uint64_t slope_;  ///< intervals of a strip, in 2^-16
  std::uint64_t aside_;
};

/// How A is cut into strips, and what the values of a strip are relative to.
struct ScoreLayout {
  std::uint64_t n, m;
  unsigned codes;
  ScoreKernel kernel;
  ScoreGaps gaps;
  int corner;       ///< the value that the first row of a strip is moved to, of pairs
  int least_score;  ///< biased; scores below it count as this one: two gaps are no worse
  bool is_local;
  bool keeps_column;
  bool keeps;                ///< whether what strips hand on and states are kept, for a script
  std::uint64_t groups = 1;  ///< of strips; of several, one at a time keeps its states and what its strips hand on

  [[nodiscard]] std::uint64_t rows_of_a_strip() const;
  [[nodiscard]] std::uint64_t strips() const { return (n + rows_of_a_strip() - 1) / rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t rows() const { return strips() * rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t padding() const { return rows() - n; }
  /// Of a warp, on chip.
  [[nodiscard]] std::size_t shared_bytes() const;
  [[nodiscard]] std::uint64_t group() const { return (strips() + groups - 1) / groups; }  ///< strips, at most
  /// Packets below all groups but the last.
  [[nodiscard]] std::size_t group_rows() const { return keeps ? (strips() - 1) / group() * m * gaps.pieces() : 0; }
  /// Words of the rows below all strips of a group but the last.
  [[nodiscard]] std::size_t borders() const {
    return keeps ? (group() - 1) * m * gaps.pieces() * (kernel.pairs ? 1 : 2) : 0;
  }
  [[nodiscard]] std::uint64_t intervals() const;  ///< of a strip's steps
  [[nodiscard]] std::size_t states() const;       ///< words
  /// Words of the states in which local alignments may end.
  [[nodiscard]] std::size_t end_states() const;
  [[nodiscard]] ScoreTiles tiles() const;
  [[nodiscard]] std::size_t facts() const;  ///< words of all tiles
  /// Warps of a multiprocessor, at most.
  [[nodiscard]] unsigned max_warps() const;
  [[nodiscard]] std::size_t device_bytes() const;
  [[nodiscard]] double seconds() const;

 private:
  /// Of a sweep of so many strips and columns.
  [[nodiscard]] double cycles(double strips, double columns) const;
};

/// With a given kernel, and one group. Nothing if it does not hold the values.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, const ScoreKernel& kernel);
/// With the kernel and the groups that take least time, of those whose memory on the device is within `max_bytes`;
/// otherwise with those that take least memory. Nothing if there is none.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, std::size_t max_bytes);

[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context);
/// With a layout of the query.
[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context, const ScoreLayout& layout);
[[nodiscard]] std::size_t device_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::size_t host_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] double seconds_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::string alignment_unsupported_on_gpu(const alignment::Size& size);

}  // namespace warpfold::sequence::cuda
