#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <limits>
#include <type_traits>
#include <utility>

#include "sequence/gpu/series.hpp"
#include "sequence/gpu/tickets.cuh"

/// Time warping on a GPU. A warp works on a strip of 32 K rows: lane q has K of them, and in step t the columns
/// C (t - q) .. C (t - q) + C - 1, below the last row of lane q - 1 from the step before. Strips are taken in order.
/// Each hands its last row to the next one, column by column.
namespace warpfold::sequence::cuda {

inline constexpr unsigned chunks_between_looks = 64;        ///< for a stop
inline constexpr unsigned short_looks = 8, long_nap = 400;  ///< of waiting strips, nanoseconds

/// The memory of a solve on the device.
template <class T>
struct SeriesSolve {
  const T* a;  ///< strip by strip, dimension by dimension, row by row of the lanes, lane by lane; 0 beyond the last row
  const T* b;  ///< point by point; b[-32 C] .. b[m + 96 C - 1] are finite
  unsigned dimensions;
  std::uint64_t n, m;
  std::int64_t least, most;  ///< the band: least <= j - i <= most
  unsigned strips;
  bool keeps;  ///< whether all rows of packets and states are kept
  /// Below a strip, for each column, as many words as a value has 32 bits: the strip's number from 1 above these bits.
  /// Unless they are kept, two strips share each row of packets in turn: a strip writes to a column after the next one
  /// but one has begun it, and so was read.
  unsigned long long* packets;
  std::uint64_t stride;  ///< columns of a row of packets
  T* states;             ///< of strips at the beginning of intervals, slot by slot, value by value, lane by lane
  std::uint64_t slots;
  unsigned* ticket;      ///< strips taken, but the first of each warp
  unsigned* reported;    ///< counts every chunks_between_looks-th chunk
  const unsigned* stop;  ///< not 0: ends the solve
  T* distance;
};

template <class T>
__device__ __forceinline__ T infinity_of() {
  if constexpr (sizeof(T) == sizeof(float)) {
    return __uint_as_float(0x7F800000);
  } else {
    return __longlong_as_double(0x7FF0000000000000);
  }
}

/// No value is negative, so the order of floats is that of their bits.
__device__ __forceinline__ float least_of(float x, float y, float z) {
  return __int_as_float(__vimin3_s32(__float_as_int(x), __float_as_int(y), __float_as_int(z)));
}
__device__ __forceinline__ double least_of(double x, double y, double z) {
  const double least = x < y ? x : y;
  return z < least ? z : least;
}

template <bool is_squared>
__device__ __forceinline__ float term_of(float x, float y) {
  const float difference = x - y;
  return is_squared ? difference * difference : fabsf(difference);
}
template <bool is_squared>
__device__ __forceinline__ double term_of(double x, double y) {
  const double difference = x - y;
  return is_squared ? difference * difference : fabs(difference);
}

/// C columns of K rows, whose values in the column before are `left`. `corner`, `above`: the values above the first
/// row, from the column before on. `above` is set to those of the last row. `cell` gets a cell's place, its value and
/// the three values before it, and returns its final value.
template <int K, int C, class T, class Distance, class Cell>
__device__ __forceinline__ void warp_columns(T (&left)[K], T (&above)[C], T corner, const Distance& distance,
                                             const Cell& cell) {
#pragma unroll
  for (int k = 0; k < K; ++k) {
    T diagonal = corner, before = left[k];
    corner = before;
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const T value = cell(k, c, distance(k, c) + least_of(diagonal, above[c], before), diagonal, above[c], before);
      diagonal = above[c];
      before = above[c] = value;
    }
    left[k] = before;
  }
}

/// The points of a lane's K rows and C columns. Points of one dimension stay in registers.
template <class T, bool is_squared, bool is_flat, int K, int C>
class SeriesPoints {
 public:
  __device__ SeriesPoints(const SeriesSolve<T>& solve, unsigned strip, unsigned lane)
      : dimensions_(solve.dimensions), a_(solve.a + std::uint64_t{strip} * K * warp * solve.dimensions + lane) {
    if constexpr (is_flat) {
#pragma unroll
      for (int k = 0; k < K; ++k) rows_[k] = a_[k * warp];
    }
  }

  /// Goes to the columns before the first one of `advance`.
  __device__ void enter(const T* b, std::int64_t column) {
    next_ = b + column * static_cast<std::int64_t>(dimensions_);
    if constexpr (is_flat) load();
  }
  /// Goes to the next columns. The distances of all points, k and c.
  __device__ __forceinline__ void advance() {
    if constexpr (is_flat) {
#pragma unroll
      for (int c = 0; c < C; ++c) columns_[c] = ahead_.values[c];
      next_ += C;
      load();
    } else {
      sum();
      next_ += C * dimensions_;
    }
  }
  [[nodiscard]] __device__ __forceinline__ T distance(int k, int c) const {
    if constexpr (is_flat) {
      return term_of<is_squared>(rows_[k], columns_[c]);
    } else {
      return sums_[k][c];
    }
  }

 private:
  struct alignas(sizeof(T) * C) Ahead {
    T values[C];
  };

  __device__ void load() { ahead_ = *reinterpret_cast<const Ahead*>(next_); }
  __device__ void sum() {
    for (unsigned d = 0; d < dimensions_; ++d) {
      T column[C];
#pragma unroll
      for (int c = 0; c < C; ++c) column[c] = next_[c * dimensions_ + d];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const T row = a_[(d * K + k) * warp];
#pragma unroll
        for (int c = 0; c < C; ++c) {
          const T term = term_of<is_squared>(row, column[c]);
          sums_[k][c] = d == 0 ? term : sums_[k][c] + term;
        }
      }
    }
  }

  const unsigned dimensions_;
  const T* a_;
  const T* next_ = nullptr;
  T rows_[is_flat ? K : 1], columns_[C];
  Ahead ahead_;
  T sums_[is_flat ? 1 : K][C];
};

/// How a step goes: in the complete table; in the band and up to the end; or as that, with the direction of each cell.
enum class SeriesSteps { plain, careful, traced };

/// Whether strips of K rows a lane hand on 32 columns together, by shared memory. Those of 32 rows measured faster so,
/// those of 16 rows slower on 2 and 3 warps.
template <int K>
inline constexpr bool hands_on_together = K == 32;
/// What such a warp takes from the strip above and hands on.
template <class T>
struct alignas(32) SeriesHandOver {
  T above[warp], below[warp];
};

/// A warp's strip. K: rows of a lane, C: columns of a step.
template <class T, bool is_squared, bool is_flat, int K, int C>
class SeriesStrip {
 public:
  static constexpr unsigned steps = warp / C;  ///< of a chunk of 32 columns

  __device__ SeriesStrip(const SeriesSolve<T>& solve, unsigned strip, SeriesHandOver<T>* hand_over = nullptr)
      : solve_(solve),
        hand_over_(hand_over),
        strip_(strip),
        lane_(threadIdx.x % warp),
        is_last_(strip + 1 == solve.strips),
        first_row_(std::uint64_t{strip} * warp * K),
        begin_(begin_of(solve, strip)),
        end_(end_of(solve, strip)),
        begin_above_(strip == 0 ? 0 : begin_of(solve, strip - 1)),
        end_above_(strip == 0 ? 0 : end_of(solve, strip - 1)),
        points_(solve, strip, lane_) {
#pragma unroll
    for (int k = 0; k < K; ++k) left_[k] = infinity_of<T>();
#pragma unroll
    for (int c = 0; c < C; ++c) below_[c] = infinity_of<T>();
    corner_ = strip == 0 && lane_ == 0 ? 0 : infinity_of<T>();
  }

  /// The first column of a strip, a multiple of 32: it begins a column before the band, which takes the value above the
  /// first cell's diagonal.
  static __device__ std::uint64_t begin_of(const SeriesSolve<T>& solve, unsigned strip) {
    const std::int64_t first = static_cast<std::int64_t>(std::uint64_t{strip} * warp * K) + solve.least - 1;
    return first < 0 ? 0 : static_cast<std::uint64_t>(first) / warp * warp;
  }
  static __device__ std::uint64_t end_of(const SeriesSolve<T>& solve, unsigned strip) {
    const std::uint64_t below = (std::uint64_t{strip} + 1) * warp * K, rows = below < solve.n ? below : solve.n;
    const std::int64_t end = static_cast<std::int64_t>(rows) + solve.most;
    return end < static_cast<std::int64_t>(solve.m) ? static_cast<std::uint64_t>(end) : solve.m;
  }
  [[nodiscard]] __device__ std::uint64_t begin_chunk() const { return begin_ / warp; }
  [[nodiscard]] __device__ std::uint64_t end_chunk() const { return (end_ + C * (warp - 1) + warp - 1) / warp; }

  __device__ void sweep() {
    Packet next;
    load(next, begin_chunk() * warp + lane_);
    points_.enter(solve_.b, column_of(begin_chunk()));
    for (std::uint64_t chunk = begin_chunk(); chunk < end_chunk(); ++chunk) {
      if (!arrive(next, chunk * warp + lane_)) return;
      const T handed = value_of(next);
      load(next, (chunk + 1) * warp + lane_);  // it arrives while this chunk runs
      if (solve_.keeps && chunk % series_interval == 0) save(chunk / series_interval);
      if (is_plain(chunk)) {
        sweep_chunk<SeriesSteps::plain>(chunk, handed);
      } else {
        sweep_chunk<SeriesSteps::careful>(chunk, handed);
      }
      if (chunk % chunks_between_looks == 0 && !report()) return;
    }
  }

  /// Keeps the directions of an interval's cells, after `sweep` of all strips. A word for each column of each lane has
  /// two bits for each row: 0 both series, 1 A alone, 2 B alone.
  __device__ void trace(std::uint64_t interval, unsigned* directions) {
    std::uint64_t first = interval * series_interval, end = first + series_interval;
    if (first > begin_chunk()) {
      restore(interval);
    } else {
      directions += (begin_chunk() - first) * warp * warp;
      first = begin_chunk();
    }
    if (end > end_chunk()) end = end_chunk();
    points_.enter(solve_.b, column_of(first));
    for (std::uint64_t chunk = first; chunk < end; ++chunk, directions += warp * warp) {
      Packet packet;
      load(packet, chunk * warp + lane_);
      run<SeriesSteps::traced>(chunk, value_of(packet), directions);
    }
  }

 private:
  static constexpr int words = sizeof(T) / sizeof(float);
  struct Packet {
    unsigned long long words[sizeof(T) / sizeof(float)];
  };
  using Word = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  [[nodiscard]] __device__ std::int64_t column_of(std::uint64_t chunk) const {
    return static_cast<std::int64_t>(chunk * warp) - static_cast<std::int64_t>(C * lane_);
  }

  [[nodiscard]] __device__ unsigned long long* packet(unsigned strip, std::uint64_t begin, std::uint64_t column) const {
    const std::uint64_t at =
        solve_.keeps ? strip * solve_.stride + (column - begin) : strip % 2 * solve_.stride + column;
    return solve_.packets + at * words;
  }
  /// What the strip above hands on, if it is there yet. Outside its columns it is infinity.
  __device__ void load(Packet& packet_above, std::uint64_t column) const {
    const bool is_above = strip_ > 0 && column >= begin_above_ && column < end_above_;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      packet_above.words[w] = is_above
                                  ? Word(packet(strip_ - 1, begin_above_, column)[w]).load(::cuda::memory_order_relaxed)
                                  : tagged(strip_, infinity_of<T>(), w);
    }
  }
  static __device__ unsigned long long tagged(unsigned tag, T value, int word) {
    unsigned bits = 0;
    if constexpr (words == 1) {
      bits = __float_as_uint(value);
    } else {
      bits = static_cast<unsigned>(__double_as_longlong(value) >> (32 * word));
    }
    return static_cast<unsigned long long>(tag) << 32 | bits;
  }
  static __device__ T value_of(const Packet& packet) {
    if constexpr (words == 1) {
      return __uint_as_float(static_cast<unsigned>(packet.words[0]));
    } else {
      return __hiloint2double(static_cast<int>(packet.words[1]), static_cast<int>(packet.words[0]));
    }
  }
  [[nodiscard]] __device__ bool is_there(const Packet& packet) const {
    bool is_there = true;
#pragma unroll
    for (int w = 0; w < words; ++w) is_there = is_there && packet.words[w] >> 32 == strip_;
    return is_there;
  }

  /// Waits until all lanes have what is above them. False: the solve ends early.
  __device__ bool arrive(Packet& packet, std::uint64_t column) const {
    for (unsigned looks = 0; __any_sync(~0U, !is_there(packet)); ++looks) {
      if (looks % chunks_between_looks == chunks_between_looks - 1 && is_stopped()) return false;
      __nanosleep(looks < short_looks ? 0 : long_nap);
      load(packet, column);
    }
    return true;
  }
  [[nodiscard]] __device__ bool is_stopped() const { return *static_cast<const volatile unsigned*>(solve_.stop) != 0; }
  [[nodiscard]] __device__ bool report() const {
    if (lane_ == 0) atomicAdd(solve_.reported, 1);
    return !is_stopped();
  }

  /// Whether all cells of a chunk are in the band, and none is the last one of the table.
  [[nodiscard]] __device__ bool is_plain(std::uint64_t chunk) const {
    const std::int64_t row = static_cast<std::int64_t>(first_row_), column = static_cast<std::int64_t>(chunk * warp);
    const bool has_end = is_last_ && column + warp >= static_cast<std::int64_t>(solve_.m);
    return column - C * (warp - 1) - (row + warp * K - 1) >= solve_.least && column + warp - 1 - row <= solve_.most &&
           !has_end;
  }

  /// The state before a chunk that begins an interval.
  [[nodiscard]] __device__ T* state(std::uint64_t interval) const {
    const std::uint64_t slot = interval - begin_chunk() / series_interval;
    return solve_.states + (strip_ * solve_.slots + slot) * (K + C + 1) * warp + lane_;
  }
  __device__ void save(std::uint64_t interval) const {
    T* const to = state(interval);
#pragma unroll
    for (int k = 0; k < K; ++k) to[k * warp] = left_[k];
#pragma unroll
    for (int c = 0; c < C; ++c) to[(K + c) * warp] = below_[c];
    to[(K + C) * warp] = corner_;
  }
  __device__ void restore(std::uint64_t interval) {
    const T* const from = state(interval);
#pragma unroll
    for (int k = 0; k < K; ++k) left_[k] = from[k * warp];
#pragma unroll
    for (int c = 0; c < C; ++c) below_[c] = from[(K + c) * warp];
    corner_ = from[(K + C) * warp];
  }

  template <SeriesSteps how>
  __device__ __forceinline__ void sweep_chunk(std::uint64_t chunk, T handed) {
    if constexpr (hands_on_together<K>) {
      run_together<how>(chunk, handed);
    } else {
      run<how>(chunk, handed, nullptr);
    }
  }

  /// 32 columns. Lane 0 has `handed` of lane l above column l.
  template <SeriesSteps how>
  __device__ __forceinline__ void run(std::uint64_t chunk, T handed, unsigned* directions) {
    constexpr int unrolled = how != SeriesSteps::plain || K * C > 64 ? 1 : 2;
    const std::int64_t first = column_of(chunk);
    // Of the columns of the last lane: those to hand on, relative to the chunk's.
    const bool hands_on = how != SeriesSteps::traced && !is_last_ && lane_ == warp - 1;
    const int from = hands_on ? clamped(static_cast<std::int64_t>(begin_) - first) : 0;
    const int to = hands_on ? clamped(static_cast<std::int64_t>(end_) - first) : 0;
    unsigned long long* below = packet(strip_, begin_, static_cast<std::uint64_t>(first));
    asm("" : "+l"(below));  // keeps the address in a register: it was computed anew for each store
#pragma unroll unrolled
    for (int t = 0; t < static_cast<int>(steps); ++t) {
      step<how>(first + C * t, directions == nullptr ? nullptr : directions + C * t * warp,
                [&](int c) { return __shfl_sync(~0U, handed, C * t + c); });
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int column = C * t + c;
        if (column < from || column >= to) continue;
#pragma unroll
        for (int w = 0; w < words; ++w) {
          Word(below[column * words + w]).store(tagged(strip_ + 1, below_[c], w), ::cuda::memory_order_relaxed);
        }
      }
    }
  }

  /// The same, without directions, by shared memory.
  template <SeriesSteps how>
  __device__ __forceinline__ void run_together(std::uint64_t chunk, T handed) {
    const std::int64_t first = column_of(chunk);
    hand_over_->above[lane_] = handed;
    __syncwarp();
#pragma unroll 1
    for (int t = 0; t < static_cast<int>(steps); ++t) {
      const Columns from_strip = reinterpret_cast<const Columns*>(hand_over_->above)[t];
      step<how>(first + C * t, nullptr, [&](int c) { return from_strip.values[c]; });
      if (lane_ == warp - 1) {
        Columns columns;
#pragma unroll
        for (int c = 0; c < C; ++c) columns.values[c] = below_[c];
        reinterpret_cast<Columns*>(hand_over_->below)[t] = columns;
      }
    }
    __syncwarp();
    if (!is_last_) hand_on(chunk);
  }

  struct alignas(sizeof(T) * C) Columns {
    T values[C];
  };

  /// C columns of each lane. `from_strip`: the value of the strip above in a column.
  template <SeriesSteps how, class FromStrip>
  __device__ __forceinline__ void step(std::int64_t column, unsigned* directions, const FromStrip& from_strip) {
    T above[C];
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const T from_lane = __shfl_up_sync(~0U, below_[c], 1), entering = from_strip(c);
      above[c] = lane_ == 0 ? entering : from_lane;
    }
    const T corner = std::exchange(corner_, above[C - 1]);
#pragma unroll
    for (int c = 0; c < C; ++c) below_[c] = above[c];
    points_.advance();
    compute<how>(column, corner, directions);
  }

  /// The last lane's columns of a chunk.
  __device__ void hand_on(std::uint64_t chunk) const {
    const std::int64_t column = static_cast<std::int64_t>(chunk * warp + lane_) - C * (static_cast<int>(warp) - 1);
    if (column < static_cast<std::int64_t>(begin_) || column >= static_cast<std::int64_t>(end_)) return;
    const T value = hand_over_->below[lane_];
    unsigned long long* const below = packet(strip_, begin_, static_cast<std::uint64_t>(column));
#pragma unroll
    for (int w = 0; w < words; ++w) {
      Word(below[w]).store(tagged(strip_ + 1, value, w), ::cuda::memory_order_relaxed);
    }
  }

  static __device__ int clamped(std::int64_t value) {
    constexpr std::int64_t far = 1 << 20;
    return static_cast<int>(value < -far ? -far : value > far ? far : value);
  }

  template <SeriesSteps how>
  __device__ __forceinline__ void compute(std::int64_t column, T corner, unsigned* directions) {
    const auto distance = [&](int k, int c) { return points_.distance(k, c); };
    if constexpr (how == SeriesSteps::plain) {
      warp_columns(left_, below_, corner, distance, [](int, int, T value, T, T, T) { return value; });
    } else {
      const std::int64_t row = static_cast<std::int64_t>(first_row_ + lane_ * K), offset = column - row;
      const int down = clamped(offset - solve_.least), right = clamped(solve_.most - offset);
      const std::int64_t end_row = static_cast<std::int64_t>(solve_.n) - 1 - row;
      const std::int64_t end_column = static_cast<std::int64_t>(solve_.m) - 1 - column;
      const bool has_end =
          how == SeriesSteps::careful && end_row >= 0 && end_row < K && end_column >= 0 && end_column < C;
      const int end = has_end ? static_cast<int>(end_row) * C + static_cast<int>(end_column) : -1;
      unsigned steps_to[C] = {};
      warp_columns(left_, below_, corner, distance, [&](int k, int c, T value, T diagonal, T above, T left) {
        if constexpr (how == SeriesSteps::traced) {
          const bool takes_both = diagonal <= above && diagonal <= left;
          steps_to[c] |= (takes_both ? 0U : above <= left ? 1U : 2U) << (2 * k);
        }
        const T kept = down + c >= k && right + k >= c ? value : infinity_of<T>();
        if (how == SeriesSteps::careful && k * C + c == end) *solve_.distance = kept;
        return kept;
      });
      if constexpr (how == SeriesSteps::traced) {
#pragma unroll
        for (int c = 0; c < C; ++c) directions[c * warp + lane_] = steps_to[c];
      }
    }
  }

  const SeriesSolve<T>& solve_;
  SeriesHandOver<T>* const hand_over_;
  const unsigned strip_, lane_;
  const bool is_last_;
  const std::uint64_t first_row_, begin_, end_, begin_above_, end_above_;  ///< columns
  SeriesPoints<T, is_squared, is_flat, K, C> points_;
  T left_[K];
  T below_[C];  ///< the last row of the lane
  T corner_;    ///< above the lane, in the column before
};

/// Warps of a block, at most: as many as the registers allow.
template <class T, int K>
inline constexpr unsigned series_warps = K * sizeof(T) > 64 ? 8 : 16;

template <class T, bool is_squared, bool is_flat, int K, int C>
__global__ void __launch_bounds__(series_warps<T, K>* warp) warp_series(const SeriesSolve<T> solve) {
  __shared__ SeriesHandOver<T> hand_over[hands_on_together<K> ? series_warps<T, K> : 1];
  take_strips(solve.strips, solve.ticket, [&](unsigned strip) {
    SeriesHandOver<T>* const mine = hands_on_together<K> ? hand_over + threadIdx.x / warp : nullptr;
    SeriesStrip<T, is_squared, is_flat, K, C>(solve, strip, mine).sweep();
  });
}

}  // namespace warpfold::sequence::cuda
