#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "equivalence/rna/drawn.hpp"
#include "needs_gpu.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::random_sequence;

class CudaFold : public warpfold::test::NeedsGpu {};

Options on(const char* device) {
  Options options;
  options.device = parse_device(device);
  return options;
}

/// The folding as text; the message if there is none.
std::string folded(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                   const char* device) {
  try {
    const Outcome<Folding> outcome = fold(sequence, parameters, on(device), request);
    EXPECT_EQ(outcome.report.device.starts_with("cuda"), std::string(device) == "cuda") << outcome.report.device;
    return outcome.solution.structure + ' ' + std::to_string(outcome.solution.energy);
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_the_cpus_folding(const std::string& letters, const Parameters& parameters,
                             const FoldRequest& request = {}) {
  const Sequence sequence(letters);
  EXPECT_EQ(folded(sequence, parameters, request, "cuda"), folded(sequence, parameters, request, "cpu"))
      << letters << ' ' << request.constraint;
}

std::string repeated(const std::string& letters, std::size_t size) {
  std::string all;
  while (all.size() < size) all += letters;
  return all.substr(0, size);
}

constexpr std::size_t sizes[] = {0, 1, 2, 3, 5, 8, 31, 32, 33, 62, 63, 64, 65, 95, 126, 127, 128, 129, 200, 500, 1000};

TEST_F(CudaFold, HasTheEnergyAndStructureOfTheCpu) {
  std::mt19937 random(1);
  for (const std::size_t n : sizes) {
    for (const int dangles : {0, 2}) {
      for (const bool lone_pairs : {false, true}) {
        const FoldRequest request{.dangles = dangles, .lone_pairs = lone_pairs};
        expect_the_cpus_folding(random_sequence(random, n, "ACGU"), rules_1998(), request);
        expect_the_cpus_folding(random_sequence(random, n, "GC"), drawn_parameters(static_cast<unsigned>(random())),
                                request);
      }
    }
  }
}

TEST_F(CudaFold, BreaksTiesAsTheCpuDoes) {
  Parameters level = rules_1998();  // every loop of some kind has the same energy
  std::apply([](auto&... grid) { (grid.values.fill(-1), ...); }, level.at_37.grids());
  for (const std::size_t n : sizes) {
    for (const char* letters : {"G", "GC", "GGGAAACCC", "AU", "GGUUACGAAAGU"}) {
      expect_the_cpus_folding(repeated(letters, n), rules_1998());
      expect_the_cpus_folding(repeated(letters, n), level);
    }
  }
}

TEST_F(CudaFold, SatisfiesConstraintsAndSpansAsTheCpuDoes) {
  std::mt19937 random(3);
  for (int round = 0; round < 120; ++round) {
    const std::size_t n = 20 + random() % 250;
    const FoldRequest request{.temperature = round % 5 == 0 ? 60.0 : 37.0,
                              .max_span = round % 7 == 0 ? 40U : 0U,
                              .lone_pairs = round % 3 != 0,
                              .constraint = test::random_constraint(random, n)};
    expect_the_cpus_folding(random_sequence(random, n, "ACGUN"), drawn_parameters(static_cast<unsigned>(round)),
                            request);
  }
}

TEST_F(CudaFold, HasTheCpusFoldingOfAnyRequestWithoutAConstraint) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 20 + random() % 400;
    FoldRequest request{.temperature = round % 5 == 0 ? 20.0 : 37.0,
                        .max_span = round % 3 == 0 ? 20 + random() % 100 : 0,
                        .lone_pairs = round % 2 != 0};
    if (round % 4 == 0) {
      for (std::size_t t = 0; t < n; ++t) request.stack_energies.push_back(static_cast<Energy>(random() % 100) - 50);
    }
    expect_the_cpus_folding(random_sequence(random, n, round % 3 == 1 ? "ACGU" : "ACGUN"),
                            drawn_parameters(static_cast<unsigned>(round)), request);
  }
}

TEST_F(CudaFold, HasTheCpusFoldingOfManyTiles) {
  std::mt19937 random(6);
  for (const bool lone_pairs : {false, true}) {
    expect_the_cpus_folding(random_sequence(random, 3000, "ACGU"), rules_1998(), {.lone_pairs = lone_pairs});
  }
}

TEST_F(CudaFold, FoldsWithLoopsThatTheirSizesForbid) {
  Parameters parameters = rules_1998();
  for (const std::size_t size : {9, 17, 30}) parameters.at_37.interior(size) = parameters.at_37.bulge(size) = no_loop;
  std::mt19937 random(7);
  for (int round = 0; round < 10; ++round) expect_the_cpus_folding(random_sequence(random, 200, "ACGU"), parameters);
}

TEST_F(CudaFold, FoldsEachSequenceOnTheGpu) {
  std::mt19937 random(4);
  std::vector<Sequence> sequences;
  for (int t = 0; t < 20; ++t) sequences.emplace_back(random_sequence(random, random() % 300, "ACGU"));
  const auto got = fold_each(sequences, rules_1998(), on("cuda"));
  const auto expected = fold_each(sequences, rules_1998(), on("cpu")).solution;
  EXPECT_THAT(got.report.device, testing::StartsWith("cuda"));
  for (std::size_t t = 0; t < sequences.size(); ++t) {
    EXPECT_EQ(got.solution[t].energy, expected[t].energy);
    EXPECT_EQ(got.solution[t].structure, expected[t].structure);
  }
}

/// Folds a batch on the GPU, and each of its sequences on the CPU.
void expect_the_cpus_foldings(const std::vector<Sequence>& sequences, const Parameters& parameters,
                              const FoldRequest& request = {}, const std::vector<std::string>& constraints = {}) {
  const auto got = fold_each(sequences, parameters, on("cuda"), request, constraints);
  const auto expected = fold_each(sequences, parameters, on("cpu"), request, constraints).solution;
  EXPECT_THAT(got.report.device, testing::StartsWith("cuda"));
  ASSERT_EQ(got.solution.size(), expected.size());
  for (std::size_t t = 0; t < sequences.size(); ++t) {
    EXPECT_EQ(got.solution[t].energy, expected[t].energy) << t << ' ' << sequences[t].letters();
    EXPECT_EQ(got.solution[t].structure, expected[t].structure) << t << ' ' << sequences[t].letters();
  }
}

std::vector<Sequence> drawn_batch(std::mt19937& random, std::size_t count, std::size_t longest, const char* letters) {
  std::vector<Sequence> sequences;
  for (std::size_t t = 0; t < count; ++t) sequences.emplace_back(random_sequence(random, random() % longest, letters));
  return sequences;
}

TEST_F(CudaFold, ABatchOfShortSequencesHasTheCpusFoldings) {
  std::mt19937 random(8);
  for (const int dangles : {0, 2}) {
    for (const bool lone_pairs : {false, true}) {
      const FoldRequest request{.dangles = dangles, .lone_pairs = lone_pairs};
      expect_the_cpus_foldings(drawn_batch(random, 1500, 130, "ACGU"), rules_1998(), request);
      expect_the_cpus_foldings(drawn_batch(random, 300, 240, "ACGUN"), rules_1998(), request);
      expect_the_cpus_foldings(drawn_batch(random, 300, 240, "GGCAU"),
                               drawn_parameters(static_cast<unsigned>(random())), request);
    }
  }
}

TEST_F(CudaFold, ABatchHasSequencesOfEveryLengthInTheirOrder) {
  std::mt19937 random(9);
  std::vector<Sequence> sequences;
  for (std::size_t n = 0; n < 260; ++n) sequences.emplace_back(random_sequence(random, n, "ACGU"));
  std::ranges::shuffle(sequences, random);
  expect_the_cpus_foldings(sequences, rules_1998());
}

TEST_F(CudaFold, ABatchBreaksTiesAsTheCpuDoes) {
  Parameters level = rules_1998();
  std::apply([](auto&... grid) { (grid.values.fill(-1), ...); }, level.at_37.grids());
  std::vector<Sequence> sequences;
  for (const std::size_t n : {0, 1, 4, 5, 6, 31, 32, 33, 64, 65, 100, 101, 128, 129, 200, 232, 233, 400}) {
    for (const char* letters : {"G", "GC", "GGGAAACCC", "AU", "GGUUACGAAAGU"}) {
      sequences.emplace_back(repeated(letters, n));
    }
  }
  expect_the_cpus_foldings(sequences, rules_1998());
  expect_the_cpus_foldings(sequences, level);
  expect_the_cpus_foldings(sequences, level, {.lone_pairs = false});
}

TEST_F(CudaFold, ABatchHasTheCpusFoldingsOfAnyRequest) {
  std::mt19937 random(10);
  for (int round = 0; round < 12; ++round) {
    const FoldRequest request{.temperature = round % 3 == 0 ? 55.0 : 37.0,
                              .max_span = round % 2 == 0 ? 10 + random() % 60 : 0,
                              .lone_pairs = round % 4 != 0};
    expect_the_cpus_foldings(drawn_batch(random, 120, 300, "ACGU"), drawn_parameters(static_cast<unsigned>(round)),
                             request);
  }
}

TEST_F(CudaFold, ABatchOfLongerSequencesHasTheCpusFoldings) {
  std::mt19937 random(11);
  for (const bool lone_pairs : {false, true}) {
    expect_the_cpus_foldings(drawn_batch(random, 60, 700, "ACGU"), rules_1998(), {.lone_pairs = lone_pairs});
    expect_the_cpus_foldings(drawn_batch(random, 12, 1500, "ACGUN"), drawn_parameters(12), {.lone_pairs = lone_pairs});
  }
}

TEST_F(CudaFold, ABatchTakesConstraintsOfSomeSequences) {
  std::mt19937 random(12);
  std::vector<Sequence> sequences;
  std::vector<std::string> constraints;
  for (int t = 0; t < 60; ++t) {
    const std::size_t n = 20 + random() % 300;
    sequences.emplace_back(random_sequence(random, n, "ACGU"));
    constraints.push_back(t % 3 == 0 ? std::string(n, '.').replace(n / 2, 3, "xxx") : "");
  }
  expect_the_cpus_foldings(sequences, rules_1998(), {}, constraints);
}

TEST_F(CudaFold, ABatchOfConstrainedSequencesHasTheCpusFoldings) {
  std::mt19937 random(18);
  auto [sequences, constraints] = test::GrowingBatch(random, 60, 20, 15);
  for (std::size_t t = 0; t < constraints.size(); ++t) constraints[t].replace(t, 4, t % 2 == 0 ? "xxxx" : "x..x");
  expect_the_cpus_foldings(sequences, rules_1998(), {}, constraints);
  expect_the_cpus_foldings(sequences, drawn_parameters(18), {.dangles = 0, .lone_pairs = false}, constraints);
}

TEST_F(CudaFold, ABatchOfConstrainedSequencesIsFoldedWithLittleMemory) {
  std::mt19937 random(19);
  std::vector<Sequence> sequences;
  for (int t = 0; t < 30; ++t) sequences.emplace_back(random_sequence(random, 700, "ACGU"));
  const std::vector<std::string> constraints(sequences.size(), std::string(698, '.') + "xx");
  Options options = on("cuda");
  options.max_device_memory =
      estimate_fold(sequences[0], rules_1998(), options, {.constraint = constraints[0]}).device_bytes;
  const auto got = fold_each(sequences, rules_1998(), options, {}, constraints);
  EXPECT_LE(got.report.peak_device_bytes, options.max_device_memory);
  const auto expected = fold_each(sequences, rules_1998(), on("cpu"), {}, constraints).solution;
  for (std::size_t t = 0; t < sequences.size(); ++t) EXPECT_EQ(got.solution[t].structure, expected[t].structure) << t;
}

TEST_F(CudaFold, ABatchGoesOnAfterSequencesThatFail) {
  std::mt19937 random(13);
  const std::vector<Sequence> sequences = drawn_batch(random, 40, 200, "ACGU");
  std::vector<std::string> constraints(sequences.size());
  for (const std::size_t t : {3, 17}) constraints[t] = std::string(sequences[t].size(), '|') + "|";  // too long
  for (const char* device : {"cuda", "auto"}) {
    Options options = on(device);
    std::mutex mutex;
    std::vector<std::size_t> failed;
    options.failed = [&](std::size_t at, const Error& error) {
      const std::lock_guard lock(mutex);
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      failed.push_back(at);
    };
    const auto all = fold_each(sequences, rules_1998(), options, {}, constraints).solution;
    std::ranges::sort(failed);
    EXPECT_EQ(failed, (std::vector<std::size_t>{3, 17})) << device;
    for (std::size_t t = 0; t < sequences.size(); ++t) {
      const bool fails = t == 3 || t == 17;
      EXPECT_EQ(all[t].structure, fails ? "" : fold(sequences[t], rules_1998(), on("cpu")).solution.structure);
    }
  }
  EXPECT_THROW(static_cast<void>(fold_each(sequences, rules_1998(), on("cuda"), {}, constraints)), Error);
}

TEST_F(CudaFold, ABatchIsFoldedWithLittleMemory) {
  std::mt19937 random(17);
  std::vector<Sequence> sequences = drawn_batch(random, 200, 200, "ACGU");
  for (const std::size_t n : {300, 500, 700, 900, 1100}) {
    sequences.emplace_back(random_sequence(random, n, "ACGU"));
  }
  const auto expected = fold_each(sequences, rules_1998(), on("cpu")).solution;
  for (const std::size_t mebibytes : {64, 400}) {
    Options options = on("cuda");
    options.max_device_memory = mebibytes << 20;
    const auto got = fold_each(sequences, rules_1998(), options);
    EXPECT_LE(got.report.peak_device_bytes, options.max_device_memory);
    for (std::size_t t = 0; t < sequences.size(); ++t) {
      EXPECT_EQ(got.solution[t].structure, expected[t].structure) << mebibytes << ' ' << sequences[t].size();
    }
  }
  Options options = on("cuda");
  options.max_device_memory = 1 << 20;
  std::size_t failed = 0;
  options.failed = [&](std::size_t, const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << error.what();
    ++failed;
  };
  static_cast<void>(fold_each(sequences, rules_1998(), options));
  EXPECT_GE(failed, 5);
}

TEST_F(CudaFold, ABatchOfCircularSequencesIsFoldedByTheCpu) {
  std::mt19937 random(14);
  const std::vector<Sequence> sequences = drawn_batch(random, 30, 120, "ACGU");
  const auto all = fold_each(sequences, rules_1998(), on("auto"), {.circular = true});
  EXPECT_EQ(all.report.device, "cpu");
  EXPECT_THROW(static_cast<void>(fold_each(sequences, rules_1998(), on("cuda"), {.circular = true})), Error);
}

TEST_F(CudaFold, AutoFoldsALargeBatchOnTheGpuAndASmallOneOnTheCpu) {
  std::mt19937 random(15);
  const std::vector<Sequence> many = drawn_batch(random, 4000, 200, "ACGU"), few = drawn_batch(random, 4, 50, "ACGU");
  EXPECT_THAT(fold_each(many, rules_1998(), on("auto")).report.device, testing::StartsWith("cuda"));
  EXPECT_EQ(fold_each(few, rules_1998(), on("auto")).report.device, "cpu");
}

TEST_F(CudaFold, ABatchReportsProgressAndStopsWhenAsked) {
  std::mt19937 random(16);
  const std::vector<Sequence> sequences = drawn_batch(random, 3000, 200, "ACGU");
  Options options = on("cuda");
  Progress last;
  options.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last.done);
    last = progress;
  };
  static_cast<void>(fold_each(sequences, rules_1998(), options));
  EXPECT_GT(last.total, 0);
  EXPECT_EQ(last.done, last.total);
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  try {
    static_cast<void>(fold_each(sequences, rules_1998(), options));
    FAIL() << "it did not stop";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST_F(CudaFold, RefusesWhatDoesNotFitBeforeItStarts) {
  Options options = on("cuda");
  options.max_device_memory = 1 << 20;
  try {
    static_cast<void>(fold(Sequence(std::string(5000, 'G')), rules_1998(), options));
    FAIL() << "it fits";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << error.what();
  }
}

TEST_F(CudaFold, EstimatesTheMemoryThatItReports) {
  const Sequence sequence(repeated("GGCAUUGCAUCG", 700));
  const Estimate expected = estimate_fold(sequence, rules_1998(), on("cuda"));
  const Report report = fold(sequence, rules_1998(), on("cuda")).report;
  EXPECT_EQ(expected.device_bytes, report.peak_device_bytes);
  EXPECT_EQ(expected.algorithm, "tiled");
}

}  // namespace
}  // namespace warpfold::rna
