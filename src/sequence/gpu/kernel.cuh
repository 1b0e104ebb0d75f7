#pragma once

#include <algorithm>
#include <cstdint>
#include <cuda/atomic>

#include "sequence/gpu/cells.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/tickets.cuh"

/// Slices on a GPU. A warp works on a strip of 1,024 K rows of A: 32 bits in 32 lanes are 1,024 stripes of K rows.
/// Stripe q is bit q / 32 of lane q % 32. In step t it works on the C columns from (t - q) C on, below the last row of
/// stripe q - 1 from the step before. Strips are taken in order. Each hands its last row to the next one, 32 C columns
/// at a time.
namespace warpfold::sequence::cuda {

inline constexpr unsigned chunks_between_reports = 256;
inline constexpr unsigned quick_looks = 8, nap = 400, looks_between_stops = 64;  ///< of waiting strips, nanoseconds

/// The memory of a solve on the device.
struct Solve {
  const std::uint32_t* a;
  const std::uint32_t* planes;  ///< of B: for each chunk, column of a step and plane a word of 32 steps
  std::uint32_t n, m;
  unsigned chunks;  ///< of 32 C columns
  unsigned strips;
  unsigned long long* packets;  ///< below each strip but the last, for each chunk and column of a step
  unsigned* ticket;             ///< strips taken, but the first of each warp
  unsigned* reported;           ///< counts every chunks_between_reports-th chunk
  const unsigned* stop;         ///< not 0: ends the solve
  unsigned long long* sum;      ///< along the row above the last strip, and from there down column m
  unsigned interval;            ///< windows of `lag` chunks between two kept columns
  unsigned* kept;               ///< v in kept columns, of each strip: for each row of a stripe and sign 32 words
};

/// Writes the planes of B. A warp writes a chunk's words.
template <int Planes>
__global__ void pack_columns(const std::uint32_t* b, std::uint32_t m, unsigned chunks, std::uint32_t* planes) {
  const unsigned chunk = (blockIdx.x * blockDim.x + threadIdx.x) / warp, lane = threadIdx.x % warp;
  if (chunk >= chunks) return;
#pragma unroll
  for (unsigned c = 0; c < columns; ++c) {
    const std::uint64_t j = std::uint64_t{chunk} * chunk_columns + lane * columns + c;
    const std::uint32_t code = j < m ? b[j] : 0;
#pragma unroll
    for (unsigned p = 0; p < Planes; ++p) {
      const unsigned word = __brev(__ballot_sync(~0U, code >> p & 1));
      if (lane == p) planes[(std::uint64_t{chunk} * columns + c) * Planes + p] = word;
    }
  }
}

/// A warp's strip. K: rows of a stripe. Keeps: whether it keeps columns for a script.
template <Measure measure, int Planes, int K, bool Keeps>
class Strip {
 public:
  using Bits = Difference<measure>;
  /// The planes of B in two chunks of steps: word s of column c has in bit b the symbol of column (s - 32 b) C + c.
  using Window = unsigned[columns][Planes][2 * warp];

  __device__ Strip(const Solve& solve, unsigned strip, Window& window)
      : solve_(solve), strip_(strip), lane_(threadIdx.x % warp), window_(window) {
    set_rows();
#pragma unroll
    for (int k = 0; k < K; ++k) v_[k] = Bits::column_zero();
#pragma unroll
    for (unsigned c = 0; c < columns; ++c) {
      h_[c] = Bits::before();
#pragma unroll
      for (int p = 0; p < Planes; ++p) symbols_[c][p] = 0;
    }
  }

  __device__ void sweep() {
    const unsigned last_chunk = solve_.chunks + lag;
    fetch(0);
    for (unsigned chunk = 0; chunk < last_chunk; ++chunk) {
      Bits handed[columns];
      if (!arrive(chunk, handed)) return;
      move_window();
      fetch(chunk + 1);  // it arrives while this chunk runs
      if (is_last() && std::uint64_t{chunk + 1} * chunk_columns >= solve_.m) {
        run<true, Keeps>(chunk, handed);
      } else if (Keeps && passes_kept_column(chunk)) {
        run<false, Keeps>(chunk, handed);
      } else {
        run<false, false>(chunk, handed);
      }
      hand_on(chunk, handed);
      if (Keeps && chunk % lag == lag - 1 && passes_kept_column(chunk)) keep_column_of(chunk / lag);
      if (chunk % chunks_between_reports == 0 && !report()) return;
    }
    if (is_last()) add_sums();
  }

 private:
  using Packet = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  __device__ std::uint64_t row(unsigned stripe, unsigned k) const {
    return (std::uint64_t{strip_} * stripes + stripe) * K + k;
  }

  /// Rows below row n have some symbol. No row above depends on it.
  __device__ void set_rows() {
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int p = 0; p < Planes; ++p) rows_[k][p] = 0;
    }
    for (unsigned bit = 0; bit < 32; ++bit) {
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const std::uint64_t at = row(warp * bit + lane_, k);
        const std::uint32_t code = at < solve_.n ? solve_.a[at] : 0;
#pragma unroll
        for (int p = 0; p < Planes; ++p) rows_[k][p] |= (code >> p & 1) << bit;
      }
    }
  }

  __device__ Packet packet(unsigned strip, unsigned chunk, unsigned c) const {
    return Packet(solve_.packets[(std::uint64_t{strip} * solve_.chunks + chunk) * columns + c]);
  }

  /// What the strip above hands on, if it is there yet. Right of the last column anything will do.
  __device__ unsigned long long packet_above(unsigned chunk, unsigned c) const {
    if (strip_ == 0 || chunk >= solve_.chunks) return Bits::row_zero().packet();
    return packet(strip_ - 1, chunk, c).load(::cuda::memory_order_relaxed);
  }

  /// Begins to load what a chunk needs.
  __device__ void fetch(unsigned chunk) {
#pragma unroll
    for (unsigned c = 0; c < columns; ++c) {
      above_[c] = packet_above(chunk, c);
#pragma unroll
      for (int p = 0; p < Planes; ++p) {
        const std::uint64_t at = (std::uint64_t{chunk} * columns + c) * Planes + p;
        next_symbols_[c][p] = chunk < solve_.chunks ? solve_.planes[at] : 0;
      }
    }
  }

  /// Waits for h above the strip. False: the solve ends early. Most strips wait for their turn, so they look now and
  /// then, and more rarely at the one word that ends all.
  __device__ bool arrive(unsigned chunk, Bits (&handed)[columns]) {
#pragma unroll
    for (unsigned c = 0; c < columns; ++c) {
      for (unsigned looks = 0; above_[c] == Bits::not_there; ++looks) {
        if (looks % looks_between_stops == looks_between_stops - 1 && is_stopped()) return false;
        __nanosleep(looks < quick_looks ? 0 : nap);
        above_[c] = packet_above(chunk, c);
      }
      handed[c] = Bits::of(above_[c]);
      if (is_last()) sum_ += handed[c].sum(steps_in_b(chunk, c));
    }
    return true;
  }

  __device__ bool is_last() const { return strip_ + 1 == solve_.strips; }
  /// The steps of a chunk whose column c is one of B's: the first one is the highest bit.
  __device__ unsigned steps_in_b(unsigned chunk, unsigned c) const {
    const std::uint64_t first = std::uint64_t{chunk} * chunk_columns + c;
    const std::uint64_t steps = first < solve_.m ? (solve_.m - first + columns - 1) / columns : 0;
    return steps == 0 ? 0 : steps >= warp ? ~0U : ~0U << (warp - steps);
  }

  __device__ bool is_stopped() const { return *static_cast<const volatile unsigned*>(solve_.stop) != 0; }
  __device__ bool report() const {
    if (lane_ == 0) atomicAdd(solve_.reported, 1);
    return !is_stopped();
  }

  /// Moves the window by 32 steps. A word is the one from 32 steps before, moved by a stripe of each lane.
  __device__ void move_window() {
    __syncwarp();
#pragma unroll
    for (unsigned c = 0; c < columns; ++c) {
#pragma unroll
      for (int p = 0; p < Planes; ++p) {
        window_[c][p][lane_] = symbols_[c][p];
        symbols_[c][p] = __funnelshift_l(next_symbols_[c][p] << lane_, symbols_[c][p], 1);
        window_[c][p][warp + lane_] = symbols_[c][p];
      }
    }
    __syncwarp();
  }

  /// Column 2,048 x is passed in window x: in its chunk b by the stripes of bit b, each lane's in the step of its
  /// number.
  __device__ bool passes_kept_column(unsigned chunk) const {
    const unsigned window = chunk / lag;
    return window > 0 && window % solve_.interval == 0 && std::uint64_t{window} * lag * chunk_columns < solve_.m;
  }
  __device__ __forceinline__ void keep_rows(unsigned passing) {
    const auto keep = [&](unsigned word, unsigned kept) { return logic<(A & B) | C>(word, passing, kept); };
#pragma unroll
    for (int k = 0; k < K; ++k) kept_[k] = Bits::each(v_[k], kept_[k], keep);
  }
  __device__ void keep_column_of(unsigned window) {
    unsigned* to =
        solve_.kept + (std::uint64_t{window / solve_.interval - 1} * solve_.strips + strip_) * K * Bits::words * warp;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      kept_[k].store(to + (k * Bits::words * warp + lane_), warp);
      kept_[k] = Bits{};
    }
  }

  /// Runs 32 steps. `handed` is h above the strip, the first step in the highest bit, and is set to h below it.
  template <bool ends, bool keeps>
  __device__ __forceinline__ void run(unsigned chunk, Bits (&handed)[columns]) {
    constexpr int unrolled = ends || K >= 16 ? 1 : 16 / K;
#pragma unroll unrolled
    for (unsigned step = 0; step < warp; ++step) {
#pragma unroll
      for (unsigned c = 0; c < columns; ++c) enter(h_[c], handed[c]);
      if constexpr (keeps) keep_rows(step == lane_ ? 1U << chunk % lag : 0);
#pragma unroll
      for (unsigned c = 0; c < columns; ++c) {
        run_column(c, warp - lane_ + step);
        if (ends) keep_column(std::uint64_t{chunk} * warp + step, c);
      }
    }
  }

  /// `at`: of the symbols in the window.
  __device__ __forceinline__ void run_column(unsigned c, unsigned at) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      unsigned differ = rows_[k][0] ^ window_[c][0][at];
#pragma unroll
      for (int p = 1; p < Planes; ++p) differ = logic<A | (B ^ C)>(differ, rows_[k][p], window_[c][p][at]);
      Bits::cell(differ, h_[c], v_[k]);
    }
  }

  /// Moves h to the next stripe. Lane 0 has the stripes 32 b: it takes those of lane 31 one bit up, the lowest from
  /// `handed`, which takes the highest.
  __device__ __forceinline__ void enter(Bits& h, Bits& handed) const {
    const unsigned up = lane_ == 0 ? 1 : 0;
    const auto before = [&](unsigned word, unsigned) { return __shfl_sync(~0U, word, lane_ + warp - 1); };
    const auto moved = [&](unsigned word, unsigned in) { return __funnelshift_l(in, word, up); };
    const auto taken = [&](unsigned word, unsigned in) { return __funnelshift_l(word, in, 1); };
    const Bits from = Bits::each(h, h, before);
    h = Bits::each(from, handed, moved);
    handed = Bits::each(from, handed, taken);
  }

  __device__ void hand_on(unsigned chunk, const Bits (&handed)[columns]) const {
    if (lane_ != 0 || chunk < lag || is_last()) return;
#pragma unroll
    for (unsigned c = 0; c < columns; ++c) {
      packet(strip_, chunk - lag, c).store(handed[c].packet(), ::cuda::memory_order_relaxed);
    }
  }

  /// Adds v of the stripe whose column c is the last one in this step.
  __device__ void keep_column(std::uint64_t step, unsigned c) {
    const std::uint32_t last = (solve_.m - 1) / columns;
    const auto stripe = static_cast<unsigned>(step - last);
    const bool is_last = c == (solve_.m - 1) % columns && step >= last && step - last < stripes;
    if (!is_last || stripe % warp != lane_) return;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (row(stripe, k) < solve_.n) column_ += v_[k].sum(1U << stripe / warp);
    }
  }

  /// Every lane has the same `sum_`.
  __device__ void add_sums() const {
    const long long sum = column_ + (lane_ == 0 ? sum_ : 0);
    atomicAdd(solve_.sum, static_cast<unsigned long long>(sum));
  }

  const Solve& solve_;
  const unsigned strip_, lane_;
  Window& window_;
  unsigned rows_[K][Planes];
  unsigned symbols_[columns][Planes], next_symbols_[columns][Planes];
  unsigned long long above_[columns];
  Bits h_[columns], v_[K];
  Bits kept_[Keeps ? K : 1] = {};
  long long sum_ = 0;  ///< of h along the row above the strip
  int column_ = 0;     ///< of v along column m, in the lane's stripes
};

/// Warps of a block, at most: as many as the registers allow, up to 4 for each scheduler.
template <int Planes, int K, bool Keeps>
inline constexpr unsigned max_warps = [] {
  constexpr unsigned of_a_row = Planes + 2 + (Keeps ? 2 : 0);
  constexpr unsigned registers = 65536, of_a_thread = K * of_a_row + 2 * columns * Planes + 56;
  return std::min(4 * schedulers, registers / of_a_thread / warp / schedulers * schedulers);
}();

/// Warps take the strips. All blocks run at the same time.
template <Measure measure, int Planes, int K, bool Keeps>
__global__ void __launch_bounds__(max_warps<Planes, K, Keeps>* warp) run_strips(const Solve solve) {
  using Worker = Strip<measure, Planes, K, Keeps>;
  extern __shared__ unsigned shared[];
  auto* const windows = reinterpret_cast<typename Worker::Window*>(shared);
  take_strips(solve.strips, solve.ticket,
              [&](unsigned strip) { Worker(solve, strip, windows[threadIdx.x / warp]).sweep(); });
}

}  // namespace warpfold::sequence::cuda
