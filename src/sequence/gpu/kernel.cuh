#pragma once

#include <algorithm>
#include <cstdint>
#include <cuda/atomic>

#include "sequence/gpu/cells.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/tickets.cuh"

/// Slices on a GPU. A warp works on a strip of 1,024 K rows of A: 32 bits in 32 lanes are 1,024 stripes of K rows.
/// Stripe q is bit q % 32 of lane q / 32, and works on one column in a step: one column behind stripe q - 1, below its
/// last row. So h moves to the next stripe by a shift of the word. The last stripe of a lane hands on 4 columns at a
/// time to the next lane, by one shuffle, so that one is 4 columns behind. Strips are taken in order. Each hands its
/// last row to the next one, 32 columns at a time.
namespace warpfold::sequence::cuda {

inline constexpr unsigned chunks_between_reports = 256;
inline constexpr unsigned quick_looks = 8, nap = 400, looks_between_stops = 64;  ///< of waiting strips, nanoseconds

inline constexpr unsigned max_gpus = 16;  ///< of one solve

/// The memory of a solve on one GPU. Strip s is on GPU s % gpus, and the number s / gpus there.
struct Solve {
  const std::uint32_t* a;
  const std::uint32_t* planes;  ///< of B: for each chunk and plane a word, the first column in the highest bit
  std::uint32_t n, m;
  unsigned chunks;  ///< of 32 columns
  unsigned strips;
  unsigned gpu, gpus;                   ///< this one, and how many there are
  unsigned long long* packets;          ///< above each of its strips but strip 0, for each chunk
  unsigned long long* packets_of_next;  ///< on the next GPU
  unsigned* ticket;                     ///< strips taken here, but the first of each warp
  unsigned* reported;                   ///< counts every chunks_between_reports-th chunk
  const unsigned* stop;                 ///< not 0: ends the solve. On the first GPU
  unsigned long long* sum;  ///< on the first GPU: along the row above the last strip, and from there down column m
  unsigned interval;        ///< chunks between two kept states, a power of two; 0: none is kept
  unsigned* kept;           ///< states of each of its strips, from chunk 0 on

  [[nodiscard]] __host__ __device__ unsigned strips_here() const { return (strips + gpus - 1 - gpu) / gpus; }
};

/// Writes the planes of B. A warp writes a chunk's words.
template <int Planes>
__global__ void pack_columns(const std::uint32_t* b, std::uint32_t m, unsigned chunks, std::uint32_t* planes) {
  const unsigned chunk = (blockIdx.x * blockDim.x + threadIdx.x) / warp, lane = threadIdx.x % warp;
  if (chunk >= chunks) return;
  const std::uint64_t j = std::uint64_t{chunk} * chunk_columns + lane;
  const std::uint32_t code = j < m ? b[j] : 0;
#pragma unroll
  for (unsigned p = 0; p < Planes; ++p) {
    const unsigned word = __brev(__ballot_sync(~0U, code >> p & 1));
    if (lane == p) planes[std::uint64_t{chunk} * Planes + p] = word;
  }
}

/// A warp's strip, by its number on this GPU. K: rows of a stripe.
template <Measure measure, int Planes, int K>
class Strip {
 public:
  using Bits = Difference<measure>;

  __device__ Strip(const Solve& solve, unsigned number)
      : solve_(solve), number_(number), lane_(threadIdx.x % warp), late_(lane_ * lane_steps) {
    set_rows();
#pragma unroll
    for (int k = 0; k < K; ++k) v_[k] = Bits::column_zero();
    set_window(0);
  }

  __device__ void sweep() {
    const unsigned last_chunk = solve_.chunks + lag;
    fetch(0);
    for (unsigned chunk = 0; chunk < last_chunk; ++chunk) {
      if (!arrive(chunk)) return;
      if (solve_.interval && (chunk & (solve_.interval - 1)) == 0) keep_state(chunk);
      const Bits handed = Bits::of(above_);
      move_window();
      fetch(chunk + 1);  // it arrives while this chunk runs
      if (is_last() && std::uint64_t{chunk + 1} * chunk_columns >= solve_.m) {
        run<true>(chunk, handed);
      } else {
        run<false>(chunk, handed);
      }
      if (chunk % chunks_between_reports == 0 && !report()) return;
    }
    if (is_last()) add_sums();
  }

  /// Computes the cells again from a kept state to the next one. visit(column, choices): gets the choices of K rows in
  /// each step. Bit b has those of column `column` - b.
  template <class Visit>
  __device__ void sweep_again(unsigned first, const Visit& visit) {
    restore_state(first);
    fetch(first);
    const unsigned end = min(first + solve_.interval, solve_.chunks + lag);
    for (unsigned chunk = first; chunk < end; ++chunk) {
      const Bits handed = Bits::of(above_);
      move_window();
      fetch(chunk + 1);
      run_again(chunk, handed, visit);
    }
  }

 private:
  using Packet = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_system>;

  __device__ unsigned strip() const { return number_ * solve_.gpus + solve_.gpu; }
  __device__ std::uint64_t row(unsigned stripe, unsigned k) const {
    return (std::uint64_t{strip()} * stripes + stripe) * K + k;
  }

  /// Rows below row n have some symbol. No row above depends on it.
  __device__ void set_rows() {
    for (unsigned of_lane = 0; of_lane < warp; ++of_lane) {
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const std::uint64_t at = row(warp * of_lane + lane_, k);
        const std::uint32_t code = at < solve_.n ? solve_.a[at] : 0;
#pragma unroll
        for (int p = 0; p < Planes; ++p) {
          const unsigned word = __ballot_sync(~0U, code >> p & 1);
          if (of_lane == lane_) rows_[k][p] = word;
        }
      }
    }
  }

  /// What the strip above hands on, if it is there yet. Right of the last column anything will do.
  __device__ unsigned long long packet_above(unsigned chunk) const {
    if (strip() == 0 || chunk >= solve_.chunks) return Bits::row_zero().packet();
    const std::uint64_t before = number_ - (solve_.gpu == 0 ? 1 : 0);
    return Packet(solve_.packets[before * solve_.chunks + chunk]).load(::cuda::memory_order_relaxed);
  }
  /// The symbols of 32 columns. Beside B they may be any.
  __device__ unsigned plane(int chunk, int p) const {
    const bool is_in_b = chunk >= 0 && static_cast<unsigned>(chunk) < solve_.chunks;
    return is_in_b ? solve_.planes[static_cast<std::uint64_t>(chunk) * Planes + p] : 0;
  }

  /// Begins to load what a chunk needs.
  __device__ void fetch(unsigned chunk) {
    above_ = packet_above(chunk);
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
      fetched_[p] = plane(static_cast<int>(chunk) + 1 - static_cast<int>((late_ + 31) / 32), p);
    }
  }

  /// Waits for h above the strip. False: the solve ends early. Most strips wait for their turn, so they look now and
  /// then, and more rarely at the one word that ends all.
  __device__ bool arrive(unsigned chunk) {
    for (unsigned looks = 0; above_ == Bits::not_there; ++looks) {
      if (looks % looks_between_stops == looks_between_stops - 1 && is_stopped()) return false;
      __nanosleep(looks < quick_looks ? 0 : nap);
      above_ = packet_above(chunk);
    }
    if (is_last()) sum_ += Bits::of(above_).sum(columns_in_b(chunk));
    return true;
  }

  __device__ bool is_last() const { return strip() + 1 == solve_.strips; }
  /// The columns of a chunk that B has: the first one is the highest bit.
  __device__ unsigned columns_in_b(unsigned chunk) const {
    const std::uint64_t first = std::uint64_t{chunk} * chunk_columns;
    const std::uint64_t count = first < solve_.m ? solve_.m - first : 0;
    return count == 0 ? 0 : count >= chunk_columns ? ~0U : ~0U << (chunk_columns - count);
  }

  __device__ bool is_stopped() const { return *static_cast<const volatile unsigned*>(solve_.stop) != 0; }
  __device__ bool report() const {
    if (lane_ == 0) atomicAdd(solve_.reported, 1);
    return !is_stopped();
  }

  /// Moves the window by 32 columns. A lane's columns begin amid a word of B's planes.
  __device__ void move_window() {
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
      symbols_[p] = next_symbols_[p];
      next_symbols_[p] = __funnelshift_l(fetched_[p], word_[p], 0U - late_);
      word_[p] = fetched_[p];
    }
  }

  /// Sets the symbols before a chunk.
  __device__ void set_window(unsigned chunk) {
    const int word = static_cast<int>(chunk) - static_cast<int>((late_ + 31) / 32);
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
      word_[p] = plane(word, p);
      next_symbols_[p] = __funnelshift_l(word_[p], plane(word - 1, p), 0U - late_);
    }
  }

  /// A state before a chunk: v of the rows, h, and h that lanes hand on.
  __device__ unsigned* state(unsigned chunk) const {
    const std::uint64_t number = std::uint64_t{chunk / solve_.interval} * solve_.strips_here() + number_;
    return solve_.kept + number * (K + 2) * Bits::words * warp + lane_;
  }
  __device__ void keep_state(unsigned chunk) const {
    unsigned* to = state(chunk);
    const auto keep = [&](const Bits& bits) {
      bits.store(to, warp);
      to += Bits::words * warp;
    };
#pragma unroll
    for (int k = 0; k < K; ++k) keep(v_[k]);
    keep(h_), keep(passed_);
  }
  __device__ void restore_state(unsigned chunk) {
    const unsigned* from = state(chunk);
    const auto restored = [&] {
      const Bits bits = Bits::load(from, warp);
      from += Bits::words * warp;
      return bits;
    };
#pragma unroll
    for (int k = 0; k < K; ++k) v_[k] = restored();
    h_ = restored(), passed_ = restored();
    set_window(chunk);
  }

  /// Runs 32 steps. `handed`: h above the strip, the first step in the highest bit.
  template <bool ends>
  __device__ __forceinline__ void run(unsigned chunk, const Bits& handed) {
    constexpr int unrolled = ends ? 1 : K <= 4 ? batches : 2;
#pragma unroll unrolled
    for (unsigned batch = 0; batch < batches; ++batch) {
      pass_on(batch == 0, handed);
#pragma unroll
      for (unsigned at = 0; at < batch_steps; ++at) {
        const unsigned step = batch * batch_steps + at;
        run_step(step, [](int, unsigned, const Bits&, const Bits&) {});
        if (ends) keep_column(std::uint64_t{chunk} * chunk_columns + step);
      }
      collect();
      if (batch == last_batch) hand_on(chunk);
    }
  }
  template <class Visit>
  __device__ __forceinline__ void run_again(unsigned chunk, const Bits& handed, const Visit& visit) {
#pragma unroll 1
    for (unsigned batch = 0; batch < batches; ++batch) {
      pass_on(batch == 0, handed);
#pragma unroll
      for (unsigned at = 0; at < batch_steps; ++at) {
        const unsigned step = batch * batch_steps + at;
        Choice choices[K];
        run_step(step, [&](int k, unsigned differ, const Bits& above, const Bits& left) {
          choices[k] = Bits::choice(differ, above, left, v_[k]);
        });
        visit(chunk * chunk_columns + step - late_, choices);
      }
    }
  }

  template <class Visit>
  __device__ __forceinline__ void run_step(unsigned step, const Visit& visit) {
    h_ = Bits::each(passed_, h_, [](unsigned in, unsigned word) { return __funnelshift_l(in, word, 1); });
    run_column(step + 1, visit);
    passed_ = Bits::each(h_, passed_, [](unsigned word, unsigned out) { return __funnelshift_l(word, out, 1); });
  }

  /// `shift`: of the window. visit(k, differ, h above, v at the left): called after each cell.
  template <class Visit>
  __device__ __forceinline__ void run_column(unsigned shift, const Visit& visit) {
    unsigned symbols[Planes];
#pragma unroll
    for (int p = 0; p < Planes; ++p) symbols[p] = __funnelshift_lc(next_symbols_[p], symbols_[p], shift);
#pragma unroll
    for (int k = 0; k < K; ++k) {
      unsigned differ = rows_[k][0] ^ symbols[0];
#pragma unroll
      for (int p = 1; p < Planes; ++p) differ = logic<A | (B ^ C)>(differ, rows_[k][p], symbols[p]);
      const Bits above = h_, left = v_[k];
      Bits::cell(differ, h_, v_[k]);
      visit(k, differ, above, left);
    }
  }

  /// Hands on h of the last batch, the lowest bits, to the next lane, which takes it from the highest ones. Lane 0 has
  /// `handed` there, of which a batch remains in each of its turns.
  __device__ __forceinline__ void pass_on(bool is_first, const Bits& handed) {
    const unsigned shift = lane_ == 0 ? 0 : 32 - batch_steps;
    passed_ = Bits::each(passed_, handed, [&](unsigned word, unsigned in) {
      const unsigned from = __shfl_up_sync(~0U, word, 1) << shift;
      return is_first && lane_ == 0 ? in : from;
    });
  }

  /// The last stripe of lane 31 has completed the columns of a word in this batch of a chunk.
  static constexpr unsigned last_batch = (lag_steps / batch_steps - 1) % batches;
  static_assert(lag_steps % batch_steps == 0);
  __device__ __forceinline__ void collect() {
    collected_ = Bits::each(passed_, collected_, [](unsigned out, unsigned word) {
      return __funnelshift_l(out << (32 - batch_steps), word, batch_steps);
    });
  }
  __device__ void hand_on(unsigned chunk) const {
    if (lane_ + 1 != warp || chunk < lag || is_last()) return;
    Packet(solve_.packets_of_next[std::uint64_t{number_} * solve_.chunks + chunk - lag])
        .store(collected_.packet(), ::cuda::memory_order_relaxed);
  }

  /// Adds v of the stripe whose column is the last one in this step.
  __device__ void keep_column(std::uint64_t step) {
    const std::uint64_t stripe = step - (solve_.m - 1) - late_;
    if (stripe >= 32) return;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (row(warp * lane_ + static_cast<unsigned>(stripe), k) < solve_.n) column_ += v_[k].sum(1U << stripe);
    }
  }

  /// Every lane has the same `sum_`.
  __device__ void add_sums() const {
    const long long sum = column_ + (lane_ == 0 ? sum_ : 0);
    atomicAdd_system(solve_.sum, static_cast<unsigned long long>(sum));
  }

  const Solve& solve_;
  const unsigned number_, lane_;
  const unsigned late_;  ///< steps that the lane is behind lane 0
  unsigned rows_[K][Planes];
  /// B's planes: of the stripes' columns, and of the 32 that follow them. The word of B's that ends them, and the next.
  unsigned symbols_[Planes], next_symbols_[Planes], word_[Planes], fetched_[Planes];
  unsigned long long above_;
  Bits h_ = Bits::before(), v_[K];
  Bits passed_ = Bits::before();  ///< h from the lane above, the highest bits, and to the lane below, the lowest ones
  Bits collected_ = Bits::before();
  long long sum_ = 0;  ///< of h along the row above the strip
  int column_ = 0;     ///< of v along column m, in the lane's stripes
};

/// Warps of a block, at most: as many as the registers allow, up to 4 for each scheduler.
template <int Planes, int K>
inline constexpr unsigned max_warps = [] {
  constexpr unsigned registers = 65536, of_a_thread = K * (Planes + 2) + 5 * Planes + 52;
  return std::min(4 * schedulers, registers / of_a_thread / warp / schedulers * schedulers);
}();

/// Warps take the strips of their GPU. All blocks, of all GPUs, run at the same time.
template <Measure measure, int Planes, int K>
__global__ void __launch_bounds__(max_warps<Planes, K>* warp) run_strips(const Solve solve) {
  using Worker = Strip<measure, Planes, K>;
  take_strips(solve.strips_here(), solve.ticket, [&](unsigned number) { Worker(solve, number).sweep(); });
}

}  // namespace warpfold::sequence::cuda
