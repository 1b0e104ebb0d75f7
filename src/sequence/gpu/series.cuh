#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <utility>

#include "sequence/gpu/tickets.cuh"

/// Time warping on a GPU. A warp works on a strip of 32 K rows: lane q has K of them, and in step t the column t - q,
/// below the last row of lane q - 1 from the step before. Strips are taken in order. Each hands its last row to the
/// next one, column by column.
namespace warpfold::sequence::cuda {

inline constexpr unsigned chunks_between_looks = 64;        ///< for a stop
inline constexpr unsigned short_looks = 8, long_nap = 400;  ///< of waiting strips, nanoseconds

/// The memory of a solve on the device.
struct SeriesSolve {
  const float *a, *b;  ///< b[-32] .. b[m + 63] are finite
  std::uint32_t n, m;
  unsigned strips;
  /// Below a strip, for each column: the strip's number from 1 above the value's bits. Two strips share each row of
  /// packets in turn: a strip writes to a column after the next one but one has begun it, and so was read.
  unsigned long long* packets;
  unsigned* ticket;      ///< strips taken, but the first of each warp
  unsigned* reported;    ///< counts every chunks_between_looks-th chunk
  const unsigned* stop;  ///< not 0: ends the solve
  float* distance;
};

/// No value is negative, so the order of floats is that of their bits.
__device__ __forceinline__ float least_of(float x, float y, float z) {
  return __int_as_float(__vimin3_s32(__float_as_int(x), __float_as_int(y), __float_as_int(z)));
}

/// A column of K rows with points `a`, whose values in the column before are `left`. `diagonal` and `above`: the two
/// values above the first row. They are set to those of the last one.
template <bool is_squared, int K>
__device__ __forceinline__ void warp_column(const float (&a)[K], float (&left)[K], float point, float& diagonal,
                                            float& above) {
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const float least = least_of(diagonal, above, left[k]);
    const float difference = a[k] - point;
    diagonal = left[k];
    left[k] = above = (is_squared ? difference * difference : fabsf(difference)) + least;
  }
}

/// A warp's strip. K: rows of a lane.
template <bool is_squared, int K>
class SeriesStrip {
 public:
  __device__ SeriesStrip(const SeriesSolve& solve, unsigned strip)
      : solve_(solve), strip_(strip), lane_(threadIdx.x % warp), is_last_(strip + 1 == solve.strips) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      a_[k] = row(k) < solve.n ? solve.a[row(k)] : 0;
      left_[k] = infinity();
    }
    below_ = infinity();
    diagonal_ = strip == 0 && lane_ == 0 ? 0 : infinity();
  }

  __device__ void sweep() {
    unsigned long long packet = packet_above(lane_);
    for (std::uint64_t first = 0; first < std::uint64_t{solve_.m} + warp - 1; first += warp) {
      if (!arrive(packet, first + lane_)) return;
      const float handed = __uint_as_float(static_cast<unsigned>(packet));
      packet = packet_above(first + warp + lane_);  // it arrives while this chunk runs
      if (is_last_ && first + warp >= solve_.m) {
        run<true>(first, handed);
      } else {
        run<false>(first, handed);
      }
      if (first / warp % chunks_between_looks == 0 && !report()) return;
    }
  }

 private:
  using Packet = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  static __device__ float infinity() { return __uint_as_float(0x7F800000); }
  [[nodiscard]] __device__ std::uint64_t row(int k) const {
    return (std::uint64_t{strip_} * warp + lane_) * K + static_cast<unsigned>(k);
  }
  [[nodiscard]] __device__ Packet packet(unsigned strip, std::uint64_t column) const {
    return Packet(solve_.packets[strip % 2 * std::uint64_t{solve_.m} + column]);
  }

  /// What the strip above hands on, if it is there yet. Right of the last column anything will do.
  [[nodiscard]] __device__ unsigned long long packet_above(std::uint64_t column) const {
    if (strip_ == 0 || column >= solve_.m) return tagged(strip_, infinity());
    return packet(strip_ - 1, column).load(::cuda::memory_order_relaxed);
  }
  static __device__ unsigned long long tagged(unsigned tag, float value) {
    return static_cast<unsigned long long>(tag) << 32 | __float_as_uint(value);
  }

  /// Waits until all lanes have what is above them. False: the solve ends early.
  __device__ bool arrive(unsigned long long& packet, std::uint64_t column) const {
    for (unsigned looks = 0; __any_sync(~0U, packet >> 32 != strip_); ++looks) {
      if (looks % chunks_between_looks == chunks_between_looks - 1 && is_stopped()) return false;
      __nanosleep(looks < short_looks ? 0 : long_nap);
      packet = packet_above(column);
    }
    return true;
  }

  [[nodiscard]] __device__ bool is_stopped() const { return *static_cast<const volatile unsigned*>(solve_.stop) != 0; }
  [[nodiscard]] __device__ bool report() const {
    if (lane_ == 0) atomicAdd(solve_.reported, 1);
    return !is_stopped();
  }

  /// 32 steps. Lane 0 has `handed` of lane t above it in step t.
  template <bool ends>
  __device__ __forceinline__ void run(std::uint64_t first, float handed) {
    constexpr int unrolled = ends ? 1 : 4;
    const float* const points = solve_.b + first - lane_;
    float next = points[0];
#pragma unroll unrolled
    for (unsigned t = 0; t < warp; ++t) {
      const float point = next;
      next = points[t + 1];
      const float from_lane = __shfl_up_sync(~0U, below_, 1), from_strip = __shfl_sync(~0U, handed, t);
      const float above = lane_ == 0 ? from_strip : from_lane;
      float diagonal = std::exchange(diagonal_, above);
      below_ = above;
      warp_column<is_squared>(a_, left_, point, diagonal, below_);
      const std::uint64_t column = first + t - lane_;  // beyond m, too, before column 0
      if (ends && column == solve_.m - 1) keep_distance();
      if (!is_last_ && lane_ == warp - 1 && column < solve_.m) {
        packet(strip_, column).store(tagged(strip_ + 1, below_), ::cuda::memory_order_relaxed);
      }
    }
  }

  __device__ void keep_distance() const {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (row(k) == solve_.n - 1) *solve_.distance = left_[k];
    }
  }

  const SeriesSolve& solve_;
  const unsigned strip_, lane_;
  const bool is_last_;
  float a_[K], left_[K];
  float below_;     ///< the last row of the lane
  float diagonal_;  ///< above the lane, in the column before
};

/// Warps of a block, at most: as many as the registers allow.
template <int K>
inline constexpr unsigned series_warps = K == 8 ? 32 : 24;

template <bool is_squared, int K>
__global__ void __launch_bounds__(series_warps<K>* warp) warp_series(const SeriesSolve solve) {
  take_strips(solve.strips, solve.ticket, [&](unsigned strip) { SeriesStrip<is_squared, K>(solve, strip).sweep(); });
}

}  // namespace warpfold::sequence::cuda
