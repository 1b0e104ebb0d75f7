#pragma once

#include <cstdint>

#include "sequence/gpu/runs.hpp"
#include "sequence/gpu/scores.cuh"
#include "sequence/gpu/scores.hpp"
#include "warpfold/sequence/script.hpp"

/// The script of an alignment, after all strips with `keeps`. The walk goes back from the alignment's end. One kernel
/// keeps the facts of the cells about the way to cell (0,0), a warp for each tile, and another walks by them. These two
/// take turns. A walk that comes to another group of strips waits for its states and rows.
namespace warpfold::sequence::cuda {

inline constexpr unsigned score_walk_threads = 1024;

/// Where the walk is. Rows are counted from 1 with those above row 1, columns from 1 too.
struct ScoreWalk {
  std::uint64_t row, column;
  std::uint64_t bytes;  ///< of runs
  unsigned edit;        ///< deletion or insertion: a gap that has come to this cell, and may go on
  unsigned ongoing;     ///< the facts that a cell has through which this gap goes on
  unsigned is_done;
};

/// Where the facts of a cell are.
template <class Cells, int K>
struct ScorePlace {
  ScoreTile tile;
  unsigned lane;  ///< of the strip
  unsigned step;  ///< of the tile

  static constexpr unsigned rows_of_a_lane = Cells::halves * K;

  /// Of the first stripe of a lane, counted over all strips, in a column from 0.
  static __device__ ScorePlace of(std::uint64_t lane, std::uint64_t column) {
    const unsigned in_strip = static_cast<unsigned>(lane % warp);
    const std::uint64_t step = column + Cells::halves * in_strip;
    return {{lane / warp, step / score_interval}, in_strip, static_cast<unsigned>(step % score_interval)};
  }
  /// The tile of the walk's cell. The second stripe of a lane is a step later in the same column.
  static __device__ ScoreTile tile_of(std::uint64_t row, std::uint64_t column) {
    const std::uint64_t lane = (row - 1) / rows_of_a_lane, half = (row - 1) / K % Cells::halves;
    return of(lane, column - 1 + half).tile;
  }
};

template <class Cells, int K, bool is_local>
__global__ void __launch_bounds__(warp)
    trace_scores(const ScoredSolve solve, const ScoreWalk* walk, const ScoreTiles tiles, ScoreFacts<Cells, K>* facts) {
  extern __shared__ __align__(128) unsigned char score_memory[];
  if (walk->is_done != 0) return;
  const ScoreTile last = ScorePlace<Cells, K>::tile_of(walk->row, walk->column);
  const ScoreTile tile = KeptScoreTiles(tiles, last).tile(blockIdx.x);
  if (tile.strip > last.strip || tile.interval > last.interval) return;  // above the table, or left of it
  if (tile.strip < solve.first) return;
  ScoredStrip<Cells, K, is_local>(solve, static_cast<unsigned>(tile.strip), score_memory)
      .trace(static_cast<unsigned>(tile.interval), facts + std::uint64_t{blockIdx.x} * score_interval * warp);
}

/// The facts of a window of cells that ends where the walk is. A word has those of 4 rows in a column, and above them
/// whether they are known. Those of a second piece are in words behind these.
template <class Cells, int K>
class ScoreWindow {
 public:
  static constexpr int rows = 128, columns = 127, words_of_piece = rows / 4 * columns, pieces = Cells::pieces,
                       words = pieces * words_of_piece;

  /// `at`: the words, of shared memory.
  __device__ ScoreWindow(unsigned* at, std::uint64_t row, std::uint64_t column)
      : words_(at),
        first_lane_(static_cast<std::int64_t>((row - 1) / Place::rows_of_a_lane) - lanes + 1),
        first_column_(static_cast<std::int64_t>(column) - columns + 1) {}

  [[nodiscard]] __device__ std::int64_t first_row() const { return first_lane_ * Place::rows_of_a_lane + 1; }
  [[nodiscard]] __device__ std::int64_t first_column() const { return first_column_; }

  /// All threads of the block load it together.
  __device__ void load(const ScoreFacts<Cells, K>* facts, const KeptScoreTiles& tiles) const {
    for (int at = threadIdx.x; at < lanes * steps; at += blockDim.x) {
      const int number = at / steps, x = at % steps;
      const ScoreFacts<Cells, K>* const from = find(facts, tiles, first_lane_ + number, first_column_ - 1 + x);
      set(number, x, from != nullptr ? *from : ScoreFacts<Cells, K>(), from != nullptr);
    }
  }

  /// A cell that is not known, and so ends every look.
  static constexpr unsigned unknown = 8;
  /// Whether a cell is known.
  static __device__ __forceinline__ bool is_known(unsigned cell) { return cell >> 16 != 0; }
  /// The facts of a cell in its lowest bits, and above all others whether they are known. Those of a second piece are
  /// `second_piece` times as large.
  [[nodiscard]] __device__ __forceinline__ unsigned cell(int down, int x) const {
    const auto row = static_cast<unsigned>(down);
    const unsigned *const word = words_ + (row / 4 * columns + static_cast<unsigned>(x)), up = 4 * (3 - row % 4);
    const unsigned first = (word[0] & ~0xFFFFU) | (word[0] & 0xFFFF) >> up;
    if constexpr (pieces == 1) return first;
    return (first & ~0xFFF0U) | (word[words_of_piece] >> up & 15) * second_piece;
  }
  static constexpr unsigned second_piece = 16;
  /// Whether a local alignment begins at a cell.
  static __device__ __forceinline__ bool is_end(unsigned cell) {
    if constexpr (pieces == 1) return (cell & 15) == score_walk_end;
    return (cell & 255) == score_walk_end * (1 + second_piece);
  }
  /// The facts that all cells have through which a gap goes on, which `cell` ends.
  static __device__ __forceinline__ unsigned ongoing(unsigned cell, bool deletes) {
    const unsigned of_piece = deletes ? 2 : 1;
    if constexpr (pieces == 1) return of_piece;
    const bool is_long = (cell & 8 * second_piece) == 0, is_short = (cell & 4 * second_piece) == 0;
    return (is_long ? of_piece : 0) | (is_short ? of_piece * second_piece : 0);
  }

 private:
  using Place = ScorePlace<Cells, K>;
  static constexpr int lanes = rows / static_cast<int>(Place::rows_of_a_lane);
  static constexpr int steps = columns + 1;  ///< in which a lane's stripes are in the columns

  /// The facts of a lane in a step, by the column of its first stripe from 0; or null.
  static __device__ const ScoreFacts<Cells, K>* find(const ScoreFacts<Cells, K>* facts, const KeptScoreTiles& tiles,
                                                     std::int64_t lane, std::int64_t column) {
    if (lane < 0 || column < 0) return nullptr;
    const auto place = Place::of(static_cast<std::uint64_t>(lane), static_cast<std::uint64_t>(column));
    if (!tiles.is_kept(place.tile)) return nullptr;
    return facts + (tiles.number(place.tile) * score_interval + place.step) * warp + place.lane;
  }

  /// The second stripe of a lane is in the column before.
  __device__ void set(int number, int x, const ScoreFacts<Cells, K>& of_step, bool is_known) const {
#pragma unroll
    for (int word = 0; word < pieces * (K / 4); ++word) {
      const int piece = word / (K / 4), at = number * static_cast<int>(Cells::halves) * (K / 4) + word % (K / 4);
      const unsigned flags = is_known ? 1U << 16 : piece == 0 ? unknown * 0x1111 : 0;
      unsigned* const to = words_ + piece * words_of_piece + at * columns + x;
      if (x < columns) *to = (of_step.word[word] & 0xFFFF) | flags;
      if (Cells::halves == 2 && x > 0) to[K / 4 * columns - 1] = of_step.word[word] >> 16 | flags;
    }
  }

  unsigned* const words_;
  const std::int64_t first_lane_, first_column_;
};

/// Walks through a window, to its border or to that of the table. A warp looks at the next 32 cells at once, on the
/// diagonal or along a gap. It writes a run for each look (gpu/runs.hpp).
template <class Cells, int K>
class ScoreLooks {
 public:
  __device__ ScoreLooks(const ScoreWindow<Cells, K>& window, std::uint64_t padding, const ScoreWalk& at,
                        std::uint8_t* runs)
      : window_(window),
        lane_(static_cast<int>(threadIdx.x)),
        top_(static_cast<int>(max(std::int64_t{0}, static_cast<std::int64_t>(padding) + 1 - window.first_row()))),
        left_(static_cast<int>(max(std::int64_t{0}, 1 - window.first_column()))),
        down_(static_cast<int>(static_cast<std::int64_t>(at.row) - window.first_row())),
        x_(static_cast<int>(static_cast<std::int64_t>(at.column) - window.first_column())),
        runs_(runs + at.bytes) {}

  /// Goes on from `at`, and sets it to where the walk leaves the window.
  __device__ void go(ScoreWalk& at) {
    unsigned edit = at.edit, ongoing = at.ongoing;
    int opened = 0;  // steps that the gap takes in any case
    for (;;) {
      if (edit == match) {
        const unsigned cell = look(lane_, lane_), steps = steps_until((cell & 8) != 0);
        take(match, steps, steps, steps);
        if (steps == warp) continue;
        const unsigned last = __shfl_sync(~0U, cell, static_cast<int>(steps));
        if (!window_.is_known(last)) break;
        at.is_done = Window::is_end(last) ? 1 : 0;
        if (at.is_done != 0) break;
        edit = (last & 4) != 0 ? insertion : deletion;
        ongoing = Window::ongoing(last, edit == deletion);
        opened = 1;
      }
      const bool deletes = edit == deletion;
      const unsigned cell = look(deletes ? lane_ + opened : 0, deletes ? 0 : lane_ + opened);
      const unsigned more = steps_until((cell & ongoing) != ongoing), steps = more + opened;
      take(edit, steps, deletes ? steps : 0, deletes ? 0 : steps);
      opened = 0;
      if (more == warp) continue;
      if (!window_.is_known(__shfl_sync(~0U, cell, static_cast<int>(more)))) break;
      edit = match;
    }
    at.row = static_cast<std::uint64_t>(window_.first_row() + down_);
    at.column = static_cast<std::uint64_t>(window_.first_column() + x_);
    at.edit = edit;
    at.ongoing = ongoing;
    at.bytes += written_;
  }

 private:
  using Window = ScoreWindow<Cells, K>;
  static constexpr auto match = static_cast<unsigned>(Edit::match), deletion = static_cast<unsigned>(Edit::deletion),
                        insertion = static_cast<unsigned>(Edit::insertion);

  [[nodiscard]] __device__ __forceinline__ unsigned look(int up, int left) const {
    const int row = down_ - up, column = x_ - left;
    return row >= top_ && column >= left_ ? window_.cell(row, column) : Window::unknown;
  }
  /// The threads before the first one where the walk ends, up to 32.
  static __device__ __forceinline__ unsigned steps_until(bool ends) {
    return static_cast<unsigned>(__clz(static_cast<int>(__brev(__ballot_sync(~0U, ends)))));
  }
  __device__ __forceinline__ void take(unsigned edit, unsigned steps, unsigned up, unsigned left) {
    if (lane_ == 0 && steps > 0) runs_[written_] = static_cast<std::uint8_t>(edit | (steps - 1) << 2);
    written_ += steps > 0 ? 1 : 0;
    down_ -= static_cast<int>(up);
    x_ -= static_cast<int>(left);
  }

  const Window& window_;
  const int lane_, top_, left_;
  int down_, x_;  ///< in the window
  std::uint8_t* const runs_;
  unsigned written_ = 0;
};

template <class Cells, int K>
__global__ void __launch_bounds__(score_walk_threads)
    walk_scores(ScoreWalk* walk, std::uint64_t padding, const ScoreTiles tiles, const ScoreFacts<Cells, K>* facts,
                std::uint8_t* runs) {
  __shared__ unsigned words[ScoreWindow<Cells, K>::words];
  __shared__ ScoreWalk reached;
  ScoreWalk at = *walk;
  if (at.is_done != 0) return;
  const KeptScoreTiles kept(tiles, ScorePlace<Cells, K>::tile_of(at.row, at.column));
  for (;;) {
    const ScoreWindow<Cells, K> window(words, at.row, at.column);
    window.load(facts, kept);
    __syncthreads();
    if (threadIdx.x < warp) ScoreLooks<Cells, K>(window, padding, at, runs).go(at);
    if (threadIdx.x == 0) reached = at;
    __syncthreads();
    at = reached;
    if (at.row == padding || at.column == 0) at.is_done = 1;
    if (at.is_done != 0 || !kept.is_kept(ScorePlace<Cells, K>::tile_of(at.row, at.column))) break;
  }
  if (threadIdx.x == 0) *walk = at;
}

}  // namespace warpfold::sequence::cuda
