#pragma once

#include <algorithm>

#include "minplus/kernels.cuh"
#include "paths/backends.hpp"
#include "paths/dense/rounds.hpp"
#include "paths/dense/shapes.hpp"
#include "paths/tuning.hpp"
#include "tiles/gpu/notes.cuh"

/// All shortest paths on the device: Floyd and Warshall's turns, 64 per round. A round has two kernels.
///
/// `take_turns` finds the round's rows and columns as their turns find them. This is an elimination, as for linear
/// equations. Row k, as turn k of the round finds it, is
///
///     r_k(j) = plus(D(k,j), times(c_0(k), r_0(j)), .., times(c_k-1(k), r_k-1(j)))
///
/// and column k likewise is c_k(i) = plus(D(i,k), times(c_0(i), r_0(k)), ..). Besides itself a row needs only the
/// columns in the diagonal tile. So one thread can compute each row and each column once the diagonal tile is done,
/// which each block does for itself.
///
/// `multiply_lengths` and `multiply_successors` add the product of those columns and rows to the whole table. In the
/// round's own rows and columns this applies the turns before and after their own, and their own turn changes nothing.
namespace warpfold::paths::device {

using namespace minplus::device;

/// The lines of the diagonal tile at their turns.
template <class T>
struct DiagonalLines {
  T rows[turns][turns];
  T columns[turns][turns];
};

/// Entry x of line k becomes its entry k + 1 + x (modulo `turns`). So the entries after a line's turn begin at a
/// complete vector.
template <class T>
__device__ __forceinline__ void shift_lines(T (&to)[turns][turns], const T (&from)[turns][turns]) {
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < turns * turns; at += panel_threads) {
    const int k = at / turns, number = at % turns;
    to[k][(number - k - 1) & (turns - 1)] = from[k][number];
  }
  __syncthreads();
}

/// Applies the turns of the diagonal tile to the entries that its lines still need, one barrier per turn. 8 x 4 values
/// per thread in registers.
template <class Tag, class T = typename Tag::Value>
__device__ __forceinline__ void take_diagonal_turns(const T* tile, std::size_t stride, std::size_t first,
                                                    unsigned* cycle, DiagonalLines<T>& lines) {
  using Arith = Arithmetic<Tag>;
  constexpr int across = 16, down = panel_threads / across, rows = turns / down, columns = turns / across;
  const int x = static_cast<int>(threadIdx.x) % across, y = static_cast<int>(threadIdx.x) / across;
  T value[rows][columns];
#pragma unroll
  for (int u = 0; u < rows; ++u)
#pragma unroll
    for (int v = 0; v < columns; ++v) {
      value[u][v] = tile[(y + u * down) * stride + x + v * across];
    }
#pragma unroll
  for (int part = 0; part < rows; ++part) {
    const int column = part * down / across;
#pragma unroll 1
    for (int t = 0; t < down; ++t) {
      const int k = part * down + t;
      const bool has_row = y == t, has_column = x == k % across;
#pragma unroll
      for (int v = 0; v < columns; ++v) {
        if (has_row) lines.rows[k][x + v * across] = value[part][v];
      }
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        if (has_column) lines.columns[k][y + u * down] = value[u][column];
      }
      if (has_row && has_column && Arith::better(value[part][column], Tag::one())) {
        atomicMin(cycle, static_cast<unsigned>(first) + k);
      }
      __syncthreads();
      T right[columns];
#pragma unroll
      for (int v = column; v < columns; ++v) right[v] = lines.rows[k][x + v * across];
#pragma unroll
      for (int u = part; u < rows; ++u) {
        const T left = lines.columns[k][y + u * down];
#pragma unroll
        for (int v = column; v < columns; ++v) value[u][v] = Arith::plus(value[u][v], Arith::times(left, right[v]));
      }
    }
  }
}

/// The values of a line that are next to each other.
template <int Count, class U>
__device__ __forceinline__ void load_line(U (&line)[Count], const U* from) {
#pragma unroll
  for (int k = 0; k < Count; k += Vector<U>::width) {
    const auto vector = *reinterpret_cast<const Vector<U>*>(from + k);
#pragma unroll
    for (int x = 0; x < Vector<U>::width; ++x) line[k + x] = vector.value[x];
  }
}

/// A thread's row or column: the values whose turns are still to come, with or without their successors.
template <class Tag, bool WithSuccessors>
struct Line {
  using T = typename Tag::Value;
  T value[turns];
  std::uint32_t successor[WithSuccessors ? turns : 1];

  /// Applies the turns, whose diagonal part is `lines`, and writes what each finds, `stride` apart. With each turn all
  /// values move down by one, at no cost. So the loop is short, and the values stay in registers.
  __device__ __forceinline__ void take_turns(const T (&lines)[turns][turns], T* kept, std::uint32_t* kept_successors,
                                             std::size_t stride) {
    constexpr int parts = 4, part_turns = turns / parts;
#pragma unroll
    for (int part = 0; part < parts; ++part) {
#pragma unroll 1
      for (int k = part * part_turns; k < (part + 1) * part_turns; ++k) {
        const T found = value[0];
        const std::uint32_t found_successor = successor[0];
        kept[k * stride] = found;
        if constexpr (WithSuccessors) kept_successors[k * stride] = found_successor;
#pragma unroll
        for (int x = 0; x < turns - part * part_turns; x += Vector<T>::width) {
          const auto factors = *reinterpret_cast<const Vector<T>*>(&lines[k][x]);
#pragma unroll
          for (int y = x; y < x + Vector<T>::width && y + 1 < turns - part * part_turns; ++y) {
            const T old = value[y + 1], candidate = Arithmetic<Tag>::times(factors.value[y - x], found);
            value[y] = Arithmetic<Tag>::plus(old, candidate);
            if constexpr (WithSuccessors) {
              successor[y] = Arithmetic<Tag>::better(candidate, old) ? found_successor : successor[y + 1];
            }
          }
        }
      }
    }
  }
};

/// Writes the turns of a block's lines with the entries of each vertex together. kept: the thread's line, `stride`
/// apart; to: the block's first vertex, `width` from one to the next. All threads of the block must come here.
template <class T>
__device__ __forceinline__ void write_vertices(T* shared, const T* kept, std::size_t stride, T* to, std::size_t width) {
  const auto place = [](int vertex, int turn) { return vertex * turns + (turn ^ vertex % 32); };
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
#pragma unroll 8
  for (int k = 0; k < turns; ++k) shared[place(thread, k)] = kept[k * stride];
  __syncthreads();
#pragma unroll 8
  for (int at = thread; at < panel_threads * turns; at += panel_threads) {
    const int vertex = at / turns, turn = at % turns;
    to[vertex * width + turn] = shared[place(vertex, turn)];
  }
}

/// Computes the round's rows, in complete blocks, and then its columns. Shared memory: panel_shared_bytes. Barriers:
/// one per turn.
template <class Tag, bool WithSuccessors>
__global__ void __launch_bounds__(panel_threads)
    take_turns(const __grid_constant__ Part<typename Tag::Value> across,
               const __grid_constant__ Part<typename Tag::Value> down,
               const __grid_constant__ Lines<typename Tag::Value> found, std::size_t first) {
  using T = typename Tag::Value;
  if (*found.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& lines = *reinterpret_cast<DiagonalLines<T>*>(bytes);
  take_diagonal_turns<Tag>(across.lengths + first, across.stride, first, found.cycle, lines);
  const bool of_row = blockIdx.x < found.n / panel_threads;
  const std::size_t at = blockIdx.x * panel_threads + threadIdx.x - (of_row ? 0 : found.n);
  if (of_row) {
    Line<Tag, false> row;
#pragma unroll
    for (int k = 0; k < turns; ++k) row.value[k] = across.lengths[k * across.stride + at];
    shift_lines(lines.rows, lines.columns);
    row.take_turns(lines.rows, found.rows + at, nullptr, found.n);
    if constexpr (WithSuccessors) {
      write_vertices(&lines.rows[0][0], found.rows + at, found.n,
                     found.rows_of_vertices + (at - threadIdx.x) * found.width + found.first, found.width);
    }
  } else {
    Line<Tag, WithSuccessors> column;
    load_line(column.value, down.lengths + at * down.stride);
    if constexpr (WithSuccessors) load_line(column.successor, down.successors + at * down.stride);
    shift_lines(lines.columns, lines.rows);
    column.take_turns(lines.columns, found.columns + at, found.column_successors + at, found.n);
    if constexpr (WithSuccessors) {
      write_vertices(&lines.rows[0][0], found.columns + at, found.n,
                     found.columns_of_vertices + (at - threadIdx.x) * found.width + found.first, found.width);
    }
  }
}

/// The areas of a product one after the other, `first_block` of each and its blocks from left to right.
template <class T>
struct AreasOfProduct {
  struct Placed {
    Part<T> part;
    const T *rows, *columns;
    unsigned first_block, across;
  };
  Placed placed[max_areas];
  int count;
  std::size_t n;  ///< from one line to the next
  const unsigned* cycle;
  std::size_t first;  ///< turn of the lines, for notes

  /// The one that has the block.
  [[nodiscard]] __device__ __forceinline__ const Placed& of_block() const {
    int area = 0;
    while (area + 1 < count && blockIdx.x >= placed[area + 1].first_block) ++area;
    return placed[area];
  }
};

/// A block's part of the table, and the round's lines that it multiplies, in shared memory. It is made again for the
/// writes, so that it holds no registers during the product.
template <class T, class Shape>
struct ProductBlock {
  static constexpr int half = turns / 2;

  using Areas = AreasOfProduct<T>;

  T* shared;
  const typename Areas::Placed& area;
  std::size_t first_row, first_column;
  int thread;

  __device__ __forceinline__ ProductBlock(unsigned char* bytes, const Areas& areas)
      : shared(reinterpret_cast<T*>(bytes)), area(areas.of_block()), thread(thread_anew()) {
    const unsigned block = blockIdx.x - area.first_block;
    first_row = std::size_t{block / area.across} * Shape::block_rows;
    first_column = std::size_t{block % area.across} * Shape::block_columns;
  }

  __device__ __forceinline__ T* columns() const { return shared; }
  __device__ __forceinline__ T* rows() const { return shared + turns * Shape::block_rows; }

  /// Calls add(turn) for each `half` of the first `depth` turns once they are in shared memory, while the next ones are
  /// copied. Calls meanwhile() while the first ones are copied. Two barriers per half.
  template <class Meanwhile, class Add>
  static __device__ __forceinline__ void each_half(unsigned char* bytes, const Areas& areas, int depth,
                                                   const Meanwhile& meanwhile, const Add& add) {
    const auto start_copy = [&](int turn) {
      if (turn < depth) ProductBlock(bytes, areas).start_copy(areas.n, turn);
      copy_commit();
    };
    start_copy(0);
    start_copy(half);
    meanwhile();
#pragma unroll 1
    for (int turn = 0; turn < depth; turn += half) {
      copy_wait<1>();
      __syncthreads();
      add(turn);
      __syncthreads();
      start_copy(turn + turns);
    }
  }

  /// The thread's place in its group, and the group's first column.
  [[nodiscard]] __device__ __forceinline__ int thread_row() const {
    return thread % Shape::group_threads / Shape::thread_columns;
  }
  [[nodiscard]] __device__ __forceinline__ int thread_column() const { return thread % Shape::thread_columns; }
  [[nodiscard]] __device__ __forceinline__ int across() const { return thread / Shape::group_threads * tile_side; }
  /// The thread's row u and column v within the block.
  [[nodiscard]] __device__ __forceinline__ int row(int u) const {
    return place_in_line<T, Shape::thread_rows>(thread_row(), u);
  }
  [[nodiscard]] __device__ __forceinline__ int column(int v) const {
    return across() + place_in_line<T, Shape::thread_columns>(thread_column(), v);
  }

  /// The place of the thread's result (u,v) in the part.
  [[nodiscard]] __device__ __forceinline__ std::size_t place(int u, int v) const {
    return (first_row + row(u)) * area.part.stride + first_column + column(v);
  }
  /// The thread's results.
  __device__ __forceinline__ void load(T (&value)[Shape::rows][Shape::columns]) const {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; v += Vector<T>::width) {
        const auto vector = *reinterpret_cast<const Vector<T>*>(area.part.lengths + place(u, v));
#pragma unroll
        for (int x = 0; x < Vector<T>::width; ++x) value[u][v + x] = vector.value[x];
      }
  }
  __device__ __forceinline__ void store(const T (&value)[Shape::rows][Shape::columns]) const {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; v += Vector<T>::width) {
        Vector<T> vector;
#pragma unroll
        for (int x = 0; x < Vector<T>::width; ++x) vector.value[x] = value[u][v + x];
        *reinterpret_cast<Vector<T>*>(area.part.lengths + place(u, v)) = vector;
      }
  }

 private:
  /// Starts the copies of a half of `turns` to its place.
  __device__ __forceinline__ void start_copy(std::size_t n, int first_turn) const {
    copy<half, Shape::block_rows>(columns(), area.columns, first_turn, first_row, n);
    copy<half, Shape::block_columns>(rows(), area.rows, first_turn, first_column, n);
  }
  template <int Turns, int Width, class U>
  static __device__ __forceinline__ void copy(U* to, const U* lines, int first_turn, std::size_t first, std::size_t n) {
    using Copy = BlockCopy<Turns, Width, Shape::threads, U>;
    const std::size_t row = Copy::row(), column = Copy::column();
    Copy::template start<Width>(to + (first_turn % turns + row) * Width + column,
                                lines + (first_turn + row) * n + first + column, n);
  }
};

/// lengths = plus(lengths, columns (x) rows) for `depth` turns, one block of results per thread block. Half of `turns`
/// are copied while the other half is added. Shared memory: product_shared_bytes. Two barriers per half. Traffic per
/// result: one value read and one written, and per term 3/128 values of the lines (2/64 for 8 bytes) from L2.
template <class Arith, class Shape = LengthsShape<typename Arith::Value>>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    multiply_lengths(const __grid_constant__ AreasOfProduct<typename Arith::Value> areas, int depth) {
  using Block = ProductBlock<typename Arith::Value, Shape>;
  if (*areas.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  const Block block(bytes, areas);
  Accumulator<Arith> sum;
  const auto load = [&] { block.load(sum.value); };
  Block::each_half(bytes, areas, depth, load, [&](int turn) {
    const int place = turn % turns;
    sum.template add_by_k<Block::half, Shape::block_rows, Shape::block_columns>(
        block.columns() + place * Shape::block_rows, block.rows() + place * Shape::block_columns + block.across(),
        block.thread_row(), block.thread_column());
  });
  Block(bytes, areas).store(sum.value);
}

inline constexpr int checked_turns = 16;  ///< of a group whose number is noted
static_assert(std::max(wide_successors.back().turns, widest_turns) / checked_turns <= max_noted_groups);

/// A note in the place of a successor: the group of turns that has it. Vertices take 31 bits.
inline constexpr std::uint32_t note_bit = 1U << 31;
__device__ __forceinline__ bool is_note(std::uint32_t successor) {
  return successor >= note_bit && successor != no_vertex;
}

/// The same with successors: notes the group of turns that has the successor of each length that became better. Traffic
/// per term: 2/64 values of the lines.
template <class Arith, class Shape = SuccessorsShape<typename Arith::Value>>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    multiply_successors(const __grid_constant__ AreasOfProduct<typename Arith::Value> areas, int depth) {
  using Block = ProductBlock<typename Arith::Value, Shape>;
  using Noted = NotedResults<Arith>;
  static_assert(Block::half == 2 * checked_turns);
  if (*areas.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  const Block block(bytes, areas);
  Noted sum;
  const auto load = [&] {
    sum.clear_notes();
    block.load(sum.value);
  };
  Block::each_half(bytes, areas, depth, load, [&](int turn) {
    typename Noted::Values other;
    const auto add = [&](const auto& before, auto& after, int first) {
      const int place = first % turns;
      sum.template add_group<checked_turns, Shape::block_rows, Shape::block_columns>(
          before, after, block.columns() + place * Shape::block_rows, block.rows() + place * Shape::block_columns,
          block.thread_row(), block.thread_column(), static_cast<std::uint32_t>(first / checked_turns));
    };
    add(sum.value, other, turn);
    add(other, sum.value, turn + checked_turns);
  });
  const Block result(bytes, areas);
  const std::uint32_t first_note = note_bit | static_cast<std::uint32_t>(areas.first / checked_turns);
#pragma unroll
  for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
    for (int v = 0; v < Shape::columns; ++v) {
      const std::uint32_t group = sum.note(u, v);
      if (group == Noted::never) continue;
      const std::size_t place = result.place(u, v);
      result.area.part.lengths[place] = sum.value[u][v];
      result.area.part.successors[place] = first_note + group;
    }
}

inline constexpr unsigned search_columns = 32, search_rows = 8;  ///< of a block, a warp for each row

/// Replaces notes by successors: those of the first turn of the group that gives the length. A few lanes read a group's
/// entries, 16 bytes each, for one length after the other. Values are compared, not bits, because -0 is 0.
template <class Arith>
__global__ void __launch_bounds__(search_columns* search_rows)
    search_notes(const __grid_constant__ Part<typename Arith::Value> part,
                 const __grid_constant__ Lines<typename Arith::Value> lines) {
  using T = typename Arith::Value;
  constexpr unsigned width = Vector<T>::width, group = checked_turns / width;
  if (*lines.cycle != no_vertex) return;
  const unsigned lane = threadIdx.x, place = lane % group;
  const std::size_t row = blockIdx.y * search_rows + threadIdx.y, column = blockIdx.x * search_columns + lane;
  const std::size_t at = row * part.stride + column;
  const std::uint32_t note = part.successors[at];
  const T length = part.lengths[at];
  if (!__any_sync(all_lanes, is_note(note))) return;
  const T* left = lines.columns_of_vertices + row * lines.width + place * width;
  const T* right = lines.rows_of_vertices + (column - place) * lines.width + place * width;
  Vector<T> a[group], b[group];
#pragma unroll
  for (unsigned turn = 0; turn < group; ++turn) {
    const std::uint32_t number = __shfl_sync(all_lanes, note, turn, group);
    const std::uint32_t first = is_note(number) ? (number - note_bit) * checked_turns : 0;
    a[turn] = *reinterpret_cast<const Vector<T>*>(left + first);
    b[turn] = *reinterpret_cast<const Vector<T>*>(right + turn * lines.width + first);
  }
  std::uint32_t found = 0;
#pragma unroll
  for (unsigned turn = 0; turn < group; ++turn) {
    const T sought = __shfl_sync(all_lanes, length, turn, group);
    unsigned x = width;
#pragma unroll
    for (int y = width - 1; y >= 0; --y) {
      if (Arith::times(a[turn].value[y], b[turn].value[y]) == sought) x = y;
    }
    const unsigned lanes = __ballot_sync(all_lanes, x < width) >> (lane - place) & ((1U << group) - 1);
    const unsigned here = __shfl_sync(all_lanes, place * width + x, __ffs(lanes) - 1, group);
    if (place == turn) found = here;
  }
  if (!is_note(note)) return;
  const auto turn =
      static_cast<std::ptrdiff_t>((note - note_bit) * checked_turns + found) - static_cast<std::ptrdiff_t>(lines.first);
  part.successors[at] =
      lines.column_successors[turn * static_cast<std::ptrdiff_t>(lines.n) + static_cast<std::ptrdiff_t>(row)];
}

/// Some rows of a graph of `vertices` vertices, dense on the device.
template <class T>
struct Strip {
  T* values;
  std::size_t first_row, vertices;
};

/// Fills rows of the table before the first turn, one block per row of `side` entries. The table begins with the first
/// of them. Entries beyond the vertices become zero(). `negative` becomes 1 if a length is below 0.
template <class Tag>
__global__ void take_edges(const __grid_constant__ Part<typename Tag::Value> table, std::size_t side,
                           const __grid_constant__ Strip<const typename Tag::Value> edges, unsigned* negative) {
  using T = typename Tag::Value;
  const std::size_t n = edges.vertices, i = edges.first_row + blockIdx.x;
  for (std::size_t j = threadIdx.x; j < side; j += blockDim.x) {
    const bool inside = i < n && j < n;
    const T edge = inside ? edges.values[blockIdx.x * n + j] : Tag::zero();
    const T length = inside ? first_length<Tag>(edge, i == j) : Tag::zero();
    table.lengths[blockIdx.x * table.stride + j] = length;
    if (length < 0) *negative = 1;
    if (!table.successors) continue;
    table.successors[blockIdx.x * table.stride + j] = inside ? first_successor<Tag>(edge, i, j) : no_vertex;
  }
}

/// One block per row.
template <class T>
__global__ void clear(const __grid_constant__ Part<T> part, std::size_t columns, T zero) {
  const std::size_t first = blockIdx.x * part.stride;
  for (std::size_t j = threadIdx.x; j < columns; j += blockDim.x) {
    part.lengths[first + j] = zero;
    if (part.successors) part.successors[first + j] = no_vertex;
  }
}

/// Writes the strip's lengths; the table begins with its first row. Finite lengths may have been added to an infinity
/// of integers, which `packing` detects.
template <class T>
__global__ void give_lengths(const __grid_constant__ Part<T> table, const __grid_constant__ Strip<T> strip,
                             const __grid_constant__ minplus::Packing<T, T> packing) {
  const T* from = table.lengths + blockIdx.x * table.stride;
  for (std::size_t j = threadIdx.x; j < strip.vertices; j += blockDim.x) {
    strip.values[blockIdx.x * strip.vertices + j] = packing.unpack(from[j]);
  }
}

/// Writes the strip's successors in the same way.
template <class T>
__global__ void give_successors(const __grid_constant__ Part<T> table,
                                const __grid_constant__ Strip<std::uint32_t> strip,
                                const __grid_constant__ minplus::Packing<T, T> packing) {
  const std::size_t row = blockIdx.x * table.stride;
  for (std::size_t j = threadIdx.x; j < strip.vertices; j += blockDim.x) {
    strip.values[blockIdx.x * strip.vertices + j] =
        packing.is_none(table.lengths[row + j]) ? no_vertex : table.successors[row + j];
  }
}

}  // namespace warpfold::paths::device
