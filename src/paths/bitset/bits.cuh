#pragma once

#include "paths/bitset/in_core_bits.hpp"
#include "tiles/shapes.hpp"

/// Reachability on the device, 32 vertices per word: Warshall's turns, 128 of them (pivots) per round. A round has two
/// kernels. It first closes the pivots' own square, which tells which vertices each pivot reaches through pivots. It
/// then updates the pivots' rows, and then adds to every row the rows of the pivots that it reaches.
///
/// Nothing is rounded, and every bit that a word may gain is correct. So the order of turns within a round does not
/// matter.
///
/// Rows are combined four at a time by tables of their unions (Arlazarov, Dinic, Kronrod and Faradzev, 1970: "four
/// Russians"), one band of 1024 columns after another.
namespace warpfold::paths::device {

using BitVector = tiles::device::Vector<std::uint32_t>;
static_assert(band_words == BitVector::width * band_threads && pivot_words == BitVector::width);

__device__ __forceinline__ BitVector load_bits(const std::uint32_t* from) {
  return *reinterpret_cast<const BitVector*>(from);
}
__device__ __forceinline__ void store_bits(std::uint32_t* to, const BitVector& bits) {
  *reinterpret_cast<BitVector*>(to) = bits;
}
__device__ __forceinline__ BitVector operator|(const BitVector& a, const BitVector& b) {
  BitVector both;
#pragma unroll
  for (int x = 0; x < BitVector::width; ++x) both.value[x] = a.value[x] | b.value[x];
  return both;
}

/// The unions of each four of the pivots' rows in a band, for every choice among the four: 64 KiB. Each of the
/// `band_threads` that share a row has one vector, so that no two conflict in a bank.
struct BandUnions {
  static constexpr int groups = pivots / 4, choices = 16;
  static_assert(groups * band_threads == bits_threads);
  BitVector unions[groups][choices][band_threads];

  /// Builds the unions of the rows, which are `stride` words apart. Each thread builds those of one group and vector.
  __device__ __forceinline__ void fill(const std::uint32_t* rows, std::size_t stride) {
    const int group = static_cast<int>(threadIdx.x) / band_threads,
              place = static_cast<int>(threadIdx.x) % band_threads;
    BitVector of[choices] = {};
#pragma unroll
    for (int x = 0; x < 4; ++x) of[1 << x] = load_bits(rows + (4 * group + x) * stride + BitVector::width * place);
#pragma unroll
    for (int choice = 0; choice < choices; ++choice) {
      of[choice] = of[choice & (choice - 1)] | of[choice & -choice];
      unions[group][choice][place] = of[choice];
    }
    __syncthreads();
  }

  /// Returns the thread's vector of the chosen rows.
  [[nodiscard]] __device__ __forceinline__ BitVector of(const BitVector& chosen) const {
    constexpr int groups_a_word = 8;
    const int place = static_cast<int>(threadIdx.x) % band_threads;
    BitVector all = {};
#pragma unroll
    for (int group = 0; group < groups; ++group) {
      const unsigned choice = chosen.value[group / groups_a_word] >> 4 * (group % groups_a_word) & (choices - 1);
      all = all | unions[group][choice][place];
    }
    return all;
  }
};

/// The shared memory of take_pivots.
struct PivotBits {
  BandUnions rows;
  BitVector closed[pivots];  ///< which pivots each pivot reaches by way of pivots
  BitVector turn[2];         ///< the row of the pivot whose turn it is, and of the next
};

/// Applies the turns of the square: one row per thread, and a barrier per turn.
__device__ __forceinline__ void close_square(const std::uint32_t* square, std::size_t stride, PivotBits& bits) {
  const int i = static_cast<int>(threadIdx.x);
  BitVector row = {};
  if (i < pivots) row = load_bits(square + i * stride);
#pragma unroll
  for (int word = 0; word < pivot_words; ++word) {
#pragma unroll 1
    for (int bit = 0; bit < 32; ++bit) {
      const int k = 32 * word + bit;
      if (i == k) bits.turn[k % 2] = row;
      __syncthreads();
      if (row.value[word] >> bit & 1) row = row | bits.turn[k % 2];
    }
  }
  if (i < pivots) bits.closed[i] = row;
  __syncthreads();
}

/// Updates the pivots' rows in a band of columns. It also copies the words in the pivots' columns of as many rows as
/// the band has columns, because the whole table is in memory when the kernel starts.
__global__ void __launch_bounds__(bits_threads)
    take_pivots(const __grid_constant__ BitTable table, const __grid_constant__ PivotLines lines, std::size_t first) {
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& bits = *reinterpret_cast<PivotBits*>(bytes);
  const std::uint32_t* pivot_columns = table.words + first / 32;
  for (std::size_t row = threadIdx.x; row < band_bits; row += bits_threads) {
    const std::size_t i = blockIdx.x * band_bits + row;
    store_bits(lines.columns + i * pivot_words, load_bits(pivot_columns + i * table.stride));
  }
  close_square(pivot_columns + first * table.stride, table.stride, bits);
  const std::size_t band = std::size_t{blockIdx.x} * band_words;
  bits.rows.fill(table.words + first * table.stride + band, table.stride);
  const std::size_t column = band + BitVector::width * (threadIdx.x % band_threads);
#pragma unroll 1
  for (int k = static_cast<int>(threadIdx.x) / band_threads; k < pivots; k += bits_threads / band_threads) {
    store_bits(lines.rows + k * table.stride + column, bits.rows.of(bits.closed[k]));
  }
}

/// Adds to every row what it reaches by the pivots, in a band of columns (blockIdx.x), `rows_a_bits_block` rows per
/// block. Shared memory: BandUnions; one barrier. Traffic per round: every word is read, and written if its row reaches
/// a pivot.
__global__ void __launch_bounds__(bits_threads)
    take_up(const __grid_constant__ BitTable table, const __grid_constant__ PivotLines lines) {
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& unions = *reinterpret_cast<BandUnions*>(bytes);
  const std::size_t band = std::size_t{blockIdx.x} * band_words;
  unions.fill(lines.rows + band, table.stride);
  const std::size_t column = band + BitVector::width * (threadIdx.x % band_threads);
  const std::size_t end = (blockIdx.y + std::size_t{1}) * rows_a_bits_block;
#pragma unroll 2
  for (std::size_t i = end - rows_a_bits_block + threadIdx.x / band_threads; i < end;
       i += bits_threads / band_threads) {
    const BitVector chosen = load_bits(lines.columns + i * pivot_words);
    if ((chosen.value[0] | chosen.value[1] | chosen.value[2] | chosen.value[3]) == 0) continue;
    std::uint32_t* words = table.words + i * table.stride + column;
    store_bits(words, load_bits(words) | unions.of(chosen));
  }
}

/// Fills rows of the table before the first turn from a strip of edges, one block per row. Every vertex reaches itself.
__global__ void pack_edges(const __grid_constant__ BitTable table, const std::uint8_t* edges, std::size_t first,
                           std::size_t vertices) {
  const std::size_t i = first + blockIdx.x;
  for (std::size_t j = threadIdx.x; j < 32 * table.stride; j += blockDim.x) {
    const bool inside = i < vertices && j < vertices;
    const unsigned word = __ballot_sync(~0U, inside && (i == j || edges[blockIdx.x * vertices + j] != 0));
    if (threadIdx.x % 32 == 0) table.words[i * table.stride + j / 32] = word;
  }
}

/// Writes a strip of the result, one block per row.
__global__ void unpack_bits(const __grid_constant__ BitTable table, std::uint8_t* lengths, std::size_t first,
                            std::size_t vertices) {
  const std::uint32_t* row = table.words + (first + blockIdx.x) * table.stride;
  for (std::size_t j = threadIdx.x; j < vertices; j += blockDim.x) {
    lengths[blockIdx.x * vertices + j] = row[j / 32] >> j % 32 & 1;
  }
}

}  // namespace warpfold::paths::device
