#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/detail/grammar_terms.hpp"
#include "warpfold/tiles/row_operations.hpp"

/// The stencils of a grammar on the CPU: their weights, what they read for one tile, and their sums row by row.
namespace warpfold::interval::detail {

/// RowOperations::convolve for semirings without vector code.
template <class S, class T = typename S::Value>
void convolve_entries(T* sums, const T* source, const tiles::WeightAt<T>* terms, std::size_t count,
                      std::size_t columns) {
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t j = 0; j < columns; ++j) {
      const T& read = *(source + terms[t].offset + static_cast<std::ptrdiff_t>(j));
      sums[j] = S::plus(sums[j], Stored<S>::times(terms[t].weight, read));
    }
  }
}

/// Whether a stencil's terms may carry over: products with weights are sums, which do not round.
template <class S>
inline constexpr bool carries =
    Stored<S>::limited&& std::is_integral_v<typename S::Value>&& tiles::has_tile_operations<S>;

/// The terms of a stencil by their sizes a + b. Let of(s,i,j) be the sum of those of size s for the interval (i,j). If
/// loop(a,b) = step(s) + loop(a-1,b-1) for the terms of size s, and loop(a-1,b-1) has a value only for them, then
///
///     of(s,i,j) = plus(times(step(s), of(s-2, i+1, j-1)), the terms of size s without one before them)
///
/// An interior loop's energy is that of its size and that of its asymmetry, a - b: 53 terms and 23 sums that carry over
/// instead of 375 terms.
template <class S>
class SizedStencil {
 public:
  using T = typename S::Value;
  using At = tiles::WeightAt<T>;

  /// `weight(a, b)` as it is stored, `offset(a, b)` where it reads.
  template <class Weight, class Offset>
  SizedStencil(std::size_t deep, const Weight& weight, const Offset& offset) : deep_(deep) {
    std::size_t all = 0;
    for (std::size_t s = 0; s <= deep; ++s) {
      const auto [is_carried, step] = step_of(s, weight);
      const std::size_t before = others_.size();
      for (std::size_t a = 0; a <= s; ++a) {
        if (Stored<S>::is_zero(weight(a, s - a))) continue;
        ++all;
        const bool has_one_before = a > 0 && a < s && !Stored<S>::is_zero(weight(a - 1, s - a - 1));
        if (!is_carried || !has_one_before) others_.push_back({weight(a, s - a), offset(a, s - a)});
      }
      sizes_.push_back({is_carried ? s - 1 : 0, step, nullptr, others_.size() - before});
    }
    const At* first = others_.data();
    for (tiles::SizeTerms<T>& size : sizes_) size.others = std::exchange(first, first + size.count);
    pays_ = 2 * (others_.size() + sizes_.size()) < all;
  }

  /// Whether it has less than half of the terms.
  [[nodiscard]] bool pays() const { return pays_; }
  [[nodiscard]] std::size_t deep() const { return deep_; }
  /// The terms of sizes 0 .. deep. Row s + 1 has the sums of size s, row 0 has none.
  [[nodiscard]] const tiles::SizeTerms<T>* sizes() const { return sizes_.data(); }
  /// Calls visit(offset) for the terms that do not carry over.
  template <class Visit>
  void each_offset(const Visit& visit) const {
    for (const At& term : others_) visit(term.offset);
  }

 private:
  /// Whether the terms of size s - 2 carry over, with the step.
  template <class Weight>
  static std::pair<bool, T> step_of(std::size_t s, const Weight& weight) {
    bool is_set = false;
    T step{};
    for (std::size_t a = 1; a < s; ++a) {
      const T before = weight(a - 1, s - a - 1), here = weight(a, s - a);
      if (Stored<S>::is_zero(before)) continue;
      if (Stored<S>::is_zero(here) || (is_set && here - before != step)) return {false, T{}};
      step = here - before;
      is_set = true;
    }
    return {is_set, step};
  }

  std::size_t deep_;
  std::vector<At> others_;
  std::vector<tiles::SizeTerms<T>> sizes_;
  bool pays_ = false;
};

/// The weights of one stencil as they are stored, without zeros: loop(0, 0), loop(0, 1) and so on, then loop(1, 0).
/// Those of sums (ScaledSum) are the other way round: what lies farthest is added first, because it is final first.
template <class G>
class StencilWeights {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;

  /// `row_offset`: from what loop(a,b) reads to what loop(a+1,b) reads.
  StencilWeights(const G& grammar, std::size_t s, std::ptrdiff_t row_offset) {
    const std::size_t deep = stencils_of<G>()[s].deep;
    std::vector<T> stored((deep + 1) * (deep + 1), Stored<S>::zero());
    const auto weight = [&](std::size_t a, std::size_t b) -> T { return stored[a * (deep + 1) + b]; };
    const auto offset = [&](std::size_t a, std::size_t b) {
      return row_offset * static_cast<std::ptrdiff_t>(a) - static_cast<std::ptrdiff_t>(b);
    };
    for (std::size_t a = 0; a <= deep; ++a) {
      for (std::size_t b = 0; a + b <= deep; ++b) {
        const T given = loop_of(grammar, s, a, b);
        if (!Stored<S>::accepts(given)) reject_value<S>("loop" + interval_text(a, b), given);
        stored[a * (deep + 1) + b] = Stored<S>::of(given);
        if (!Stored<S>::is_zero(weight(a, b))) terms_.push_back({weight(a, b), offset(a, b)});
      }
    }
    if constexpr (is_scaled<S>) std::reverse(terms_.begin(), terms_.end());
    if constexpr (carries<S>) {
      by_size_.emplace(deep, weight, offset);
      if (!by_size_->pays()) by_size_.reset();
    }
    find_usual_b(row_offset, [&](const auto& visit) {
      if constexpr (carries<S>) {
        if (by_size_) return by_size_->each_offset(visit);
      }
      for (const tiles::WeightAt<T>& term : terms_) visit(term.offset);
    });
  }

  [[nodiscard]] const tiles::WeightAt<T>* terms() const { return terms_.data(); }
  [[nodiscard]] std::size_t size() const { return terms_.size(); }
  /// The same weights by their sizes, if that is faster, else null.
  [[nodiscard]] const SizedStencil<S>* by_size() const { return by_size_ ? &*by_size_ : nullptr; }
  /// The b of most terms: how far to the left they read.
  [[nodiscard]] std::size_t usual_b() const { return usual_b_; }

 private:
  /// `each`: calls visit(offset) for each term.
  template <class Each>
  void find_usual_b(std::ptrdiff_t row_offset, const Each& each) {
    const std::ptrdiff_t stride = std::abs(row_offset);
    std::vector<std::size_t> counts(static_cast<std::size_t>(stride));
    each([&](std::ptrdiff_t offset) { ++counts[static_cast<std::size_t>((stride - offset % stride) % stride)]; });
    usual_b_ = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  }

  std::vector<tiles::WeightAt<T>> terms_;
  std::optional<SizedStencil<S>> by_size_;
  std::size_t usual_b_ = 0;
};

/// The columns of a row of a tile that have intervals, and some beside them: multiples of tiles::block_side.
struct ColumnRange {
  std::size_t first, end;
};

/// The sums of a stencil by size, for one row of a tile after the other, from below. It begins deep/2 rows below the
/// tile, and deep/2 columns to its left.
template <class S>
class CarriedRows {
 public:
  using T = typename S::Value;

  explicit CarriedRows(const SizedStencil<S>& stencil)
      : stencil_(stencil), around_((stencil.deep() / 2 + pad - 1) / pad * pad), sums_(around_ + side) {
    rows_.assign((stencil.deep() + 2) * stride(), Stored<S>::zero());
  }

  /// Begins a tile. Around a diagonal tile there is nothing.
  void begin(bool is_diagonal) {
    rows_left_ = side + (is_diagonal ? 0 : stencil_.deep() / 2);
    if (is_diagonal) std::fill(rows_.begin(), rows_.end(), Stored<S>::zero());
  }
  /// Goes on to a row and returns its sums. `source(row)`: what the stencil's first weight takes for the row.
  template <class Source>
  [[nodiscard]] const T* advance(const tiles::RowOperations<T>& operations, std::size_t row, const ColumnRange& columns,
                                 const Source& source) {
    const std::size_t skipped = columns.first > 0 ? around_ + columns.first : 0;
    while (rows_left_ > row) {
      --rows_left_;
      const std::size_t below_tile = rows_left_ < side ? 0 : rows_left_ - side + 1;
      std::fill(sums_.begin(), sums_.end(), Stored<S>::zero());
      operations.carry(sums_.data() + skipped, rows_.data() + pad + skipped, stride(),
                       source(rows_left_) - around_ + skipped, stencil_.sizes(), stencil_.deep() + 1 - 2 * below_tile,
                       around_ + columns.end - skipped);
    }
    return sums_.data() + around_;
  }

 private:
  static constexpr std::size_t side = tiles::tile_side, pad = 16;

  [[nodiscard]] std::size_t stride() const { return pad + around_ + side; }

  const SizedStencil<S>& stencil_;
  std::size_t around_;   ///< columns to the left of the tile
  std::vector<T> rows_;  ///< see SizedStencil::sizes
  std::vector<T> sums_;
  std::size_t rows_left_ = 0;
};

/// The values of the widest vector.
inline constexpr std::size_t vector_values = 16;

/// From a row of a stencil's window to the next one: whole vectors, with place to align one column.
template <class G>
constexpr std::size_t stencil_stride(std::size_t s) {
  return (tiles::tile_side + stencils_of<G>()[s].deep + 2 * vector_values - 1) / vector_values * vector_values;
}

/// One row of a tile.
template <class T>
using TileRow = std::array<T, tiles::tile_side>;

/// What the stencils read for one tile: a window for each, with the weighted entries of the tile's rows and of deep + 1
/// below it, in its columns and in deep + 1 to the left.
template <class G>
class StencilWindows {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  static constexpr std::size_t side = tiles::tile_side;
  static constexpr auto stencils = stencils_of<G>();

  StencilWindows(const G& grammar, const std::vector<StencilWeights<G>>& weights)
      : grammar_(grammar), weights_(weights) {
    for (std::size_t s = 0; s != stencils.size(); ++s) {
      const std::size_t first_read = around(s) - 1 - weights[s].usual_b() % around(s);
      aligned_[s] = (vector_values - first_read % vector_values) % vector_values;
      windows_[s].emplace(entries(s));
      if constexpr (carries<S>) {
        if (const auto* sized = weights[s].by_size()) carried_[s].emplace(*sized);
      }
    }
  }

  /// Begins a tile: its entries are zero(), those around it final.
  void begin(const GrammarTables<G>& tables, const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j) {
    for (std::size_t s = 0; s != stencils.size(); ++s) {
      // Else all entries are written before they are read.
      if (!closes_rows<G> || tile_i + 2 > tile_j) std::fill_n(windows_[s]->data(), entries(s), Stored<S>::zero());
      if constexpr (carries<S>) {
        if (carried_[s]) carried_[s]->begin(tile_i == tile_j);
      }
    }
    if (tile_i == tile_j) return;  // the tiles around it are below the diagonal
    copy(tables, unit, tile_i, tile_j - 1, false, true);
    copy(tables, unit, tile_i + 1, tile_j, true, false);
    if (tile_i + 1 < tile_j) copy(tables, unit, tile_i + 1, tile_j - 1, true, true);
  }

  /// Puts the value of interval (i,j) of the tile into the window of stencil s.
  void put(std::size_t s, std::size_t i, std::size_t j, const T& stored) {
    entry(s, i % side, around(s) + j % side) = inner_times<G>(grammar_, s, i, j, stored);
  }

  /// The same for the intervals (i,j) .. (i,j+63) of a row.
  void put_row(std::size_t s, std::size_t i, std::size_t j, const T* values) {
    weigh(s, i, j, {values, side}, &entry(s, i % side, around(s)));
  }

  /// Makes a row of the tile zero() before its values are put one by one.
  void clear_row(std::size_t row) {
    for (std::size_t s = 0; s != stencils.size(); ++s) std::fill_n(&entry(s, row, around(s)), side, Stored<S>::zero());
  }

  /// Adds the stencil's sums for the intervals of a row. All that they read is final.
  template <class Operations>
  void add_row(const Operations& operations, std::size_t s, std::size_t row, const ColumnRange& columns,
               TileRow<T>& sums) {
    const std::size_t first = columns.first, count = columns.end - first;
    const auto source = [&](std::size_t of_row) { return this->source(s, of_row); };
    if constexpr (carries<S>) {
      if (carried_[s]) {
        const T* carried = carried_[s]->advance(operations.rows, row, columns, source);
        std::copy_n(carried + first, count, sums.data() + first);
        return;
      }
    }
    const auto& weights = weights_[s];
    if constexpr (tiles::has_tile_operations<S> || is_scaled<S>) {
      operations.rows.convolve(sums.data() + first, source(row) + first, weights.terms(), weights.size(), count);
    } else {
      convolve_entries<S>(sums.data() + first, source(row) + first, weights.terms(), weights.size(), count);
    }
  }

  /// What the first weight of stencil s takes for a row of the tile. That of loop(a,b) is `a` window rows below and b
  /// to the left.
  [[nodiscard]] const T* source(std::size_t s, std::size_t row) { return &entry(s, row + 1, around(s)) - 1; }
  /// The rows below the tile and the columns to its left.
  static constexpr std::size_t around(std::size_t s) { return stencils[s].deep + 1; }

 private:
  static constexpr std::size_t entries(std::size_t s) { return stencil_stride<G>(s) * (side + around(s)); }
  static constexpr bool are_alike(std::size_t s, std::size_t other) {
    return stencils[s].of == stencils[other].of && stencils[s].deep == stencils[other].deep;
  }
  static constexpr bool is_first_alike(std::size_t s) {
    std::size_t first = 0;
    while (!are_alike(first, s)) ++first;
    return first == s;
  }

  [[nodiscard]] T& entry(std::size_t s, std::size_t row, std::size_t column) {
    return windows_[s]->data()[row * stencil_stride<G>(s) + aligned_[s] + column];
  }
  /// What stencil s reads of the intervals (i,j), (i,j+1) and so on, with these values.
  void weigh(std::size_t s, std::size_t i, std::size_t j, std::span<const T> values, T* weighted) const {
    if constexpr (weights_rows<G>) {
      if (grammar_.inner_row(s, i, j, values, weighted)) return;
    }
    for (std::size_t t = 0; t != values.size(); ++t) weighted[t] = inner_times<G>(grammar_, s, i, j + t, values[t]);
  }
  /// Copies what the windows show of a neighboring tile, which is below this one, to the left, or both.
  void copy(const GrammarTables<G>& tables, const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j,
            bool is_below, bool is_left) {
    for (std::size_t s = 0; s != stencils.size(); ++s) {
      if (!is_first_alike(s)) continue;
      const T* tile = tables.table(stencils[s].of).tile(tile_i, tile_j);
      const std::size_t rows = is_below ? around(s) : side;
      for (std::size_t row = 0; row < rows; ++row) {
        copy_row(unit, s, tile + row * side, tile_i * side + row, tile_j * side, is_below ? side + row : row, is_left);
      }
    }
  }
  /// Copies the row i of a tile to a row of the windows of all stencils like this one. Entries with a value are listed
  /// first: nothing predicts which have one.
  [[gnu::flatten]] void copy_row(const UnitOf<S>& unit, std::size_t s, const T* values, std::size_t i,
                                 std::size_t first_j, std::size_t row, bool is_left) {
    const std::size_t begin = is_left ? side - around(s) : 0, to = is_left ? 0 : around(s);
    if constexpr (weights_rows<G>) {
      for (std::size_t other = s; other != stencils.size(); ++other) {
        if (!are_alike(s, other)) continue;
        const std::span<T> weighted(&entry(other, row, to), side - begin);
        weigh(other, i, first_j + begin, {values + begin, side - begin}, weighted.data());
        unit.read_row(weighted, i, first_j + begin);
      }
      return;
    }
    std::array<std::uint8_t, side> columns;
    std::size_t count = 0;
    for (std::size_t column = begin; column < side; ++column) {
      columns[count] = static_cast<std::uint8_t>(column);
      count += Stored<S>::is_zero(values[column]) ? 0 : 1;
    }
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t column = columns[t], j = first_j + column;
      for (std::size_t other = s; other != stencils.size(); ++other) {
        if (!are_alike(s, other)) continue;
        entry(other, row, to + column - begin) = unit.read(inner_times<G>(grammar_, other, i, j, values[column]), i, j);
      }
    }
  }

  const G& grammar_;
  const std::vector<StencilWeights<G>>& weights_;
  std::array<std::optional<TileStorage<T>>, stencils.size()> windows_;
  std::array<std::size_t, stencils.size()>
      aligned_;  ///< entries before the first, so that most terms read aligned ones
  std::array<std::optional<CarriedRows<S>>, carries<S> ? stencils.size() : 0> carried_;
};

}  // namespace warpfold::interval::detail
