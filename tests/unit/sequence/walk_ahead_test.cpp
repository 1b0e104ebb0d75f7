#include <gtest/gtest.h>

#include <random>

#include "sequence/slices/strips.hpp"
#include "unit/sequence/oracle.hpp"

/// Walks through parts that a team has computed ahead.
namespace warpfold::sequence::slices {
namespace {

using test::draw;
using Random = std::mt19937_64;

/// The script by strips of one word, which have many parts of a few chunks.
Script script_by_parts(const Coded& pair, Measure measure, std::size_t parts, int threads, std::size_t bound) {
  const Table table{measure, pair.a(), pair.b()};
  Layout layout = within(layout_of(pair.n(), pair.m(), pair.planes(), measure), bound);
  layout.interval = 5;
  layout.parts = parts;
  Team team(threads);
  const Options options;
  SolveMonitor monitor(options, table.cells());
  Strips strips(table, layout, static_cast<std::size_t>(team.size()));
  strips.run(team, monitor);
  Walk walk{pair.n(), pair.m()};
  strips.walk_back(walk, 0, team, monitor);
  return walk.finished();
}

void expect_one_script(const Coded& pair, Measure measure, std::size_t bound) {
  const std::string expected = script_by_parts(pair, measure, 1, 1, bound).cigar();
  for (const std::size_t parts : {2, 16}) {
    for (const int threads : {1, 2}) {
      EXPECT_EQ(script_by_parts(pair, measure, parts, threads, bound).cigar(), expected)
          << parts << ' ' << threads << ' ' << pair.n() << ' ' << pair.m();
    }
  }
}

TEST(WalkAhead, PartsComputedAheadLeaveTheScriptAsItIs) {
  Random random(1);
  for (const auto measure : {Measure::edit, Measure::indel}) {
    for (const std::uint32_t alphabet : {2, 4, 20}) {
      const auto a = draw(6007, alphabet, random);
      expect_one_script(test::coded(a, draw(5003, alphabet, random)), measure, 20'000);
      expect_one_script(test::coded(draw(900, alphabet, random), a), measure, 20'000);
    }
  }
}

/// The second half of B begins far right of where the line to (0,0) meets the middle of A, or far left of it.
TEST(WalkAhead, WalksFarFromTheLineAreRight) {
  Random random(3);
  const auto a = draw(6001, 4, random), between = draw(4000, 4, random);
  for (const std::size_t middle : {1500, 3000, 4500}) {
    auto b = a;
    b.insert(b.begin() + static_cast<std::ptrdiff_t>(middle), between.begin(), between.end());
    expect_one_script(test::coded(a, b), Measure::edit, 20'000);
    expect_one_script(test::coded(b, a), Measure::indel, 20'000);
  }
}

TEST(WalkAhead, PartsOfABandAreComputedAhead) {
  Random random(2);
  for (const std::uint32_t alphabet : {2, 4}) {
    const auto a = draw(9001, alphabet, random);
    expect_one_script(test::coded(a, test::mutate(a, 20, alphabet, random)), Measure::edit, 900);
  }
}

TEST(WalkAhead, ThePartOfTheWalkIsTheFirst) {
  const auto part_of = [](std::size_t i, std::size_t j) { return std::pair((i - 1) / 100, (j - 1) / 1000); };
  const auto ahead = parts_ahead(Walk{10'000, 20'000}, 7, part_of);
  ASSERT_EQ(ahead.size(), 7);
  EXPECT_EQ(ahead[0].part, std::pair(std::size_t{99}, std::size_t{19}));
  EXPECT_EQ(ahead[0].i, 10'000);
  EXPECT_EQ(ahead[0].j, 20'000);
  EXPECT_EQ(parts_ahead(Walk{1, 1}, 7, part_of).size(), 1);
}

}  // namespace
}  // namespace warpfold::sequence::slices
