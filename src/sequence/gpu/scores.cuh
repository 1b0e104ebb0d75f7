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
/// Rows above row 1 fill the first strip, so that the last row of the last strip is row n. They have no matches, so
/// they all equal row 0.
///
/// For a script (gpu/scores_path.cuh) the last rows of all strips are kept, and each strip's registers at intervals.
namespace warpfold::sequence::cuda {

inline constexpr unsigned score_looks_between_stops = 64, score_chunks_between_reports = 64;
inline constexpr unsigned score_short_looks = 8, score_nap = 400;  ///< of waiting strips, nanoseconds

/// The memory of a solve on the device.
struct ScoredSolve {
  const std::uint8_t* a;      ///< codes of all rows; those above row 1 have the code `codes`
  const std::uint32_t* b;     ///< where a profile has the scores of columns j and j - 1; from b[-64] to b[m + 127]
  const std::int8_t* scores;  ///< biased, row by row; the last row is that of the code `codes`
  std::uint32_t m, padding;   ///< rows above row 1
  unsigned codes, strips;
  int open, extend;
  bool free_a, free_b;  ///< the beginnings
  int corner;           ///< the value that the first row of a strip is moved to, of pairs
  /// Below a strip, for each column: from the high bits on 16 of the strip's number from 1, 16 of H - F and 32 of H.
  /// Two strips share each row of packets in turn: a strip writes to a column after the next one but one has begun it,
  /// and so was read.
  unsigned long long* packets;
  bool keeps;  ///< whether the following are kept
  /// The rows below all strips but the last: packets of values of 32 bits, and words of 16 bits of H - F and the lowest
  /// 16 of H for pairs.
  void* borders;
  unsigned* states;      ///< of strips at the beginning of intervals but the first, word by word, lane by lane
  unsigned slots;        ///< states of a strip
  int* column;           ///< H of all rows in the last column, or null
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

/// H and F below a row.
struct ScoreBorder {
  int best, deleted;
};

/// A stripe of each lane, of 32 bits.
struct WideScores {
  using Border = ScoreBorder;
  static constexpr unsigned halves = 1;

  static __device__ unsigned of(int value, int /*second*/ = 0) { return static_cast<unsigned>(value); }
  static __device__ int value(unsigned word, unsigned /*half*/) { return static_cast<int>(word); }
  static __device__ unsigned larger(unsigned x, unsigned y) { return max(static_cast<int>(x), static_cast<int>(y)); }
  static __device__ unsigned larger_sum(unsigned x, unsigned y, unsigned z) {
    return __viaddmax_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  }
  static __device__ unsigned sum(unsigned x, unsigned y) { return x + y; }
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
  /// Moves bits up, and adds whether two values differ.
  static __device__ unsigned with_difference(unsigned bits, unsigned x, unsigned y) {
    return 2 * bits + min(x ^ y, 1U);
  }
};

/// Two stripes of each lane, of 16 bits: the lower half is above the upper one.
struct PairScores {
  using Border = unsigned;  ///< H in the lower half, F in the upper one
  static constexpr unsigned halves = 2;

  static __device__ unsigned of(int value) { return of(value, value); }
  static __device__ unsigned of(int lower, int upper) {
    return __byte_perm(static_cast<unsigned>(lower), static_cast<unsigned>(upper), 0x5410);
  }
  static __device__ int value(unsigned word, unsigned half) { return static_cast<std::int16_t>(word >> 16 * half); }
  static __device__ unsigned larger(unsigned x, unsigned y) { return __vmaxs2(x, y); }
  static __device__ unsigned larger_sum(unsigned x, unsigned y, unsigned z) { return __viaddmax_s16x2(x, y, z); }
  static __device__ unsigned sum(unsigned x, unsigned y) { return larger_sum(x, y, 0x80008000U); }
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
  /// In both halves, of up to 16 bits.
  static __device__ unsigned with_difference(unsigned bits, unsigned x, unsigned y) {
    return 2 * bits + __vminu2(x ^ y, 0x10001U);
  }
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
          2 * warp * static_cast<unsigned>(sizeof(typename Cells::Border)) + 127) /
         128 * 128;
}

/// What a script needs of the cells of K rows in a column: 16 bits of 4 rows, the first one's highest. A cell has 4 of
/// them, which say
///
/// * 8: that H is no match or substitution;
/// * 4: that H is no deletion;
/// * 2: that a deletion which comes to this cell from below goes on;
/// * 1: that an insertion which comes to it from the right goes on.
template <class Cells, int K>
struct alignas(K < 16 ? K : 16) ScoreFacts {
  unsigned word[K / 4] = {};

  template <int k>
  __device__ __forceinline__ void look(unsigned best, unsigned matched, unsigned deleted, unsigned opened,
                                       unsigned deleted_below, unsigned inserted_right) {
    unsigned& facts = word[k / 4];
    facts = Cells::with_difference(facts, best, matched);
    facts = Cells::with_difference(facts, best, deleted);
    facts = Cells::with_difference(facts, opened, deleted_below);
    facts = Cells::with_difference(facts, opened, inserted_right);
  }
};
struct NoScoreFacts {
  template <int k>
  __device__ __forceinline__ void look(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned) const {}
};

/// A column of K rows. `best` and `inserted`: H and E of the column before. `diagonal`, `above` and `deleted`: H above
/// the first row, before and in this column, and F of the first row. They are set to those below the last row.
template <class Cells, int K, class Facts = NoScoreFacts>
__device__ __forceinline__ void scored_column(const ScoreBytes<K>& lower, const ScoreBytes<K>& upper,
                                              unsigned minus_open, unsigned (&best)[K], unsigned (&inserted)[K],
                                              unsigned diagonal, unsigned& above, unsigned& deleted,
                                              Facts&& facts = {}) {
  const auto cell = [&]<int k>() {
    const unsigned score = Cells::template score<k>(lower.word[k / 4], upper.word[k / 4]);
    const unsigned matched = Cells::sum(diagonal, score), deleted_here = deleted;
    const unsigned t = Cells::larger_sum(diagonal, score, inserted[k]);
    diagonal = best[k];
    best[k] = Cells::larger(t, deleted);
    inserted[k] = Cells::larger_sum(best[k], minus_open, inserted[k]);
    deleted = Cells::larger_sum(t, minus_open, deleted);
    facts.template look<k>(best[k], matched, deleted_here, Cells::sum(best[k], minus_open), deleted, inserted[k]);
  };
  [&]<int... k>(std::integer_sequence<int, k...>) { (cell.template operator()<k>(), ...); }
  (std::make_integer_sequence<int, K>());
  above = best[K - 1];
}

/// A warp's strip. K: rows of a stripe.
template <class Cells, int K>
class ScoredStrip {
 public:
  using Border = typename Cells::Border;
  static constexpr unsigned halves = Cells::halves;
  static constexpr unsigned stripes = halves * warp;
  static constexpr bool moves_base = halves == 2;
  static constexpr unsigned group = K < 16 ? K : 16;  ///< rows whose scores a lane loads at once

  /// `shared`: score_bytes_of_a_warp() bytes.
  __device__ ScoredStrip(const ScoredSolve& solve, unsigned strip, unsigned char* shared)
      : solve_(solve),
        strip_(strip),
        lane_(threadIdx.x % warp),
        profile_(shared + 2 * warp * sizeof(Border) + lane_ * group),
        in_(reinterpret_cast<Border*>(shared)),
        out_(in_ + warp),
        minus_open_(Cells::of(-solve.open)),
        base_(moves_base ? left(strip * stripes * K) - solve.corner : 0) {
    set_profile();
    begin<true>(0);
    above_ = Cells::of(0);
    deleted_ = Cells::of(0);
  }

  __device__ void sweep() {
    unsigned long long packet = packet_above(lane_);
    for (std::uint64_t first = 0; first < std::uint64_t{solve_.m} + stripes; first += warp) {
      if (!arrive(packet, first + lane_)) return;
      if (solve_.keeps && first > 0 && first % score_interval == 0) save(static_cast<unsigned>(first / score_interval));
      if (moves_base && first < solve_.m) move_base();
      enter(border_of(packet));
      packet = packet_above(first + warp + lane_);  // it arrives while this chunk runs
      if (first < stripes) {
        run<true, true>(first);
      } else if (solve_.column != nullptr && first + warp >= solve_.m) {
        run<false, true>(first);
      } else {
        run<false, false>(first);
      }
      __syncwarp();
      hand_on(first + lane_);
      if (first / warp % score_chunks_between_reports == 0 && !report()) return;
    }
  }

  /// Computes the cells of an interval of steps again, after `sweep` of all strips, and sets their facts: step by step,
  /// lane by lane.
  __device__ void trace(unsigned interval, ScoreFacts<Cells, K>* facts) {
    if (interval > 0) restore(interval);
    const std::uint64_t begin = std::uint64_t{interval} * score_interval, all = std::uint64_t{solve_.m} + stripes;
    const std::uint64_t end = begin + score_interval < all ? begin + score_interval : all;
    for (std::uint64_t first = begin; first < end; first += warp, facts += warp * warp) {
      if (moves_base && first < solve_.m) move_base();
      enter(border_above(first + lane_));
      if (first < stripes) {
        run<true, false, true>(first, facts + lane_);
      } else {
        run<false, false, true>(first, facts + lane_);
      }
      __syncwarp();
    }
  }

 private:
  using Packet = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  /// Rows are counted from 0: row 0 is row 1 - padding of the table.
  [[nodiscard]] __device__ unsigned row(unsigned half, unsigned k) const {
    return ((strip_ * warp + lane_) * halves + half) * K + k;
  }
  /// Of column 0 above a row.
  [[nodiscard]] __device__ int left(unsigned row) const {
    const bool is_free = solve_.free_a || row <= solve_.padding;
    return solve_.extend * static_cast<int>(is_free ? row : solve_.padding) - (is_free ? 0 : solve_.open);
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
      set(inserted_[k], Cells::sum(value, minus_open_));
    }
  }

  [[nodiscard]] __device__ Packet packet(unsigned strip, std::uint64_t column) const {
    return Packet(solve_.packets[strip % 2 * std::uint64_t{solve_.m} + column]);
  }
  static __device__ unsigned long long tagged(unsigned tag, int best, int deleted) {
    const unsigned upper = tag << 16 | (static_cast<unsigned>(best - deleted) & 0xFFFF);
    return static_cast<unsigned long long>(upper) << 32 | static_cast<unsigned>(best);
  }

  /// What the strip above hands on, if it is there yet. Right of the last column anything will do.
  [[nodiscard]] __device__ unsigned long long packet_above(std::uint64_t column) const {
    if (strip_ == 0 || column >= solve_.m) {
      const int best = solve_.free_b ? solve_.extend * static_cast<int>(column + 1) : -solve_.open;
      return tagged(strip_, best, best - solve_.open);
    }
    return packet(strip_ - 1, column).load(::cuda::memory_order_relaxed);
  }
  /// Waits until all lanes have what is above them. False: the solve ends early.
  __device__ bool arrive(unsigned long long& packet, std::uint64_t column) const {
    for (unsigned looks = 0; __any_sync(~0U, packet >> 48 != (strip_ & 0xFFFF)); ++looks) {
      if (looks % score_looks_between_stops == score_looks_between_stops - 1 && is_stopped()) return false;
      __nanosleep(looks < score_short_looks ? 0 : score_nap);
      packet = packet_above(column);
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
  __device__ __forceinline__ void with_state(unsigned interval, const With& with) {
    unsigned* const words =
        solve_.states + (std::uint64_t{strip_} * solve_.slots + interval - 1) * score_state_words(K) * warp + lane_;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      with(words[k * warp], best_[k]);
      with(words[(K + k) * warp], inserted_[k]);
    }
    with(words[2 * K * warp], diagonal_);
    with(words[(2 * K + 1) * warp], above_);
    with(words[(2 * K + 2) * warp], deleted_);
    unsigned base = static_cast<unsigned>(base_);
    with(words[(2 * K + 3) * warp], base);
    base_ = static_cast<int>(base);
  }
  __device__ void save(unsigned interval) {
    with_state(interval, [](unsigned& kept, const unsigned& word) { kept = word; });
  }
  __device__ void restore(unsigned interval) {
    with_state(interval, [](const unsigned& kept, unsigned& word) { word = kept; });
  }

  /// Takes what is above each lane's column of a chunk.
  __device__ void enter(Border border) {
    in_[lane_] = border;
    __syncwarp();
  }
  [[nodiscard]] __device__ Border border_of(unsigned long long packet) const {
    const int best = static_cast<int>(static_cast<unsigned>(packet)) - base_;
    return Cells::border(best, best - static_cast<int>(packet >> 32 & 0xFFFF));
  }
  /// The same as it was kept.
  [[nodiscard]] __device__ Border border_above(std::uint64_t column) const {
    if (strip_ == 0 || column >= solve_.m) return border_of(packet_above(column));
    const Kept kept = kept_border(strip_ - 1, column);
    if constexpr (!moves_base) {
      return border_of(kept);
    } else {
      const auto best = static_cast<std::int16_t>(kept - static_cast<unsigned>(base_));
      return Cells::border(best, best - static_cast<int>(kept >> 16));
    }
  }
  using Kept = std::conditional_t<moves_base, unsigned, unsigned long long>;
  [[nodiscard]] __device__ Kept& kept_border(unsigned strip, std::uint64_t column) const {
    return static_cast<Kept*>(solve_.borders)[strip * std::uint64_t{solve_.m} + column];
  }

  /// Moves all values so that the first row's is `corner`.
  __device__ void move_base() {
    const int shift = solve_.corner - Cells::value(__shfl_sync(~0U, best_[0], 0), 0);
    const unsigned by = Cells::of(shift);
    const auto move = [&](unsigned& word) { word = Cells::sum(word, by); };
#pragma unroll
    for (int k = 0; k < K; ++k) {
      move(best_[k]);
      move(inserted_[k]);
    }
    move(diagonal_);
    move(above_);
    move(deleted_);
    base_ -= shift;
  }

  /// 32 steps. `begins`: some stripes have not reached column 0. `keeps`: the last column may have to be kept.
  /// `traces`: sets the lane's facts.
  template <bool begins, bool keeps, bool traces = false>
  __device__ __forceinline__ void run(std::uint64_t first, ScoreFacts<Cells, K>* facts = nullptr) {
    constexpr int unrolled = keeps || traces ? 1 : K >= 16 ? 2 : 4;
    const std::uint32_t* const places = solve_.b + first - halves * lane_;
    std::uint32_t next = places[0];
#pragma unroll unrolled
    for (unsigned t = 0; t < warp; ++t) {
      const std::uint32_t place = next;
      next = places[t + 1];
      ScoreBytes<K> lower, upper;
      lower.load(profile_ + (place & 0xFFFF));
      if (halves == 2) upper.load(profile_ + (place >> 16));
      const Border handed = in_[t];
      Border border = Cells::from_lane(Cells::last(above_, deleted_), lane_ + warp - 1);
      if (lane_ == 0) {
        out_[t] = border;
        border = handed;
      }
      Cells::enter(border, above_, deleted_);
      const unsigned diagonal = std::exchange(diagonal_, above_);
      const auto run_column = [&](auto&& of_step) {
        scored_column<Cells>(lower, halves == 2 ? upper : lower, minus_open_, best_, inserted_, diagonal, above_,
                             deleted_, of_step);
      };
      if constexpr (traces) {
        ScoreFacts<Cells, K> of_step;
        run_column(of_step);
        facts[t * warp] = of_step;
      } else {
        run_column(NoScoreFacts());
      }
      const long long column = static_cast<long long>(first + t) - halves * lane_;  // of the first stripe
      if (begins) begin<false>(column + 1);
      if (keeps && solve_.column != nullptr) keep_column(column);
    }
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
    const auto [best, deleted] = Cells::values(out_[lane_]);
    const unsigned long long below = tagged(strip_ + 1, best + base_, deleted + base_);
    packet(strip_, column).store(below, ::cuda::memory_order_relaxed);
    if (!solve_.keeps || strip_ + 1 == solve_.strips) return;
    const unsigned lowest = static_cast<unsigned>(below) & 0xFFFF, difference = static_cast<unsigned>(below >> 32)
                                                                                << 16;
    kept_border(strip_, column) = static_cast<Kept>(moves_base ? lowest | difference : below);
  }

  const ScoredSolve& solve_;
  const unsigned strip_, lane_;
  unsigned char* const profile_;   ///< from the lane's first rows on
  Border *const in_, *const out_;  ///< of a chunk
  const unsigned minus_open_;
  int base_;
  unsigned best_[K], inserted_[K];
  unsigned diagonal_;         ///< above the stripes, in the column before
  unsigned above_, deleted_;  ///< below them
};

/// Warps of a block, at most: as many as the registers allow.
template <int K>
inline constexpr unsigned score_warps = K == 32 ? 8 : 16;

template <class Cells, int K>
__global__ void __launch_bounds__(score_warps<K>* warp) run_scored_strips(const ScoredSolve solve) {
  extern __shared__ __align__(128) unsigned char score_memory[];
  unsigned char* const mine = score_memory + threadIdx.x / warp * score_bytes_of_a_warp<Cells, K>(solve.codes);
  take_strips(solve.strips, solve.ticket, [&](unsigned strip) { ScoredStrip<Cells, K>(solve, strip, mine).sweep(); });
}

}  // namespace warpfold::sequence::cuda
