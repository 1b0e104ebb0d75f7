#include <algorithm>
#include <atomic>
#include <cstdint>

#include "minplus/backend.hpp"
#include "minplus/tile_products.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/parallel.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus::cpu {

namespace {

constexpr std::size_t side = tile_side;
constexpr std::size_t tile_size = side * side;

/// Tiles along a side of the part of C that one thread works on at a time: each tile of A or B that comes from memory
/// serves so many products, while C and the operands of two steps stay in the second level of cache (1 MiB on Zen 5).
template <class T>
constexpr std::size_t group_of = sizeof(T) == 4 ? 4 : 2;

constexpr std::size_t tiles_for(std::size_t n) { return (n + side - 1) / side; }

/// Copies rows [first_row, first_row + side) of a matrix into tiles, tile t of them at to + t * tile_stride; infinity
/// beyond the matrix and in place of what is larger.
template <class T>
void pack_rows(const MatrixView<const T>& matrix, std::size_t first_row, T* to, std::size_t tile_stride) {
  for (std::size_t r = 0; r < side; ++r) {
    const bool inside = first_row + r < matrix.rows;
    for (std::size_t t = 0; t < tiles_for(matrix.columns); ++t) {
      T* line = to + t * tile_stride + r * side;
      const std::size_t columns = inside ? std::min(side, matrix.columns - t * side) : 0;
      const T* from = inside ? matrix.row(first_row + r) + t * side : nullptr;
      for (std::size_t x = 0; x < columns; ++x) line[x] = std::min(from[x], infinity<T>);
      std::fill(line + columns, line + side, infinity<T>);
    }
  }
}

/// Runs body(turn) for every turn below `turns`, each by the next free thread, until the watch says stop.
template <class Body>
void take_turns(int threads, std::size_t turns, const Watch& watch, const Body& body) {
  std::atomic<std::size_t> next = 0;
  parallel(threads, [&](int thread) {
    for (std::size_t turn = next++; turn < turns && !watch.stopped(); turn = next++) body(turn, thread == 0);
  });
  watch.check();
}

/// A product on tiles: A and B packed, so that a tile is contiguous, and those of a row of A and of a column of B
/// follow each other.
template <class T>
class TiledProduct {
 public:
  explicit TiledProduct(const Product<T>& product)
      : product_(product),
        rows_(tiles_for(product.c.rows)),
        depth_(tiles_for(product.b.rows)),
        columns_(tiles_for(product.c.columns)),
        a_(rows_ * depth_ * tile_size),
        b_(depth_ * columns_ * tile_size),
        products_(tile_products<T>()) {}

  [[nodiscard]] static std::size_t bytes(const Product<T>& product) {
    const std::size_t depth = tiles_for(product.b.rows);
    return (tiles_for(product.c.rows) + tiles_for(product.c.columns)) * depth * tile_size * sizeof(T);
  }

  void run(int threads, Watch& watch) {
    take_turns(threads, rows_ + depth_, watch, [&](std::size_t turn, bool) {
      if (turn < rows_) {
        pack_rows(product_.a, turn * side, a_.data() + turn * depth_ * tile_size, tile_size);
      } else {
        const std::size_t k = turn - rows_;
        pack_rows(product_.b, k * side, b_.data() + k * tile_size, depth_ * tile_size);
      }
    });
    const std::size_t group_rows = (rows_ + group - 1) / group;
    const std::size_t group_columns = (columns_ + group - 1) / group;
    take_turns(threads, group_rows * group_columns, watch, [&](std::size_t turn, bool reports) {
      multiply_group(turn % group_rows * group, turn / group_rows * group, watch);
      if (reports) watch.advance(static_cast<double>(done_.exchange(0)));
    });
    watch.advance(static_cast<double>(done_.exchange(0)));
  }

 private:
  static constexpr std::size_t group = group_of<T>;

  [[nodiscard]] bool wants_argmin() const { return product_.argmin.data != nullptr; }
  const T* a(std::size_t i, std::size_t k) const { return a_.data() + (i * depth_ + k) * tile_size; }
  const T* b(std::size_t k, std::size_t j) const { return b_.data() + (j * depth_ + k) * tile_size; }

  /// The part of C that a turn works on: tiles [first_i, end_i) x [first_j, end_j).
  struct Group {
    std::size_t first_i, end_i, first_j, end_j;
    TileStorage<T> c;
    TileStorage<TileIndex<T>> index;

    [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const {
      return ((i - first_i) * (end_j - first_j) + (j - first_j)) * tile_size;
    }
  };

  void multiply_group(std::size_t first_i, std::size_t first_j, const Watch& watch) {
    const std::size_t end_i = std::min(first_i + group, rows_);
    const std::size_t end_j = std::min(first_j + group, columns_);
    const std::size_t size = (end_i - first_i) * (end_j - first_j) * tile_size;
    Group part{
        first_i, end_i, first_j, end_j, TileStorage<T>(size), TileStorage<TileIndex<T>>(wants_argmin() ? size : 0)};
    pack(part);
    for (std::size_t k = 0; k < depth_ && !watch.stopped(); ++k) add_products(part, k);
    unpack(part);
  }

  void pack(const Group& part) const {
    const std::size_t first = part.first_j * side;
    const std::size_t last = std::min(part.end_j * side, product_.c.columns);
    const MatrixView<const T> old = {product_.c.data + first, product_.c.rows, last - first, product_.c.stride};
    for (std::size_t i = part.first_i; i < part.end_i; ++i) {
      pack_rows(old, i * side, part.c.data() + part.offset(i, part.first_j), tile_size);
    }
    if (wants_argmin()) std::fill_n(part.index.data(), part.offset(part.end_i, part.first_j), TileIndex<T>{-1});
  }

  /// The products of middle tile k. Neighbours in this order share an operand; the next operands are asked for while a
  /// product runs.
  void add_products(const Group& part, std::size_t k) {
    const std::size_t depth = std::min(side, product_.b.rows - k * side);
    const std::size_t next_k = std::min(k + 1, depth_ - 1);
    for (std::size_t i = part.first_i; i < part.end_i; ++i) {
      for (std::size_t j = part.first_j; j < part.end_j; ++j) {
        T* c = part.c.data() + part.offset(i, j);
        done_ += tile_size * depth;
        if (wants_argmin()) {
          products_.accumulate_argmin(c, part.index.data() + part.offset(i, j), a(i, k), b(k, j), depth, k * side);
          continue;
        }
        const bool row_ends = j + 1 == part.end_j;
        const bool step_ends = row_ends && i + 1 == part.end_i;
        const T* next_a = step_ends ? a(part.first_i, next_k) : a(row_ends ? i + 1 : i, k);
        const T* next_b = step_ends ? b(next_k, part.first_j) : b(k, row_ends ? part.first_j : j + 1);
        products_.accumulate(c, a(i, k), b(k, j), depth, next_a, next_b);
      }
    }
  }

  void unpack(const Group& part) const {
    for (std::size_t i = part.first_i * side; i < std::min(part.end_i * side, product_.c.rows); ++i) {
      for (std::size_t j = part.first_j; j < part.end_j; ++j) {
        const std::size_t offset = part.offset(i / side, j) + i % side * side;
        unpack(i, j * side, part.c.data() + offset, wants_argmin() ? part.index.data() + offset : nullptr);
      }
    }
  }

  /// Writes a line of a tile to C and argmin; what is infinite is infinity again.
  void unpack(std::size_t i, std::size_t first_j, const T* line, const TileIndex<T>* index) const {
    const std::size_t columns = std::min(side, product_.c.columns - first_j);
    T* to = product_.c.row(i) + first_j;
    for (std::size_t x = 0; x < columns; ++x) to[x] = line[x] < product_.infinite ? line[x] : infinity<T>;
    if (!index) return;
    std::uint32_t* where = product_.argmin.row(i) + first_j;
    for (std::size_t x = 0; x < columns; ++x) {
      where[x] = line[x] < product_.infinite ? static_cast<std::uint32_t>(index[x]) : unchanged;
    }
  }

  const Product<T>& product_;
  std::size_t rows_;     ///< tiles along the rows of C
  std::size_t depth_;    ///< tiles along the sum
  std::size_t columns_;  ///< tiles along the columns of C
  TileStorage<T> a_;
  TileStorage<T> b_;
  TileProducts<T> products_;
  std::atomic<std::size_t> done_ = 0;  ///< results that nobody has reported yet
};

}  // namespace

template <class T>
void multiply(const Product<T>& product, const Options& options, Report& report) {
  constexpr std::size_t group = group_of<T>;
  const std::size_t groups = tiles_for(product.c.rows) * tiles_for(product.c.columns) / (group * group) + 1;
  report.threads = std::min(thread_count(options.threads), static_cast<int>(std::min<std::size_t>(groups, 1024)));
  report.peak_bytes = TiledProduct<T>::bytes(product);
  check_memory(options, report.peak_bytes);
  if (product.c.rows == 0 || product.c.columns == 0) return;
  const auto columns = static_cast<double>(tiles_for(product.c.columns) * side);
  const auto rows = static_cast<double>(tiles_for(product.c.rows) * side);
  Watch watch(options, rows * columns * static_cast<double>(product.b.rows));
  TiledProduct<T>(product).run(report.threads, watch);
}

template void multiply(const Product<std::int32_t>&, const Options&, Report&);
template void multiply(const Product<std::int64_t>&, const Options&, Report&);
template void multiply(const Product<float>&, const Options&, Report&);
template void multiply(const Product<double>&, const Options&, Report&);

}  // namespace warpfold::minplus::cpu
