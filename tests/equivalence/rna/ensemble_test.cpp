#include "warpfold/rna/ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <stop_token>
#include <string>

#include "equivalence/rna/drawn.hpp"
#include "sanitizers.hpp"
#include "temporary_folder.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "watched_checkpoint.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::for_each_structure;
using test::random_sequence;

constexpr double gas_constant = 1.98717e-3;

double kt(const FoldRequest& request) { return gas_constant * (request.temperature + 273.15); }

std::map<std::pair<std::size_t, std::size_t>, double> probabilities_of(const Ensemble& ensemble) {
  std::map<std::pair<std::size_t, std::size_t>, double> found;
  for (const auto& [i, j, probability] : ensemble.pairs) found[{i, j}] = probability;
  return found;
}

void expect_close(const Ensemble& found, const Ensemble& expected, double tolerance) {
  EXPECT_NEAR(found.energy, expected.energy, tolerance * (1 + std::abs(expected.energy)));
  auto left = probabilities_of(found), right = probabilities_of(expected);
  for (const auto& [pair, probability] : right) ASSERT_NEAR(left[pair], probability, tolerance);
  for (const auto& [pair, probability] : left) ASSERT_NEAR(right[pair], probability, tolerance);
}

/// Parameters in which every loop costs nothing: the sum is the number of structures.
Parameters no_energies() {
  Parameters all = rules_1998();
  std::apply(
      [](auto&... grid) { (std::ranges::for_each(grid.values, [](Energy& e) { e = e < no_loop ? 0 : e; }), ...); },
      all.at_37.grids());
  all.log_slope = 0;
  all.at_37.special_hairpins = all.enthalpy.special_hairpins = {};
  return all;
}

TEST(Ensemble, CountsEachStructureOnce) {
  std::mt19937 random(1);
  const Parameters parameters = no_energies();
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 2 == 0 ? "ACGU" : "GC"));
    std::size_t count = 0;
    for_each_structure(sequence, parameters, {}, [&](const std::string&, Energy) { ++count; });
    const double energy = ensemble(sequence, parameters).solution.energy;
    EXPECT_NEAR(std::exp(-energy / kt({})), static_cast<double>(count), 1e-9 * static_cast<double>(count))
        << sequence.letters();
  }
}

/// Compares the energy and the pairs of both algorithms with those of all structures.
void expect_sum_over_all_structures(const Sequence& sequence, const Parameters& parameters,
                                    const FoldRequest& request) {
  double sum = 0;
  std::map<std::pair<std::size_t, std::size_t>, double> of_pairs;
  for_each_structure(sequence, parameters, request, [&](const std::string& structure, Energy energy) {
    const double part = std::exp(-energy / (100 * kt(request)));
    sum += part;
    for (const auto& pair : pairs_of(structure)) of_pairs[pair] += part;
  });
  for (const char* algorithm : {"tiled", "reference"}) {
    Options options;
    options.algorithm = algorithm;
    if (sum == 0) {
      EXPECT_THROW(static_cast<void>(ensemble(sequence, parameters, options, request)), Error);
      continue;
    }
    const Ensemble found = ensemble(sequence, parameters, options, request, {.threshold = 0}).solution;
    EXPECT_NEAR(found.energy, -kt(request) * std::log(sum), 1e-11) << sequence.letters();
    auto probabilities = probabilities_of(found);
    EXPECT_EQ(probabilities.size(), of_pairs.size()) << algorithm;
    for (const auto& [pair, part] : of_pairs) EXPECT_NEAR(probabilities[pair], part / sum, 1e-12) << algorithm;
  }
}

TEST(Ensemble, IsTheSumOverAllStructuresOfShortSequences) {
  std::mt19937 random(2);
  for (int round = 0; round < 120; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 16, round % 2 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{
        .temperature = round % 5 == 0   ? 20.0
                       : round % 5 == 1 ? -20.0
                                        : 37.0,
        .dangles = round % 3 == 0 ? 0 : 2,
        .lone_pairs = round % 7 < 4,
        .constraint = round % 4 == 3 ? test::random_constraint(random, sequence.size()) : std::string(),
        .stack_energies = std::vector<Energy>(round % 6 == 0 ? sequence.size() : 0, -30),
        .pair_energies = sequence.size() > 8 && round % 8 < 3 ? std::vector<PairEnergy>{{1, 7, -120}, {0, 8, 90}}
                                                              : std::vector<PairEnergy>()};
    expect_sum_over_all_structures(sequence, parameters, request);
  }
}

TEST(Ensemble, OfACircularSequenceIsTheSumOverAllStructures) {
  std::mt19937 random(12);
  for (int round = 0; round < 120; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 3 == 0 ? "ACGU" : "GC"));
    const FoldRequest request{
        .dangles = round % 2 == 0 ? 0 : 2,
        .constraint = round % 5 == 4 ? test::random_constraint(random, sequence.size()) : std::string(),
        .stack_energies = std::vector<Energy>(round % 6 == 0 ? sequence.size() : 0, -30),
        .circular = true};
    expect_sum_over_all_structures(sequence, drawn_parameters(static_cast<unsigned>(round)), request);
  }
}

TEST(Ensemble, OfACircularSequenceAgreesWithTheReferenceAndDoesNotDependOnItsFirstBase) {
  std::mt19937 random(13);
  const FoldRequest circle{.circular = true};
  Options reference;
  reference.algorithm = "reference";
  for (const std::size_t size : {20, 63, 64, 65, 100, 130, 200}) {
    std::string letters = random_sequence(random, size, "ACGU");
    const Ensemble found = ensemble(Sequence(letters), rules_1998(), {}, circle, {.threshold = 1e-12}).solution;
    expect_close(found, ensemble(Sequence(letters), rules_1998(), reference, circle, {.threshold = 1e-12}).solution,
                 1e-11);
    EXPECT_LE(found.energy, fold(Sequence(letters), rules_1998(), {}, circle).solution.energy / 100.0);
    std::ranges::rotate(letters, letters.begin() + 7);
    EXPECT_NEAR(ensemble(Sequence(letters), rules_1998(), {}, circle).solution.energy, found.energy, 1e-10);
  }
}

TEST(Ensemble, SamplesOfACircularSequenceHaveTheFrequenciesOfTheirProbabilities) {
  const Sequence sequence("GGGAAACCCAGGGAAACCCAAGCGGAAACCA");
  const FoldRequest circle{.circular = true};
  const Ensemble found =
      ensemble(sequence, rules_1998(), {}, circle, {.threshold = 0, .samples = 4000, .seed = 3}).solution;
  std::map<std::pair<std::size_t, std::size_t>, double> counts;
  for (const std::string& structure : found.samples) {
    EXPECT_NO_THROW(static_cast<void>(energy_of(sequence, structure, rules_1998(), circle)));
    for (const auto& pair : pairs_of(structure)) counts[pair] += 1.0 / 4000;
  }
  for (const auto& [i, j, probability] : found.pairs) {
    EXPECT_NEAR((counts[{i, j}]), probability, 5 * std::sqrt(probability / 4000) + 5e-4) << i << ' ' << j;
  }
}

/// Compares the windows with those of all structures.
void expect_windows_of_all_structures(const Sequence& sequence, const Parameters& parameters,
                                      const FoldRequest& request, std::size_t longest) {
  double sum = 0;
  std::vector<double> of_windows(sequence.size() * longest, 0.0);
  for_each_structure(sequence, parameters, request, [&](const std::string& structure, Energy energy) {
    const double part = std::exp(-energy / (100 * kt(request)));
    sum += part;
    for (std::size_t last = 0; last < structure.size(); ++last) {
      for (std::size_t u = 1; u <= std::min(longest, last + 1) && structure[last + 1 - u] == '.'; ++u) {
        of_windows[last * longest + u - 1] += part;
      }
    }
  });
  if (sum == 0) return;
  const Ensemble found = ensemble(sequence, parameters, {}, request, {.pairs = false, .max_window = longest}).solution;
  ASSERT_EQ(found.accessibility.size(), of_windows.size());
  for (std::size_t last = 0; last < sequence.size(); ++last) {
    for (std::size_t u = 1; u <= longest; ++u) {
      const double probability = found.accessibility[last * longest + u - 1];
      if (u > last + 1) {
        ASSERT_TRUE(std::isnan(probability));
      } else {
        ASSERT_NEAR(probability, of_windows[last * longest + u - 1] / sum, 1e-12)
            << sequence.letters() << " the " << u << " bases up to " << last << ' ' << request.constraint;
      }
    }
  }
}

TEST(Ensemble, WindowsAreUnpairedAsOftenAsInAllStructuresOfShortSequences) {
  std::mt19937 random(14);
  for (int round = 0; round < 120; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 2 == 0 ? "ACGU" : "GC"));
    const FoldRequest request{
        .dangles = round % 3 == 0 ? 0 : 2,
        .lone_pairs = round % 7 < 4,
        .constraint = round % 4 == 3 ? test::random_constraint(random, sequence.size()) : std::string()};
    expect_windows_of_all_structures(sequence, drawn_parameters(static_cast<unsigned>(round)), request,
                                     1 + static_cast<std::size_t>(round) % 6);
  }
}

/// Multiloops with unpaired bases on all sides are frequent if they gain energy.
TEST(Ensemble, WindowsInMultiloopsAreThoseOfAllStructures) {
  Parameters parameters = drawn_parameters(3);
  parameters.at_37.multi_closing.values[0] = -900;
  parameters.at_37.multi_branch.values[0] = -300;
  for (const char* letters : {"GAGAAACAAGAAACAGC", "GAAGAAACAGAAACAAC", "GGAAACAAGAAACGAAC"}) {
    for (const bool lone_pairs : {true, false}) {
      expect_windows_of_all_structures(Sequence(letters), parameters, {.lone_pairs = lone_pairs}, 5);
    }
  }
}

/// The probability of a window is the ratio of two sums: of the structures that leave it unpaired, and of all.
TEST(Ensemble, WindowsAcrossTilesAreRatiosOfConstrainedSums) {
  std::mt19937 random(15);
  const Sequence sequence(random_sequence(random, 150, "ACGU"));
  const std::size_t longest = 40;
  const Ensemble all = ensemble(sequence, rules_1998(), {}, {}, {.max_window = longest}).solution;
  for (const std::size_t last : {0, 5, 39, 62, 63, 64, 65, 100, 127, 128, 149}) {
    EXPECT_NEAR(all.accessibility[last * longest], all.unpaired[last], 1e-11);
    for (const std::size_t u : {1, 2, 7, 31, 40}) {
      if (u > last + 1) continue;
      FoldRequest request{.constraint = std::string(sequence.size(), '.')};
      request.constraint.replace(last + 1 - u, u, u, 'x');
      const Ensemble open = ensemble(sequence, rules_1998(), {}, request, {.pairs = false}).solution;
      EXPECT_NEAR(all.accessibility[last * longest + u - 1], std::exp((all.energy - open.energy) / kt(request)), 1e-11)
          << u << " bases up to " << last;
    }
  }
}

TEST(Ensemble, WindowsHaveEqualBitsForEveryNumberOfThreadsAndNotOfCircularSequences) {
  std::mt19937 random(16);
  const Sequence sequence(random_sequence(random, 200, "ACGU"));
  const auto windows = [&](int threads) {
    Options options;
    options.threads = threads;
    auto found =
        ensemble(sequence, rules_1998(), options, {}, {.pairs = false, .max_window = 9}).solution.accessibility;
    for (double& probability : found) probability = std::isnan(probability) ? -1 : probability;
    return found;
  };
  EXPECT_EQ(windows(1), windows(3));
  EXPECT_THROW(static_cast<void>(ensemble(sequence, rules_1998(), {}, {.circular = true}, {.max_window = 2})), Error);
}

TEST(Ensemble, TheMostAccurateStructureIsTheBestOfAllStructuresOfShortSequences) {
  std::mt19937 random(9);
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 14, round % 2 == 0 ? "ACGU" : "GC"));
    const Ensemble found = ensemble(sequence, rules_1998(), {}, {}, {.threshold = 0}).solution;
    auto probabilities = probabilities_of(found);
    for (const double gamma : {0.3, 1.0, 10.0, 1e5}) {
      const auto accuracy_of = [&](const std::string& structure) {
        double sum = 0;
        for (const auto& pair : pairs_of(structure)) sum += 2 * gamma * probabilities[pair];
        for (std::size_t t = 0; t < structure.size(); ++t) sum += structure[t] == '.' ? found.unpaired[t] : 0;
        return sum;
      };
      double best = 0;
      for_each_structure(sequence, rules_1998(), {},
                         [&](const std::string& structure, Energy) { best = std::max(best, accuracy_of(structure)); });
      const AccurateStructure most = most_accurate(found, gamma);
      EXPECT_NEAR(most.accuracy, best, 1e-9 * best) << sequence.letters() << " gamma " << gamma;
      EXPECT_NEAR(accuracy_of(most.structure), best, 1e-9 * best);
    }
  }
  EXPECT_THROW(static_cast<void>(most_accurate({}, 0)), Error);
}

/// The derivative of -kT ln Z by what a base adds to each stack is the number of stacks that it is expected in: here by
/// differences, and by the probabilities that both pairs of a stack are there, from all structures.
TEST(Ensemble, TheDerivativeByAnEnergyIsTheExpectedNumberOfItsLoops) {
  std::mt19937 random(11);
  const Sequence sequence(random_sequence(random, 16, "GC"));
  double sum = 0;
  std::vector<double> stacks(sequence.size(), 0.0);
  for_each_structure(sequence, rules_1998(), {}, [&](const std::string& structure, Energy energy) {
    const double part = std::exp(-energy / (100 * kt({})));
    sum += part;
    const auto pairs = pairs_of(structure);
    for (const auto& [i, j] : pairs) {
      if (std::ranges::find(pairs, std::pair(i + 1, j - 1)) == pairs.end()) continue;
      for (const std::size_t base : {i, i + 1, j - 1, j}) stacks[base] += part;
    }
  });
  for (std::size_t base = 0; base < sequence.size(); ++base) {
    const auto energy = [&](Energy added) {
      std::vector<Energy> of(sequence.size(), 0);
      of[base] = added;
      return ensemble(sequence, rules_1998(), {}, {.stack_energies = of}, {.pairs = false}).solution.energy;
    };
    EXPECT_NEAR((energy(1) - energy(-1)) / 0.02, stacks[base] / sum, 1e-3) << base;
  }
}

TEST(Ensemble, TiledAgreesWithTheReference) {
  std::mt19937 random(3);
  Options reference;
  reference.algorithm = "reference";
  for (const std::size_t size : {1, 4, 5, 20, 62, 63, 64, 65, 95, 100, 127, 128, 129, 150, 260}) {
    for (const char* letters : {"ACGU", "GC", "ACGUN"}) {
      const Sequence sequence(random_sequence(random, size, letters));
      const Parameters parameters = drawn_parameters(static_cast<unsigned>(size));
      const FoldRequest request{
          .dangles = size % 2 == 0 ? 2 : 0, .max_span = size == 100 ? std::size_t{40} : 0, .lone_pairs = size % 4 != 3};
      const EnsembleRequest all{.threshold = 1e-12};
      expect_close(ensemble(sequence, parameters, {}, request, all).solution,
                   ensemble(sequence, parameters, reference, request, all).solution, 1e-11);
    }
  }
}

TEST(Ensemble, OfAThousandBasesHasTheReferencesEnergy) {
  std::mt19937 random(11);
  Options reference;
  reference.algorithm = "reference";
  const Sequence sequence(random_sequence(random, warpfold::test::under_sanitizer ? 300 : 1000, "ACGU"));
  const double expected = ensemble(sequence, rules_1998(), reference, {}, {.pairs = false}).solution.energy;
  EXPECT_NEAR(ensemble(sequence, rules_1998(), {}, {}, {.pairs = false}).solution.energy, expected,
              1e-10 * std::abs(expected));
}

TEST(Ensemble, HasEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  std::mt19937 random(4);
  const Sequence sequence(random_sequence(random, 330, "ACGU"));
  const EnsembleRequest wanted{.threshold = 0, .samples = 5};
  const Ensemble expected = ensemble(sequence, rules_1998(), {}, {}, wanted).solution;
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const Ensemble found = ensemble(sequence, rules_1998(), options, {}, wanted).solution;
      EXPECT_EQ(found.energy, expected.energy) << set;
      EXPECT_EQ(found.pairs, expected.pairs) << set;
      EXPECT_EQ(found.samples, expected.samples) << set;
    }
  }
  force_instruction_set("");
}

TEST(Ensemble, ProbabilitiesOfABaseAddUpToOneAtMost) {
  std::mt19937 random(5);
  for (const std::string& letters :
       {random_sequence(random, 400, "ACGU"), std::string(150, 'G') + std::string(150, 'C')}) {
    const Ensemble found = ensemble(Sequence(letters), rules_1998(), {}, {}, {.threshold = 0}).solution;
    std::vector<double> sums(letters.size(), 0.0);
    for (const auto& [i, j, probability] : found.pairs) {
      EXPECT_GE(probability, 0);
      sums[i] += probability;
      sums[j] += probability;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      EXPECT_LE(sums[i], 1 + 1e-12);
      EXPECT_NEAR(found.unpaired[i], 1 - sums[i], 1e-12);
    }
  }
}

/// The energy of the whole is less than that of any structure.
TEST(Ensemble, OfLongRepeatsStaysFinite) {
  std::string repeats;
  while (repeats.size() < 1500) repeats += "GC";
  const Sequence sequence(repeats);
  for (const double temperature : {37.0, 25.0, 0.0}) {
    const FoldRequest request{.temperature = temperature};
    const Ensemble found = ensemble(sequence, rules_1998(), {}, request).solution;
    EXPECT_LT(found.energy, fold(sequence, rules_1998(), {}, request).solution.energy / 100.0);
    EXPECT_GT(found.energy, -5.0 * static_cast<double>(repeats.size()));
  }
}

/// A helix of 600 pairs: its weight is 2^2700, that of its halves about 1.
TEST(Ensemble, OfALongHelixIsItsHelix) {
  std::mt19937 random(6);
  const std::string half = random_sequence(random, 600, "ACGU");
  std::string letters = half + "GAAA";
  for (std::size_t t = half.size(); t-- > 0;) letters += "UGCA"[std::string("ACGU").find(half[t])];
  const Sequence sequence(letters);
  const Ensemble found = ensemble(sequence, rules_1998()).solution;
  const Folding least = fold(sequence, rules_1998()).solution;
  EXPECT_NEAR(found.energy, least.energy / 100.0, 0.05 * std::abs(found.energy));
  EXPECT_GT(std::ranges::count(found.centroid, '('), 590);
}

std::string of_g_and_c(std::size_t times) {
  std::string all;
  for (; times > 0; --times) all += "GC";
  return all;
}
std::string strong_helix(std::size_t pairs) { return std::string(pairs, 'G') + "AAAA" + std::string(pairs, 'C'); }
/// These letters between unpaired bases and pairs around them.
std::string inside(std::size_t pairs, const std::string& letters) {
  return std::string(pairs, 'G') + std::string(50, 'A') + letters + std::string(50, 'A') + std::string(pairs, 'C');
}

void expect_that_of_the_reference(const Sequence& sequence, const FoldRequest& request) {
  Options reference;
  reference.algorithm = "reference";
  const EnsembleRequest all{.threshold = 1e-10};
  expect_close(ensemble(sequence, rules_1998(), {}, request, all).solution,
               ensemble(sequence, rules_1998(), reference, request, all).solution, 1e-10);
}

/// Up to 7.49 bits a point, for one helix and for many that compete.
TEST(Ensemble, OfStrongHelicesAgreesWithTheReference) {
  expect_that_of_the_reference(Sequence(of_g_and_c(100)), {.temperature = 20});
  expect_that_of_the_reference(Sequence(of_g_and_c(150)), {.temperature = -20});
  expect_that_of_the_reference(Sequence(strong_helix(200)), {.temperature = 10});
  for (const double temperature : {4.0, -10.0, -22.0}) {
    expect_that_of_the_reference(Sequence(strong_helix(150)), {.temperature = temperature});
    expect_that_of_the_reference(Sequence(strong_helix(120)),
                                 {.temperature = temperature, .dangles = 0, .lone_pairs = false});
  }
  expect_that_of_the_reference(Sequence(strong_helix(150)), {.stack_energies = std::vector<Energy>(304, -60)});
  expect_that_of_the_reference(Sequence(strong_helix(100)), {.temperature = 0, .circular = true});
  std::mt19937 random(10);
  const std::string left = random_sequence(random, 100, "GC");
  std::string letters = left + "GAAA";
  for (std::size_t t = left.size(); t-- > 0;) letters += left[t] == 'G' ? 'C' : 'G';
  expect_that_of_the_reference(Sequence(letters + random_sequence(random, 60, "ACGU")), {.temperature = -15});
}

/// The hairpin of the outer pairs is 2^-500 to 2^-2300 beside the helix, below the range of its tile.
TEST(Ensemble, OfAHelixInsideFarPairsAgreesWithTheReference) {
  for (const std::size_t pairs : {70, 100, 150}) {
    expect_that_of_the_reference(Sequence(inside(1, strong_helix(pairs))), {});
    expect_that_of_the_reference(Sequence(inside(3, strong_helix(pairs))), {.dangles = 0, .lone_pairs = false});
  }
  expect_that_of_the_reference(Sequence(inside(100, strong_helix(100))), {});
}

TEST(Ensemble, OfStrongHelicesHasEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  const EnsembleRequest wanted{.threshold = 0, .samples = 3, .max_window = 3};
  for (const auto& [letters, temperature] : {std::pair(strong_helix(120), -10.0), std::pair(of_g_and_c(120), -10.0),
                                             std::pair(inside(2, strong_helix(150)), 37.0)}) {
    const Sequence sequence(letters);
    const FoldRequest request{.temperature = temperature};
    const Ensemble expected = ensemble(sequence, rules_1998(), {}, request, wanted).solution;
    for (std::size_t t = 0; t < letters.size(); ++t) {
      EXPECT_NEAR(expected.accessibility[3 * t], expected.unpaired[t], 1e-10);
    }
    for (const std::string& set : instruction_sets()) {
      force_instruction_set(set);
      for (const int threads : {1, 3}) {
        Options options;
        options.threads = threads;
        const Ensemble found = ensemble(sequence, rules_1998(), options, request, wanted).solution;
        EXPECT_EQ(found.energy, expected.energy) << set;
        EXPECT_EQ(found.pairs, expected.pairs) << set;
        EXPECT_EQ(found.samples, expected.samples) << set;
      }
    }
    force_instruction_set("");
  }
}

TEST(Ensemble, TellsTheProgressOfAllItsSolvesAsOne) {
  for (const std::string& letters : {strong_helix(40), inside(3, strong_helix(100))}) {  // the second is solved again
    Progress last;
    int ends = 0;
    Options options;
    options.progress = [&](const Progress& progress) {
      EXPECT_GE(progress.done, last.done);
      EXPECT_GE(progress.total, last.total);
      last = progress;
      ends += progress.done >= progress.total ? 1 : 0;
    };
    static_cast<void>(ensemble(Sequence(letters), rules_1998(), options));
    EXPECT_EQ(ends, 1) << letters;
  }
}

/// Two helices, and one of them inside the other's last loop: the hairpin that is lost is a part of the largest weight.
TEST(Ensemble, RejectsLostValuesThatMatter) {
  std::string constraint(101 + 604, '.');
  constraint.front() = '(';
  constraint += ')';
  for (const auto& [letters, forced] : {std::pair(inside(200, strong_helix(150)), std::string()),
                                        std::pair(inside(300, strong_helix(200)), std::string()),
                                        std::pair(inside(1, strong_helix(300)), constraint)}) {
    try {
      static_cast<void>(ensemble(Sequence(letters), rules_1998(), {}, {.constraint = forced}));
      ADD_FAILURE() << "a value was lost";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), testing::HasSubstr("differ too much for tiles of doubles"));
      EXPECT_THAT(error.what(), testing::HasSubstr("the algorithm reference"));
    }
  }
}

/// Skipped unless asked for: a minute.
TEST(Ensemble, DISABLED_Of32000BasesOfRepeatsStaysFinite) {
  for (const double temperature : {37.0, 4.0}) {
    const Ensemble found =
        ensemble(Sequence(of_g_and_c(16'000)), rules_1998(), {}, {.temperature = temperature}, {.pairs = false})
            .solution;
    EXPECT_TRUE(std::isfinite(found.energy));
    EXPECT_LT(found.energy, -1.3 * 32'000);
    EXPECT_GT(found.energy, -5.0 * 32'000);
  }
}

TEST(Ensemble, SamplesHaveTheFrequenciesOfTheirProbabilities) {
  const Sequence sequence("GGGAAACCCAGGGAAACCCAAGC");
  const Ensemble found =
      ensemble(sequence, rules_1998(), {}, {}, {.threshold = 0, .samples = 20000, .seed = 3}).solution;
  std::map<std::pair<std::size_t, std::size_t>, double> counts;
  for (const std::string& structure : found.samples) {
    EXPECT_NO_THROW(static_cast<void>(energy_of(sequence, structure, rules_1998())));
    for (const auto& pair : pairs_of(structure)) counts[pair] += 1.0 / 20000;
  }
  for (const auto& [i, j, probability] : found.pairs) {
    EXPECT_NEAR((counts[{i, j}]), probability, 5 * std::sqrt(probability / 20000) + 1e-4) << i << ' ' << j;
  }
}

TEST(Ensemble, SamplesDependOnTheSeedAndTheirNumberAlone) {
  std::mt19937 random(7);
  const Sequence sequence(random_sequence(random, 120, "ACGU"));
  const auto samples = [&](std::size_t count, std::uint64_t seed) {
    return ensemble(sequence, rules_1998(), {}, {}, {.pairs = false, .samples = count, .seed = seed}).solution.samples;
  };
  const auto ten = samples(10, 1), four = samples(4, 1);
  EXPECT_EQ(std::vector(ten.begin(), ten.begin() + 4), four);
  EXPECT_NE(ten, samples(10, 2));
}

TEST(Ensemble, ABatchHasTheEnsembleOfEachSequenceInOrder) {
  std::mt19937 random(8);
  std::vector<Sequence> sequences;
  for (std::size_t size = 1; size < 90; size += 11) sequences.emplace_back(random_sequence(random, size, "GCAU"));
  const auto all = ensemble_each(sequences, rules_1998()).solution;
  ASSERT_EQ(all.size(), sequences.size());
  for (std::size_t t = 0; t < all.size(); ++t) {
    const Ensemble alone = ensemble(sequences[t], rules_1998()).solution;
    EXPECT_EQ(all[t].energy, alone.energy);
    EXPECT_EQ(all[t].pairs, alone.pairs);
  }
}

TEST(Ensemble, IsVerifiedAndWhatIsWrongIsFound) {
  std::mt19937 random(9);
  const Sequence sequence(random_sequence(random, 90, "GCAU"));
  const Ensemble found = ensemble(sequence, rules_1998(), {}, {}, {.samples = 2}).solution;
  const auto violation = [&](const Ensemble& stated) {
    return verify(sequence, stated, rules_1998()).violation.value_or("");
  };
  EXPECT_EQ(violation(found), "");
  Ensemble wrong = found;
  wrong.energy += 1e-6;
  EXPECT_THAT(violation(wrong), testing::HasSubstr("the energy is"));
  wrong = found;
  wrong.pairs[3].probability += 1e-6;
  EXPECT_THAT(violation(wrong), testing::HasSubstr(", not "));
  wrong = found;
  wrong.pairs.erase(std::ranges::max_element(wrong.pairs, {}, &PairProbability::probability));
  EXPECT_THAT(violation(wrong), testing::HasSubstr("is not listed"));
  wrong = found;
  wrong.pairs.push_back({88, 89, 0.5});
  EXPECT_THAT(violation(wrong), testing::HasSubstr("should be 0"));
  wrong = found;
  wrong.samples[0][0] = '(';
  EXPECT_THAT(violation(wrong), testing::HasSubstr("position"));
}

TEST(Ensemble, RejectsWhatIsOutsideItsRange) {
  const Sequence sequence("GGGGAAAACCCC");
  EXPECT_THROW(static_cast<void>(ensemble(sequence, rules_1998(), {}, {}, {.threshold = 1.5})), Error);
  try {
    static_cast<void>(ensemble(sequence, rules_1998(), {}, {.temperature = -270}));
    ADD_FAILURE() << "weights left the range";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), testing::HasSubstr("higher temperatures are accepted"));
  }
}

TEST(Ensemble, ObeysAMemoryLimitBeforeItAllocates) {
  const Sequence sequence(std::string(500, 'G'));
  Options options;
  options.max_memory = estimate_ensemble(sequence, rules_1998()).bytes / 2;
  EXPECT_THROW(static_cast<void>(ensemble(sequence, rules_1998(), options)), Error);
}

TEST(Ensemble, NeedsNoMoreMemoryThanItsEstimate) {
  std::mt19937 random(4);
  const Sequence sequence(random_sequence(random, 700, "ACGU"));
  for (const bool pairs : {false, true}) {
    const EnsembleRequest wanted{.pairs = pairs};
    Options options;
    options.threads = 2;
    options.max_memory = estimate_ensemble(sequence, rules_1998(), options, {}, wanted).bytes;
    EXPECT_LE(ensemble(sequence, rules_1998(), options, {}, wanted).report.peak_bytes, options.max_memory);
  }
}

/// Of energies that differ by kT alone the tables differ, too.
/// Stops solve(options) after so many tiles, which the folder then has.
template <class Solve>
void save_tiles(const std::string& folder, std::size_t tiles, const Solve& solve) {
  std::stop_source stop;
  warpfold::test::Watched checkpoint(Checkpoint(folder), tiles, [&] { stop.request_stop(); });
  Options options;
  options.stop = stop.get_token();
  options.checkpointer = &checkpoint;
  try {
    static_cast<void>(solve(options));
    ADD_FAILURE() << "the solve was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
  }
}

TEST(Ensemble, GoesOnFromTablesThatACheckpointKept) {
  std::mt19937 random(3);
  const Sequence sequence(random_sequence(random, 300, "ACGU"));
  const EnsembleRequest wanted{.samples = 5};
  const Ensemble expected = ensemble(sequence, rules_1998(), {}, {}, wanted).solution;
  const warpfold::test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  save_tiles(kept, 6, [&](const Options& stopped) { return ensemble(sequence, rules_1998(), stopped, {}, wanted); });
  Checkpoint again = Checkpoint::resumed(kept);
  Options options;
  options.checkpointer = &again;
  const Ensemble found = ensemble(sequence, rules_1998(), options, {}, wanted).solution;
  EXPECT_GE(again.count().resumed, 6U);
  EXPECT_EQ(found.energy, expected.energy);
  EXPECT_EQ(found.samples, expected.samples);
  Parameters warm = rules_1998();
  warm.enthalpy = warm.at_37;
  warm.log_slope = 0;
  save_tiles((folder / "warm").string(), 1,
             [&](const Options& stopped) { return ensemble(sequence, warm, stopped, {.temperature = 50}, wanted); });
  Checkpoint of_cold = Checkpoint::resumed((folder / "warm").string());
  options.checkpointer = &of_cold;
  try {
    static_cast<void>(ensemble(sequence, warm, options, {.temperature = 40}, wanted));
    ADD_FAILURE() << "tables of another temperature were taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("is of another problem"));
  }
}

}  // namespace
}  // namespace warpfold::rna
