#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sequence/gpu/tiles.hpp"
#include "unit/sequence/oracle.hpp"

/// The walk through the tiles of a GPU, whose borders come here from a complete table.
namespace warpfold::sequence::cuda {
namespace {

using test::draw;
using Random = std::mt19937_64;

/// Edit distances, or lengths of common subsequences, of all prefixes.
class Table {
 public:
  Table(const Coded& pair, Measure measure) : width_(pair.m() + 1), values_((pair.n() + 1) * width_) {
    const bool is_edit = measure == Measure::edit;
    for (std::size_t i = 0; i <= pair.n(); ++i) {
      for (std::size_t j = 0; j <= pair.m(); ++j) {
        int& value = values_[i * width_ + j];
        if (i == 0 || j == 0) {
          value = is_edit ? static_cast<int>(i + j) : 0;
        } else if (is_edit) {
          const int differs = pair.a()[i - 1] == pair.b()[j - 1] ? 0 : 1;
          value = std::min({at(i - 1, j - 1) + differs, at(i - 1, j) + 1, at(i, j - 1) + 1});
        } else {
          const bool match = pair.a()[i - 1] == pair.b()[j - 1];
          value = match ? at(i - 1, j - 1) + 1 : std::max(at(i - 1, j), at(i, j - 1));
        }
      }
    }
  }
  [[nodiscard]] int at(std::size_t i, std::size_t j) const { return values_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<int> values_;
};

/// The borders of tiles as the kernel writes them.
class BordersOfTable {
 public:
  BordersOfTable(const Coded& pair, const Table& table, const Layout& layout, std::size_t slots)
      : pair_(pair),
        table_(table),
        layout_(layout),
        above_(slots * layout.packets_of_a_tile()),
        left_(slots * layout.words_of_a_column()) {}

  [[nodiscard]] Borders borders(std::size_t slots) {
    return {slots, above_.data(), left_.data(), [this](std::size_t slot, const Tile& tile) { set(tile, slot); }, [] {}};
  }

 private:
  void set(const Tile& tile, std::size_t slot) {
    const std::size_t row = tile.strip * layout_.rows_of_a_strip(), column = tile.column * layout_.width();
    std::uint64_t* const above = above_.data() + slot * layout_.packets_of_a_tile();
    std::fill_n(above, layout_.packets_of_a_tile(), 0);
    for (std::size_t j = column; j < std::min(column + layout_.width(), pair_.m()); ++j) {
      const std::size_t x = j - column;
      const std::size_t bit = chunk_columns - 1 - x % chunk_columns;
      above[x / chunk_columns] |= packet(table_.at(row, j + 1) - table_.at(row, j)) << bit;
    }
    std::uint32_t* const left = left_.data() + slot * layout_.words_of_a_column();
    std::fill_n(left, layout_.words_of_a_column(), 0);
    for (std::size_t i = row; i < std::min(row + layout_.rows_of_a_strip(), pair_.n()); ++i) {
      const std::size_t stripe = (i - row) / layout_.rows, k = (i - row) % layout_.rows;
      const int difference = table_.at(i + 1, column) - table_.at(i, column);
      if (difference == 0) continue;
      const std::size_t sign = difference == 1 ? 0 : 1;
      left[(k * static_cast<std::size_t>(layout_.signs) + sign) * warp + stripe / 32] |= 1U << stripe % 32;
    }
  }
  [[nodiscard]] std::uint64_t packet(int difference) const {
    if (difference == 0) return 0;
    return difference == 1 && layout_.signs == 2 ? std::uint64_t{1} << 32 : 1;
  }

  const Coded& pair_;
  const Table& table_;
  const Layout& layout_;
  std::vector<std::uint64_t> above_;
  std::vector<std::uint32_t> left_;
};

void expect_script_of_words(const Coded& pair, Measure measure, unsigned rows, int threads) {
  const Request request{.script = true};
  Options options;
  options.algorithm = "words";
  const Script expected = measure == Measure::edit ? edit_distance(pair, options, request).solution.script
                                                   : lcs(pair, options, request).solution.script;
  const Query query{pair, request, measure};
  Layout layout = layout_of(
      {static_cast<double>(pair.n()), static_cast<double>(pair.m()), 0, pair.planes(), measure, request}, rows);
  const Table table(pair, measure);
  Team team(threads);
  const auto slots = static_cast<std::size_t>(team.size());
  BordersOfTable borders(pair, table, layout, slots);
  const SolveMonitor monitor(options, 1);
  EXPECT_EQ(script_by_tiles(query, layout, borders.borders(slots), team, monitor).cigar(), expected.cigar())
      << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << ' ' << rows;
}

TEST(GpuTiles, WalksFindTheScriptOfTheCompleteTable) {
  Random random(1);
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    for (const std::uint32_t alphabet : {1, 4, 300}) {
      const auto a = draw(4500, alphabet, random);
      expect_script_of_words(test::coded(a, draw(4200, alphabet, random)), measure, 2, 1);
      expect_script_of_words(test::coded(a, test::mutate(a, 20, alphabet, random)), measure, 2, 2);
    }
  }
}

TEST(GpuTiles, LengthsAroundTilesAreWalkedThrough) {
  Random random(2);
  for (const std::size_t n : {1, 2047, 2048, 2049, 4097}) {
    for (const std::size_t m : {1, 63, 64, 65, 2047, 2048, 2049, 4096, 4097}) {
      const Coded pair = test::coded(draw(n, 3, random), draw(m, 3, random));
      expect_script_of_words(pair, Measure::edit, 2, 2);
      expect_script_of_words(pair, Measure::indel, 4, 1);
    }
  }
}

}  // namespace
}  // namespace warpfold::sequence::cuda
