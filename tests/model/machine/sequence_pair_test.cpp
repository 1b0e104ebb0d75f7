// The programs for two sequences: results, times, and what each arrangement gains.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "machine/formulas.hpp"
#include "model/machine/exact.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold::machine;
using namespace warpfold::machine::test;

const std::vector<std::string> measures = {"lcs", "edit-distance"};
const std::vector<std::string> flat_programs = {"-sequential", "-rows", "", "-sliding", "-mirroring", "-slices"};
const std::vector<std::string> diagonal_programs = {"", "-sliding", "-mirroring"};

std::vector<std::int64_t> symbols_of(const std::string& text) { return {text.begin(), text.end()}; }

RunResult run_for(const std::string& name, const std::string& a, const std::string& b, const Machine& machine) {
  RunRequest request{.machine = machine, .threads = 2 * machine.width * machine.multiprocessors, .n = a.size()};
  request.lists = {{"a", symbols_of(a)}, {"b", symbols_of(b)}};
  return run(find_algorithm(name), request);
}

std::uint64_t count_of(const RunResult& result, const std::string& sequence, bool writes) {
  std::uint64_t count = 0;
  for (const PhaseReport& phase : result.report.phases) {
    for (const SequenceReport& one : phase.sequences) {
      if (one.name == sequence && one.writes == writes) count += one.length;
    }
  }
  return count;
}

TEST(SequencePairs, HaveTheResultsOfTextbooks) {
  for (const std::string& program : flat_programs) {
    SCOPED_TRACE(program);
    const auto edits = run_for("edit-distance" + program, "kitten", "sitting", umm(2, 3));
    EXPECT_TRUE(edits.correct);
    EXPECT_EQ(edits.outputs.at("D"), std::vector<std::int64_t>{3});
    const auto common = run_for("lcs" + program, "ABCBDAB", "BDCABA", dmm(4, 3));
    EXPECT_TRUE(common.correct);
    EXPECT_EQ(common.outputs.at("D"), std::vector<std::int64_t>{4});
  }
  EXPECT_EQ(run_for("lcs-tiles", "AGCATAGC", "GACTTACG", hmm(2, 4, 3, 1)).outputs.at("D"),
            std::vector<std::int64_t>{5});
  EXPECT_EQ(run_for("edit-distance-tiles", "abcdabcd", "acdb", hmm(2, 4, 3, 1)).outputs.at("D"),
            std::vector<std::int64_t>{4});
}

TEST(Formulas, OfSequencePairsAreExactForEveryNAndM) {
  std::vector<Size> sizes = {{33, 16, 4, 5},  {33, 4, 4, 5},  {33, 64, 4, 5},  {33, 16, 1, 5}, {33, 16, 2, 5},
                             {33, 64, 64, 5}, {33, 16, 4, 1}, {33, 16, 4, 90}, {65, 24, 12, 7}};
  for (std::uint64_t n = 1; n <= 17; ++n) sizes.push_back({n, 12, 4, 5});
  for (const std::string& measure : measures) {
    for (const std::string& program : flat_programs) {
      for (const std::uint64_t m : {1u, 7u, 16u, 40u}) {
        EXPECT_EQ(expect_exact((measure + program).c_str(), sizes, all_flat, {{"m", m}}), 26 * 4);
      }
    }
    for (const std::uint64_t padding : {1u, 2u, 5u}) {
      expect_exact(measure.c_str(), sizes, banked, {{"padding", padding}});
    }
    for (const std::uint64_t bits : {1u, 3u, 8u, 64u}) {
      expect_exact((measure + "-slices").c_str(), sizes, banked, {{"bits", bits}});
    }
  }
}

// A mirror of the same shape doubles the writes. Without a latency the stages are the time.
TEST(Formulas, SplitTheStagesOfDiagonalsIntoReadsAndWrites) {
  Machine machine = umm(8, 1);
  machine.warp = 32;
  for (const std::uint64_t n : {1u, 8u, 33u, 200u}) {
    formulas::PairStages naive;
    for (const auto arrangement :
         {formulas::PairArrangement::naive, formulas::PairArrangement::sliding, formulas::PairArrangement::mirroring}) {
      const formulas::PairLayout layout{arrangement, n, n};
      const auto stages = formulas::pair_diagonals_stages(machine, 256, layout);
      EXPECT_EQ(stages.read + stages.written, formulas::pair_diagonals(machine, 256, layout)) << n;
      if (arrangement == formulas::PairArrangement::naive) naive = stages;
      if (arrangement != formulas::PairArrangement::mirroring) continue;
      EXPECT_EQ(stages.written, 2 * naive.written) << n;
      EXPECT_EQ(stages.read, naive.read) << n;
    }
    if (n <= 8) continue;
    EXPECT_EQ(naive.written, n * n) << n;  // the words of a diagonal are in a group each
  }
}

TEST(Formulas, OfSequencePairsByTilesAreExact) {
  for (const std::string& measure : measures) {
    for (const std::uint64_t m : {8u, 16u, 40u}) {
      std::vector<Size> sizes;
      for (const std::uint64_t n : {8u, 16u, 24u, 48u}) {
        for (const std::uint32_t d : {1u, 2u, 3u, 7u}) {
          sizes.insert(sizes.end(), {{n, 4 * d, 4, 9, d, 3}, {n, 8 * d, 4, 90, d, 1}, {n, 16 * d, 2, 9, d, 40}});
        }
      }
      for (const std::uint64_t tile : {4u, 8u}) {
        EXPECT_EQ(expect_exact((measure + "-tiles").c_str(), sizes, {Kind::hmm}, {{"m", m}, {"tile", tile}}), 48);
      }
    }
  }
}

TEST(SequencePairs, StoreEachDiagonalBeforeTheNext) {
  for (const std::uint32_t p : {4u, 64u}) {
    for (const std::uint32_t l : {1u, 50u}) {
      const Size size{32, p, 4, l};
      for (const char* program : {"lcs-sequential", "lcs", "lcs-sliding", "lcs-mirroring"}) {
        for (const Kind kind : all_flat) {
          const RunResult result = run_on(program, kind, size);
          ASSERT_TRUE(result.few_words_lower_bound);
          EXPECT_GE(*result.few_words_lower_bound, kind == Kind::dmm || kind == Kind::umm ? 63 * l : 63);
          EXPECT_GE(test::time_of(result), *result.few_words_lower_bound) << program;
        }
      }
    }
  }
  const RunResult tiles = run_on("lcs-tiles", Kind::hmm, {32, 32, 4, 50, 2, 3});
  EXPECT_GE(test::time_of(tiles), *tiles.few_words_lower_bound);
}

TEST(SequencePairs, StayWithinConstantsOfTheirBounds) {
  for (const std::uint64_t n : {1u, 16u, 64u}) {
    for (const std::uint32_t l : {1u, 50u}) {
      const Size size{n, 32, 8, l, 2, 3};
      for (const std::string& measure : measures) {
        EXPECT_LE(test::time_of(run_on(measure + "-sliding", Kind::umm, size)),
                  12 * *run_on(measure + "-sliding", Kind::umm, size).bound);
        EXPECT_LE(test::time_of(run_on(measure + "-rows", Kind::umm, size)),
                  8 * *run_on(measure + "-rows", Kind::umm, size).bound);
        if (n == 1) continue;  // a word has rows that the table lacks
        EXPECT_LE(test::time_of(run_on(measure + "-slices", Kind::umm, size)),
                  16 * *run_on(measure + "-slices", Kind::umm, size).bound);
      }
      if (n == 1) continue;
      EXPECT_LE(test::time_of(run_on("lcs-tiles", Kind::hmm, size)), 14 * *run_on("lcs-tiles", Kind::hmm, size).bound);
    }
  }
}

// A diagonal of the naive arrangement is in the banks n - 1 apart.
TEST(SequencePairs, NaiveDiagonalsTakeTheGreatestCommonDivisorOfThePitchLessOneAndTheWidth) {
  constexpr std::uint32_t w = 8;
  for (std::uint64_t n = 25; n <= 41; ++n) {
    const std::uint64_t conflicts = std::gcd(n - 1, std::uint64_t{w});
    const RunResult plain = run_on("lcs", Kind::dmm, {n, 64, w, 1});
    EXPECT_EQ(plain.report.total.histogram.size(), conflicts + 1) << n;
    // One more word between two rows removes the conflicts of odd n, one more or none those of even n.
    const RunResult padded = run_on("lcs", Kind::dmm, {n, 64, w, 1}, false, Timing::lockstep, {{"padding", n % 2}});
    EXPECT_EQ(padded.report.total.histogram.size(), 2u) << n;
    EXPECT_EQ(padded.report.total.accesses(), plain.report.total.accesses());
  }
}

TEST(SequencePairs, NaiveDiagonalsTakeAGroupForEachThreadAndSlidingOnesTwoGroupsForEachWarp) {
  const Size size{40, 64, 8, 1};
  const RunResult naive = run_on("lcs", Kind::umm, size), sliding = run_on("lcs-sliding", Kind::umm, size);
  EXPECT_EQ(naive.report.total.histogram.size(), 9u);
  EXPECT_EQ(sliding.report.total.histogram.size(), 3u);
  EXPECT_EQ(naive.report.total.accesses(), sliding.report.total.accesses());
  EXPECT_LT(3 * test::time_of(sliding), test::time_of(naive));
}

TEST(SequencePairs, MirroringWritesTwiceAndGainsNothing) {
  for (const std::string& measure : measures) {
    for (const Kind kind : banked) {
      for (const std::uint64_t n : {31u, 32u, 33u}) {
        const RunResult naive = run_on(measure, kind, {n, 64, 8, 5});
        const RunResult mirroring = run_on(measure + "-mirroring", kind, {n, 64, 8, 5});
        EXPECT_EQ(mirroring.report.total.writes, 2 * naive.report.total.writes);
        EXPECT_EQ(mirroring.report.total.reads, naive.report.total.reads);
        EXPECT_GT(test::time_of(mirroring), test::time_of(naive));
      }
    }
  }
}

TEST(SequencePairs, OfTilesCrossByTheirBordersOnly) {
  constexpr std::uint64_t n = 64, m = 32, side = 8, tiles = (n / side) * (m / side);
  const RunResult result = run_on("edit-distance-tiles", Kind::hmm, {n, 64, 4, 9, 2, 3}, false, Timing::lockstep,
                                  {{"m", m}, {"tile", side}});
  const std::uint64_t borders = count_of(result, "rows", false) + count_of(result, "rows", true) +
                                count_of(result, "columns", false) + count_of(result, "columns", true);
  EXPECT_EQ(borders, 4 * n * m / side + tiles);  // and the corner of each tile
  EXPECT_EQ(count_of(result, "A", false) + count_of(result, "B", false), 2 * n * m / side);
  EXPECT_EQ(count_of(result, "tile", true) - (2 * side + 1) * tiles, n * m);
}

TEST(SequencePairs, OfTilesHaveNoConflictWithinADiagonal) {
  const RunResult result =
      run_on("lcs-tiles", Kind::hmm, {64, 64, 8, 9, 2, 3}, false, Timing::lockstep, {{"tile", 16}});
  const auto compute = std::ranges::find(result.report.phases, "compute", &PhaseReport::name);
  ASSERT_NE(compute, result.report.phases.end());
  EXPECT_EQ(compute->counters.histogram.size(), 2u);
}

// Words of w cells: a w-th of the items, of 2 planes + 4 accesses in place of 6, and the planes of the symbols.
TEST(SequencePairs, OfSlicesTakeAWidthTimesFewerAccesses) {
  constexpr std::uint64_t n = 256;
  for (const std::uint32_t w : {8u, 32u}) {
    const Size size{n, 64, w, 1};
    const RunResult cells = run_on("lcs-sliding", Kind::umm, size), slices = run_on("lcs-slices", Kind::umm, size);
    const std::uint64_t words = n / w, items = words * (n + words * (w - 1));
    EXPECT_LE(count_of(slices, "v", false), items);
    EXPECT_EQ(count_of(cells, "D(i,j)", true), n * n);
    EXPECT_LT(static_cast<double>(slices.report.total.accesses()),
              2 * 1.5 * static_cast<double>(cells.report.total.accesses()) / w);
    EXPECT_LT(test::time_of(slices), test::time_of(cells));
  }
}

TEST(SequencePairs, RejectSizesThatTheyCannotTake) {
  const auto rejection = [](const char* name, std::uint64_t n, const Parameters& parameters) {
    try {
      run_on(name, Kind::hmm, {n, 16, 4, 5, 1, 1}, false, Timing::lockstep, parameters);
    } catch (const warpfold::Error& error) {
      EXPECT_EQ(error.kind(), warpfold::ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(rejection("lcs", 0, {}), "n is 0: 1 to 32767 symbols is accepted");
  EXPECT_EQ(rejection("lcs", 4, {{"m", 40000}}), "m is 40000: 1 to 32767 symbols is accepted");
  EXPECT_EQ(rejection("lcs-tiles", 8, {{"m", 9}}), "m is 9: a multiple of the tile is accepted");
  EXPECT_EQ(rejection("lcs-tiles", 8, {{"tile", 6}}), "tile is 6: a multiple of the width is accepted");
  EXPECT_EQ(rejection("lcs-slices", 8, {{"bits", 65}}), "bits is 65: 1 to 64 is accepted");
}

}  // namespace
