#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <type_traits>
#include <utility>

#include "sequence/gpu/scores.hpp"
#include "sequence/gpu/tickets.cuh"

/// Scored alignments on a GPU. A warp works on a strip of 32 K rows, or of 64 K rows in pairs of 16 bits: stripe q has
/// K of them, and in step t the column t - q, below the last row of stripe q - 1 from the step before. Strips are taken
/// in order. Each hands H and F of its last row to the next one, 32 columns at a time.
///
/// With `extend` = e the values are biased by e (i + j), so that to extend a gap costs nothing. E is the best that ends
/// with an insertion, F with a deletion:
///
///     t = max(diagonal + score, E[k]),   H[k] = max(t, F),   E[k] = max(E[k], H[k] - open),   F = max(F, t - open).
///
/// With the choice of two rows' scores these are five instructions for a cell, or for two in a pair.
///
/// With a second piece the first one is that of long gaps, whose `extend` the bias takes. E' and F' are those of short
/// gaps, whose symbols cost more: to extend a gap by one costs d, and a gap of one symbol costs `short_open`. Five
/// instructions more are
///
///     t = max(t, E'[k]),   H[k] = max(t, F, F'),   E'[k] = max(E'[k] - d, H[k] - short_open),   F' likewise from t.
///
/// F and F' do not need H in place of t: a gap behind a gap is no better than one gap by the piece that is less.
///
/// Rows above row 1 fill the first strip, so that the last row of the last strip is row n. They have no matches, so
/// they all equal row 0.
///
/// For local alignments H(i,j) is also at least 0, with the bias e (i + j). That takes two instructions more, one of
/// them for the largest H of each row. F goes on from t as it is: what begins at 0 is no better than 0.
///
/// For a script (gpu/scores_path.cuh) the last rows of all strips are kept, and each strip's registers at intervals.
/// With less memory the rows below groups of strips are kept, and the walk computes each group again that it comes to.
namespace warpfold::sequence::cuda {

inline constexpr unsigned score_looks_between_stops = 64, score_chunks_between_reports = 64;
inline constexpr unsigned score_short_looks = 8, score_nap = 400;  ///< of waiting strips, nanoseconds

/// Where the best local alignment of a strip ends.
struct ScoreEnd {
  int score;
  unsigned row;   ///< from 0, counted over all strips
  unsigned step;  ///< the first one of the 32 in which it ends
  unsigned slot;  ///< which of the strip's two states is that of this step
};

/// The memory of a solve on the device.
struct ScoredSolve {
  const std::uint8_t* a;      ///< codes of all rows; those above row 1 have the code `codes`
  const std::uint32_t* b;     ///< where a profile has the scores of columns j and j - 1; from b[-64] to b[m + 127]
  const std::int8_t* scores;  ///< biased, row by row; the last row is that of the code `codes`
  std::uint32_t m, padding;   ///< rows above row 1
  unsigned codes;
  unsigned first, strips;  ///< the first strip, and the number of the last one from 1
  ScoreGaps gaps;
  bool free_a, free_b;  ///< the beginnings
  int corner;           ///< the value that the first row of a strip is moved to, of pairs
  /// Below a strip, for each column and piece: from the high bits on 16 of the strip's number from 1, 16 of H - F and
  /// 32 of H. Two strips share each row of packets in turn: a strip writes to a column after the next one but one has
  /// begun it, and so was read.
  unsigned long long* packets;
  unsigned group;                         ///< strips
  unsigned long long* rows;               ///< the packets below all groups but the last, or null
  const unsigned long long* above_first;  ///< those above the first strip, if it is not that of the table
  bool keeps;                             ///< whether the following are kept
  /// The rows below all strips but the last: packets of values of 32 bits, and words of 16 bits of H - F and the lowest
  /// 16 of H for pairs.
  void* borders;
  unsigned* states;      ///< of strips at the beginning of intervals but the first, word by word, lane by lane
  unsigned slots;        ///< states of a strip
  int* column;           ///< H of all rows in the last column, or null
  ScoreEnd* ends;        ///< of all strips, for local alignments
  unsigned* end_states;  ///< two of a strip, with what enters it, word by word, lane by lane
  unsigned* ticket;      ///< strips taken, but the first of each warp
  unsigned* reported;    ///< counts every score_chunks_between_reports-th chunk
  const unsigned* stop;  ///< not 0: ends the solve
};

/// The four bytes that `selector` names, of `lower` and `upper`. 8 added to a byte's number is its sign alone, which
/// __byte_perm does not have.
template <unsigned selector>
__device__ __forceinline__ unsigned bytes_of(unsigned lower, unsigned upper) {
  unsigned bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(lower), "r"(upper), "n"(selector));
  return bytes;
}

/// The facts of a cell where a local alignment begins. No other cell has them: where H is an insertion alone, one that
/// comes from the right goes on, or no gap costs anything to open and none goes on.
inline constexpr unsigned score_walk_end = 14;

/// H and F below a row.
struct ScoreBorder {
  int best, deleted;
};

/// A stripe of each lane, of 32 bits.
struct WideScores {
  static constexpr int pieces = 1;  ///< of gap costs
  using Border = ScoreBorder;
  static constexpr unsigned halves = 1;
  static constexpr int least = -(1 << 30);

  static __device__ unsigned of(int value, int /*second*/ = 0) { return static_cast<unsigned>(value); }
  static __device__ int value(unsigned word, unsigned /*half*/) { return static_cast<int>(word); }
  static __device__ unsigned larger(unsigned x, unsigned y) { return max(static_cast<int>(x), static_cast<int>(y)); }
  static __device__ unsigned larger_sum(unsigned x, unsigned y, unsigned z) {
    return __viaddmax_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  }
  static __device__ unsigned sum(unsigned x, unsigned y) { return x + y; }
  static __device__ unsigned largest(unsigned x, unsigned y, unsigned z) {
    return __vimax3_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  }
  /// The score at byte k % 4.
  template <int k>
  static __device__ unsigned score(unsigned word, unsigned /*upper*/) {
    return bytes_of<k % 4 | (k % 4 + 8) * 0x1110>(word, 0);
  }

  static __device__ Border last(unsigned best, unsigned deleted) {
    return {static_cast<int>(best), static_cast<int>(deleted)};
  }
  static __device__ Border border(int best, int deleted) { return {best, deleted}; }
  static __device__ ScoreBorder values(Border border) { return border; }
  static __device__ Border from_lane(Border border, unsigned lane) {
    return {__shfl_sync(~0U, border.best, lane), __shfl_sync(~0U, border.deleted, lane)};
  }
  static __device__ void enter(Border border, unsigned& best, unsigned& deleted) {
    best = of(border.best);
    deleted = of(border.deleted);
  }
  static __device__ unsigned chosen(unsigned word, unsigned other, bool first, bool /*second*/) {
    return first ? other : word;
  }
  /// Whether two values differ, in the lowest bit.
  static __device__ unsigned difference(unsigned x, unsigned y) { return min(x ^ y, 1U); }
  /// Sets the lowest 4 bits if two values are equal.
  static __device__ unsigned with_end(unsigned bits, unsigned x, unsigned y) {
    return x == y ? (bits & ~15U) | score_walk_end : bits;
  }
};

/// Two stripes of each lane, of 16 bits: the lower half is above the upper one.
struct PairScores {
  static constexpr int pieces = 1;
  using Border = unsigned;  ///< H in the lower half, F in the upper one
  static constexpr unsigned halves = 2;
  static constexpr int least = -(1 << 15);

  static __device__ unsigned of(int value) { return of(value, value); }
  static __device__ unsigned of(int lower, int upper) {
    return __byte_perm(static_cast<unsigned>(lower), static_cast<unsigned>(upper), 0x5410);
  }
  static __device__ int value(unsigned word, unsigned half) { return static_cast<std::int16_t>(word >> 16 * half); }
  static __device__ unsigned larger(unsigned x, unsigned y) { return __vmaxs2(x, y); }
  static __device__ unsigned larger_sum(unsigned x, unsigned y, unsigned z) { return __viaddmax_s16x2(x, y, z); }
  static __device__ unsigned sum(unsigned x, unsigned y) { return larger_sum(x, y, 0x80008000U); }
  static __device__ unsigned largest(unsigned x, unsigned y, unsigned z) { return __vimax3_s16x2(x, y, z); }
  template <int k>
  static __device__ unsigned score(unsigned lower, unsigned upper) {
    return bytes_of<k % 4 | (k % 4 + 8) << 4 | (k % 4 + 4) << 8 | (k % 4 + 12) << 12>(lower, upper);
  }

  static __device__ Border last(unsigned best, unsigned deleted) { return __byte_perm(best, deleted, 0x7632); }
  static __device__ Border border(int best, int deleted) { return of(best, deleted); }
  static __device__ ScoreBorder values(Border border) { return {value(border, 0), value(border, 1)}; }
  static __device__ Border from_lane(Border border, unsigned lane) { return __shfl_sync(~0U, border, lane); }
  static __device__ void enter(Border border, unsigned& best, unsigned& deleted) {
    best = __byte_perm(border, best, 0x5410);
    deleted = __byte_perm(border, deleted, 0x5432);
  }
  static __device__ unsigned chosen(unsigned word, unsigned other, bool first, bool second) {
    return (first ? other & 0xFFFF : word & 0xFFFF) | (second ? other & 0xFFFF0000 : word & 0xFFFF0000);
  }
  /// In both halves.
  static __device__ unsigned difference(unsigned x, unsigned y) { return __vminu2(x ^ y, 0x10001U); }
  static __device__ unsigned with_end(unsigned bits, unsigned x, unsigned y) {
    const unsigned equal = 0x10001U - difference(x, y);
    return (bits & ~(15 * equal)) | score_walk_end * equal;
  }
};

/// The same for two pieces of gap costs.
template <class Cells>
struct TwoPieces : Cells {
  static constexpr int pieces = 2;
};

/// The scores of K rows for a column, one byte each.
template <int K>
struct ScoreBytes {
  static constexpr int words = K / 4;
  unsigned word[words];

  __device__ void load(const unsigned char* from) {
    if constexpr (words == 1) {
      word[0] = *reinterpret_cast<const unsigned*>(from);
    } else if constexpr (words == 2) {
      const uint2 loaded = *reinterpret_cast<const uint2*>(from);
      word[0] = loaded.x, word[1] = loaded.y;
    } else {
#pragma unroll
      for (int w = 0; w < words; w += 4) {
        const uint4 loaded = *reinterpret_cast<const uint4*>(from + w / 4 * 16 * warp);
        word[w] = loaded.x, word[w + 1] = loaded.y, word[w + 2] = loaded.z, word[w + 3] = loaded.w;
      }
    }
  }
};

/// A profile has for each stripe of a lane, code and 16 rows, or less, the scores of 32 lanes.
template <int K>
inline constexpr unsigned profile_bytes_of_code = K* warp;
template <class Cells, int K>
[[nodiscard]] constexpr __host__ __device__ unsigned score_bytes_of_a_warp(unsigned codes) {
  return (codes * Cells::halves * profile_bytes_of_code<K> +
          2 * warp * Cells::pieces * static_cast<unsigned>(sizeof(typename Cells::Border)) + 127) /
         128 * 128;
}

/// A cell, or two: H, what a match or substitution gives, and of each piece F, E, H less the cost of a gap of one
/// symbol, F below and E at the right.
template <class Cells>
struct ScoreCell {
  static constexpr int pieces = Cells::pieces;
  unsigned best, matched, deleted[pieces], inserted[pieces], opened[pieces], deleted_below[pieces],
      inserted_right[pieces];
};

/// What a script needs of the cells of K rows in a column: 16 bits of 4 rows, the first one's highest. A cell has 4 of
/// them, which say
///
/// * 8: that H is no match or substitution;
/// * 4: that H is no deletion;
/// * 2: that a deletion which comes to this cell from below goes on;
/// * 1: that an insertion which comes to it from the right goes on.
///
/// With two pieces the last two are those of long gaps, and words behind these have 4 bits more of each cell:
///
/// * 8: that no long gap of the kind that ends here, a deletion if there is one, is H;
/// * 4: that no short gap of this kind is H;
/// * 2, 1: as above, of short gaps.
///
/// Where a local alignment is 0 each 4 bits are `score_walk_end`. No gap goes through such a cell.
template <class Cells, int K>
struct alignas(K < 16 ? K : 16) ScoreFacts {
  static constexpr int pieces = Cells::pieces, of_piece = K / 4;
  unsigned word[pieces * of_piece] = {};

  template <int k>
  __device__ __forceinline__ void look(const ScoreCell<Cells>& cell) {
    const unsigned no_match = Cells::difference(cell.best, cell.matched);
    unsigned no_deletion = Cells::difference(cell.best, cell.deleted[0]);
    if constexpr (pieces == 2) {
      const unsigned no_long = no_deletion, no_short = Cells::difference(cell.best, cell.deleted[1]);
      no_deletion = no_long & no_short;
      add<k, 1>(cell, no_long & (Cells::difference(cell.best, cell.inserted[0]) | ~no_deletion),
                no_short & (Cells::difference(cell.best, cell.inserted[1]) | ~no_deletion));
    }
    add<k, 0>(cell, no_match, no_deletion);
  }
  template <int k>
  __device__ __forceinline__ void look_for_end(unsigned best, unsigned zero) {
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      unsigned& facts = word[p * of_piece + k / 4];
      facts = Cells::with_end(facts, best, zero);
    }
  }

 private:
  template <int k, int piece>
  __device__ __forceinline__ void add(const ScoreCell<Cells>& cell, unsigned first, unsigned second) {
    unsigned& facts = word[piece * of_piece + k / 4];
    facts = 2 * facts + first;
    facts = 2 * facts + second;
    facts = 2 * facts + Cells::difference(cell.opened[piece], cell.deleted_below[piece]);
    facts = 2 * facts + Cells::difference(cell.opened[piece], cell.inserted_right[piece]);
  }
};
struct NoScoreFacts {
  template <int k, class Cell>
  __device__ __forceinline__ void look(const Cell&) const {}
  template <int k>
  __device__ __forceinline__ void look_for_end(unsigned, unsigned) const {}
};

/// The largest H of K rows in the steps of a chunk, each less `extend` for a step. `is_careful`: a stripe may be at no
/// column of the table.
template <class Cells, int K, bool is_careful>
struct LargestScores : NoScoreFacts {
  unsigned (&largest)[K];
  unsigned minus_steps;  ///< times `extend`
  bool first, second;    ///< whether the stripes are at a column of the table

  template <int k>
  __device__ __forceinline__ void look_for_end(unsigned best, unsigned /*zero*/) const {
    const unsigned larger = Cells::larger_sum(best, minus_steps, largest[k]);
    largest[k] = is_careful ? Cells::chosen(largest[k], larger, first, second) : larger;
  }
};

/// 0 in the first row of a lane's stripes, in local alignments, and the cost to extend a gap.
struct ScoreZero {
  unsigned zero, extend;
};
struct NoScoreZero {};

/// Less than 0: the costs of a gap of one symbol, of long gaps and of short ones, and to extend a short gap.
template <class Cells>
struct MinusGaps {
  unsigned first[Cells::pieces], short_extend;

  explicit __device__ MinusGaps(const ScoreGaps& gaps) : short_extend(Cells::of(-gaps.short_extend)) {
    first[0] = Cells::of(-gaps.open);
    if constexpr (Cells::pieces == 2) first[1] = Cells::of(-gaps.short_open);
  }

  /// Sets E or F of all pieces to those behind a cell of value `from`.
  __device__ __forceinline__ void pass(unsigned from, unsigned (&gaps)[Cells::pieces]) const {
    gaps[0] = Cells::larger_sum(from, first[0], gaps[0]);
    if constexpr (Cells::pieces == 2) {
      gaps[1] = Cells::larger_sum(gaps[1], short_extend, Cells::sum(from, first[1]));
    }
  }
};

/// A column of K rows. `best` and `inserted`: H of the column before, and E of each row. `diagonal`, `above` and
/// `deleted`: H above the first row, before and in this column, and F of the first row. They are set to those below the
/// last row.
template <class Cells, int K, class Facts = NoScoreFacts, class Zero = NoScoreZero>
__device__ __forceinline__ void scored_column(const ScoreBytes<K>& lower, const ScoreBytes<K>& upper,
                                              const MinusGaps<Cells>& minus, unsigned (&best)[K],
                                              unsigned (&inserted)[K][Cells::pieces], unsigned diagonal,
                                              unsigned& above, unsigned (&deleted)[Cells::pieces], Facts&& facts = {},
                                              Zero zero = {}) {
  constexpr bool is_local = std::is_same_v<Zero, ScoreZero>;
  constexpr int pieces = Cells::pieces;
  const auto cell = [&]<int k>() {
    const unsigned score = Cells::template score<k>(lower.word[k / 4], upper.word[k / 4]);
    ScoreCell<Cells> here;
    here.matched = Cells::sum(diagonal, score);
    unsigned t = Cells::larger_sum(diagonal, score, inserted[k][0]);
    if constexpr (pieces == 2) t = Cells::larger(t, inserted[k][1]);
    diagonal = best[k];
    const unsigned with_short = pieces == 2 ? Cells::larger(t, deleted[pieces - 1]) : t;
    if constexpr (is_local) {
      best[k] = Cells::largest(with_short, deleted[0], zero.zero);
    } else {
      best[k] = pieces == 2 ? Cells::largest(t, deleted[0], deleted[pieces - 1]) : Cells::larger(t, deleted[0]);
    }
    here.best = best[k];
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      here.deleted[p] = deleted[p];
      here.inserted[p] = inserted[k][p];
      here.opened[p] = Cells::sum(best[k], minus.first[p]);
    }
    minus.pass(best[k], inserted[k]);
    minus.pass(t, deleted);
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      here.deleted_below[p] = deleted[p];
      here.inserted_right[p] = inserted[k][p];
    }
    facts.template look<k>(here);
    if constexpr (is_local) {
      facts.template look_for_end<k>(best[k], zero.zero);
      zero.zero = Cells::sum(zero.zero, zero.extend);
    }
  };
  [&]<int... k>(std::integer_sequence<int, k...>) { (cell.template operator()<k>(), ...); }
  (std::make_integer_sequence<int, K>());
  above = best[K - 1];
}

/// A warp's strip. K: rows of a stripe.
template <class Cells, int K, bool is_local>
class ScoredStrip {
 public:
  using Border = typename Cells::Border;
  static constexpr unsigned halves = Cells::halves;
  static constexpr unsigned stripes = halves * warp;
  static constexpr int pieces = Cells::pieces;
  static constexpr bool moves_base = halves == 2;
  static constexpr unsigned group = K < 16 ? K : 16;  ///< rows whose scores a lane loads at once

  /// `shared`: score_bytes_of_a_warp() bytes.
  __device__ ScoredStrip(const ScoredSolve& solve, unsigned strip, unsigned char* shared)
      : solve_(solve),
        strip_(strip),
        lane_(threadIdx.x % warp),
        profile_(shared + 2 * warp * pieces * sizeof(Border) + lane_ * group),
        in_(reinterpret_cast<Border*>(shared)),
        out_(in_ + warp * pieces),
        minus_(solve.gaps),
        base_(moves_base ? left(strip * stripes * K) - solve.corner : 0) {
    set_profile();
    begin<true>(0);
    above_ = Cells::of(0);
#pragma unroll
    for (unsigned& deleted : deleted_) deleted = Cells::of(0);
  }

  __device__ void sweep() {
    Packets next = packets_above(lane_);
    for (std::uint64_t first = 0; first < std::uint64_t{solve_.m} + stripes; first += warp) {
      if (!arrive(next, first + lane_)) return;
      if (solve_.keeps && first > 0 && first % score_interval == 0) save(static_cast<unsigned>(first / score_interval));
      if (moves_base && first < solve_.m) move_base();
      enter(borders_of(next));
      next = packets_above(first + warp + lane_);  // they arrive while this chunk runs
      if constexpr (is_local) begin_chunk();
      if (first < stripes) {
        sweep_chunk<true, true>(first);
      } else if ((is_local || solve_.column != nullptr) && first + warp >= solve_.m) {
        sweep_chunk<false, true>(first);
      } else {
        sweep_chunk<false, false>(first);
      }
      __syncwarp();
      hand_on(first + lane_);
      if constexpr (is_local) end_chunk(first);
      if (first / warp % score_chunks_between_reports == 0 && !report()) return;
    }
    if (is_local && lane_ == 0) solve_.ends[strip_] = end_;
  }

  /// Sets `column` to the first one, from 1, in which the strip's best alignment ends. After `sweep`.
  __device__ void find_end(std::uint64_t* column) {
    end_ = solve_.ends[strip_];
    with_end_state(end_.slot, [](const unsigned& kept, unsigned& word) { word = kept; });
    __syncwarp();
    std::uint64_t found = 0;
    const auto look = [&](unsigned t, long long first_column, const auto& run_column) {
      run_column(NoScoreFacts());
#pragma unroll
      for (unsigned half = 0; half < halves; ++half) {
        const bool is_end = is_column(first_column - half) && found == 0;
#pragma unroll
        for (unsigned k = 0; k < K; ++k) {
          const int score = Cells::value(best_[k], half) - zero_at(end_.step + t, half, k);
          if (is_end && row(half, k) == end_.row && score == end_.score) found = first_column - half + 1;
        }
      }
    };
    if (end_.step < stripes) {
      run<true, 1>(end_.step, look);
    } else {
      run<false, 1>(end_.step, look);
    }
    if (found != 0) *column = found;
  }

  /// Computes the cells of an interval of steps again, after `sweep` of all strips, and sets their facts: step by step,
  /// lane by lane.
  __device__ void trace(unsigned interval, ScoreFacts<Cells, K>* facts) {
    if (interval > 0) restore(interval);
    const std::uint64_t begin = std::uint64_t{interval} * score_interval, all = std::uint64_t{solve_.m} + stripes;
    const std::uint64_t end = begin + score_interval < all ? begin + score_interval : all;
    for (std::uint64_t first = begin; first < end; first += warp, facts += warp * warp) {
      if (moves_base && first < solve_.m) move_base();
      enter(borders_above(first + lane_));
      const auto keep_facts = [&](unsigned t, long long /*column*/, const auto& run_column) {
        ScoreFacts<Cells, K> of_step;
        run_column(of_step);
        facts[t * warp + lane_] = of_step;
      };
      if (first < stripes) {
        run<true, 1>(first, keep_facts);
      } else {
        run<false, 1>(first, keep_facts);
      }
      __syncwarp();
    }
  }

 private:
  using Packet = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;
  struct Packets {
    unsigned long long of_piece[pieces];
  };
  struct Borders {
    Border of_piece[pieces];
  };

  /// Rows are counted from 0: row 0 is row 1 - padding of the table.
  [[nodiscard]] __device__ unsigned row(unsigned half, unsigned k) const {
    return ((strip_ * warp + lane_) * halves + half) * K + k;
  }
  /// Of a gap, beyond `extend` for each symbol.
  [[nodiscard]] __device__ int cost_of(std::uint64_t length) const {
    return pieces == 1 ? solve_.gaps.open : solve_.gaps.of(length);
  }
  /// Of column 0 above a row.
  [[nodiscard]] __device__ int left(unsigned row) const {
    const bool is_free = solve_.free_a || row <= solve_.padding;
    const int of_gap = is_free ? 0 : cost_of(row - solve_.padding);
    return solve_.gaps.extend * static_cast<int>(is_free ? row : solve_.padding) - of_gap;
  }

  __device__ void set_profile() {
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      for (unsigned k = 0; k < K; ++k) {
        const std::int8_t* const scores = solve_.scores + solve_.a[row(half, k)] * solve_.codes;
        for (unsigned code = 0; code < solve_.codes; ++code) {
          const unsigned at = (half * solve_.codes + code) * profile_bytes_of_code<K> + k / group * group * warp;
          profile_[at + k % group] = static_cast<unsigned char>(scores[code]);
        }
      }
    }
  }

  [[nodiscard]] __device__ unsigned left_of(unsigned down) const {
    return Cells::of(left(row(0, down)) - base_, left(row(halves - 1, down)) - base_);
  }

  /// Sets the stripes to column 0 that have not passed it. `column`: of the first stripe, in the next step.
  template <bool all>
  __device__ void begin(long long column) {
    const bool first = all || column <= 0, second = all || column <= 1;
    const auto set = [&](unsigned& word, unsigned value) {
      word = all ? value : Cells::chosen(word, value, first, second);
    };
    set(diagonal_, left_of(0));
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const unsigned value = left_of(k + 1);
      set(best_[k], value);
#pragma unroll
      for (int p = 0; p < pieces; ++p) set(inserted_[k][p], Cells::sum(value, minus_.first[p]));
    }
  }

  [[nodiscard]] __device__ Packet packet(unsigned strip, std::uint64_t column, int piece) const {
    return Packet(solve_.packets[(strip % 2 * std::uint64_t{solve_.m} + column) * pieces + piece]);
  }
  static __device__ unsigned long long tagged(unsigned tag, int best, int deleted) {
    const unsigned upper = tag << 16 | (static_cast<unsigned>(best - deleted) & 0xFFFF);
    return static_cast<unsigned long long>(upper) << 32 | static_cast<unsigned>(best);
  }

  /// What the strip above hands on, if it is there yet. Right of the last column anything will do.
  [[nodiscard]] __device__ unsigned long long packet_above(std::uint64_t column, int piece) const {
    if (column < solve_.m && strip_ == solve_.first && strip_ > 0) return solve_.above_first[column * pieces + piece];
    if (strip_ == 0 || column >= solve_.m) {
      const ScoreGaps& gaps = solve_.gaps;
      const int best = solve_.free_b ? gaps.extend * static_cast<int>(column + 1) : -cost_of(column + 1);
      return tagged(strip_, best, best - (piece == 0 ? gaps.open : gaps.short_open));
    }
    return packet(strip_ - 1, column, piece).load(::cuda::memory_order_relaxed);
  }
  [[nodiscard]] __device__ Packets packets_above(std::uint64_t column) const {
    Packets above;
#pragma unroll
    for (int p = 0; p < pieces; ++p) above.of_piece[p] = packet_above(column, p);
    return above;
  }
  [[nodiscard]] __device__ bool are_there(const Packets& packets) const {
    bool are_there = true;
#pragma unroll
    for (const unsigned long long packet : packets.of_piece) {
      are_there = are_there && packet >> 48 == (strip_ & 0xFFFF);
    }
    return are_there;
  }
  /// Waits until all lanes have what is above them. False: the solve ends early.
  __device__ bool arrive(Packets& packets, std::uint64_t column) const {
    for (unsigned looks = 0; __any_sync(~0U, !are_there(packets)); ++looks) {
      if (looks % score_looks_between_stops == score_looks_between_stops - 1 && is_stopped()) return false;
      __nanosleep(looks < score_short_looks ? 0 : score_nap);
      packets = packets_above(column);
    }
    return true;
  }

  [[nodiscard]] __device__ bool is_stopped() const { return *static_cast<const volatile unsigned*>(solve_.stop) != 0; }
  [[nodiscard]] __device__ bool report() const {
    if (lane_ == 0) atomicAdd(solve_.reported, 1);
    return !is_stopped();
  }

  /// Calls `with` for each word of a state.
  template <class With>
  __device__ __forceinline__ void with_state(unsigned* words, const With& with) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      with(words[k * warp], best_[k]);
#pragma unroll
      for (int p = 0; p < pieces; ++p) with(words[((p + 1) * K + k) * warp], inserted_[k][p]);
    }
    unsigned* const others = words + (pieces + 1) * K * warp;
    with(others[0], diagonal_);
    with(others[warp], above_);
#pragma unroll
    for (int p = 0; p < pieces; ++p) with(others[(2 + p) * warp], deleted_[p]);
    unsigned base = static_cast<unsigned>(base_);
    with(others[(2 + pieces) * warp], base);
    base_ = static_cast<int>(base);
  }
  [[nodiscard]] __device__ unsigned* state(unsigned interval) const {
    const std::uint64_t number = std::uint64_t{strip_ - solve_.first} * solve_.slots + interval - 1;
    return solve_.states + number * score_state_words(K, pieces) * warp + lane_;
  }
  __device__ void save(unsigned interval) {
    with_state(state(interval), [](unsigned& kept, const unsigned& word) { kept = word; });
  }
  __device__ void restore(unsigned interval) {
    with_state(state(interval), [](const unsigned& kept, unsigned& word) { word = kept; });
  }

  /// The same for a state in which the best local alignment may end, and for what enters the strip from there on.
  template <class With>
  __device__ __forceinline__ void with_end_state(unsigned slot, const With& with) {
    constexpr unsigned of_state = score_end_state_words(halves == 2, K, pieces);
    unsigned* const words = solve_.end_states + (std::uint64_t{strip_} * 2 + slot) * of_state * warp + lane_;
    with_state(words, with);
    unsigned* const entering = reinterpret_cast<unsigned*>(in_) + lane_;
#pragma unroll
    for (unsigned word = 0; word < pieces * sizeof(Border) / sizeof(unsigned); ++word) {
      with(words[(score_state_words(K, pieces) + word) * warp], entering[word * warp]);
    }
  }

  /// Takes what is above each lane's column of a chunk.
  __device__ void enter(const Borders& borders) {
#pragma unroll
    for (int p = 0; p < pieces; ++p) in_[p * warp + lane_] = borders.of_piece[p];
    __syncwarp();
  }
  [[nodiscard]] __device__ Border border_of(unsigned long long packet) const {
    const int best = static_cast<int>(static_cast<unsigned>(packet)) - base_;
    return Cells::border(best, best - static_cast<int>(packet >> 32 & 0xFFFF));
  }
  [[nodiscard]] __device__ Borders borders_of(const Packets& packets) const {
    Borders borders;
#pragma unroll
    for (int p = 0; p < pieces; ++p) borders.of_piece[p] = border_of(packets.of_piece[p]);
    return borders;
  }
  /// The same as they were kept.
  [[nodiscard]] __device__ Borders borders_above(std::uint64_t column) const {
    Borders borders;
#pragma unroll
    for (int p = 0; p < pieces; ++p) borders.of_piece[p] = border_above(column, p);
    return borders;
  }
  [[nodiscard]] __device__ Border border_above(std::uint64_t column, int piece) const {
    if (strip_ == solve_.first || column >= solve_.m) return border_of(packet_above(column, piece));
    const Kept kept = kept_border(strip_ - 1, column, piece);
    if constexpr (!moves_base) {
      return border_of(kept);
    } else {
      const auto best = static_cast<std::int16_t>(kept - static_cast<unsigned>(base_));
      return Cells::border(best, best - static_cast<int>(kept >> 16));
    }
  }
  using Kept = std::conditional_t<moves_base, unsigned, unsigned long long>;
  [[nodiscard]] __device__ Kept& kept_border(unsigned strip, std::uint64_t column, int piece) const {
    const std::uint64_t at = (strip - solve_.first) * std::uint64_t{solve_.m} + column;
    return static_cast<Kept*>(solve_.borders)[at * pieces + piece];
  }

  /// Moves all values so that the first row's is `corner`.
  __device__ void move_base() {
    const int shift = solve_.corner - Cells::value(__shfl_sync(~0U, best_[0], 0), 0);
    const unsigned by = Cells::of(shift);
    const auto move = [&](unsigned& word) { word = Cells::sum(word, by); };
#pragma unroll
    for (int k = 0; k < K; ++k) {
      move(best_[k]);
#pragma unroll
      for (unsigned& inserted : inserted_[k]) move(inserted);
    }
    move(diagonal_);
    move(above_);
#pragma unroll
    for (unsigned& deleted : deleted_) move(deleted);
    base_ -= shift;
  }

  /// Whether a column, from 0, is one of the table.
  [[nodiscard]] __device__ bool is_column(long long column) const {
    return column >= 0 && column < static_cast<long long>(solve_.m);
  }
  /// 0 in a lane's row and its column of a step, as the values are.
  [[nodiscard]] __device__ int zero_at(std::uint64_t step, unsigned half = 0, unsigned k = 0) const {
    const int column = static_cast<int>(step) - static_cast<int>(halves * lane_ + half);
    return solve_.gaps.extend * (static_cast<int>(row(half, k)) + column + 2) - base_;
  }
  /// Of a step, in the first rows. Where it is below all values, the least one stands for it.
  [[nodiscard]] __device__ ScoreZero score_zero(std::uint64_t step) const {
    return {Cells::of(max(zero_at(step), Cells::least), max(zero_at(step, halves - 1), Cells::least)),
            Cells::of(solve_.gaps.extend)};
  }

  /// Takes H and F of the stripe above, of a step of a chunk.
  __device__ __forceinline__ void pass_on(unsigned t) {
    const unsigned before = above_;
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      const Border handed = in_[p * warp + t];
      Border border = Cells::from_lane(Cells::last(before, deleted_[p]), lane_ + warp - 1);
      if (lane_ == 0) {
        out_[p * warp + t] = border;
        border = handed;
      }
      above_ = before;
      Cells::enter(border, above_, deleted_[p]);
    }
  }

  /// 32 steps. `begins`: some stripes have not reached column 0. `of_step` is called with the step, the column of the
  /// first stripe and what computes it.
  template <bool begins, int unrolled, class OfStep>
  __device__ __forceinline__ void run(std::uint64_t first, const OfStep& of_step) {
    const std::uint32_t* const places = solve_.b + first - halves * lane_;
    std::uint32_t next = places[0];
#pragma unroll unrolled
    for (unsigned t = 0; t < warp; ++t) {
      const std::uint32_t place = next;
      next = places[t + 1];
      ScoreBytes<K> lower, upper;
      lower.load(profile_ + (place & 0xFFFF));
      if (halves == 2) upper.load(profile_ + (place >> 16));
      pass_on(t);
      const unsigned diagonal = std::exchange(diagonal_, above_);
      const auto run_column = [&](auto&& facts) {
        const auto run_from = [&](auto zero) {
          scored_column<Cells>(lower, halves == 2 ? upper : lower, minus_, best_, inserted_, diagonal, above_, deleted_,
                               facts, zero);
        };
        if constexpr (is_local) {
          run_from(score_zero(first + t));
        } else {
          run_from(NoScoreZero());
        }
      };
      const long long column = static_cast<long long>(first + t) - halves * lane_;  // of the first stripe
      of_step(t, column, run_column);
      if (begins) begin<false>(column + 1);
    }
  }

  /// `is_careful`: a stripe may be at the last column, or at none.
  template <bool begins, bool is_careful>
  __device__ __forceinline__ void sweep_chunk(std::uint64_t first) {
    constexpr int unrolled = is_careful ? 1 : K >= 16 ? 2 : 4;
    run<begins, unrolled>(first, [&](unsigned t, long long column, const auto& run_column) {
      if constexpr (is_local) {
        const unsigned minus_steps = Cells::of(-solve_.gaps.extend * static_cast<int>(t));
        run_column(LargestScores<Cells, K, is_careful>{
            {}, largest_.of_row, minus_steps, is_column(column), is_column(column - 1)});
      } else {
        run_column(NoScoreFacts());
        if (is_careful && solve_.column != nullptr) keep_column(column);
      }
    });
  }

  __device__ void begin_chunk() {
    with_end_state(end_.slot ^ 1, [](unsigned& kept, const unsigned& word) { kept = word; });
#pragma unroll
    for (int k = 0; k < K; ++k) largest_.of_row[k] = Cells::of(Cells::least + solve_.gaps.extend * K);
  }

  /// Calls `with` for each row that was in the table in a chunk, with its largest score there.
  template <class With>
  __device__ __forceinline__ void with_largest(std::uint64_t first, const With& with) const {
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const long long column = static_cast<long long>(first) - halves * lane_ - half;
      if (column + warp <= 0 || column >= static_cast<long long>(solve_.m)) continue;
#pragma unroll
      for (unsigned k = 0; k < K; ++k) {
        with(row(half, k), Cells::value(largest_.of_row[k], half) - zero_at(first, half, k));
      }
    }
  }
  /// Of equal scores the first row counts, and there the first chunk.
  __device__ void end_chunk(std::uint64_t first) {
    int score = 0;
    with_largest(first, [&](unsigned, int of_row) { score = max(score, of_row); });
    score = __reduce_max_sync(~0U, score);
    if (score < end_.score) return;
    unsigned best = ~0U;
    with_largest(first, [&](unsigned row, int of_row) {
      if (of_row == score) best = min(best, row);
    });
    best = __reduce_min_sync(~0U, best);
    if (score == end_.score && best >= end_.row) return;
    end_ = {score, best, static_cast<unsigned>(first), end_.slot ^ 1};
  }

  __device__ void keep_column(long long column) const {
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      if (column - half != static_cast<long long>(solve_.m) - 1) continue;
#pragma unroll
      for (int k = 0; k < K; ++k) solve_.column[row(half, k)] = base_ + Cells::value(best_[k], half);
    }
  }

  /// The last stripe is at column t - `stripes` before step t.
  __device__ void hand_on(std::uint64_t step) const {
    const std::uint64_t column = step - stripes;
    if (step < stripes || column >= solve_.m) return;
#pragma unroll
    for (int p = 0; p < pieces; ++p) hand_on(column, p);
  }
  __device__ void hand_on(std::uint64_t column, int piece) const {
    const auto [best, deleted] = Cells::values(out_[piece * warp + lane_]);
    const unsigned long long below = tagged(strip_ + 1, best + base_, deleted + base_);
    packet(strip_, column, piece).store(below, ::cuda::memory_order_relaxed);
    if (strip_ + 1 == solve_.strips) return;
    if (solve_.rows != nullptr && (strip_ + 1) % solve_.group == 0) {
      const std::uint64_t at = ((strip_ + 1) / solve_.group - 1) * std::uint64_t{solve_.m} + column;
      solve_.rows[at * pieces + piece] = below;
    }
    if (!solve_.keeps) return;
    const unsigned lowest = static_cast<unsigned>(below) & 0xFFFF, difference = static_cast<unsigned>(below >> 32)
                                                                                << 16;
    kept_border(strip_, column, piece) = static_cast<Kept>(moves_base ? lowest | difference : below);
  }

  const ScoredSolve& solve_;
  const unsigned strip_, lane_;
  unsigned char* const profile_;   ///< from the lane's first rows on
  Border *const in_, *const out_;  ///< of a chunk
  const MinusGaps<Cells> minus_;
  int base_;
  unsigned best_[K], inserted_[K][pieces];
  unsigned diagonal_;                 ///< above the stripes, in the column before
  unsigned above_, deleted_[pieces];  ///< below them

  struct OfChunk {
    unsigned of_row[K];
  };
  struct OfNoChunk {};
  std::conditional_t<is_local, OfChunk, OfNoChunk> largest_;  ///< LargestScores of a chunk
  ScoreEnd end_ = {};
};

/// Warps of a block, at most: as many as the registers allow.
template <int K>
inline constexpr unsigned score_warps = K == 32 ? 8 : 16;

template <class Cells, int K, bool is_local>
__global__ void __launch_bounds__(score_warps<K>* warp) run_scored_strips(const ScoredSolve solve) {
  extern __shared__ __align__(128) unsigned char score_memory[];
  unsigned char* const mine = score_memory + threadIdx.x / warp * score_bytes_of_a_warp<Cells, K>(solve.codes);
  take_strips(solve.strips - solve.first, solve.ticket,
              [&](unsigned number) { ScoredStrip<Cells, K, is_local>(solve, solve.first + number, mine).sweep(); });
}

/// Sets the column in which a local alignment ends, which is the best one of a strip.
template <class Cells, int K>
__global__ void __launch_bounds__(warp) find_score_end(const ScoredSolve solve, unsigned strip, std::uint64_t* column) {
  extern __shared__ __align__(128) unsigned char score_memory[];
  ScoredStrip<Cells, K, true>(solve, strip, score_memory).find_end(column);
}

}  // namespace warpfold::sequence::cuda
