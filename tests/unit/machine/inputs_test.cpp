#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace warpfold::machine {
namespace {

using Entries = std::vector<std::int64_t>;

/// A request of a size that every algorithm accepts.
RunRequest small_request(const Algorithm& algorithm) {
  RunRequest request{.machine = algorithm.machines.front() == Kind::hmm ? hmm(2, 4, 5, 2) : dmm(4, 3), .threads = 16};
  request.n = 16;
  return request;
}

RunRequest on_pram(std::uint32_t threads, std::uint64_t n, const Lists& lists) {
  RunRequest request{.machine = pram(), .threads = threads, .n = n};
  request.lists = lists;
  return request;
}

std::string failure(const char* name, const RunRequest& request) {
  try {
    static_cast<void>(run(find_algorithm(name), request));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Inputs, OfAPermutationMayHaveAColoringOfItsWords) {
  RunRequest request{.machine = umm(2, 1), .threads = 4, .n = 4};
  request.lists = {{"permutation", {3, 0, 1, 2}}, {"coloring", {0, 1, 0, 1}}};
  EXPECT_EQ(failure("permute-umm", request), "none");
  request.lists["coloring"] = {0, 0, 1, 1};
  EXPECT_NE(failure("permute-umm", request).find("coloring has words of one row"), std::string::npos);
  request.machine = umm(4, 1);
  EXPECT_NE(failure("permute-umm", request).find("w^2 for a given coloring"), std::string::npos);
}

TEST(Inputs, ThatWereDrawnGiveTheSameRunAgain) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.lists.empty()) continue;  // the algorithm has no lists
    SCOPED_TRACE(algorithm.name);
    RunRequest request = small_request(algorithm);
    const RunResult drawn = run(algorithm, request);
    EXPECT_EQ(drawn.inputs.size(), algorithm.lists.size());
    request.seed = 2;
    EXPECT_TRUE(run(algorithm, request).inputs != drawn.inputs || algorithm.name == "sequential");
    request.lists = drawn.inputs;
    const RunResult typed = run(algorithm, request);
    EXPECT_TRUE(typed.correct);
    EXPECT_EQ(typed.inputs, drawn.inputs);
    EXPECT_EQ(typed.outputs, drawn.outputs);
    EXPECT_EQ(typed.counts, drawn.counts);
    EXPECT_EQ(typed.report.total.time_units, drawn.report.total.time_units);
    EXPECT_EQ(typed.report.total.histogram, drawn.report.total.histogram);
  }
}

TEST(Inputs, SayTheSizeWhereItFollows) {
  const auto size = [](const char* name, const Lists& lists) { return size_of(find_algorithm(name), lists); };
  EXPECT_EQ(size("mcm-pipeline", {{"dimensions", {2, 3, 4, 5}}}), 3u);
  EXPECT_EQ(size("umm-opt", {{"chords", {1, 2}}}), 4u);
  EXPECT_EQ(size("tiled-umm-opt", {{"chords", Entries(20)}}), 8u);
  EXPECT_EQ(size("permute-dmm", {{"permutation", {1, 0, 2}}}), 3u);
  EXPECT_EQ(size("sequential", {{"addresses", {7, 8}}}), 2u);
  EXPECT_EQ(size("knapsack-p-fold", {{"profits", {7, 8, 9}}}), 3u);
  EXPECT_EQ(size("sdp-pipeline", {{"offsets", {5, 3, 1}}}), std::nullopt);
  EXPECT_EQ(size("stride", {}), std::nullopt);
  EXPECT_THROW(static_cast<void>(size("dp-opt", {{"chords", {1, 2, 3}}})), Error);
  EXPECT_THROW(static_cast<void>(size("mcm-pipeline", {{"dimensions", {}}})), Error);
}

TEST(Inputs, ThatAreRefusedAreNamed) {
  EXPECT_EQ(failure("mcm-pipeline", on_pram(8, 3, {{"dimensions", {2, 3, 4}}})),
            "n is 3, but dimensions has 3 entries: n + 1 of them are accepted");
  EXPECT_EQ(failure("mcm-pipeline", on_pram(8, 2, {{"dimensions", {2, 0, 4}}})),
            "entry 1 of dimensions is 0: 1 to 65536 is accepted");
  EXPECT_EQ(failure("permute-straightforward", on_pram(4, 3, {{"permutation", {1, 0, 2}}, {"words", {7, 8}}})),
            "n is 3, but words has 2 entries: n of them are accepted");
  EXPECT_EQ(failure("sdp-pipeline", on_pram(4, 9, {{"offsets", {3, 1}}, {"initial", {1, 1}}})),
            "initial has 2 entries: 3, the largest offset, are accepted");
  EXPECT_EQ(failure("sdp-pipeline", on_pram(4, 9, {{"offsets", {3, 4}}})),
            "offset 1 is 4: offsets above 0 that fall strictly are accepted");
  EXPECT_EQ(failure("stride", on_pram(4, 8, {{"offsets", {3, 1}}})), "stride has no list 'offsets'");
  RunRequest both = on_pram(4, 9, {{"offsets", {3, 1}}});
  both.parameters["terms"] = 2;
  EXPECT_EQ(failure("sdp-pipeline", both),
            "terms is 2, which says how offsets are drawn, and offsets are given: one of both is accepted");
  RunRequest operation = on_pram(4, 9, {{"offsets", {3, 1}}});
  operation.operation = "times";
  EXPECT_EQ(failure("sdp-pipeline", operation), "operation 'times' is unknown: sum, min, max, xor is accepted");
  EXPECT_EQ(failure("mcm-pipeline", operation), "mcm-pipeline has no list 'offsets'");
  operation.lists.clear();
  EXPECT_EQ(failure("mcm-pipeline", operation), "mcm-pipeline has no operation to be chosen");
}

/// Results that textbooks print for these problems.
TEST(Inputs, OfKnownProblemsHaveTheirKnownResults) {
  const RunResult fibonacci =
      run(find_algorithm("sdp-pipeline"), on_pram(2, 9, {{"offsets", {2, 1}}, {"initial", {1, 1}}}));
  EXPECT_EQ(fibonacci.outputs.at("ST"), (Entries{1, 1, 2, 3, 5, 8, 13, 21, 34}));
  const RunResult chain =
      run(find_algorithm("mcm-pipeline"), on_pram(8, 6, {{"dimensions", {30, 35, 15, 5, 10, 20, 25}}}));
  EXPECT_EQ(chain.outputs.at("ST").back(), 15125);
  RunRequest sack = on_pram(16, 4, {{"weights", {5, 4, 6, 3}}, {"profits", {10, 40, 30, 50}}});
  sack.parameters["capacity"] = 10;
  EXPECT_EQ(run(find_algorithm("knapsack-p-fold"), sack).outputs.at("ST").back(), 90);
  const Lists pentagon = {{"chords", {4, 9, 2, 7, 3}}};  // of the README
  for (const char* name : {"dp-opt", "umm-opt"}) {
    EXPECT_EQ(run(find_algorithm(name), on_pram(4, 5, pentagon)).outputs.at("M(1,n-1)"), Entries{7}) << name;
  }
  const RunResult moved =
      run(find_algorithm("permute-straightforward"), on_pram(4, 3, {{"permutation", {1, 2, 0}}, {"words", {7, 8, 9}}}));
  EXPECT_EQ(moved.outputs.at("a"), (Entries{9, 7, 8}));
}

TEST(Inputs, OfEveryOperationGiveTheDefinitionsTable) {
  const Lists lists = {{"offsets", {5, 3, 1}}, {"initial", {-4, 9, 6, 2, 7}}};
  for (const auto& [operation, table] :
       {std::pair{"sum", Entries{-4, 9, 6, 2, 7, 9, 20, 33}}, std::pair{"min", Entries{-4, 9, 6, 2, 7, -4, -4, -4}},
        std::pair{"max", Entries{-4, 9, 6, 2, 7, 7, 9, 9}},
        std::pair{"xor", Entries{-4, 9, 6, 2, 7, -4 ^ 6 ^ 7, 9 ^ 2 ^ -4 ^ 6 ^ 7, 9 ^ 2 ^ -4}}}) {
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.operations.empty() || !algorithm.name.starts_with("sdp-")) continue;
      RunRequest request = on_pram(8, 8, lists);
      request.operation = operation;
      const RunResult result = run(algorithm, request);
      EXPECT_TRUE(result.correct) << algorithm.name << ", " << operation;
      EXPECT_EQ(result.outputs.at("ST"), table) << algorithm.name << ", " << operation;
    }
  }
}

TEST(Inputs, MayBeWeightsBelowZeroAndUpToTheLargest) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  Entries chords(16 * 13 / 2);
  for (std::size_t i = 0; i < chords.size(); ++i) chords[i] = i % 3 == 0 ? -most : i % 3 == 1 ? most : 0;
  for (const char* name : {"dp-opt", "umm-opt", "tiled-umm-opt"}) {
    RunRequest request = small_request(find_algorithm(name));
    request.lists["chords"] = chords;
    EXPECT_TRUE(run(find_algorithm(name), request).correct) << name;
  }
}

TEST(Inputs, OfASequenceCountItsGaps) {
  const RunResult result =  // UMM 2013, Fig. 3: 12 threads, gaps after threads 3 and 6
      run(find_algorithm("sequential"), on_pram(12, 12, {{"addresses", {2, 3, 4, 5, 8, 9, 10, 14, 15, 16, 17, 18}}}));
  EXPECT_TRUE(result.correct);
  EXPECT_EQ(result.report.phases.at(0).sequences.at(0).fragmentation, 2u);
}

TEST(Inputs, AreNotDrawnWhereTheSimulationHasNoMemoryForThem) {
  const auto refusal = [](const char* name, std::uint64_t n) {
    RunRequest request = on_pram(4, n, {});
    request.options.max_memory = 1 << 20;
    return failure(name, request);
  };
  EXPECT_EQ(refusal("sum", 1 << 24), "16777216 words would need 201 MB, there is 1.05 MB");
  EXPECT_EQ(refusal("matrix-product", 2048), "12582912 words would need 151 MB, there is 1.05 MB");
}

/// 2018, section II-B: k - 1 threads that add to one element at the same time lose all terms but one. One after another
/// they are no faster than one thread.
TEST(SdpNaive, LosesTermsAsPrintedAndIsAsSlowAsOneThreadInTurn) {
  for (const std::uint64_t terms : {1, 2, 3, 6}) {
    RunRequest request{.machine = pram(), .threads = 8, .n = 40};
    request.parameters["terms"] = terms;
    const RunResult in_turn = run(find_algorithm("sdp-naive"), request);
    const RunResult alone = run(find_algorithm("sdp-sequential"), request);
    EXPECT_TRUE(in_turn.correct);
    EXPECT_EQ(in_turn.report.total.time_units, alone.report.total.time_units);
    EXPECT_EQ(in_turn.formula, alone.formula);
    request.as_printed = true;
    const RunResult printed = run(find_algorithm("sdp-naive"), request);
    EXPECT_EQ(printed.correct, terms <= 2) << terms;
    const std::uint64_t elements = 40 - static_cast<std::uint64_t>(printed.inputs.at("offsets").front());
    EXPECT_EQ(printed.report.total.simultaneous_writes, elements * (terms > 2 ? terms - 2 : 0));
    EXPECT_EQ(printed.report.total.time_units.count, printed.formula);
  }
}

TEST(Inputs, OfTheOtherPramAlgorithmsGiveTheAnswerByHand) {
  const auto output = [](const char* name, const char* of, std::uint64_t n, const Lists& lists) {
    return run(find_algorithm(name), on_pram(2, n, lists)).outputs.at(of);
  };
  EXPECT_EQ(output("list-ranking", "rank", 4, {{"next", {2, 1, 3, 1}}}), (Entries{3, 0, 2, 1}));
  EXPECT_EQ(output("breadth-first-search", "distance", 4, {{"targets", {1, 2, 2, 0, 1, 0, 2, 3}}}),
            (Entries{0, 1, 2, -1}));
  EXPECT_EQ(output("convolution", "out", 4, {{"words", {1, 2, 4, 8}}, {"kernel", {-1, 1}}}), (Entries{1, 2, 4}));
  EXPECT_EQ(output("matrix-product", "c", 2, {{"a", {1, 2, 3, 4}}, {"b", {0, 1, 1, 0}}}), (Entries{2, 1, 4, 3}));
  EXPECT_EQ(output("bitonic-sort", "a", 4, {{"words", {7, -3, 9, 0}}}), (Entries{-3, 0, 7, 9}));
}

TEST(Inputs, ThatAreNoListOrNoGraphAreRefused) {
  const auto ranking = [](std::uint64_t n, const Entries& next) {
    return failure("list-ranking", on_pram(2, n, {{"next", next}}));
  };
  const char* one_list = "one list of all, its last node its own successor, is accepted";
  EXPECT_EQ(ranking(2, {1, 0}), fmt::format("next joins 0 of 2 nodes: {}", one_list));
  EXPECT_EQ(ranking(3, {0, 1, 1}), fmt::format("next joins 2 of 3 nodes: {}", one_list));
  EXPECT_EQ(ranking(3, {1, 0, 2}), fmt::format("next joins 1 of 3 nodes: {}", one_list));
  EXPECT_EQ(ranking(2, {2, 1}), "entry 0 of next is 2: 0 to 1 is accepted");
  const auto search = [](const Entries& targets) {
    return failure("breadth-first-search", on_pram(2, 2, {{"targets", targets}}));
  };
  EXPECT_EQ(search({1, 0, 1}), "the number of targets is 3: a multiple of n = 2 is accepted");
  EXPECT_EQ(search({1, 2}), "entry 1 of targets is 2: 0 to 1 is accepted");
  EXPECT_EQ(size_of(find_algorithm("matrix-product"), {{"a", Entries(9)}}), 3u);
}

}  // namespace
}  // namespace warpfold::machine
