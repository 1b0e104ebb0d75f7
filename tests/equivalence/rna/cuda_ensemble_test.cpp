#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>
#include <string>

#include "equivalence/rna/drawn.hpp"
#include "needs_gpu.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::random_sequence;

class CudaEnsemble : public warpfold::test::NeedsGpu {};

Options on_device(const char* device) {
  Options options;
  options.device = parse_device(device);
  return options;
}

/// The ensemble; the message as its centroid if there is none.
Ensemble ensemble_or_message(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                             const EnsembleRequest& wanted, const char* device) {
  try {
    const auto outcome = ensemble(sequence, parameters, on_device(device), request, wanted);
    EXPECT_EQ(outcome.report.device.starts_with("cuda"), std::string(device) == "cuda") << outcome.report.device;
    return outcome.solution;
  } catch (const Error& error) {
    return {.centroid = error.what()};
  }
}

/// All bits are those of the CPU.
void expect_the_cpus_ensemble(const std::string& letters, const Parameters& parameters, const FoldRequest& request,
                              const EnsembleRequest& wanted) {
  const Sequence sequence(letters);
  const Ensemble got = ensemble_or_message(sequence, parameters, request, wanted, "cuda"),
                 expected = ensemble_or_message(sequence, parameters, request, wanted, "cpu");
  EXPECT_EQ(got.energy, expected.energy) << letters;
  EXPECT_EQ(got.pairs, expected.pairs) << letters;
  EXPECT_EQ(got.unpaired, expected.unpaired) << letters;
  EXPECT_EQ(got.centroid, expected.centroid) << letters << ' ' << request.constraint;
  EXPECT_EQ(got.samples, expected.samples) << letters;
  EXPECT_TRUE(std::ranges::equal(got.accessibility, expected.accessibility, [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  })) << letters;
}

constexpr std::size_t ensemble_sizes[] = {0,  1,  2,  3,   5,   31,  32,  33,  62,  63,
                                          64, 65, 95, 126, 127, 128, 129, 200, 300, 1000};

TEST_F(CudaEnsemble, HasTheBitsOfTheCpu) {
  std::mt19937 random(1);
  for (const std::size_t n : ensemble_sizes) {
    for (const int dangles : {0, 2}) {
      for (const bool lone_pairs : {false, true}) {
        const FoldRequest request{.dangles = dangles, .lone_pairs = lone_pairs};
        expect_the_cpus_ensemble(random_sequence(random, n, "ACGU"), rules_1998(), request, {.samples = 3, .seed = n});
        expect_the_cpus_ensemble(random_sequence(random, n, "GC"), drawn_parameters(static_cast<unsigned>(random())),
                                 request, {.pairs = false});
        expect_the_cpus_ensemble(random_sequence(random, n, "ACGU"), rules_1998(), request,
                                 {.threshold = lone_pairs ? 0 : 1e-5});
      }
    }
  }
}

/// From 24 tiles along a side on, the CPU adds their products in groups.
TEST_F(CudaEnsemble, OfManyTilesHasTheBitsOfTheCpu) {
  std::mt19937 random(7);
  for (const bool lone_pairs : {false, true}) {
    expect_the_cpus_ensemble(random_sequence(random, 1800, "ACGU"), rules_1998(), {.lone_pairs = lone_pairs}, {});
  }
}

/// Tiles are closed diagonal by diagonal.
TEST_F(CudaEnsemble, WithEnergiesOfStacksHasTheBitsOfTheCpu) {
  std::mt19937 random(8);
  const std::size_t n = 300;
  const FoldRequest request{.stack_energies = std::vector<Energy>(n, -30)};
  expect_the_cpus_ensemble(random_sequence(random, n, "ACGU"), rules_1998(), request, {});
}

TEST_F(CudaEnsemble, SatisfiesConstraintsAndSpansAsTheCpuDoes) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 20 + random() % 250;
    const FoldRequest request{.temperature = round % 5 == 0 ? 60.0 : 37.0,
                              .max_span = round % 7 == 0 ? 40U : 0U,
                              .lone_pairs = round % 3 != 0,
                              .constraint = test::random_constraint(random, n),
                              .stack_energies = std::vector<Energy>(round % 6 == 0 ? n : 0, -30)};
    expect_the_cpus_ensemble(random_sequence(random, n, "ACGUN"), drawn_parameters(static_cast<unsigned>(round)),
                             request, {});
  }
}

/// Also by compute-sanitizer (tests/device/sanitize).
TEST_F(CudaEnsemble, OfThreeTilesASideHasTheBitsOfTheCpu) {
  std::mt19937 random(8);
  for (const bool lone_pairs : {false, true}) {
    expect_the_cpus_ensemble(random_sequence(random, 150, "ACGU"), rules_1998(), {.lone_pairs = lone_pairs}, {});
  }
}

/// Windows come from the host, with the tables of the GPU.
TEST_F(CudaEnsemble, OfWindowsHasTheBitsOfTheCpu) {
  std::mt19937 random(6);
  for (const std::size_t n : {70, 200}) {
    expect_the_cpus_ensemble(random_sequence(random, n, "ACGU"), rules_1998(), {}, {.max_window = 8});
  }
}

/// Stacks all the way: values grow by several bits a base, and whole tiles are small beside the largest.
TEST_F(CudaEnsemble, OfRepeatsHasTheBitsOfTheCpu) {
  std::string hairpin(600, 'G');
  hairpin += "AAAA" + std::string(600, 'C');
  expect_the_cpus_ensemble(hairpin, rules_1998(), {}, {.pairs = false});
  expect_the_cpus_ensemble(hairpin, rules_1998(), {.temperature = 80}, {.samples = 2});
  expect_the_cpus_ensemble(hairpin, rules_1998(), {.temperature = 50}, {});
}

/// The GPU closes a tile in one unit. The CPU tries others.
TEST_F(CudaEnsemble, GoesToTheCpuWhereValuesLeaveTheRangeOfAGpu) {
  const Sequence sequence(std::string(150, 'G') + "AAAA" + std::string(150, 'C'));
  const FoldRequest cold{.temperature = 4};
  for (const EnsembleRequest& wanted :
       {EnsembleRequest{.pairs = false}, EnsembleRequest{}, EnsembleRequest{.samples = 2}}) {
    const auto got = ensemble(sequence, rules_1998(), on_device("cuda"), cold, wanted);
    const auto expected = ensemble(sequence, rules_1998(), on_device("cpu"), cold, wanted).solution;
    EXPECT_EQ(got.report.device, "cpu");
    EXPECT_THAT(got.report.fallback_reason, testing::HasSubstr("differs too much"));
    EXPECT_EQ(got.solution.energy, expected.energy);
    EXPECT_EQ(got.solution.pairs, expected.pairs);
    EXPECT_EQ(got.solution.samples, expected.samples);
  }
}

/// The energy of the whole is less than that of any structure. The tables take 20 GB.
TEST_F(CudaEnsemble, OfRepeatsOf32000BasesStaysFinite) {
  std::string repeats;
  while (repeats.size() < 32'000) repeats += "GC";
  const Sequence sequence(repeats);
  const Options options = on_device("cuda");
  try {
    const double energy = ensemble(sequence, rules_1998(), options, {}, {.pairs = false}).solution.energy;
    EXPECT_LT(energy, fold(sequence, rules_1998(), options).solution.energy / 100.0);
    EXPECT_GT(energy, -5.0 * static_cast<double>(repeats.size()));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::memory_limit) GTEST_SKIP() << error.what();
    FAIL() << error.what();
  }
}

TEST_F(CudaEnsemble, ComputesEachSequenceOnTheGpu) {
  std::mt19937 random(4);
  std::vector<Sequence> sequences;
  for (int t = 0; t < 12; ++t) sequences.emplace_back(random_sequence(random, random() % 300, "ACGU"));
  const auto got = ensemble_each(sequences, rules_1998(), on_device("cuda"));
  const auto expected = ensemble_each(sequences, rules_1998(), on_device("cpu")).solution;
  EXPECT_THAT(got.report.device, testing::StartsWith("cuda"));
  for (std::size_t t = 0; t < sequences.size(); ++t) {
    EXPECT_EQ(got.solution[t].energy, expected[t].energy);
    EXPECT_EQ(got.solution[t].pairs, expected[t].pairs);
  }
}

TEST_F(CudaEnsemble, OfABatchThatFailsIsToldInItsPlace) {
  std::mt19937 random(6);
  auto [sequences, constraints] = test::GrowingBatch(random, 20, 70, 40);
  sequences[7] = Sequence(std::string(90, 'A'));
  constraints[7] = "(" + std::string(88, '.') + ")";
  Options options = on_device("cuda");
  std::mutex mutex;
  std::vector<std::size_t> failed;
  options.failed = [&](std::size_t at, const Error& error) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    failed.push_back(at);
  };
  const auto got = ensemble_each(sequences, rules_1998(), options, {}, {}, constraints).solution;
  EXPECT_THAT(failed, testing::ElementsAre(7));
  for (std::size_t t = 0; t < sequences.size(); ++t) {
    if (t == 7) continue;
    EXPECT_EQ(got[t].pairs, ensemble(sequences[t], rules_1998(), on_device("cpu")).solution.pairs) << t;
  }
}

TEST_F(CudaEnsemble, OfABatchIsComputedWithLittleMemory) {
  std::mt19937 random(7);
  std::vector<Sequence> sequences;
  for (std::size_t t = 0; t < 16; ++t) sequences.emplace_back(random_sequence(random, 600, "ACGU"));
  Options options = on_device("cuda");
  options.max_device_memory = estimate_ensemble(sequences[0], rules_1998(), options).device_bytes;
  const auto got = ensemble_each(sequences, rules_1998(), options);
  EXPECT_LE(got.report.peak_device_bytes, options.max_device_memory);
  EXPECT_EQ(got.solution[15].pairs, ensemble(sequences[15], rules_1998(), on_device("cpu")).solution.pairs);
}

TEST_F(CudaEnsemble, RefusesWhatDoesNotFitBeforeItStarts) {
  Options options = on_device("cuda");
  options.max_device_memory = 1 << 20;
  try {
    static_cast<void>(ensemble(Sequence(std::string(5000, 'G')), rules_1998(), options));
    FAIL() << "it fits";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << error.what();
  }
}

TEST_F(CudaEnsemble, EstimatesTheMemoryThatItReports) {
  std::mt19937 random(5);
  const Sequence sequence(random_sequence(random, 3000, "ACGU"));
  for (const bool pairs : {false, true}) {
    const EnsembleRequest wanted{.pairs = pairs};
    const Estimate expected = estimate_ensemble(sequence, rules_1998(), on_device("cuda"), {}, wanted);
    const Report report = ensemble(sequence, rules_1998(), on_device("cuda"), {}, wanted).report;
    EXPECT_EQ(expected.device_bytes, report.peak_device_bytes);
    EXPECT_EQ(expected.algorithm, "tiled");
    const Estimate of_cpu = estimate_ensemble(sequence, rules_1998(), on_device("cpu"), {}, wanted);
    ASSERT_TRUE(expected.worst_case);  // values may leave the range of the GPU
    EXPECT_EQ(expected.worst_case->bytes, of_cpu.bytes);
    EXPECT_EQ(expected.worst_case->device_bytes, expected.device_bytes);
    EXPECT_GT(expected.worst_case->seconds, expected.seconds);
  }
}

}  // namespace
}  // namespace warpfold::rna
