#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sequence/align/strips/kernel.hpp"
#include "sequence/align/strips/layout.hpp"
#include "unit/sequence/alignment_oracle.hpp"

namespace warpfold::sequence::alignment::strips {
namespace {

/// H, and the best of a diagonal and an insertion, of all cells, with extend (i + j) added to each.
struct Table {
  std::size_t columns;
  std::vector<std::int64_t> best, without_deletion, inserted;

  Table(const ScoredPair& pair, std::int64_t open, std::int64_t extend)
      : columns(pair.m() + 1),
        best((pair.n() + 1) * columns, -open),
        without_deletion(best.size()),
        inserted(best.size(), -2 * open) {
    best[0] = 0;
    std::vector<std::int64_t> deleted(columns, -2 * open);
    for (std::size_t i = 1; i <= pair.n(); ++i) {
      for (std::size_t j = 1; j < columns; ++j) {
        const std::size_t at = i * columns + j;
        const std::int64_t score = pair.score(pair.a()[i - 1], pair.b()[j - 1]) + 2 * extend;
        inserted[at] = std::max(inserted[at - 1], best[at - 1] - open);
        deleted[j] = std::max(deleted[j], best[at - columns] - open);
        without_deletion[at] = std::max(best[at - columns - 1] + std::max(score, -2 * open), inserted[at]);
        best[at] = std::max(without_deletion[at], deleted[j]);
      }
    }
  }
};

/// Whether all values of a group of rows fit, in the column of its corner and up to the next move of its base.
bool fits(const Table& table, const NarrowStrip& strip, std::size_t i0, std::size_t j0, std::size_t rows,
          std::int64_t open) {
  const std::int64_t base = table.best[i0 * table.columns + j0] - strip.corner;
  const auto is_byte = [&](std::int64_t value) { return value >= base && value <= base + 255; };
  for (std::size_t j = j0 + 1; i0 > 1 && j <= std::min(j0 + strip.columns, table.columns - 1); ++j) {
    const std::int64_t deleted = table.without_deletion[(i0 - 1) * table.columns + j] - open;  // into the first row
    if (!is_byte(deleted)) return false;
  }
  for (std::size_t i = i0; i < std::min(i0 + strip.group, rows); ++i) {
    if (!is_byte(table.inserted[i * table.columns + j0])) return false;
    for (std::size_t j = j0 + 1; j <= std::min(j0 + strip.columns, table.columns - 1); ++j) {
      const std::size_t at = i * table.columns + j;
      const std::int64_t diagonal = table.best[at - table.columns - 1];
      if (!is_byte(diagonal) || !is_byte(diagonal + strip.least_score) || !is_byte(table.best[at - 1] - open) ||
          !is_byte(table.inserted[at]) || !is_byte(table.without_deletion[at] - open) || !is_byte(table.best[at]))
        return false;
    }
  }
  return true;
}

TEST(NarrowStrips, HoldAllValuesOfTheirGroups) {
  std::mt19937_64 random(1);
  int count = 0;
  for (int round = 0; round < 400; ++round) {
    const auto open = static_cast<std::int64_t>(random() % 40), extend = static_cast<std::int64_t>(random() % 5);
    const auto match = static_cast<std::int64_t>(random() % 30);
    const auto mismatch = -static_cast<std::int64_t>(random() % (round % 3 ? 4 : 40));
    const auto strip =
        narrow_strip(open, std::max({match + 2 * extend, extend, std::int64_t{1}}), mismatch + 2 * extend);
    if (!strip) continue;
    ++count;
    const auto symbols = test::draw(40, 3, random);
    const auto others = round % 2 ? test::mutate(symbols, 3, 3, random) : test::draw(50, 1, random);
    const ScoredPair pair(test::coded(symbols, others), match, mismatch);
    const Table table(pair, open, extend);
    for (std::size_t i0 = 1; i0 <= pair.n(); ++i0) {
      for (std::size_t j0 = 0; j0 < pair.m(); ++j0) {
        ASSERT_TRUE(fits(table, *strip, i0, j0, pair.n() + 1, open))
            << mismatch << " to " << match << ", gap " << open << " + " << extend << " at " << i0 << ' ' << j0;
      }
    }
  }
  EXPECT_GT(count, 100);
}

TEST(NarrowStrips, AreThereForCommonScoresOnly) {
  const auto blosum62 = narrow_strip(11, 11 + 2, -4 + 2);
  ASSERT_TRUE(blosum62);
  EXPECT_EQ(blosum62->group, 16u);
  EXPECT_EQ(blosum62->columns, 14u);
  EXPECT_TRUE(narrow_strip(10, 5 + 2, -4 + 2));
  EXPECT_TRUE(narrow_strip(0, 1, -1));
  EXPECT_TRUE(narrow_strip(50, 1, 0));
  EXPECT_FALSE(narrow_strip(51, 1, 0));
  EXPECT_TRUE(narrow_strip(0, 51, 0));
  EXPECT_FALSE(narrow_strip(0, 52, 0));
  EXPECT_FALSE(narrow_strip(1'000'000'000, 3'000'000'000, -1'000'000'000));
}

Layout layout_for(std::size_t n, const AlignmentRequest& request, std::int64_t match, std::size_t threads) {
  const Size size{static_cast<double>(n), static_cast<double>(n), 4, false, -match, match, match, -match, request};
  return *layout_of(size, threads, std::size_t{1} << 30);
}

TEST(AlignmentLayout, HasEightBitsOnlyForGlobalAlignmentsWithSmallScores) {
  const AlignmentRequest global{.gaps = {11, 1, {}}}, local{.gaps = {11, 1, {}}, .ends = local_ends};
  EXPECT_EQ(layout_for(5000, global, 11, 1).narrow.has_value(), lanes<std::uint16_t>() > 1);
  EXPECT_FALSE(layout_for(5000, local, 11, 1).narrow);
  EXPECT_FALSE(layout_for(5000, global, 50, 1).narrow);
  EXPECT_EQ(layout_for(5000, global, 5'000'000, 1).value_bytes, 4u);
}

TEST(AlignmentLayout, HasStripsForAllRows) {
  for (const std::size_t n : {1u, 5000u, 20'000u, 100'000u, 1'000'000u}) {
    for (const std::size_t threads : {1u, 2u, 3u, 16u}) {
      const Layout layout = layout_for(n, {.gaps = {11, 1, {}}}, 11, threads);
      EXPECT_GE(layout.strips() * layout.rows(), n);
      EXPECT_LT((layout.strips() - 1) * layout.rows(), n);
    }
  }
}

TEST(AlignmentLayout, GivesTwoThreadsAsManyStrips) {
  EXPECT_EQ(layout_for(20'000, {.gaps = {11, 1, {}}}, 11, 2).strips() % 2, 0u);
}

}  // namespace
}  // namespace warpfold::sequence::alignment::strips
