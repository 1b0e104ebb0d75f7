#pragma once

#include <cstdint>

#include "sequence/gpu/kernel.cuh"
#include "sequence/gpu/runs.cuh"
#include "sequence/gpu/traceback.hpp"
#include "sequence/tuning.hpp"

/// The kernels of a round of the walk (gpu/traceback.hpp), in their order.
namespace warpfold::sequence::cuda {

inline constexpr std::uint32_t no_exit = ~0U;  ///< the walk stops inside the segment
inline constexpr unsigned rows_together = 16;  ///< whose choices a warp has at the same time

/// What a round leaves for the host.
struct RoundEnd {
  Position at;             ///< where the walk is
  std::uint32_t segments;  ///< that it has gone through
};

/// An entry by the numbers of its segment, and in it.
struct Entry {
  std::uint32_t segment, number;
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
  Entry* unknown;        ///< entries between others whose exits differ
  std::uint8_t* runs;
  std::uint32_t* entries;  ///< of the true walk, of each segment
  std::uint32_t* written;  ///< bytes of runs, of each segment
  std::uint32_t* unknown_count;
  RoundEnd* end;
};

/// The solve as the walk's GPU sees it: the strips of each GPU.
struct Solves {
  Solve of_gpu[max_gpus];
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

/// Finds the exit of an entry.
__device__ __forceinline__ void walk_from(const Traceback& round, const Segment& segment, std::uint32_t entry) {
  const Cells cells(round, segment);
  Position at{segment.bottom, segment.first_entry + entry};
  while (at.i > segment.top && at.j > segment.left) go_back(at, cells.edit(at));
  round.exits[segment.exits + entry] = at.i == segment.top ? at.j : no_exit;
}

/// Finds the exits of some entries, the last one included. A thread walks from each.
__global__ void find_some_exits(const Traceback round) {
  const Segment segment = round.segments[blockIdx.y];
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number < segment.walkers()) walk_from(round, segment, min(number * entry_interval, segment.entries - 1));
}

/// Walks do not cross, so the entries between two that have the same exit have it, too. Lists the others.
__global__ void find_exits_between(const Traceback round) {
  const Segment segment = round.segments[blockIdx.y];
  const std::uint32_t entry = blockIdx.x * blockDim.x + threadIdx.x, before = entry / entry_interval * entry_interval;
  if (entry >= segment.entries || entry == before || entry + 1 == segment.entries) return;
  std::uint32_t* const exits = round.exits + segment.exits;
  const std::uint32_t exit = exits[before];
  if (exit == exits[min(before + entry_interval, segment.entries - 1)]) {
    exits[entry] = exit;
  } else {
    round.unknown[atomicAdd(round.unknown_count, 1U)] = {blockIdx.y, entry};
  }
}

/// Finds the exits of the entries that are listed.
__global__ void find_other_exits(const Traceback round) {
  const std::uint32_t count = *round.unknown_count;
  for (std::uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x) {
    const Entry entry = round.unknown[at];
    walk_from(round, round.segments[entry.segment], entry.number);
  }
}

/// Follows the true walk by the exits. A block brings the segments to shared memory, and a thread follows.
__global__ void follow_exits(const Traceback round) {
  __shared__ Segment segments[tuning::gpu_max_segments];
  for (std::uint32_t at = threadIdx.x; at < round.segment_count; at += blockDim.x) segments[at] = round.segments[at];
  __syncthreads();
  if (threadIdx.x != 0) return;
  std::uint32_t at = round.column, count = 0;
  for (; count < round.segment_count && at != no_exit && at > 0; ++count) {
    const Segment& segment = segments[count];
    const std::uint32_t entry = at - segment.first_entry;
    if (entry >= segment.entries) break;
    round.entries[count] = at;
    at = round.exits[segment.exits + entry];
  }
  round.end->segments = count;
}

/// The true walk through a segment, by a warp whose threads all know it. A thread has a column, the first one that of
/// the walk, and the choices of some rows there.
class WarpWalk {
 public:
  __device__ WarpWalk(const Traceback& round, const Segment& segment, const Position& at)
      : cells_(round, segment), segment_(segment), at_(at), runs_(round.runs + segment.runs) {}

  [[nodiscard]] __device__ bool ends() const { return at_.i <= segment_.top || at_.j <= segment_.left; }
  [[nodiscard]] __device__ const Position& at() const { return at_; }
  [[nodiscard]] __device__ unsigned finish() { return runs_.end(writes()); }

  /// Goes on until the walk leaves the rows or the columns.
  __device__ void go_on() {
    const unsigned columns = min(at_.j - segment_.left, warp), rows = min(at_.i - segment_.top, rows_together);
    unsigned edits[rows_together] = {};
    if (threadIdx.x < columns) {
#pragma unroll
      for (unsigned row = 0; row < rows_together; ++row) {
        if (row < rows) edits[row] = cells_.edit({at_.i - row, at_.j - threadIdx.x});
      }
    }
    unsigned column = 0;
#pragma unroll
    for (unsigned row = 0; row < rows_together; ++row) {
      const unsigned low = __ballot_sync(~0U, edits[row] & 1), high = __ballot_sync(~0U, edits[row] >> 1);
      if (row < rows && column < columns) column = go_through(low >> column, high >> column, column, columns);
    }
    at_.j -= column;
  }

 private:
  [[nodiscard]] __device__ bool writes() const { return threadIdx.x == 0; }

  /// Goes through a row: insertions, and an edit that leaves it. Returns the column after it.
  __device__ __forceinline__ unsigned go_through(unsigned low, unsigned high, unsigned column, unsigned columns) {
    const unsigned others = ~(low & high);
    const unsigned left = columns - column,
                   insertions = min(others ? __ffs(static_cast<int>(others)) - 1U : warp, left);
    if (insertions > 0) runs_.add(3, insertions, writes());
    if (insertions == left) return columns;
    const unsigned edit = (low >> insertions & 1) | (high >> insertions & 1) << 1;
    runs_.add(edit, 1, writes());
    --at_.i;
    return column + insertions + (edit != 2);
  }

  const Cells cells_;
  const Segment& segment_;
  Position at_;
  RunBytes runs_;
};

/// Writes the runs of the true walk through each segment.
__global__ void __launch_bounds__(warp) write_runs(const Traceback round) {
  const std::uint32_t number = blockIdx.x, count = round.end->segments;
  if (number >= count) return;
  const Segment segment = round.segments[number];
  WarpWalk walk(round, segment, {segment.bottom, round.entries[number]});
  while (!walk.ends()) walk.go_on();
  const unsigned written = walk.finish();
  if (threadIdx.x != 0) return;
  round.written[number] = written;
  if (number + 1 == count) round.end->at = walk.at();
}

}  // namespace warpfold::sequence::cuda
