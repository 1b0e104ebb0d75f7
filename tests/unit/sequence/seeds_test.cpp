#include "sequence/seeds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/sequence/oracle.hpp"

/// Seeds, by the distances of all prefixes and suffixes.
namespace warpfold::sequence {
namespace {

using test::Symbols;

/// The edit distances of all prefixes, row by row.
std::vector<std::vector<std::int64_t>> distances(const Symbols& a, const Symbols& b) {
  std::vector table(a.size() + 1, std::vector<std::int64_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = static_cast<std::int64_t>(i + j);
      } else {
        table[i][j] =
            std::min({table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), table[i - 1][j] + 1, table[i][j - 1] + 1});
      }
    }
  }
  return table;
}

/// Whether seeds say no more than what scripts within the bound have from each of their positions on. Returns what they
/// say of all rows.
std::int64_t expect_lower_bound(const Symbols& a, const Symbols& b, std::int64_t more) {
  const auto before = distances(a, b), after = distances({a.rbegin(), a.rend()}, {b.rbegin(), b.rend()});
  const std::int64_t bound = before[a.size()][b.size()] + more;
  const Seeds seeds(test::coded(a, b), bound);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      const std::int64_t left = after[a.size() - i][b.size() - j];
      if (before[i][j] + left > bound) continue;
      EXPECT_LE(seeds.cost_from(static_cast<std::int64_t>(i)), left) << i << ' ' << j;
    }
    const auto row = static_cast<std::int64_t>(i);
    EXPECT_LE(seeds.cost_from(row), seeds.cost_from(std::max<std::int64_t>(row - 1, 0))) << i;
  }
  return seeds.cost_from(0);
}

TEST(SequenceSeeds, AreALowerBoundOfTheCost) {
  std::mt19937_64 random(1);
  for (const std::uint32_t alphabet : {1u, 2u, 4u, 300u}) {
    for (const std::size_t n : {1u, 7u, 8u, 64u, 300u}) {
      const Symbols a = test::draw(n, alphabet, random);
      for (const std::int64_t more : {0, 1, 30}) {
        expect_lower_bound(a, test::mutate(a, 12, alphabet, random), more);
        expect_lower_bound(a, test::draw(200, alphabet, random), more);
      }
    }
  }
}

TEST(SequenceSeeds, MissMostEditsOfSimilarSequences) {
  std::mt19937_64 random(2);
  const Symbols a = test::draw(2000, 4, random);
  const Symbols b = test::mutate(a, 50, 4, random);
  const std::int64_t distance = distances(a, b)[a.size()][b.size()];
  EXPECT_GT(expect_lower_bound(a, b, 0), distance * 4 / 5);
}

}  // namespace
}  // namespace warpfold::sequence
