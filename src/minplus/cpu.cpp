#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/number_types.hpp"
#include "minplus/backends.hpp"
#include "minplus/count.hpp"
#include "minplus/packing.hpp"
#include "minplus/tuning.hpp"
#include "tiles/cpu/tile_products.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::minplus::cpu {

namespace {

using namespace tiles;

constexpr std::size_t side = tile_side;
constexpr std::size_t tile_size = side * side;

constexpr std::size_t tiles_for(std::size_t n) { return (n + side - 1) / side; }

/// Copies rows [first_row, first_row + side) of a matrix into tiles, each value through `pack`. Tile t starts at to + t
/// * tile_stride. Places beyond the matrix become `none`.
template <class T, class S, class Pack>
void pack_rows(const MatrixView<const T>& matrix, std::size_t first_row, S* to, std::size_t tile_stride, S none,
               Pack pack) {
  for (std::size_t r = 0; r < side; ++r) {
    const bool inside = first_row + r < matrix.rows;
    for (std::size_t t = 0; t < tiles_for(matrix.columns); ++t) {
      S* line = to + t * tile_stride + r * side;
      const std::size_t columns = inside ? std::min(side, matrix.columns - t * side) : 0;
      const T* from = inside ? matrix.row(first_row + r) + t * side : nullptr;
      for (std::size_t x = 0; x < columns; ++x) line[x] = pack(from[x]);
      std::fill(line + columns, line + side, none);
    }
  }
}

/// A product on tiles of type S. A and B are packed so that a tile is contiguous, as are the tiles of a row of A and of
/// a column of B.
template <class T, class S>
class TiledProduct {
 public:
  TiledProduct(const Accumulation<T>& product, const Team& team, Budget& budget)
      : product_(product),
        packing_(product.semiring),
        rows_(tiles_for(product.c.rows)),
        depth_(tiles_for(product.b.rows)),
        columns_(tiles_for(product.c.columns)),
        taken_(budget.reserve(bytes_needed(product, team.size()))),
        a_(rows_ * depth_ * tile_size),
        b_(depth_ * columns_ * tile_size),
        notes_(notes(product)),
        transposed_(notes_ ? depth_ * columns_ * tile_size : 0),
        products_(with_tag<S>(product.semiring, [](auto tag) { return tile_products<decltype(tag)>(); })) {}

  /// The bytes of the packed operands, and of each thread's part of C.
  [[nodiscard]] static std::size_t bytes_needed(const Accumulation<T>& product, int threads) {
    const std::size_t rows = tiles_for(product.c.rows);
    const std::size_t columns = tiles_for(product.c.columns);
    const std::size_t group_tiles = std::min(group, rows) * std::min(group, columns);
    const std::size_t group_bytes =
        group_tiles * tile_size * (sizeof(S) + (product.argmin.data ? sizeof(TileIndex<S>) : 0));
    const std::size_t packed_bytes =
        bytes_of(rows + columns * (notes(product) ? 2 : 1), bytes_of(tiles_for(product.b.rows), tile_size * sizeof(S)));
    return sum_of_bytes(packed_bytes, static_cast<std::size_t>(threads) * group_bytes);
  }

  void run(Team& team, SolveMonitor& monitor) {
    const auto pack_factor = [this](T x) { return packing_.factor(x); };
    team.parallel_for(rows_ + depth_, [&](std::size_t turn, int) {
      monitor.check();
      if (turn < rows_) {
        pack_rows(product_.a, turn * side, a_.data() + turn * depth_ * tile_size, tile_size, packing_.none,
                  pack_factor);
      } else {
        const std::size_t k = turn - rows_;
        pack_rows(product_.b, k * side, b_.data() + k * tile_size, depth_ * tile_size, packing_.none, pack_factor);
        if (notes_) transpose(k);
      }
    });
    const std::size_t group_rows = (rows_ + group - 1) / group;
    const std::size_t group_columns = (columns_ + group - 1) / group;
    team.parallel_for(group_rows * group_columns, [&](std::size_t turn, int member) {
      multiply_group(turn % group_rows * group, turn / group_rows * group, monitor);
      monitor.check();
      if (member == 0) monitor.advance(static_cast<double>(done_.exchange(0)));
    });
    monitor.advance(static_cast<double>(done_.exchange(0)));
  }

 private:
  static constexpr std::size_t group = group_of(sizeof(S));

  [[nodiscard]] bool wants_argmin() const { return product_.argmin.data != nullptr; }
  const S* a(std::size_t i, std::size_t k) const { return a_.data() + (i * depth_ + k) * tile_size; }
  const S* b(std::size_t k, std::size_t j) const { return b_.data() + (j * depth_ + k) * tile_size; }

  /// A note is an offset in a strip of tiles, which has to fit its type.
  [[nodiscard]] static bool notes(const Accumulation<T>& product) {
    constexpr std::size_t max_tiles = std::numeric_limits<TileIndex<S>>::max() / tile_size;
    return product.argmin.data && product.b.rows >= notes_from_terms && tiles_for(product.b.rows) <= max_tiles;
  }

  /// Transposes the tiles of row k of B, each for itself.
  void transpose(std::size_t k) {
    for (std::size_t j = 0; j < columns_; ++j) {
      transpose_tile(b(k, j), transposed_.data() + (b(k, j) - b_.data()));
    }
  }

  /// The part of C that one turn computes: tiles [first_i, end_i) x [first_j, end_j).
  struct Group {
    std::size_t first_i, end_i, first_j, end_j;
    TileStorage<S> c;
    TileStorage<TileIndex<S>> index;

    [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const {
      return ((i - first_i) * (end_j - first_j) + (j - first_j)) * tile_size;
    }
  };

  void multiply_group(std::size_t first_i, std::size_t first_j, const SolveMonitor& monitor) {
    const std::size_t end_i = std::min(first_i + group, rows_);
    const std::size_t end_j = std::min(first_j + group, columns_);
    const std::size_t size = (end_i - first_i) * (end_j - first_j) * tile_size;
    Group part{
        first_i, end_i, first_j, end_j, TileStorage<S>(size), TileStorage<TileIndex<S>>(wants_argmin() ? size : 0)};
    pack(part);
    for (std::size_t k = 0; k < depth_ && !monitor.stopped(); ++k) add_products(part, k);
    if (notes_) find_first(part);
    unpack(part);
  }

  void find_first(const Group& part) const {
    for (std::size_t j = part.first_j; j < part.end_j; ++j) {
      for (std::size_t i = part.first_i; i < part.end_i; ++i) {
        const std::size_t offset = part.offset(i, j);
        products_.find_first(part.c.data() + offset, part.index.data() + offset, a(i, 0),
                             transposed_.data() + j * depth_ * tile_size);
      }
    }
  }

  void pack(const Group& part) const {
    const std::size_t first = part.first_j * side;
    const std::size_t last = std::min(part.end_j * side, product_.c.columns);
    const MatrixView<const T> old = {product_.c.data + first, product_.c.rows, last - first, product_.c.stride};
    for (std::size_t i = part.first_i; i < part.end_i; ++i) {
      pack_rows(old, i * side, part.c.data() + part.offset(i, part.first_j), tile_size, packing_.none,
                [this](T x) { return packing_.result(x); });
    }
    if (wants_argmin()) std::fill_n(part.index.data(), part.offset(part.end_i, part.first_j), TileIndex<S>{-1});
  }

  /// The products of middle tile k. Neighbors in this order share an operand. The next operands are prefetched while a
  /// product runs.
  void add_products(const Group& part, std::size_t k) {
    const std::size_t depth = std::min(side, product_.b.rows - k * side);
    const std::size_t next_k = std::min(k + 1, depth_ - 1);
    for (std::size_t i = part.first_i; i < part.end_i; ++i) {
      for (std::size_t j = part.first_j; j < part.end_j; ++j) {
        S* c = part.c.data() + part.offset(i, j);
        done_ += std::min(side, product_.c.rows - i * side) * std::min(side, product_.c.columns - j * side) * depth;
        if (wants_argmin() && !notes_) {
          products_.accumulate_argmin(c, part.index.data() + part.offset(i, j), a(i, k), b(k, j), depth, k * side);
          continue;
        }
        const bool row_ends = j + 1 == part.end_j;
        const bool step_ends = row_ends && i + 1 == part.end_i;
        const S* next_a = step_ends ? a(part.first_i, next_k) : a(row_ends ? i + 1 : i, k);
        const S* next_b = step_ends ? b(next_k, part.first_j) : b(k, row_ends ? part.first_j : j + 1);
        if (notes_) {
          products_.accumulate_noting(c, part.index.data() + part.offset(i, j), a(i, k), b(k, j), depth,
                                      static_cast<TileIndex<S>>(k * tile_size), next_a, next_b);
        } else {
          products_.accumulate(c, a(i, k), b(k, j), depth, next_a, next_b);
        }
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

  /// Writes one row of a tile to C and argmin.
  void unpack(std::size_t i, std::size_t first_j, const S* line, const TileIndex<S>* index) const {
    const std::size_t columns = std::min(side, product_.c.columns - first_j);
    T* to = product_.c.row(i) + first_j;
    for (std::size_t x = 0; x < columns; ++x) to[x] = packing_.unpack(line[x]);
    if (!index) return;
    std::uint32_t* where = product_.argmin.row(i) + first_j;
    for (std::size_t x = 0; x < columns; ++x) {
      where[x] = packing_.is_none(line[x]) ? unchanged : static_cast<std::uint32_t>(index[x]);
    }
  }

  const Accumulation<T>& product_;
  Packing<T, S> packing_;
  std::size_t rows_;     ///< tiles along the rows of C
  std::size_t depth_;    ///< tiles along the sum
  std::size_t columns_;  ///< tiles along the columns of C
  Budget::Reservation taken_;
  TileStorage<S> a_;
  TileStorage<S> b_;
  bool notes_;                 ///< whether a product with argmin notes terms, and then searches these for the first
  TileStorage<S> transposed_;  ///< the tiles of B for the search
  TileProducts<S> products_;
  std::atomic<std::size_t> done_ = 0;  ///< results that nobody has reported yet
};

template <class T, class S>
void multiply_tiles(const Accumulation<T>& product, Team& team, Budget& budget, SolveMonitor& monitor) {
  if (product.c.rows == 0 || product.c.columns == 0) return;
  TiledProduct<T, S>(product, team, budget).run(team, monitor);
}

/// One product of a batch.
template <class T>
void multiply(const Accumulation<T>& product, Team& team, Budget& budget, SolveMonitor& monitor) {
  const auto plain = [&](const auto& a, const auto& b, const auto& c) {
    using V = std::remove_reference_t<decltype(*c.data)>;
    multiply_tiles<V, V>({Semiring::plus_times, a, b, c, {}}, team, budget, monitor);
  };
  if constexpr (std::is_same_v<T, std::uint64_t>) return count(product, budget, plain, plain);
  if constexpr (std::is_same_v<T, double>) {
    if (product.semiring.kind == Semiring::plus_times) return count(product, plain);
  }
  if constexpr (!std::is_same_v<T, std::uint64_t>) {
    product.argmin.data ? multiply_tiles<T, ArgminType<T>>(product, team, budget, monitor)
                        : multiply_tiles<T, T>(product, team, budget, monitor);
  }
}

/// A batch with at least as many products as threads gives each thread complete products.
template <class T>
bool goes_by_products(const AccumulationBatch<T>& batch, const Options& options) {
  const auto allowed = static_cast<std::size_t>(thread_count(options.threads));
  return allowed > 1 && batch.c.count >= allowed;
}

template <class T>
int useful_threads(const AccumulationBatch<T>& batch, const Options& options) {
  const int allowed = thread_count(options.threads);
  if (batch.c.count >= static_cast<std::size_t>(allowed)) return allowed;
  constexpr std::size_t group = group_of(sizeof(T));
  const std::size_t groups = tiles_for(batch.c.first.rows) * tiles_for(batch.c.first.columns) / (group * group) + 1;
  return static_cast<int>(std::min(static_cast<std::size_t>(allowed), groups));
}

}  // namespace

template <class T>
std::size_t bytes_needed(const AccumulationBatch<T>& batch, const Options& options) {
  if (batch.c.count == 0) return 0;
  const Accumulation<T> product = batch[0];
  const bool by_products = goes_by_products(batch, options);
  const int threads = useful_threads(batch, options);
  const int threads_each = by_products ? 1 : threads;
  std::size_t bytes = product.argmin.data ? TiledProduct<T, ArgminType<T>>::bytes_needed(product, threads_each)
                                          : TiledProduct<T, T>::bytes_needed(product, threads_each);
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (product.semiring.modulus > 0) bytes = sum_of_bytes(bytes, count_bytes(product));
  }
  return bytes_of(bytes, static_cast<std::size_t>(by_products ? threads : 1));
}

template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context) {
  const Options& options = context.options;
  const std::size_t count = batch.c.count;
  Team team(useful_threads(batch, options));
  context.report.threads = team.size();
  const bool by_products = goes_by_products(batch, options) && team.size() > 1;
  Budget& budget = context.budget;
  SolveMonitor monitor(options, batch.terms());
  if (!by_products) {
    for (std::size_t index = 0; index < count; ++index) multiply(batch[index], team, budget, monitor);
    return {};
  }
  Options silent = options;
  silent.progress = nullptr;
  const double terms = batch.terms() / static_cast<double>(count);
  std::atomic<std::size_t> done = 0;
  team.parallel_for(count, [&](std::size_t index, int member) {
    SolveMonitor quiet(silent, 0);
    Team alone(1);
    multiply(batch[index], alone, budget, quiet);
    ++done;
    if (member == 0) monitor.advance(terms * static_cast<double>(done.exchange(0)));
  });
  monitor.advance(terms * static_cast<double>(done));
  return {};
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template InPlace accumulate(const AccumulationBatch<T>&, Context&); \
  template std::size_t bytes_needed(const AccumulationBatch<T>&, const Options&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cpu
