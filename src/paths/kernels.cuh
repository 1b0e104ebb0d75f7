#pragma once

#include "minplus/kernels.cuh"
#include "paths/backends.hpp"
#include "paths/shapes.hpp"

/// All shortest paths on the device: Floyd and Warshall's turns, 64 of them a round, which is two kernels.
///
/// `take_turns` finds the round's rows and columns as their turns find them. That is an elimination, as of linear
/// equations: of the turns k of a round row k, as turn k finds it, is
///
///     r_k(j) = plus(D(k,j), times(c_0(k), r_0(j)), .., times(c_k-1(k), r_k-1(j)))
///
/// and column k likewise c_k(i) = plus(D(i,k), times(c_0(i), r_0(k)), ..): besides itself a row needs the columns in
/// the diagonal tile alone, and so every row and every column is one thread's, once the diagonal tile is done, which
/// each block does for itself.
///
/// `multiply_lengths` and `multiply_successors` add the product of those columns and rows to the whole table. In the
/// round's own rows and columns that is what the turns before and behind theirs do, and theirs changes nothing.
namespace warpfold::paths::device {

using namespace minplus::device;

/// What lies on the device. `n`: the table's side, a multiple of `table_unit`; what is beyond the graph is zero().
template <class T>
struct Tables {
  T* lengths;                        ///< n x n
  std::uint32_t* successors;         ///< the same, or null
  T* rows;                           ///< turns x n, the round's
  T* columns;                        ///< turns x n, too: a line is a column
  std::uint32_t* column_successors;  ///< as the turns find those
  unsigned* cycle;                   ///< the first vertex found to be on a cycle that improves, or no_vertex
  std::size_t n;
};

/// The lines of the diagonal tile at their turns. Entry x of line k is number k + 1 + x of it (modulo `turns`), so that
/// those that are yet to be looked at begin at a whole vector.
template <class T>
struct DiagonalLines {
  T rows[turns][turns];
  T columns[turns][turns];
  static __device__ __forceinline__ int place(int k, int number) { return (number - k - 1) & (turns - 1); }
};

/// The turns of the diagonal tile for what its lines still need, a barrier each. 8 x 4 values a thread in registers.
template <class Tag, class T = typename Tag::Value>
__device__ __forceinline__ void take_diagonal_turns(const Tables<T>& tables, std::size_t first,
                                                    DiagonalLines<T>& lines) {
  using Arith = Arithmetic<Tag>;
  constexpr int across = 16, down = panel_threads / across, rows = turns / down, columns = turns / across;
  const int x = static_cast<int>(threadIdx.x) % across, y = static_cast<int>(threadIdx.x) / across;
  T value[rows][columns];
#pragma unroll
  for (int u = 0; u < rows; ++u)
#pragma unroll
    for (int v = 0; v < columns; ++v) {
      value[u][v] = tables.lengths[(first + y + u * down) * tables.n + first + x + v * across];
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
        if (has_row) lines.rows[k][lines.place(k, x + v * across)] = value[part][v];
      }
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        if (has_column) lines.columns[k][lines.place(k, y + u * down)] = value[u][column];
      }
      if (has_row && has_column && Arith::better(value[part][column], Tag::one())) {
        atomicMin(tables.cycle, static_cast<unsigned>(first) + k);
      }
      __syncthreads();
      T right[columns];
#pragma unroll
      for (int v = column; v < columns; ++v) right[v] = lines.rows[k][lines.place(k, x + v * across)];
#pragma unroll
      for (int u = part; u < rows; ++u) {
        const T left = lines.columns[k][lines.place(k, y + u * down)];
#pragma unroll
        for (int v = column; v < columns; ++v) value[u][v] = Arith::plus(value[u][v], Arith::times(left, right[v]));
      }
    }
  }
}

/// A thread's row or column: those of its values whose turns are yet to come, with or without their successors.
template <class Tag, bool WithSuccessors>
struct Line {
  using T = typename Tag::Value;
  T value[turns];
  std::uint32_t successor[WithSuccessors ? turns : 1];

  /// Takes the turns, of which `lines` is the diagonal tile's part, and writes what each finds, `stride` apart. With
  /// each turn all values move down by one, which costs nothing: so the loop is short, and they stay in registers.
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

/// The round's rows (blockIdx.y = 0) and columns. Shared memory: panel_shared_bytes; barriers: one a turn.
template <class Tag, bool WithSuccessors>
__global__ void __launch_bounds__(panel_threads)
    take_turns(const __grid_constant__ Tables<typename Tag::Value> tables, std::size_t first) {
  using T = typename Tag::Value;
  if (*tables.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& lines = *reinterpret_cast<DiagonalLines<T>*>(bytes);
  take_diagonal_turns<Tag>(tables, first, lines);
  const std::size_t n = tables.n, at = blockIdx.x * panel_threads + threadIdx.x;
  if (blockIdx.y == 0) {
    Line<Tag, false> row;
#pragma unroll
    for (int k = 0; k < turns; ++k) row.value[k] = tables.lengths[(first + k) * n + at];
    row.take_turns(lines.columns, tables.rows + at, nullptr, n);
  } else {
    Line<Tag, WithSuccessors> column;
    const T* values = tables.lengths + at * n + first;
#pragma unroll
    for (int k = 0; k < turns; k += Vector<T>::width) {
      const auto vector = *reinterpret_cast<const Vector<T>*>(values + k);
#pragma unroll
      for (int x = 0; x < Vector<T>::width; ++x) column.value[k + x] = vector.value[x];
    }
    if constexpr (WithSuccessors) {
      const std::uint32_t* successors = tables.successors + at * n + first;
#pragma unroll
      for (int k = 0; k < turns; k += 4) {
        const auto vector = *reinterpret_cast<const Vector<std::uint32_t>*>(successors + k);
#pragma unroll
        for (int x = 0; x < 4; ++x) column.successor[k + x] = vector.value[x];
      }
    }
    column.take_turns(lines.rows, tables.columns + at, tables.column_successors + at, n);
  }
}

/// A block's part of the table, and the round's lines that it multiplies, in shared memory. Made anew for the writes,
/// it holds no registers during the product.
template <class T>
struct ProductBlock {
  using Shape = ProductShape<T>;
  using Group = GroupShape<T>;
  static constexpr int half = turns / 2;

  T* shared;
  std::size_t first_row, first_column;
  int thread;

  __device__ __forceinline__ ProductBlock(std::size_t from_row, unsigned char* bytes)
      : shared(reinterpret_cast<T*>(bytes)),
        first_row(from_row + blockIdx.y * Shape::rows),
        first_column(std::size_t{blockIdx.x} * Shape::columns),
        thread(thread_anew()) {}

  __device__ __forceinline__ T* columns() const { return shared; }
  __device__ __forceinline__ T* rows() const { return shared + turns * Shape::rows; }
  __device__ __forceinline__ std::uint32_t* column_successors() const {
    return reinterpret_cast<std::uint32_t*>(shared + Shape::shared_values);
  }

  /// Starts the copies of half of the turns.
  __device__ __forceinline__ void start_copy(const Tables<T>& tables, int first_turn) const {
    copy<half, Shape::rows>(columns(), tables.columns, first_turn, first_row, tables.n);
    copy<half, Shape::columns>(rows(), tables.rows, first_turn, first_column, tables.n);
  }
  __device__ __forceinline__ void start_copy_of_successors(const Tables<T>& tables) const {
    copy<turns, Shape::rows>(column_successors(), tables.column_successors, 0, first_row, tables.n);
  }

  /// The thread's place in its group, and the group's first column.
  [[nodiscard]] __device__ __forceinline__ int thread_row() const { return thread % Group::threads / 8; }
  [[nodiscard]] __device__ __forceinline__ int thread_column() const { return thread % 8; }
  [[nodiscard]] __device__ __forceinline__ int across() const { return thread / Group::threads * tile_side; }
  /// The thread's row u and column v, counted in the block.
  [[nodiscard]] __device__ __forceinline__ int row(int u) const {
    return place_in_line<T, Group::thread_rows>(thread_row(), u);
  }
  [[nodiscard]] __device__ __forceinline__ int column(int v) const {
    return across() + column_of<T>(thread_column(), v);
  }

  /// Calls visit(u, v, vector) for the thread's places in a table, the columns v, v+1, .. of a vector each.
  template <class Visit>
  __device__ __forceinline__ void each_vector(T* table, std::size_t n, Visit&& visit) const {
#pragma unroll
    for (int u = 0; u < Group::rows; ++u)
#pragma unroll
      for (int v = 0; v < Group::columns; v += Vector<T>::width) {
        visit(u, v, *reinterpret_cast<Vector<T>*>(table + (first_row + row(u)) * n + first_column + column(v)));
      }
  }
  /// The thread's part of the table.
  __device__ __forceinline__ void load(T (&value)[Group::rows][Group::columns], const Tables<T>& tables) const {
    each_vector(tables.lengths, tables.n, [&](int u, int v, const Vector<T>& vector) {
#pragma unroll
      for (int x = 0; x < Vector<T>::width; ++x) value[u][v + x] = vector.value[x];
    });
  }
  __device__ __forceinline__ void store(const T (&value)[Group::rows][Group::columns], const Tables<T>& tables) const {
    each_vector(tables.lengths, tables.n, [&](int u, int v, Vector<T>& vector) {
      Vector<T> found;
#pragma unroll
      for (int x = 0; x < Vector<T>::width; ++x) found.value[x] = value[u][v + x];
      vector = found;
    });
  }

 private:
  template <int Turns, int Width, class U>
  static __device__ __forceinline__ void copy(U* to, const U* lines, int first_turn, std::size_t first, std::size_t n) {
    using Copy = BlockCopy<Turns, Width, Shape::threads, U>;
    const int row = first_turn + static_cast<int>(Copy::row()), column = static_cast<int>(Copy::column());
    Copy::template start<Width>(to + row * Width + column, lines + row * n + first + column, n);
  }
};

/// lengths = plus(lengths, columns (x) rows) from `first_row` on, a block of results per thread block. Shared memory:
/// ProductShape::shared_bytes; two barriers. Moved a result: a value read and one written for 64 terms, and 3/2 values
/// of the lines from L2 (2 of 8 bytes).
template <class Arith>
__global__ void __launch_bounds__(ProductShape<typename Arith::Value>::threads,
                                  ProductShape<typename Arith::Value>::lengths_blocks)
    multiply_lengths(const __grid_constant__ Tables<typename Arith::Value> tables, std::size_t first_row) {
  using Block = ProductBlock<typename Arith::Value>;
  using Shape = typename Block::Shape;
  if (*tables.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  const Block block(first_row, bytes);
  block.start_copy(tables, 0);
  copy_commit();
  block.start_copy(tables, Block::half);
  copy_commit();
  Accumulator<Arith> sum;
  block.load(sum.value, tables);
  const auto add_half = [&](int turn) {
    __syncthreads();
    sum.template add_by_k<Block::half, Shape::rows, Shape::columns>(
        block.columns() + turn * Shape::rows, block.rows() + turn * Shape::columns + block.across(), block.thread_row(),
        block.thread_column());
  };
  copy_wait<1>();
  add_half(0);
  copy_wait<0>();
  add_half(Block::half);
  Block(first_row, bytes).store(sum.value, tables);
}

/// A thread's lengths, and for each the turns among which it last became better: `checked` of them, so that a term
/// takes a fraction of an instruction more than without.
template <class Arith>
struct ImprovedLengths {
  using T = typename Arith::Value;
  using Group = GroupShape<T>;
  static constexpr int checked = 8;
  static constexpr int never = -1;
  T value[Group::rows][Group::columns];
  int first_turn[Group::rows][Group::columns];

  __device__ __forceinline__ void clear_turns() {
#pragma unroll
    for (int u = 0; u < Group::rows; ++u)
#pragma unroll
      for (int v = 0; v < Group::columns; ++v) first_turn[u][v] = never;
  }

  /// The turns [first, first + checked). columns, rows: line `first`, with the strides of the block's shape.
  template <int ColumnStride, int RowStride>
  __device__ __forceinline__ void add(const T* columns, const T* rows, int thread_row, int thread_column, int first) {
    constexpr int width = Vector<T>::width;
#pragma unroll
    for (int u = 0; u < Group::rows; u += width) {
      Vector<T> left[checked];
#pragma unroll
      for (int k = 0; k < checked; ++k) {
        left[k] = *reinterpret_cast<const Vector<T>*>(columns + k * ColumnStride +
                                                      place_in_line<T, Group::thread_rows>(thread_row, u));
      }
#pragma unroll
      for (int v = 0; v < Group::columns; v += width) {
        Vector<T> right[checked];
#pragma unroll
        for (int k = 0; k < checked; ++k) {
          right[k] = *reinterpret_cast<const Vector<T>*>(rows + k * RowStride + column_of<T>(thread_column, v));
        }
#pragma unroll
        for (int x = 0; x < width; ++x)
#pragma unroll
          for (int y = 0; y < width; ++y) {
            T& best = value[u + x][v + y];
            const T old = best;
#pragma unroll
            for (int k = 0; k < checked; k += 2) {
              best = Arith::accumulate(best, left[k].value[x], right[k].value[y], left[k + 1].value[x],
                                       right[k + 1].value[y]);
            }
            if (Arith::better(best, old)) first_turn[u + x][v + y] = first;
          }
      }
    }
  }
};

/// The same with successors: those of the first turn that gives the best length, where that is better than before.
template <class Arith>
__global__ void __launch_bounds__(ProductShape<typename Arith::Value>::threads,
                                  ProductShape<typename Arith::Value>::successors_blocks)
    multiply_successors(const __grid_constant__ Tables<typename Arith::Value> tables, std::size_t first_row) {
  using T = typename Arith::Value;
  using Block = ProductBlock<T>;
  using Shape = typename Block::Shape;
  using Group = typename Block::Group;
  if (*tables.cycle != no_vertex) return;
  extern __shared__ __align__(16) unsigned char bytes[];
  const Block block(first_row, bytes);
  block.start_copy(tables, 0);
  copy_commit();
  block.start_copy(tables, Block::half);
  block.start_copy_of_successors(tables);
  copy_commit();
  ImprovedLengths<Arith> sum;
  sum.clear_turns();
  block.load(sum.value, tables);
  const auto add_half = [&](int first) {
    __syncthreads();
#pragma unroll 1
    for (int turn = first; turn < first + Block::half; turn += sum.checked) {
      sum.template add<Shape::rows, Shape::columns>(block.columns() + turn * Shape::rows,
                                                    block.rows() + turn * Shape::columns + block.across(),
                                                    block.thread_row(), block.thread_column(), turn);
    }
  };
  copy_wait<1>();
  add_half(0);
  copy_wait<0>();
  add_half(Block::half);

  const Block result(first_row, bytes);
  const auto turn_of = [&](int u, int v) {
    int turn = sum.first_turn[u][v];
    const T* left = result.columns() + turn * Shape::rows + result.row(u);
    const T* right = result.rows() + turn * Shape::columns + result.column(v);
    const int last = turn + sum.checked - 1;
    while (turn < last && Arith::better(sum.value[u][v], Arith::times(*left, *right))) {
      ++turn, left += Shape::rows, right += Shape::columns;
    }
    return turn;
  };
#pragma unroll
  for (int u = 0; u < Group::rows; ++u)
#pragma unroll
    for (int v = 0; v < Group::columns; ++v) {
      if (sum.first_turn[u][v] == sum.never) continue;
      const std::size_t at = (result.first_row + result.row(u)) * tables.n + result.first_column + result.column(v);
      tables.lengths[at] = sum.value[u][v];
      tables.successors[at] = result.column_successors()[turn_of(u, v) * Shape::rows + result.row(u)];
    }
}

/// Some rows of a graph of `vertices`, dense on the device.
template <class T>
struct Strip {
  T* values;
  std::size_t first_row, rows, vertices;
};

/// The rows of the tables before the first turn, with what is beyond the vertices where they are the last; `negative`
/// becomes 1 where a length is below 0. A block a row.
template <class Tag>
__global__ void take_edges(const __grid_constant__ Tables<typename Tag::Value> tables,
                           const __grid_constant__ Strip<const typename Tag::Value> edges, unsigned* negative) {
  using T = typename Tag::Value;
  const std::size_t n = tables.n, i = edges.first_row + blockIdx.x;
  for (std::size_t j = threadIdx.x; j < n; j += blockDim.x) {
    const bool inside = i < edges.vertices && j < edges.vertices;
    const T edge = inside ? edges.values[blockIdx.x * edges.vertices + j] : Tag::zero();
    const T length = inside ? first_length<Tag>(edge, i == j) : Tag::zero();
    tables.lengths[i * n + j] = length;
    if (length < 0) *negative = 1;
    if (tables.successors) {
      tables.successors[i * n + j] = inside ? first_successor<Tag>(edge, i, j) : no_vertex;
    }
  }
}

/// The strip's lengths. An infinity of whole numbers may have taken up finite ones: `packing` knows.
template <class T>
__global__ void give_lengths(const __grid_constant__ Tables<T> tables, const __grid_constant__ Strip<T> strip,
                             const __grid_constant__ minplus::Packing<T, T> packing) {
  const T* from = tables.lengths + (strip.first_row + blockIdx.x) * tables.n;
  for (std::size_t j = threadIdx.x; j < strip.vertices; j += blockDim.x) {
    strip.values[blockIdx.x * strip.vertices + j] = packing.unpack(from[j]);
  }
}

/// The strip's successors.
template <class T>
__global__ void give_successors(const __grid_constant__ Tables<T> tables,
                                const __grid_constant__ Strip<std::uint32_t> strip,
                                const __grid_constant__ minplus::Packing<T, T> packing) {
  const std::size_t row = (strip.first_row + blockIdx.x) * tables.n;
  for (std::size_t j = threadIdx.x; j < strip.vertices; j += blockDim.x) {
    strip.values[blockIdx.x * strip.vertices + j] =
        packing.is_none(tables.lengths[row + j]) ? no_vertex : tables.successors[row + j];
  }
}

}  // namespace warpfold::paths::device
