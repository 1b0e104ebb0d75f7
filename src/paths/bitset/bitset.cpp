#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "paths/backends.hpp"
#include "paths/bitset/bits.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/team.hpp"

/// Reachability, 64 vertices per word, 256 intermediate vertices (pivots) at a time. First the turns are applied to the
/// pivots' own square. They are then applied to the other rows in the pivots' columns only, which tells what each row
/// gains at each turn. They are then applied to everything else, one band of columns after another: the pivots' rows in
/// order, and the others at once. Tables of the unions of four rows serve this (Arlazarov, Dinic, Kronrod and Faradzev,
/// 1970: "four Russians").
namespace warpfold::paths::bitset {

namespace {

constexpr std::size_t pivots = 256;
constexpr std::size_t pivot_words = pivots / 64;
using PivotWords = std::array<std::uint64_t, pivot_words>;
static_assert(band_bits % pivots == 0);

/// Adds the row of pivot k to that of pivot i.
struct Turn {
  std::uint16_t k;
  std::uint16_t i;
};

std::size_t bands_for(std::size_t n) { return (n + band_bits - 1) / band_bits; }

/// Calls visit(k) for every bit, in order.
template <class Visit>
void each_bit(std::uint64_t word, const Visit& visit) {
  for (; word != 0; word &= word - 1) visit(static_cast<std::size_t>(std::countr_zero(word)));
}

class BitsetSolver {
 public:
  BitsetSolver(const Graph<std::uint8_t>& graph, Context& context)
      : graph_(graph),
        n_(graph.vertices()),
        bands_(bands_for(n_)),
        rows_count_(bands_ * band_bits),
        taken_(context.budget.reserve(bytes(n_, graph.request.successors))),
        words_(bands_ * rows_count_ * band_words),
        chosen_(pivot_words * rows_count_),
        paths_{Matrix<std::uint8_t>(n_, n_), {}},
        team_(std::min(thread_count(context.options.threads), static_cast<int>(bands_))),
        monitor_(context.options, graph.operations()) {
    if (graph.request.successors) paths_.successors = {n_, n_};
    turns_.reserve(pivots * pivots);
    context.report.threads = team_.size();
  }

  static std::size_t bytes(std::size_t n, bool successors) {
    const std::size_t side = bands_for(n) * band_bits;
    const std::size_t square = n * n * (successors ? 1 + sizeof(std::uint32_t) : 1);
    return side * side / 8 + side * pivots / 8 + square + pivots * pivots * sizeof(Turn);
  }

  AllPairs<std::uint8_t> solve() {
    const std::size_t parts = (rows_count_ + rows_a_part - 1) / rows_a_part;
    const std::size_t rounds = (n_ + pivots - 1) / pivots;
    each_part(parts, [&](std::size_t i) { pack(i); });
    for (std::size_t round = 0; round < rounds; ++round) {
      first_pivot_ = round * pivots;
      close();
      each_part(parts, [&](std::size_t i) { advance(i); });
      team_.parallel_for(bands_, [&](std::size_t band, int) { finish(band); });
      monitor_.advance(graph_.operations() / static_cast<double>(rounds));
    }
    each_part(parts, [&](std::size_t i) { unpack(i); });
    return std::move(paths_);
  }

 private:
  /// Calls visit(i) for every row; one thread visits those of a part.
  template <class Visit>
  void each_part(std::size_t parts, const Visit& visit) {
    team_.parallel_for(parts, [&](std::size_t part, int) {
      monitor_.check();
      for (std::size_t i = part * rows_a_part; i < (part + 1) * rows_a_part; ++i) visit(i);
    });
  }

  [[nodiscard]] bool wants_successors() const { return graph_.request.successors; }
  /// A row's words in a band. Those of the next rows follow.
  [[nodiscard]] std::uint64_t* row(std::size_t band, std::size_t i) const {
    return words_.data() + (band * rows_count_ + i) * band_words;
  }
  /// A row's words in the pivots' columns.
  [[nodiscard]] std::uint64_t* pivot_columns(std::size_t i) const {
    return row(first_pivot_ / band_bits, i) + first_pivot_ % band_bits / 64;
  }
  [[nodiscard]] bool is_pivot(std::size_t i) const { return i - first_pivot_ < pivots; }
  /// The pivots of a word that a row gains.
  [[nodiscard]] std::uint64_t& chosen(std::size_t word, std::size_t i) const {
    return chosen_.data()[word * rows_count_ + i];
  }

  void pack(std::size_t i) {
    for (std::size_t word = 0; word < rows_count_ / 64; ++word) {
      std::uint64_t bits = 0;
      for (std::size_t j = 64 * word; i < n_ && j < std::min(n_, 64 * word + 64); ++j) {
        bits |= static_cast<std::uint64_t>(graph_.edges(i, j)) << j % 64;
      }
      if (i / 64 == word) bits |= std::uint64_t{1} << i % 64;  // itself; padding is never read
      row(word / band_words, i)[word % band_words] = bits;
    }
    for (std::size_t j = 0; wants_successors() && i < n_ && j < n_; ++j) {
      paths_.successors(i, j) = first_successor<OrAnd>(graph_.edges, i, j);
    }
  }

  void unpack(std::size_t i) {
    if (i >= n_) return;
    std::uint8_t* lengths = paths_.lengths.view().row(i);
    for (std::size_t j = 0; j < n_; ++j) lengths[j] = row(j / band_bits, i)[j % band_bits / 64] >> j % 64 & 1;
  }

  /// Adds `words` words of row k to row i, from column `first` on.
  void take_up(std::size_t i, std::size_t k, const std::uint64_t* from, std::uint64_t* to, std::size_t words,
               std::size_t first) {
    for (std::size_t word = 0; wants_successors() && word < words; ++word) {
      each_bit(from[word] & ~to[word],
               [&](std::size_t bit) { paths_.successors(i, first + 64 * word + bit) = paths_.successors(i, k); });
    }
    for (std::size_t word = 0; word < words; ++word) to[word] |= from[word];
  }

  /// Applies the turns to the pivots in their own columns. They are kept for their other columns.
  void close() {
    monitor_.check();
    turns_.clear();
    for (std::size_t k = 0; k < pivots; ++k) {
      std::copy_n(pivot_columns(first_pivot_ + k), pivot_words, square_[k].begin());
      for (std::size_t i = 0; i < pivots; ++i) {
        std::uint64_t* to = pivot_columns(first_pivot_ + i);
        if (i == k || (to[k / 64] >> k % 64 & 1) == 0) continue;
        turns_.push_back({static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(i)});
        take_up(first_pivot_ + i, first_pivot_ + k, square_[k].data(), to, pivot_words, first_pivot_);
      }
    }
  }

  /// Applies the turns to another row in the pivots' columns.
  void advance(std::size_t i) {
    PivotWords taken{};
    std::uint64_t* to = pivot_columns(i);
    for (std::size_t k = is_pivot(i) ? pivots : 0; k < pivots; ++k) {
      const std::uint64_t left = to[k / 64] >> k % 64;
      if (left == 0) {
        k |= 63;  // skips the rest of this word
        continue;
      }
      k += static_cast<std::size_t>(std::countr_zero(left));
      taken[k / 64] |= std::uint64_t{1} << k % 64;
      take_up(i, first_pivot_ + k, square_[k].data(), to, pivot_words, first_pivot_);
    }
    for (std::size_t word = 0; word < pivot_words; ++word) chosen(word, i) = taken[word];
  }

  /// Applies all turns in a band of columns.
  void finish(std::size_t band) {
    alignas(64) std::uint64_t kept[pivots][band_words];  // each pivot's row as its turn found it
    const auto keep = [&](std::size_t k) { std::copy_n(row(band, first_pivot_ + k), band_words, kept[k]); };
    std::size_t next = 0;
    for (const auto& [k, i] : turns_) {
      while (next <= k) keep(next++);
      take_up(first_pivot_ + i, first_pivot_ + k, kept[k], row(band, first_pivot_ + i), band_words, band * band_bits);
    }
    while (next < pivots) keep(next++);
    for (std::size_t first = 0; first < rows_count_; first += rows_a_block) {
      monitor_.check();
      const std::size_t count = std::min(rows_a_block, rows_count_ - first);
      for (std::size_t word = 0; word < pivot_words; ++word) {
        if (wants_successors()) {
          take_up_in_turn(band, first, count, word, kept[64 * word]);
        } else {
          take_up_rows(kept[64 * word], &chosen(word, first), count, row(band, first));
        }
      }
    }
  }

  /// As take_up_rows, if it matters which row was the first. The unions tell which bits are new, which is seldom any.
  void take_up_in_turn(std::size_t band, std::size_t first, std::size_t count, std::size_t word,
                       const std::uint64_t* kept) {
    std::uint64_t before[rows_in_turn * band_words];
    for (std::size_t part = first; part < first + count; part += rows_in_turn) {
      std::uint64_t* rows = row(band, part);
      std::copy_n(rows, rows_in_turn * band_words, before);
      take_up_rows(kept, &chosen(word, part), rows_in_turn, rows);
      for (std::size_t at = 0; at < rows_in_turn * band_words; ++at) {
        if (rows[at] == before[at]) continue;
        const std::size_t column = band * band_bits + 64 * (at % band_words);
        find_successors(part + at / band_words, word, kept + at % band_words, column, rows[at] & ~before[at]);
      }
    }
  }

  /// Sets row i's successors for a word of columns whose bits became new by the pivots of a word: the first pivot that
  /// has each.
  void find_successors(std::size_t i, std::size_t word, const std::uint64_t* kept, std::size_t column,
                       std::uint64_t added) {
    for (std::uint64_t left = chosen(word, i); added != 0; left &= left - 1) {
      const auto pivot = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint32_t successor = paths_.successors(i, first_pivot_ + 64 * word + pivot);
      const std::uint64_t found = kept[pivot * band_words] & added;
      each_bit(found, [&](std::size_t bit) { paths_.successors(i, column + bit) = successor; });
      added &= ~found;
    }
  }

  static constexpr std::size_t rows_a_part = 64;
  static constexpr std::size_t rows_in_turn = 256;  ///< for one table of unions

  const Graph<std::uint8_t>& graph_;
  std::size_t n_;
  std::size_t bands_;
  std::size_t rows_count_;  ///< with padding, as many as columns
  Budget::Reservation taken_;
  TileStorage<std::uint64_t> words_;   ///< [band][row][word]
  TileStorage<std::uint64_t> chosen_;  ///< [word of pivots][row]
  AllPairs<std::uint8_t> paths_;
  Team team_;
  SolveMonitor monitor_;
  std::size_t first_pivot_ = 0;
  std::array<PivotWords, pivots> square_;  ///< the pivots' rows in their columns, each at its turn
  std::vector<Turn> turns_;
};

}  // namespace

std::size_t bytes_needed(const Graph<std::uint8_t>& graph, const Options&) {
  return BitsetSolver::bytes(graph.vertices(), graph.request.successors);
}

AllPairs<std::uint8_t> all_pairs(const Graph<std::uint8_t>& graph, Context& context) {
  return BitsetSolver(graph, context).solve();
}

}  // namespace warpfold::paths::bitset
