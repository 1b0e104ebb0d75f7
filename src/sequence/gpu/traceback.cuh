#pragma once

#include <cstdint>

#include "sequence/gpu/kernel.cuh"
#include "sequence/gpu/runs.cuh"
#include "sequence/gpu/traceback.hpp"

/// The kernels of a round of the walk (gpu/traceback.hpp), in their order.
namespace warpfold::sequence::cuda {

inline constexpr std::uint32_t no_exit = ~0U;       ///< the walk stops inside the segment
inline constexpr unsigned steps_of_a_run = 64;      ///< at most: a byte has the edit, and the steps but one above it
inline constexpr unsigned steps_ahead = 16;         ///< rows and columns, of what is loaded before the walk is there
inline constexpr unsigned steps_between_looks = 8;  ///< ahead

/// What a round leaves for the host.
struct RoundEnd {
  Position at;             ///< where the walk is
  std::uint32_t segments;  ///< that it has gone through
};

/// The memory of a round on the device.
struct Traceback {
  const Window* windows;
  const Segment* segments;
  std::uint32_t segment_count;
  std::uint32_t column;  ///< where the walk is, in the bottom row of the first segment
  unsigned rows_log;     ///< K, of a stripe, is this power of 2
  uint2* choices;        ///< the bits of 32 stripes, low and high
  std::uint32_t* exits;  ///< column in row `top`, of each entry
  std::uint8_t* runs;
  std::uint32_t* entries;  ///< of the true walk, of each segment
  std::uint32_t* written;  ///< bytes of runs, of each segment
  RoundEnd* end;
};

/// The solve as the walk's GPU sees it: the strips of each GPU.
struct Solves {
  Solve of_gpu[most_gpus];
};

/// Computes and keeps the choices of the windows. A warp computes what lies between two kept states.
template <Measure measure, int Planes, int K>
__global__ void __launch_bounds__(warp) keep_choices(const Solves solves, const Traceback round) {
  const Window window = round.windows[blockIdx.y];
  const Solve& solve = solves.of_gpu[window.strip % solves.of_gpu[0].gpus];
  const unsigned chunk = blockIdx.x * solve.interval;
  if (chunk >= window.chunks) return;
  const std::uint32_t steps = window.columns() + warp;
  auto* const to =
      reinterpret_cast<Choices<K>*>(round.choices + window.choices + choice_of(threadIdx.x, 0, window.columns(), K));
  Strip<measure, Planes, K>(solve, window.strip / solve.gpus)
      .sweep_again(window.first_chunk + chunk, [&](unsigned column, const Choice* choices) {
        const std::uint32_t step = column - window.left;
        if (step < steps) to[step] = Choices<K>(choices);
      });
}

/// The kept choices of a segment's cells.
class Cells {
 public:
  __device__ Cells(const Traceback& round, const Segment& segment)
      : window_(round.windows[segment.window]), rows_log_(round.rows_log), choices_(round.choices + window_.choices) {}

  /// The edit that ends in a cell, as its number.
  [[nodiscard]] __device__ __forceinline__ unsigned edit(const Position& cell) const {
    const uint2 choice = __ldg(choices_ + place(cell));
    const unsigned bit = stripe(cell) % warp;
    return (choice.x >> bit & 1) | (choice.y >> bit & 1) << 1;
  }
  __device__ __forceinline__ void load_ahead(const Position& cell) const {
    asm volatile("prefetch.global.L1 [%0];" ::"l"(choices_ + place(cell)));
  }
  [[nodiscard]] __device__ const Window& window() const { return window_; }

 private:
  [[nodiscard]] __device__ std::uint32_t row(const Position& cell) const {
    return (cell.i - 1) & ((stripes << rows_log_) - 1);
  }
  [[nodiscard]] __device__ std::uint32_t stripe(const Position& cell) const { return row(cell) >> rows_log_; }
  /// A window has fewer than 2^32 choices.
  [[nodiscard]] __device__ std::uint32_t place(const Position& cell) const {
    const std::uint32_t number = stripe(cell);
    const std::uint32_t step = cell.j - 1 - window_.left + number % warp;
    const std::uint32_t of_a_lane = window_.columns() + warp;
    return ((number / warp * of_a_lane + step) << rows_log_) | (row(cell) & ((1U << rows_log_) - 1));
  }

  const Window window_;
  const unsigned rows_log_;
  const uint2* choices_;
};

/// Goes one edit back: a deletion is 2 and an insertion 3.
__device__ __forceinline__ void go_back(Position& at, unsigned edit) {
  at.i -= edit != 3;
  at.j -= edit != 2;
}

/// Finds the exits of all entries. A thread walks from each.
__global__ void find_exits(const Traceback round) {
  const Segment segment = round.segments[blockIdx.y];
  const std::uint32_t entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry >= segment.entries) return;
  const Cells cells(round, segment);
  Position at{segment.bottom, segment.first_entry + entry};
  while (at.i > segment.top && at.j > segment.left) go_back(at, cells.edit(at));
  round.exits[segment.exits + entry] = at.i == segment.top ? at.j : no_exit;
}

/// Follows the true walk by the exits.
__global__ void follow_exits(const Traceback round) {
  std::uint32_t at = round.column, count = 0;
  for (; count < round.segment_count && at != no_exit && at > 0; ++count) {
    const Segment segment = round.segments[count];
    const std::uint32_t entry = at - segment.first_entry;
    if (entry >= segment.entries) break;
    round.entries[count] = at;
    at = round.exits[segment.exits + entry];
  }
  round.end->segments = count;
}

/// Writes the runs of the true walk through each segment. A warp walks together and loads ahead.
__global__ void write_runs(const Traceback round) {
  if (blockIdx.x >= round.end->segments) return;
  const Segment segment = round.segments[blockIdx.x];
  const Cells cells(round, segment);
  RunBytes runs(round.runs + segment.runs);
  Position at{segment.bottom, round.entries[blockIdx.x]};
  const bool writes = threadIdx.x == 0;
  for (unsigned step = 0; at.i > segment.top && at.j > segment.left; ++step) {
    if (step % steps_between_looks == 0) {
      const std::uint32_t aside = at.j + threadIdx.x * 2 - steps_ahead - warp;
      if (at.i > segment.top + steps_ahead && aside - segment.left - 1 < at.j - segment.left) {
        cells.load_ahead({at.i - steps_ahead, aside});
      }
    }
    const unsigned edit = cells.edit(at);
    runs.add(edit, writes);
    go_back(at, edit);
  }
  const unsigned count = runs.end(writes);
  if (!writes) return;
  round.written[blockIdx.x] = count;
  if (blockIdx.x + 1 == round.end->segments) round.end->at = at;
}

}  // namespace warpfold::sequence::cuda
