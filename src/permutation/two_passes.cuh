#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "permutation/block_of.hpp"

/// The two passes of a TwoPassPlan on a GPU, and its planning.
namespace warpfold::permutation::device {

/// A plan in device memory. The names are TwoPassPlan's.
struct TwoPasses {
  std::uint32_t n;
  std::uint32_t block;
  std::uint16_t* first;
  std::uint16_t* second;
  std::uint32_t* run_starts;
  std::uint32_t* runs_before;
  std::uint32_t* shift;

  /// The words of block b.
  __device__ std::uint32_t words(std::uint32_t b) const { return min(block, n - b * block); }

  /// The place in the middle array of a place in the order of the runs.
  __device__ std::uint32_t middle(std::uint32_t place) const {
    const std::uint32_t up_to_place = (2U << place % 32) - 1;
    const std::uint32_t started = runs_before[place / 32] + __popc(run_starts[place / 32] & up_to_place);
    return place + shift[started - 1];
  }
};

constexpr unsigned max_threads = 1024;
constexpr int at_once = 8;  ///< words of a thread in flight

/// As many words as a thread can load or store with one instruction.
template <class Word>
struct alignas(16) Pack {
  static constexpr std::uint32_t words = 16 / sizeof(Word);
  Word word[words];
};

template <class Word>
__device__ bool has_packs(const Word* words) {
  return reinterpret_cast<std::uintptr_t>(words) % 16 == 0;
}

/// Starts to copy a block into shared memory, and waits for it with all threads.
template <class Word>
__device__ void load(Word* shared, const Word* words, std::uint32_t count) {
  constexpr std::uint32_t pack = Pack<Word>::words;
  std::uint32_t done = 0;
  if (has_packs(words)) {
    done = count / pack * pack;
    for (std::uint32_t k = threadIdx.x * pack; k < done; k += blockDim.x * pack) {
      __pipeline_memcpy_async(shared + k, words + k, 16);
    }
    __pipeline_commit();
  }
  for (std::uint32_t k = done + threadIdx.x; k < count; k += blockDim.x) shared[k] = words[k];
  __pipeline_wait_prior(0);
  __syncthreads();
}

/// Writes a block from shared memory, after all threads have filled it.
template <class Word>
__device__ void store(const Word* shared, Word* words, std::uint32_t count) {
  constexpr std::uint32_t pack = Pack<Word>::words;
  __syncthreads();
  std::uint32_t done = 0;
  if (has_packs(words)) {
    done = count / pack * pack;
    for (std::uint32_t k = threadIdx.x * pack; k < done; k += blockDim.x * pack) {
      *reinterpret_cast<Pack<Word>*>(words + k) = *reinterpret_cast<const Pack<Word>*>(shared + k);
    }
  }
  for (std::uint32_t k = done + threadIdx.x; k < count; k += blockDim.x) words[k] = shared[k];
}

template <class Word>
__device__ Word* shared_block() {
  extern __shared__ uint4 shared_words[];
  return reinterpret_cast<Word*>(shared_words);
}

/// Calls visit(u, k) for `at_once` places k of each thread, u = 0, 1, ..; all loads of a group may be in flight.
template <class Visit>
__device__ void for_group(std::uint32_t base, std::uint32_t count, const Visit& visit) {
#pragma unroll
  for (int u = 0; u < at_once; ++u) {
    const std::uint32_t k = base + u * blockDim.x + threadIdx.x;
    if (k < count) visit(u, k);
  }
}

/// The block of words that a thread block works on, in one of the arrays of a batch.
struct BlockPart {
  std::uint32_t begin, count;
  std::size_t array;

  __device__ explicit BlockPart(const TwoPasses& plan)
      : begin(blockIdx.x * plan.block), count(plan.words(blockIdx.x)), array(std::size_t{blockIdx.y} * plan.n) {}
};

/// Writes a block: its word read(k) goes to place place_of(k), for every k below its length.
template <class Word, class Read, class Place>
__device__ void collect(const BlockPart& part, Word* to, const Read& read, const Place& place_of) {
  Word* const words = shared_block<Word>();
  for (std::uint32_t base = 0; base < part.count; base += at_once * blockDim.x) {
    std::uint32_t place[at_once];
    Word word[at_once];
    for_group(base, part.count, [&](int u, std::uint32_t k) {
      word[u] = read(k);
      place[u] = place_of(k);
    });
    for_group(base, part.count, [&](int u, std::uint32_t) { words[place[u]] = word[u]; });
  }
  store(words, to + part.array + part.begin, part.count);
}

/// Pass 1 of a move: a source block to its runs in the middle array.
template <class Word>
__global__ void __launch_bounds__(max_threads) to_runs(TwoPasses plan, const Word* from, Word* middle) {
  const BlockPart part(plan);
  Word* const words = shared_block<Word>();
  load(words, from + part.array + part.begin, part.count);
  for (std::uint32_t base = 0; base < part.count; base += at_once * blockDim.x) {
    std::uint32_t source[at_once], place[at_once];
    for_group(base, part.count, [&](int u, std::uint32_t k) {
      source[u] = plan.first[part.begin + k];
      place[u] = plan.middle(part.begin + k);
    });
    for_group(base, part.count, [&](int u, std::uint32_t) { middle[part.array + place[u]] = words[source[u]]; });
  }
}

/// Pass 2 of a move: each block of the middle array to its places.
template <class Word>
__global__ void __launch_bounds__(max_threads) to_places(TwoPasses plan, const Word* middle, Word* to) {
  const BlockPart part(plan);
  Word* const words = shared_block<Word>();
  load(words, middle + part.array + part.begin, part.count);
  const std::uint16_t* const second = plan.second + part.begin;
  Word* const result = to + part.array + part.begin;
  constexpr std::uint32_t pack = Pack<Word>::words;
  std::uint32_t done = 0;
  if (has_packs(result)) {
    done = part.count / pack * pack;
#pragma unroll 2
    for (std::uint32_t k = threadIdx.x * pack; k < done; k += blockDim.x * pack) {
      struct alignas(2 * pack) Places {
        std::uint16_t place[pack];
      };
      const Places places = *reinterpret_cast<const Places*>(second + k);
      Pack<Word> words_there;
#pragma unroll
      for (std::uint32_t w = 0; w < pack; ++w) words_there.word[w] = words[places.place[w]];
      *reinterpret_cast<Pack<Word>*>(result + k) = words_there;
    }
  }
  for (std::uint32_t k = done + threadIdx.x; k < part.count; k += blockDim.x) result[k] = words[second[k]];
}

/// Pass 1 of a move back: the inverse of pass 2.
template <class Word>
__global__ void __launch_bounds__(max_threads) from_places(TwoPasses plan, const Word* from, Word* middle) {
  const BlockPart part(plan);
  collect(
      part, middle, [&](std::uint32_t k) { return from[part.array + part.begin + k]; },
      [&](std::uint32_t k) { return plan.second[part.begin + k]; });
}

/// Pass 2 of a move back: the inverse of pass 1.
template <class Word>
__global__ void __launch_bounds__(max_threads) from_runs(TwoPasses plan, const Word* middle, Word* to) {
  const BlockPart part(plan);
  collect(
      part, to, [&](std::uint32_t k) { return middle[part.array + plan.middle(part.begin + k)]; },
      [&](std::uint32_t k) { return plan.first[part.begin + k]; });
}

/// Planning, first kernel: the length of each run. lengths[d * blocks + s] is the number of words from source block s
/// to destination block d, and runs[s] the number of runs of s. Shared memory: a counter for each block.
__global__ void __launch_bounds__(max_threads)
    count_runs(TwoPasses plan, BlockOf block_of, const std::uint32_t* permutation, std::uint32_t* lengths,
               std::uint32_t* runs) {
  std::uint32_t* const length = shared_block<std::uint32_t>();
  __shared__ std::uint32_t found;
  if (threadIdx.x == 0) found = 0;
  for (std::uint32_t d = threadIdx.x; d < gridDim.x; d += blockDim.x) length[d] = 0;
  __syncthreads();
  const std::uint32_t* const entries = permutation + blockIdx.x * plan.block;
  for (std::uint32_t k = threadIdx.x; k < plan.words(blockIdx.x); k += blockDim.x) {
    atomicAdd(&length[block_of(entries[k])], 1U);
  }
  __syncthreads();
  for (std::uint32_t d = threadIdx.x; d < gridDim.x; d += blockDim.x) {
    lengths[std::size_t{d} * gridDim.x + blockIdx.x] = length[d];
    if (length[d] > 0) atomicAdd(&found, 1U);
  }
  __syncthreads();
  if (threadIdx.x == 0) runs[blockIdx.x] = found;
}

/// The sum of the values of this thread and those before, and of all threads' values in `total`.
__device__ std::uint32_t sum_up_to(std::uint32_t value, std::uint32_t& total) {
  __shared__ std::uint32_t of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(~0U, value, step);
    if (lane >= step) value += before;
  }
  if (lane == 31) of_warp[warp] = value;
  __syncthreads();
  std::uint32_t sum = lane < blockDim.x / 32 ? of_warp[lane] : 0;
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(~0U, sum, step);
    if (lane >= step) sum += before;
  }
  total = __shfl_sync(~0U, sum, 31);
  const std::uint32_t before = __shfl_sync(~0U, sum, warp == 0 ? 0 : warp - 1);
  __syncthreads();
  return value + (warp == 0 ? 0 : before);
}

/// Planning, second kernel: gives each word its places. places[d * blocks + s] is where the run from s to d begins in
/// the middle array, and runs[s] the number of runs of the blocks before s. Words of a run come in any order. Shared
/// memory: two numbers for each block, and a bit for each word of a block.
__global__ void __launch_bounds__(max_threads)
    place_words(TwoPasses plan, BlockOf block_of, const std::uint32_t* permutation, const std::uint32_t* places,
                const std::uint32_t* runs) {
  const std::uint32_t blocks = gridDim.x, source = blockIdx.x;
  const std::uint32_t begin = source * plan.block, count = plan.words(source), groups = (count + 31) / 32;
  std::uint32_t* const next = shared_block<std::uint32_t>();  // place in the order of the runs
  std::uint32_t* const shift = next + blocks;
  std::uint32_t* const starts = shift + blocks;
  for (std::uint32_t g = threadIdx.x; g < groups; g += blockDim.x) starts[g] = 0;
  std::uint32_t words_before = 0, runs_before = runs[source];
  __syncthreads();
  for (std::uint32_t base = 0; base < blocks; base += blockDim.x) {
    const std::uint32_t d = base + threadIdx.x;
    const std::size_t cell = std::size_t{d} * blocks + source;
    const bool is_last = cell + 1 == std::size_t{blocks} * blocks;
    const std::uint32_t at = d < blocks ? places[cell] : 0;
    const std::uint32_t length = d < blocks ? (is_last ? plan.n : places[cell + 1]) - at : 0;
    std::uint32_t words = 0, found = 0;
    const std::uint32_t start = words_before + sum_up_to(length, words) - length;
    const std::uint32_t run = runs_before + sum_up_to(length > 0, found) - 1;
    words_before += words;
    runs_before += found;
    if (length == 0) continue;
    next[d] = begin + start;
    shift[d] = plan.shift[run] = at - (begin + start);
    atomicOr(&starts[start / 32], 1U << start % 32);
  }
  __syncthreads();
  runs_before = runs[source];
  for (std::uint32_t base = 0; base < groups; base += blockDim.x) {
    const std::uint32_t g = base + threadIdx.x;
    const std::uint32_t bits = g < groups ? starts[g] : 0;
    std::uint32_t found = 0;
    const std::uint32_t before = runs_before + sum_up_to(__popc(bits), found) - __popc(bits);
    runs_before += found;
    if (g >= groups) continue;
    plan.run_starts[begin / 32 + g] = bits;
    plan.runs_before[begin / 32 + g] = before;
  }
  for (std::uint32_t k = threadIdx.x; k < count; k += blockDim.x) {
    const std::uint32_t target = permutation[begin + k];
    const std::uint32_t d = block_of(target);
    const std::uint32_t place = atomicAdd(&next[d], 1U);
    plan.first[place] = static_cast<std::uint16_t>(k);
    plan.second[target] = static_cast<std::uint16_t>(place + shift[d] - d * plan.block);
  }
}

}  // namespace warpfold::permutation::device
