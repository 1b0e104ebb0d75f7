#include <algorithm>
#include <atomic>
#include <optional>

#include "paths/backends.hpp"
#include "paths/pivot.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/team.hpp"

/// Blocked Floyd and Warshall: 64 turns at a time. The pivot's diagonal tile takes them first, then the other tiles of
/// its rows and columns, and then one product of those with each other does them for everything else. Each turn's row
/// and column are kept as the turn found them, and multiplied so: the usual blocked form multiplies them as they are
/// after all 64, which rounds other sums.
namespace warpfold::paths::cpu {

namespace {

constexpr std::size_t tile_size = tile_side * tile_side;
constexpr std::size_t stretch_tiles = 8;  ///< of a row that a thread multiplies in one go

std::size_t tiles_for(std::size_t n) { return (n + tile_side - 1) / tile_side; }

template <class Tag, class T = typename Tag::Value>
class Solver {
 public:
  Solver(const Graph<T>& graph, Context& context)
      : graph_(graph),
        n_(graph.vertices()),
        tiles_(tiles_for(n_)),
        successors_wanted_(graph.request.successors),
        taken_(context.budget.take(bytes(n_, successors_wanted_))),
        lengths_(tiles_ * tiles_ * tile_size),
        rows_(tiles_ * tile_size),
        columns_(tiles_ * tile_size),
        successors_(successors_wanted_ ? tiles_ * tiles_ * tile_size : 0),
        column_successors_(successors_wanted_ ? tiles_ * tile_size : 0),
        team_(std::min(thread_count(context.options.threads), static_cast<int>(tiles_))),
        watch_(context.options, graph.operations()) {
    context.report.threads = team_.size();
  }

  /// The tiles, and what is returned.
  static std::size_t bytes(std::size_t n, bool successors) {
    const std::size_t tiles = tiles_for(n), places = tiles * tiles * tile_size, kept = tiles * tile_size;
    const std::size_t values = (places + 2 * kept + n * n) * sizeof(T);
    return values + (successors ? (places + kept) * sizeof(TileIndex<T>) + n * n * sizeof(std::uint32_t) : 0);
  }

  AllPairs<T> solve() {
    team_.loop(tiles_, [&](std::size_t i, int) { pack(i); });
    const double operations_a_round = graph_.operations() / static_cast<double>(tiles_);
    team_.run([&](int member) {
      for (std::size_t pivot = 0; pivot < tiles_; ++pivot) {
        if (member == 0) close(pivot);
        team_.meet();
        for (std::size_t turn; (turn = next_panel_++) < 2 * (tiles_ - 1);) advance(pivot, turn);
        team_.meet();
        if (member == 0) next_panel_ = 0;
        multiply(pivot);
        team_.meet();
        if (member == 0) next_stretch_ = 0, watch_.advance(operations_a_round);
      }
    });
    AllPairs<T> paths{Matrix<T>(n_, n_),
                      Matrix<std::uint32_t>(successors_wanted_ ? n_ : 0, successors_wanted_ ? n_ : 0)};
    team_.loop(tiles_, [&](std::size_t i, int) { unpack(i, paths); });
    return paths;
  }

 private:
  [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const { return (i * tiles_ + j) * tile_size; }
  [[nodiscard]] TileIndex<T>* successors(std::size_t i, std::size_t j) const {
    return successors_wanted_ ? successors_.data() + offset(i, j) : nullptr;
  }
  [[nodiscard]] TileIndex<T>* column_successors(std::size_t i) const {
    return successors_wanted_ ? column_successors_.data() + i * tile_size : nullptr;
  }

  /// Visits the entries of row `i` of tiles: visit(place in the tiles, row, column), `n_` and beyond being padding.
  template <class Visit>
  void each_entry(std::size_t i, const Visit& visit) const {
    for (std::size_t j = 0; j < tiles_; ++j) {
      for (std::size_t at = 0; at < tile_size; ++at) {
        visit(offset(i, j) + at, i * tile_side + at / tile_side, j * tile_side + at % tile_side);
      }
    }
  }

  void pack(std::size_t tile_row) {
    watch_.check();
    each_entry(tile_row, [&](std::size_t place, std::size_t i, std::size_t j) {
      const bool inside = i < n_ && j < n_;
      lengths_.data()[place] = inside ? first_length<Tag>(graph_.edges, i, j) : Tag::zero();
      if (successors_wanted_) {
        successors_.data()[place] = static_cast<TileIndex<T>>(inside ? first_successor<Tag>(graph_.edges, i, j) : 0);
      }
    });
  }

  /// An infinity of whole numbers may have taken up finite lengths.
  void unpack(std::size_t tile_row, AllPairs<T>& paths) const {
    watch_.check();
    const minplus::Packing<T, T> packing(graph_.request.semiring);
    each_entry(tile_row, [&](std::size_t place, std::size_t i, std::size_t j) {
      if (i >= n_ || j >= n_) return;
      const T length = packing.unpack(lengths_.data()[place]);
      paths.lengths(i, j) = length;
      if (!successors_wanted_) return;
      const auto successor = static_cast<std::uint32_t>(successors_.data()[place]);
      paths.successors(i, j) = Tag::is_zero(length) ? no_vertex : successor;
    });
  }

  /// C = plus(C, A (x) B) for `depth` middle vertices, with the successors of A's part where C changes.
  void add_product(T* c, TileIndex<T>* successors, const T* a, const TileIndex<T>* a_successors, const T* b,
                   std::size_t depth, const T* next_c, const T* next_b) const {
    if (!successors) return products_.accumulate(c, a, b, depth, next_c, next_b);
    alignas(64) TileIndex<T> middle[tile_size];
    std::fill_n(middle, tile_size, TileIndex<T>{-1});
    products_.accumulate_argmin(c, middle, a, b, depth, 0);
    pivots_.take(successors, middle, a_successors);
  }

  /// The turns of a diagonal tile.
  void close(std::size_t pivot) {
    watch_.check();
    const PivotTile<T> tile = pivot_tile(pivot, pivot, pivot, pivot);
    for (std::size_t first = 0; first < tile_side; first += strip) {
      pivots_.rows(tile, first, true);
      pivots_.columns(tile, first, true);
      finish_strip(tile, first);
    }
    for (std::size_t k = 0; k < tile_side; ++k) {
      if (is_better<Tag>(tile.rows[k * tile_side + k], Tag::one())) refuse_cycle(graph_, pivot * tile_side + k, watch_);
    }
  }

  /// The turns of a tile in the pivot's rows, or in its columns: `turn` counts both.
  void advance(std::size_t pivot, std::size_t turn) {
    const bool in_rows = turn < tiles_ - 1;
    std::size_t other = in_rows ? turn : turn - (tiles_ - 1);
    if (other >= pivot) ++other;
    const PivotTile<T> tile = in_rows ? pivot_tile(pivot, other, other, pivot) : pivot_tile(other, pivot, pivot, other);
    for (std::size_t first = 0; first < tile_side; first += strip) {
      (in_rows ? pivots_.rows : pivots_.columns)(tile, first, false);
      finish_strip(tile, first);
    }
  }

  [[nodiscard]] PivotTile<T> pivot_tile(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) const {
    return {lengths_.data() + offset(i, j), successors(i, j), rows_.data() + rows * tile_size,
            columns_.data() + columns * tile_size, column_successors(columns)};
  }

  /// The strip's turns for the entries that are in none of its rows and columns; for the others they change nothing.
  void finish_strip(const PivotTile<T>& tile, std::size_t first) const {
    add_product(tile.lengths, tile.successors, tile.columns + first,
                tile.successors ? tile.column_successors + first : nullptr, tile.rows + first * tile_side, strip,
                tile.lengths, tile.rows);
  }

  /// Everything outside the pivot's rows and columns.
  void multiply(std::size_t pivot) {
    const std::size_t stretches = (tiles_ + stretch_tiles - 1) / stretch_tiles;
    for (std::size_t turn; (turn = next_stretch_++) < tiles_ * stretches;) {
      const std::size_t i = turn / stretches, first = turn % stretches * stretch_tiles;
      const std::size_t end = std::min(first + stretch_tiles, tiles_);
      if (i == pivot) continue;
      watch_.check();
      for (std::size_t j = first; j < end; ++j) {
        if (j == pivot) continue;
        const std::size_t next = std::min(j + 1, end - 1);
        add_product(lengths_.data() + offset(i, j), successors(i, j), columns_.data() + i * tile_size,
                    column_successors(i), rows_.data() + j * tile_size, tile_side, lengths_.data() + offset(i, next),
                    rows_.data() + next * tile_size);
      }
    }
  }

  const Graph<T>& graph_;
  std::size_t n_;
  std::size_t tiles_;  ///< along a side
  bool successors_wanted_;
  Budget::Share taken_;
  TileStorage<T> lengths_;
  TileStorage<T> rows_;     ///< [tile column]: the pivot's rows, each as its turn found it
  TileStorage<T> columns_;  ///< [tile row]: its columns
  TileStorage<TileIndex<T>> successors_;
  TileStorage<TileIndex<T>> column_successors_;
  Team team_;
  Watch watch_;
  tiles::TileProducts<T> products_ = tiles::tile_products<Tag>();
  PivotOperations<T> pivots_ = pivot_operations<Tag>();
  std::atomic<std::size_t> next_panel_ = 0;
  std::atomic<std::size_t> next_stretch_ = 0;
};

}  // namespace

template <class T>
std::size_t bytes_needed(const Graph<T>& graph, const Options&) {
  return Solver<MinPlus<T>>::bytes(graph.vertices(), graph.request.successors);
}

template <class T>
AllPairs<T> all_pairs(const Graph<T>& graph, Context& context) {
  return minplus::with_choosing_tag<T>(graph.request.semiring,
                                       [&](auto tag) { return Solver<decltype(tag)>(graph, context).solve(); });
}

#define WARPFOLD_INSTANTIATE(T)                              \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&); \
  template std::size_t bytes_needed(const Graph<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cpu
