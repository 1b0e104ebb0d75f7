#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

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
