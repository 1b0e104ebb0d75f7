#pragma once

#include <cstdint>

#include "permutation/two_passes.cuh"

/// Moves in one pass: by lists of places, by a rotation, and through tiles of a TiledForm.
namespace warpfold::permutation::device {

/// Whether places are those of the words that are written or of the words that are read.
enum class Random { write, read };

/// to[places[i]] = from[i], or to[i] = from[places[i]].
template <Random random, class Word>
__global__ void __launch_bounds__(256)
    move_by_list(std::uint32_t n, const std::uint32_t* places, const Word* from, Word* to) {
  const std::size_t array = std::size_t{blockIdx.y} * n;
  const std::uint32_t begin = blockIdx.x * at_once * blockDim.x;
  const std::uint32_t count = min(at_once * blockDim.x, n - begin);
  std::uint32_t place[at_once];
  Word word[at_once];
  for_group(0, count, [&](int u, std::uint32_t k) { place[u] = places[begin + k]; });
  for_group(0, count,
            [&](int u, std::uint32_t k) { word[u] = from[array + (random == Random::read ? place[u] : begin + k)]; });
  for_group(0, count,
            [&](int u, std::uint32_t k) { to[array + (random == Random::read ? begin + k : place[u])] = word[u]; });
}

/// inverse[permutation[i]] = i.
__global__ void __launch_bounds__(256)
    invert(std::uint32_t n, const std::uint32_t* permutation, std::uint32_t* inverse) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) inverse[permutation[i]] = i;
}

/// to[(i + r) mod n] = from[i].
template <class Word>
__global__ void __launch_bounds__(256) rotate(std::uint32_t n, std::uint32_t r, const Word* from, Word* to) {
  const std::size_t array = std::size_t{blockIdx.y} * n;
  const std::uint32_t begin = blockIdx.x * at_once * blockDim.x;
  const std::uint32_t count = min(at_once * blockDim.x, n - begin);
  Word word[at_once];
  for_group(0, count, [&](int u, std::uint32_t k) {
    const std::uint32_t i = begin + k;
    word[u] = from[array + (i >= r ? i - r : i + (n - r))];
  });
  for_group(0, count, [&](int u, std::uint32_t k) { to[array + begin + k] = word[u]; });
}

/// An axis of a TiledForm.
struct Axis {
  std::uint32_t extent, chunk, parts, from_stride, to_stride;
};

/// A TiledForm with its tables in device memory.
struct Tiles {
  static constexpr int max_axes = 31;
  Axis axes[max_axes];
  int count;
  std::uint32_t offset;
  std::uint32_t ragged[2];
  std::uint32_t words;  ///< of a tile
  std::size_t n;
  const std::uint32_t* from_place;
  const std::uint32_t* from_digits;
  const std::uint32_t* to_place;
  const std::uint32_t* to_digits;
  const std::uint32_t* word;
};

/// Where a tile lies.
struct Tile {
  std::uint32_t from, to;
  std::uint32_t limit[2];  ///< digits of the ragged axes that the tile has
  std::uint32_t rest[2];   ///< digits of the ragged axes from the tile's first on
  bool is_first[2];
  bool is_whole;

  __device__ bool has(std::uint32_t digits) const { return digits % 65536 < limit[0] && digits / 65536 < limit[1]; }
};

__device__ inline Tile find_tile(const Tiles& tiles, std::uint32_t number) {
  Tile tile{0, tiles.offset, {1, 1}, {1, 1}, {true, true}, true};
  for (int a = 0; a < tiles.count; ++a) {
    const Axis& axis = tiles.axes[a];
    const std::uint32_t first = number % axis.parts * axis.chunk;
    number /= axis.parts;
    tile.from += first * axis.from_stride;
    tile.to += first * axis.to_stride;
    for (int side = 0; side < 2; ++side) {
      if (tiles.ragged[side] != static_cast<std::uint32_t>(a)) continue;
      tile.rest[side] = axis.extent - first;
      tile.limit[side] = min(axis.chunk, tile.rest[side]);
      tile.is_first[side] = first == 0;
    }
    tile.is_whole &= first + axis.chunk <= axis.extent;
  }
  return tile;
}

/// Words of a row of a tile.
constexpr std::uint32_t tile_row = 64;

/// Where a row that is written begins or ends: the first place from `place` on whose address is that of a sector.
/// `address` is the address of place 0.
template <class Word>
__device__ std::uint32_t sector_from(const Word* address, std::uint32_t place) {
  constexpr std::uint32_t sector = 32 / sizeof(Word);
  return place +
         (0U - static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address + place) / sizeof(Word))) % sector;
}

/// The rows that a tile reads: more than `tile_row` if those that it writes are skewed.
template <bool skewed, class Word>
constexpr std::uint32_t rows_read = tile_row + (skewed ? std::uint32_t{sizeof(Word) < 4 ? 32 / sizeof(Word) : 8} : 0);

/// A square tile of two axes, read in rows of one and written in rows of the other. An odd pitch keeps both free of
/// bank conflicts. `skewed`: the rows that are written begin and end at complete sectors, because writing a part of a
/// sector costs more than reading a row of the source twice.
template <bool back, bool skewed, class Word>
__global__ void __launch_bounds__(256) move_planes(const Tiles tiles, const Word* from, Word* to) {
  constexpr std::uint32_t warps = 256 / 32, pitch = tile_row + 1;
  constexpr std::uint32_t rows = rows_read<skewed, Word>;
  __shared__ Tile tile;
  if (threadIdx.x == 0) tile = find_tile(tiles, blockIdx.x);
  __syncthreads();
  const std::size_t array = std::size_t{blockIdx.y} * tiles.n;
  Word* const words = shared_block<Word>();
  const Axis& inner = tiles.axes[tiles.ragged[back]];   // of the rows that are read
  const Axis& outer = tiles.axes[tiles.ragged[!back]];  // of the rows that are written
  const std::uint32_t inner_limit = tile.limit[back];
  const bool is_last = tile.rest[!back] <= tile_row;
  const std::uint32_t outer_limit = is_last ? tile.rest[!back] : min(tile.rest[!back], rows);
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Word word[rows / warps][tile_row / 32];
#pragma unroll
  for (std::uint32_t row = 0; row < rows / warps; ++row) {
#pragma unroll
    for (std::uint32_t half = 0; half < tile_row / 32; ++half) {
      const std::uint32_t o = warp + warps * row, i = lane + 32 * half;
      if (o >= outer_limit || i >= inner_limit) continue;
      word[row][half] = from[array + (back ? tile.to + o * outer.to_stride + i * inner.to_stride
                                           : tile.from + o * outer.from_stride + i * inner.from_stride)];
    }
  }
#pragma unroll
  for (std::uint32_t row = 0; row < rows / warps; ++row) {
#pragma unroll
    for (std::uint32_t half = 0; half < tile_row / 32; ++half) {
      words[(warp + warps * row) * pitch + lane + 32 * half] = word[row][half];
    }
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t row = 0; row < tile_row / warps; ++row) {
    const std::uint32_t i = warp + warps * row;
    if (i >= inner_limit) continue;
    const std::uint32_t place = back ? tile.from + i * inner.from_stride : tile.to + i * inner.to_stride;
    const std::uint32_t stride = back ? outer.from_stride : outer.to_stride;  // 1, or -1 for a reversed axis
    Word* const result = to + array + place;
    std::uint32_t begin = 0, end = outer_limit;
    if (skewed && !tile.is_first[!back]) begin = sector_from(result, 0);
    if (skewed && !is_last) end = sector_from(result, tile_row);
#pragma unroll
    for (std::uint32_t o = lane; o < rows; o += 32) {
      if (o < begin || o >= end) continue;
      to[array + (place + o * stride)] = words[o * pitch + i];
    }
  }
}

/// Keeps the rows of a tile in different banks.
__device__ inline std::uint32_t padded(std::uint32_t word) { return word + word / 32; }

/// A tile from the source's order to the result's, or back.
template <bool back, class Word>
__global__ void __launch_bounds__(256) move_tiles(const Tiles tiles, const Word* from, Word* to) {
  __shared__ Tile tile;
  if (threadIdx.x == 0) tile = find_tile(tiles, blockIdx.x);
  __syncthreads();
  const std::size_t array = std::size_t{blockIdx.y} * tiles.n;
  Word* const words = shared_block<Word>();
  const std::uint32_t* const read_place = back ? tiles.to_place : tiles.from_place;
  const std::uint32_t* const read_digits = back ? tiles.to_digits : tiles.from_digits;
  const std::uint32_t* const write_place = back ? tiles.from_place : tiles.to_place;
  const std::uint32_t* const write_digits = back ? tiles.from_digits : tiles.to_digits;
  const std::uint32_t read_begin = back ? tile.to : tile.from, write_begin = back ? tile.from : tile.to;
  for (std::uint32_t base = 0; base < tiles.words; base += at_once * blockDim.x) {
    Word word[at_once];
    std::uint32_t at[at_once];
    for_group(base, tiles.words, [&](int u, std::uint32_t k) {
      if (!tile.is_whole && !tile.has(read_digits[k])) return;
      word[u] = from[array + (read_begin + read_place[k])];
      at[u] = padded(back ? tiles.word[k] : k);
    });
    for_group(base, tiles.words, [&](int u, std::uint32_t k) {
      if (tile.is_whole || tile.has(read_digits[k])) words[at[u]] = word[u];
    });
  }
  __syncthreads();
  for (std::uint32_t base = 0; base < tiles.words; base += at_once * blockDim.x) {
    for_group(base, tiles.words, [&](int, std::uint32_t k) {
      if (!tile.is_whole && !tile.has(write_digits[k])) return;
      to[array + (write_begin + write_place[k])] = words[padded(back ? k : tiles.word[k])];
    });
  }
}

}  // namespace warpfold::permutation::device
