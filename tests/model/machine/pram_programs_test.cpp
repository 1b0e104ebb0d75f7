// Algorithms of the PRAM on the DMM, the UMM and the HMM: the future work of the 2012 paper.
#include <gtest/gtest.h>

#include "machine/formulas.hpp"
#include "model/machine/exact.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold::machine;
using namespace warpfold::machine::test;

std::vector<Size> sweep(const std::vector<std::uint64_t>& sizes, const std::vector<std::uint32_t>& widths) {
  std::vector<Size> all_sizes;
  for (const std::uint64_t n : sizes) {
    for (const std::uint32_t w : widths) {
      for (const std::uint32_t warps : {1u, 2u, 6u}) {
        for (const std::uint32_t l : {1u, 7u}) all_sizes.push_back({n, w * warps, w, l, warps % 4, 3});
      }
    }
  }
  return all_sizes;
}

std::string refusal(const char* name, std::uint64_t n, const Parameters& parameters = {}) {
  try {
    run_on(name, Kind::umm, {n, 16, 4, 5}, false, Timing::lockstep, parameters);
  } catch (const warpfold::Error& error) {
    EXPECT_EQ(error.kind(), warpfold::ErrorKind::usage);
    return error.what();
  }
  return {};
}

TEST(BitonicSort, TakesExactlyTheFormulaForPowersOfTwo) {
  EXPECT_EQ(expect_exact("bitonic-sort", sweep({1, 2, 4, 8, 16, 64, 128}, {1, 2, 4, 8, 32}), all), 1050);
}

TEST(BitonicSort, SortsForEveryWidthAndHasItsFormulaOnThePramAndTheBpramForEach) {
  const std::vector<Size> sizes = sweep({1, 2, 32, 64}, {3, 6});
  EXPECT_EQ(expect_exact("bitonic-sort", sizes, {Kind::pram, Kind::bpram}), 96);
  for (const RunResult& result : expect_right("bitonic-sort", sizes, banked)) EXPECT_FALSE(result.formula);
}

TEST(BitonicSort, StaysWithinFourTimesItsBound) {
  for (const RunResult& result : expect_right("bitonic-sort", sweep({2, 64, 1024}, {2, 8}), all)) {
    EXPECT_LE(time_of(result), 4 * *result.bound) << to_string(result.report.machine);
  }
}

TEST(BitonicSort, RefusesOtherSizes) {
  EXPECT_EQ(refusal("bitonic-sort", 12), "n is 12: a power of 2 up to 2^31 is accepted");
  EXPECT_EQ(refusal("bitonic-sort", 0), "n is 0: a power of 2 up to 2^31 is accepted");
}

TEST(ListRanking, TakesExactlyTheFormulaOnThePramAndTheBpram) {
  EXPECT_EQ(
      expect_exact("list-ranking", sweep({1, 2, 3, 4, 5, 6, 9, 10, 33, 34, 100}, {1, 4, 6}), {Kind::pram, Kind::bpram}),
      396);
}

TEST(ListRanking, StaysWithinEightTimesItsBoundAndIsRightOnEveryMachine) {
  for (const RunResult& result : expect_right("list-ranking", sweep({1, 2, 3, 17, 100, 1000}, {1, 4, 8}), all)) {
    EXPECT_LE(time_of(result), 8 * *result.bound) << to_string(result.report.machine);
  }
}

TEST(ListRanking, RefusesAnEmptyList) { EXPECT_EQ(refusal("list-ranking", 0), "n is 0: 1 to 2^31 nodes is accepted"); }

TEST(MatrixProduct, TakesExactlyTheFormulaWhereTheWidthDividesN) {
  EXPECT_EQ(expect_exact("matrix-product", sweep({8, 16}, {1, 2, 4, 8}), all), 240);
  EXPECT_EQ(expect_exact("matrix-product", sweep({1, 5, 9}, {4, 6}), {Kind::pram, Kind::bpram}), 72);
  for (const RunResult& result : expect_right("matrix-product", sweep({1, 5, 9}, {4, 6}), banked)) {
    EXPECT_FALSE(result.formula);
  }
}

TEST(MatrixProduct, StaysWithinFiveTimesItsBoundWhereEveryThreadHasAnElement) {
  for (const RunResult& result : expect_right("matrix-product", sweep({8, 24}, {2, 4, 8}), all)) {
    EXPECT_LE(time_of(result), 5 * *result.bound) << to_string(result.report.machine);
  }
}

TEST(MatrixProduct, RefusesNoRowsAndTooMany) {
  EXPECT_EQ(refusal("matrix-product", 0), "n is 0: 1 to 65535 rows is accepted");
  EXPECT_EQ(refusal("matrix-product", 65536), "n is 65536: 1 to 65535 rows is accepted");
}

TEST(Convolution, TakesExactlyTheFormulaForEveryNumberOfTaps) {
  for (const std::uint64_t taps : {1u, 2u, 5u, 8u, 9u}) {
    EXPECT_EQ(expect_exact("convolution", sweep({9, 16, 50, 101}, {1, 3, 4, 8}), all, {{"taps", taps}}), 480);
  }
}

TEST(Convolution, StaysWithinFiveTimesItsBoundWhereEveryThreadHasAWord) {
  for (const RunResult& result : expect_right("convolution", sweep({64, 500}, {2, 8}), all)) {
    EXPECT_LE(time_of(result), 5 * *result.bound) << to_string(result.report.machine);
  }
}

TEST(Convolution, RefusesMoreTapsThanWordsAndNone) {
  EXPECT_EQ(refusal("convolution", 7), "n is 7: as many words as taps, or more, is accepted");
  EXPECT_EQ(refusal("convolution", 7, {{"taps", 0}}), "taps is 0: 1 or more is accepted");
}

// Which of several threads finds a vertex depends on the timing, and so does the number of writes. So the pipelined
// time is not always lower.
TEST(BreadthFirstSearch, StaysWithinSixTimesItsBoundAndIsRightOnEveryMachineInBothTimings) {
  for (const std::uint64_t degree : {1u, 2u, 5u}) {
    for (const Size& size : sweep({1, 2, 17, 100, 1000}, {1, 4, 8})) {
      for (const Kind kind : all) {
        for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
          const RunResult result = run_on("breadth-first-search", kind, size, false, timing, {{"degree", degree}});
          EXPECT_TRUE(result.correct) << to_string(result.report.machine) << " n=" << size.n;
          EXPECT_GE(time_of(result), result.lower_bound) << to_string(result.report.machine) << " n=" << size.n;
          EXPECT_LE(time_of(result), 6 * *result.bound) << to_string(result.report.machine) << " n=" << size.n;
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, ReadsEveryVertexOnceALevelAndEveryEdgeOfAReachedOneTwice) {
  for (const Kind kind : all) {
    const RunResult result = run_on("breadth-first-search", kind, {300, 32, 4, 5, 2, 1});
    std::map<std::string, std::uint64_t> accesses;
    for (const SequenceReport& sequence : result.report.phases[0].sequences) accesses[sequence.name] += sequence.length;
    EXPECT_EQ(accesses["distance"] % 300, 0u);
    const std::uint64_t levels = accesses["distance"] / 300,
                        discoveries = accesses["distance[target]"] - accesses["targets"];
    EXPECT_GT(levels, 3u);
    EXPECT_GE(accesses["targets"], discoveries);
    EXPECT_EQ(accesses["targets"] % 4, 0u);
    EXPECT_LE(accesses["targets"], 300u * 4);
    EXPECT_GE(discoveries, accesses["targets"] / 4 - 1);  // all vertices except 0, some by several threads at once
    EXPECT_GE(accesses["reached"], 32 * levels);
  }
}

TEST(Merge, IsRightForEverySizeOnEveryMachine) {
  std::vector<Size> sizes;
  for (const std::uint64_t n : {1u, 2u, 3u, 5u, 16u, 33u, 100u, 512u}) sizes.push_back({n, 16, 4, 5, 2, 1});
  EXPECT_EQ(expect_right("merge", sizes, all).size(), 40u);
}

TEST(Merge, TakesEqualWordsOfTheFirstHalfFirstAndRefusesUnsortedHalves) {
  RunRequest request{.machine = umm(4, 5), .threads = 8, .n = 6};
  request.lists["words"] = {1, 4, 4, 1, 4, 9};
  EXPECT_EQ(run(find_algorithm("merge"), request).outputs.at("out"), (std::vector<std::int64_t>{1, 1, 4, 4, 4, 9}));
  request.lists["words"] = {1, 4, 3, 1, 4, 9};
  EXPECT_THROW(static_cast<void>(run(find_algorithm("merge"), request)), warpfold::Error);
}

TEST(Fft, IsExactOnThePramAndRightOnEveryMachine) {
  std::vector<Size> sizes;
  for (const std::uint64_t n : {1u, 2u, 4u, 16u, 64u, 512u}) {
    for (const std::uint32_t p : {4u, 16u, 64u}) sizes.push_back({n, p, 4, 5});
  }
  EXPECT_EQ(expect_exact("fft", sizes, {Kind::pram, Kind::bpram}), 36);
  expect_right("fft", sizes, banked);
}

TEST(Fft, ReversesBitsAtAStageAWordWhereTheButterfliesTakeFewStages) {
  for (const Kind kind : banked) {
    const RunResult result = run_on("fft", kind, {1024, 64, 16, 1});
    const PhaseReport& reversal = result.report.phases.at(0);
    ASSERT_EQ(reversal.name, "bit reversal");
    EXPECT_EQ(reversal.sequences.at(1).stages, 1024u) << "a warp's writes meet in one bank or in w groups";
    EXPECT_EQ(reversal.sequences.at(0).stages, 1024u / 16);
  }
}

TEST(Fft, OfAConstantIsASinglePeakAndRefusesOtherSizes) {
  RunRequest request{.machine = umm(4, 5), .threads = 8, .n = 8};
  request.lists["words"] = std::vector<std::int64_t>(8, 3);
  EXPECT_EQ(run(find_algorithm("fft"), request).outputs.at("b"), (std::vector<std::int64_t>{24, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_THROW(static_cast<void>(run_on("fft", Kind::umm, {12, 8, 4, 5})), warpfold::Error);
}

TEST(PrefixSumsByBlocks, AreExactOnEveryMachine) {
  std::vector<Size> sizes;
  for (const std::uint32_t p : {4u, 16u, 48u}) {
    for (const std::uint64_t words : {1u, 2u, 3u, 8u, 20u}) sizes.push_back({p * words, p, 4, 5});
  }
  EXPECT_EQ(expect_exact("prefix-sums-blocks", sizes, all_flat), 60);
  EXPECT_THROW(static_cast<void>(run_on("prefix-sums-blocks", Kind::umm, {10, 8, 4, 5})), warpfold::Error);
}

TEST(PrefixSumsByBlocks, AreFasterThanATreeOnThePramAndSlowerOnTheUmm) {
  const Size size{4096, 64, 32, 1};
  EXPECT_LT(time_of(run_on("prefix-sums-blocks", Kind::pram, size)), time_of(run_on("prefix-sums", Kind::pram, size)));
  EXPECT_GT(time_of(run_on("prefix-sums-blocks", Kind::umm, size)), time_of(run_on("prefix-sums", Kind::umm, size)));
}

TEST(ConnectedComponents, AreRightForEveryNumberOfEdgesOnEveryMachine) {
  const std::vector<Size> sizes = {{1, 8, 4, 5, 2, 1}, {2, 8, 4, 5, 2, 1}, {50, 8, 4, 5, 2, 1}, {300, 32, 4, 5, 2, 1}};
  for (const std::uint64_t edges : {1u, 20u, 150u, 900u}) {
    EXPECT_EQ(expect_right("connected-components", sizes, all, {{"edges", edges}}).size(), 20u);
  }
}

TEST(ConnectedComponents, OfAPathAreOneAndOfNoEdgeBetweenThemTwo) {
  RunRequest request{.machine = pram(), .threads = 4, .n = 6};
  request.lists["ends"] = {5, 4, 3, 1, 4, 3, 2, 0};  // 5-4, 4-3, 3-2, 1-0
  const RunResult result = run(find_algorithm("connected-components"), request);
  EXPECT_TRUE(result.correct);
  EXPECT_EQ(result.outputs.at("component"), (std::vector<std::int64_t>{0, 0, 2, 2, 2, 2}));
  EXPECT_EQ(result.counts.at("components"), 2u);
  request.lists["ends"] = {0, 6};
  EXPECT_THROW(static_cast<void>(run(find_algorithm("connected-components"), request)), warpfold::Error);
}

TEST(BreadthFirstSearch, RefusesNoVerticesAndNoEdges) {
  EXPECT_EQ(refusal("breadth-first-search", 0), "n is 0: 1 to 2^31 vertices is accepted");
  EXPECT_EQ(refusal("breadth-first-search", 9, {{"degree", 0}}), "degree is 0: 1 to 2^31/n edges a vertex is accepted");
}

TEST(PramProgramsFormulas, DependOnEachOfTheirParameters) {
  for (const char* name : {"bitonic-sort", "matrix-product", "convolution", "list-ranking", "breadth-first-search"}) {
    const std::uint64_t time = time_of(run_on(name, Kind::umm, {64, 16, 4, 5}));
    EXPECT_LT(time_of(run_on(name, Kind::umm, {16, 16, 4, 5})), time) << name << ": n";
    EXPECT_LT(time, time_of(run_on(name, Kind::umm, {64, 8, 4, 5}))) << name << ": p";
    EXPECT_LT(time, time_of(run_on(name, Kind::umm, {64, 16, 4, 6}))) << name << ": l";
    EXPECT_NE(time, time_of(run_on(name, Kind::umm, {64, 16, 2, 5}))) << name << ": w";
  }
}

}  // namespace
