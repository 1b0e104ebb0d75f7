#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "unit/sequence/oracle.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

using test::Symbols;

Options by(const std::string& algorithm, int threads = 1) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

/// The choice, and all algorithms but the oracle.
std::vector<std::string> names(const std::vector<AlgorithmInfo>& algorithms) {
  std::vector<std::string> names = {""};
  for (const auto& info : algorithms) {
    if (info.name != "table") names.push_back(info.name);
  }
  return names;
}

/// Whether every algorithm gives the distance and the script of the complete table.
void expect_equal(const Coded& pair, int threads = 1, std::string expected_by = "table") {
  for (const Ties ties : {Ties::left, Ties::right}) {
    const Request request{.script = true, .ties = ties};
    const auto expected = edit_distance(pair, by(expected_by), request).solution;
    const auto score = Request{};
    for (const auto& name : names(edit_distance_algorithms())) {
      const auto found = edit_distance(pair, by(name, threads), request).solution;
      ASSERT_EQ(found.distance, expected.distance) << name << ' ' << pair.n() << ' ' << pair.m();
      ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << name << ' ' << pair.n() << ' ' << pair.m();
      ASSERT_EQ(edit_distance(pair, by(name, threads), score).solution.distance, expected.distance) << name;
    }
    const auto common = lcs(pair, by(expected_by), request).solution;
    for (const auto& name : names(lcs_algorithms())) {
      const auto found = lcs(pair, by(name, threads), request).solution;
      ASSERT_EQ(found.length, common.length) << name << ' ' << pair.n() << ' ' << pair.m();
      ASSERT_EQ(found.script.cigar(), common.script.cigar()) << name << ' ' << pair.n() << ' ' << pair.m();
      ASSERT_EQ(lcs(pair, by(name, threads), score).solution.length, common.length) << name;
    }
  }
}

/// Whether the dense kernel gives the distances and the scripts of the words.
void expect_dense_equal(const Coded& pair) {
  const Request request{.script = true};
  const auto expected = edit_distance(pair, by("words"), request).solution;
  const auto found = edit_distance(pair, by("slices"), request).solution;
  ASSERT_EQ(found.distance, expected.distance) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.script, expected.script) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(lcs(pair, by("slices"), request).solution.script, lcs(pair, by("words"), request).solution.script)
      << pair.n() << ' ' << pair.m();
}

TEST(SequenceAlgorithms, AgreeAtEveryLength) {
  std::mt19937_64 random(1);
  for (std::size_t n = 0; n <= 200; ++n) {
    for (const std::size_t m : {200 - n, random() % 200}) {
      expect_equal(test::coded(test::draw(n, 4, random), test::draw(m, 4, random)));
    }
  }
}

TEST(SequenceAlgorithms, AgreeForEveryAlphabet) {
  std::mt19937_64 random(2);
  for (const std::uint32_t alphabet : {1u, 2u, 3u, 4u, 5u, 20u, 100u, 256u, 300u, 1u << 20}) {
    for (int round = 0; round < 3; ++round) {
      const Symbols a = test::draw(random() % 400, alphabet, random);
      expect_equal(test::coded(a, test::draw(random() % 400, alphabet, random)));
      expect_equal(test::coded(a, test::mutate(a, 10, alphabet, random)));
    }
  }
}

TEST(SequenceAlgorithms, AgreeOnAllShortStrings) {
  std::vector<std::string> all = {""};
  for (std::size_t at = 0; all[at].size() < 4; ++at) all.push_back(all[at] + 'a'), all.push_back(all[at] + 'b');
  for (const auto& a : all) {
    for (const auto& b : all) expect_equal(Coded(a, b));
  }
}

/// Whether the algorithms that use a team give what one thread finds by words.
void expect_threads_equal(const Coded& pair, int threads) {
  const Request request{.script = true};
  const auto expected = edit_distance(pair, by("words"), request).solution;
  const auto common = lcs(pair, by("words"), request).solution;
  for (const std::string name : {"slices", "band", ""}) {
    const auto found = edit_distance(pair, by(name, threads), request);
    ASSERT_EQ(found.solution.script, expected.script) << name;
    ASSERT_EQ(lcs(pair, by(name, threads), request).solution.script, common.script) << name;
    ASSERT_EQ(found.report.threads, thread_count(threads)) << name;
  }
}

TEST(SequenceAlgorithms, AgreeWithAnyThreads) {
  std::mt19937_64 random(3);
  for (const int threads : {2, 3, 4}) {
    const Symbols a = test::draw(7000, 4, random);
    expect_threads_equal(test::coded(a, test::draw(6000, 4, random)), threads);
    expect_threads_equal(test::coded(a, test::mutate(a, 5, 4, random)), threads);
  }
}

TEST(SequenceAlgorithms, AgreeAroundWordsVectorsStripsAndChunks) {
  std::mt19937_64 random(13);
  const Symbols many = test::draw(9000, 4, random);
  const Symbols few = test::draw(140, 4, random);
  for (const std::size_t n :
       {63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 2047, 2048, 2049, 8191, 8192, 8193}) {
    const Symbols a(many.begin(), many.begin() + static_cast<std::ptrdiff_t>(n));
    for (const std::size_t m : {3, 4, 5, 127, 128, 129}) {
      const Symbols b(few.begin(), few.begin() + static_cast<std::ptrdiff_t>(m));
      for (const auto& pair : {test::coded(a, b), test::coded(b, a)}) expect_dense_equal(pair);
    }
  }
}

/// Scores take strips of up to 128 words, scripts up to 32.
TEST(SequenceAlgorithms, GiveTheSameScoreByTallStrips) {
  std::mt19937_64 random(14);
  for (const std::size_t n : {17'000, 40'000}) {
    for (const std::uint32_t alphabet : {4u, 200u}) {
      const Coded pair = test::coded(test::draw(n, alphabet, random), test::draw(n + 123, alphabet, random));
      const auto expected = edit_distance(pair, by("words")).solution.distance;
      const auto common = lcs(pair, by("words")).solution.length;
      for (const std::string name : {"slices", "band"}) {
        for (const int threads : {1, 2}) {
          EXPECT_EQ(edit_distance(pair, by(name, threads)).solution.distance, expected) << name << ' ' << n;
          EXPECT_EQ(lcs(pair, by(name, threads)).solution.length, common) << name << ' ' << n;
        }
      }
    }
  }
}

TEST(SequenceAlgorithms, AgreeForEveryInstructionSet) {
  std::mt19937_64 random(4);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (const std::size_t n : {63u, 64u, 65u, 255u, 256u, 257u, 1000u, 3000u}) {
      expect_equal(test::coded(test::draw(n, 5, random), test::draw(1200, 5, random)), 2);
    }
  }
  force_instruction_set("");
}

TEST(SequenceAlgorithms, AgreeOnPatternsAndUnequalLengths) {
  std::mt19937_64 random(6);
  const auto repeated = [](std::string_view part, std::size_t length) {
    std::string text;
    while (text.size() < length) text += part;
    return text.substr(0, length);
  };
  expect_equal(Coded(repeated("abc", 700), repeated("ab", 500)));
  expect_equal(Coded(repeated("a", 700), repeated("a", 500)));
  expect_equal(Coded(repeated("a", 300), repeated("b", 500)));
  expect_equal(Coded(repeated("ab", 600), repeated("ba", 600)));
  const Symbols many = test::draw(5000, 3, random);
  for (const std::size_t few : {1u, 2u, 60u}) {
    const Symbols short_one = test::draw(few, 3, random);
    expect_equal(test::coded(many, short_one));
    expect_equal(test::coded(short_one, many));
  }
  const Symbols backwards(many.rbegin(), many.rend());
  expect_equal(test::coded({many.begin(), many.begin() + 900}, {backwards.begin(), backwards.begin() + 900}));
}

TEST(SequenceAlgorithms, AgreeOnEveryBound) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const Symbols a = test::draw(100, 4, random);
    const Coded pair = test::coded(a, test::mutate(a, 6, 4, random));
    const auto distance = *edit_distance(pair, by("table")).solution.distance;
    for (const auto& name : names(edit_distance_algorithms())) {
      for (const std::int64_t bound : {distance - 1, distance, distance + 1, 2 * distance}) {
        if (bound < 0) continue;
        const Request request{.script = true, .max_distance = static_cast<std::uint64_t>(bound)};
        const auto found = edit_distance(pair, by(name), request).solution;
        ASSERT_EQ(found.distance.has_value(), bound >= distance) << name;
        EXPECT_TRUE(verify(pair, found, request, true)) << name;
      }
    }
    const auto indels = static_cast<std::int64_t>(pair.n() + pair.m()) - 2 * *lcs(pair, by("table")).solution.length;
    for (const auto& name : names(lcs_algorithms())) {
      for (const std::int64_t bound : {indels - 1, indels}) {
        if (bound < 0) continue;
        const Request request{.max_distance = static_cast<std::uint64_t>(bound)};
        ASSERT_EQ(lcs(pair, by(name), request).solution.length.has_value(), bound == indels) << name;
      }
    }
  }
}

/// Whether diagonals give what words find, also where seeds leave out most of them.
void expect_diagonals_equal(const Coded& pair) {
  for (const Ties ties : {Ties::left, Ties::right}) {
    const Request request{.script = true, .ties = ties};
    const auto expected = edit_distance(pair, by("words"), request).solution;
    const auto found = edit_distance(pair, by("diagonals"), request).solution;
    ASSERT_EQ(found.distance, expected.distance) << pair.n() << ' ' << pair.m();
    ASSERT_EQ(found.script, expected.script) << pair.n() << ' ' << pair.m();
    for (const std::int64_t more : {-1, 0, 1, 100}) {
      if (*expected.distance + more < 0) continue;
      const auto bound = static_cast<std::uint64_t>(*expected.distance + more);
      const Request bounded{.script = true, .ties = ties, .max_distance = bound};
      const auto within = edit_distance(pair, by("diagonals"), bounded).solution;
      ASSERT_EQ(within.distance.has_value(), more >= 0) << bound;
      ASSERT_EQ(within.script, more >= 0 ? expected.script : Script()) << bound;
    }
    ASSERT_EQ(lcs(pair, by("diagonals"), request).solution.script, lcs(pair, by("words"), request).solution.script)
        << pair.n() << ' ' << pair.m();
  }
}

TEST(SequenceAlgorithms, AgreeWhereSeedsLeaveOutDiagonals) {
  std::mt19937_64 random(21);
  for (const std::uint32_t alphabet : {2u, 4u, 20u, 300u}) {
    for (const std::size_t every : {3u, 8u, 20u, 60u}) {
      const Symbols a = test::draw(1500 + random() % 3000, alphabet, random);
      expect_diagonals_equal(test::coded(a, test::mutate(a, every, alphabet, random)));
    }
  }
}

TEST(SequenceAlgorithms, AgreeOnDiagonalsForEveryInstructionSet) {
  std::mt19937_64 random(23);
  const Symbols a = test::draw(1200, 4, random), b = test::mutate(a, 15, 4, random);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (const std::size_t n : {1u, 7u, 8u, 9u, 65u, 1200u}) {
      for (const std::size_t m : {1u, 8u, 66u, 1100u}) {
        expect_diagonals_equal(test::coded({a.begin(), a.begin() + n}, {b.begin(), b.begin() + m}));
      }
    }
  }
  force_instruction_set("");
}

TEST(SequenceAlgorithms, AgreeOnLongGapsAndRepeatsBesideSeeds) {
  std::mt19937_64 random(22);
  const Symbols a = test::draw(3000, 4, random), unit = test::draw(37, 4, random);
  Symbols shorter = test::mutate(a, 30, 4, random), longer = shorter, repeats;
  shorter.erase(shorter.begin() + 700, shorter.begin() + 1500);
  const Symbols between = test::draw(900, 4, random);
  longer.insert(longer.begin() + 2000, between.begin(), between.end());
  for (int round = 0; round < 80; ++round) repeats.insert(repeats.end(), unit.begin(), unit.end());
  Symbols moved(a.begin() + 1000, a.end());
  moved.insert(moved.end(), a.begin(), a.begin() + 1000);
  for (const Symbols& b : {shorter, longer, moved}) {
    expect_diagonals_equal(test::coded(a, b));
    expect_diagonals_equal(test::coded(b, a));
  }
  expect_diagonals_equal(test::coded(repeats, test::mutate(repeats, 20, 4, random)));
}

TEST(SequenceAlgorithms, AgreeForEveryCost) {
  std::mt19937_64 random(8);
  const auto cost = [&] { return static_cast<std::int64_t>(random() % 5); };
  int strips = 0;
  for (int round = 0; round < 200; ++round) {
    const Symbols a = test::draw(random() % 120, 3, random);
    const Coded pair = test::coded(a, test::mutate(a, 4, 3, random));
    Request request{.script = true,
                    .ties = std::array{Ties::left, Ties::right, Ties::shortest, Ties::longest}[random() % 4],
                    .costs = {cost(), cost(), cost(), cost()},
                    .transpositions = random() % 2 == 0};
    if (random() % 2) request.costs.deletion = request.costs.insertion;
    const auto expected = edit_distance(pair, by("table"), request).solution;
    const bool is_longest_of_free = request.ties == Ties::longest && request.costs.insertion == 0;
    const bool fits_strips =
        request.costs.insertion == request.costs.deletion && !request.transpositions && !is_longest_of_free;
    strips += fits_strips;
    for (const char* name : {"rows", "strips"}) {
      if (name == std::string("strips") && !fits_strips) continue;
      const auto found = edit_distance(pair, by(name), request).solution;
      ASSERT_EQ(found.distance, expected.distance) << name;
      ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << name;
      ASSERT_TRUE(verify(pair, found, request, true)) << name;
    }
  }
  EXPECT_GT(strips, 20);
}

void expect_bands_equal(const Coded& pair, const Request& request, int threads) {
  Request with_words = request;
  with_words.max_distance.reset();
  const auto expected = edit_distance(pair, by("words"), with_words).solution;
  const auto found = edit_distance(pair, by("band", threads), request).solution;
  ASSERT_EQ(found.distance, expected.distance) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << pair.n() << ' ' << pair.m();
  const auto common = lcs(pair, by("words"), with_words).solution;
  const auto found_common = lcs(pair, by("band", threads), request).solution;
  if (request.max_distance && !found_common.length) return;
  ASSERT_EQ(found_common.length, common.length) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found_common.script.cigar(), common.script.cigar()) << pair.n() << ' ' << pair.m();
}

TEST(SequenceAlgorithms, AgreeInBands) {
  std::mt19937_64 random(11);
  const Symbols a = test::draw(12'000, 4, random);
  int threads = 0;
  for (const std::size_t every : {2u, 5u, 20u, 100u, 5000u}) {
    const Symbols b = test::mutate(a, every, 4, random);
    expect_bands_equal(test::coded(a, b), {.script = true}, 1 + threads++ % 3);
    expect_bands_equal(test::coded(b, {a.begin() + 2000, a.end()}), {.script = true, .ties = Ties::right}, 2);
    expect_bands_equal(test::coded({b.begin(), b.end() - 1500}, a), {}, 2);
  }
  expect_bands_equal(test::coded(a, test::draw(13'000, 4, random)), {.script = true}, 2);
}

TEST(SequenceAlgorithms, AgreeInEveryBandThatTheBoundAllows) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 12; ++round) {
    const Symbols a = test::draw(500 + random() % 4000, 4, random);
    Symbols b = test::mutate(a, 20, 4, random);
    if (round % 3 == 0) b.erase(b.begin(), b.begin() + 200);
    const Coded pair = test::coded(a, b);
    const auto distance = static_cast<std::uint64_t>(*edit_distance(pair, by("words")).solution.distance);
    for (const std::uint64_t bound : {distance, distance + 1, 2 * distance, distance + 900}) {
      expect_bands_equal(pair, {.script = true, .max_distance = bound}, 1);
    }
    const Request too_low{.script = true, .max_distance = distance - 1};
    EXPECT_FALSE(edit_distance(pair, by("band"), too_low).solution.distance);
  }
}

TEST(SequenceAlgorithms, ObeyTheMemoryLimitWithTheSameScript) {
  std::mt19937_64 random(9);
  const Symbols a = test::draw(3000, 4, random);
  const Coded pair = test::coded(a, test::mutate(a, 3, 4, random));
  const Request request{.script = true};
  const auto expected = edit_distance(pair, by("words"), request).solution;
  for (const std::string name : {"slices", "rows", "diagonals"}) {
    for (const std::size_t bytes : {2'000'000u, 4'000'000u}) {
      Options options = by(name);
      options.max_memory = bytes;
      const auto found = edit_distance(pair, options, request);
      EXPECT_EQ(found.solution.script, expected.script) << name;
      EXPECT_LE(found.report.peak_bytes, bytes) << name;
    }
  }
}

/// The least limit that an estimate accepts. `accepts(limit)` makes one.
template <class Accepts>
std::size_t least_limit(const Accepts& accepts) {
  std::size_t low = 0, high = std::size_t{1} << 30;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (accepts(middle) ? high : low) = middle;
  }
  return high;
}

/// Solves a pair with limits from the least one on. `solve(options)` returns an outcome, `estimate(options)` one, too.
template <class Solve, class Estimate>
void expect_limits_are_obeyed(const Solve& solve, const Estimate& estimate) {
  const auto expected = solve(Options{}).solution.script.cigar();
  for (const std::string name : {"slices", "band"}) {
    for (const int threads : {1, 2}) {
      Options options = by(name, threads);
      const std::size_t least = least_limit([&](std::size_t limit) {
        options.max_memory = limit;
        try {
          return estimate(options).bytes <= limit;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
          return false;
        }
      });
      for (const double factor : {1.0, 1.1, 2.0, 6.0}) {
        options.max_memory = static_cast<std::size_t>(factor * static_cast<double>(least));
        SCOPED_TRACE(testing::Message() << name << ", " << threads << " threads, " << options.max_memory << " bytes");
        const auto outcome = solve(options);
        EXPECT_EQ(outcome.solution.script.cigar(), expected);
        EXPECT_LE(outcome.report.peak_bytes, estimate(options).bytes);
        EXPECT_LE(outcome.report.peak_bytes, options.max_memory);
      }
      options.max_memory = least - 1;
      if (name == "slices") {
        EXPECT_THROW(solve(options), Error);
      }
    }
  }
}

TEST(SequenceAlgorithms, ObeyAnyMemoryLimitByTilesWithTheSameScript) {
  std::mt19937_64 random(13);
  const Request request{.script = true};
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    SCOPED_TRACE(set);
    const Symbols a = test::draw(13'001, 4, random);
    for (const Symbols& b : {test::draw(9003, 4, random), test::mutate(a, 3, 4, random)}) {
      const Coded pair = test::coded(a, b);
      expect_limits_are_obeyed([&](const Options& options) { return edit_distance(pair, options, request); },
                               [&](const Options& options) { return estimate_edit_distance(pair, options, request); });
      expect_limits_are_obeyed([&](const Options& options) { return lcs(pair, options, request); },
                               [&](const Options& options) { return estimate_lcs(pair, options, request); });
    }
  }
  force_instruction_set("");
}

TEST(SequenceAlgorithms, NameTheLeastMemoryOfAScript) {
  std::mt19937_64 random(14);
  const Coded pair = test::coded(test::draw(30'000, 4, random), test::draw(30'000, 4, random));
  const auto message = [&](std::size_t limit) {
    Options options = by("slices", 1);
    options.max_memory = limit;
    try {
      static_cast<void>(edit_distance(pair, options, {.script = true}));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
      const std::string text = error.what();
      return text.substr(0, text.find(','));
    }
    return std::string("none");
  };
  EXPECT_EQ(message(1000).substr(0, 15), "the solve needs");
  EXPECT_EQ(message(1000), message(100'000));
}

TEST(SequenceChoice, TakesTheAlgorithmThatFitsOneThread) {
  std::mt19937_64 random(10);
  const Symbols a = test::draw(20'000, 4, random);
  const auto chosen = [](const Coded& pair) { return edit_distance(pair, by("", 1)).report.algorithm; };
  EXPECT_EQ(chosen(test::coded(a, test::mutate(a, 1000, 4, random))), "diagonals");
  EXPECT_EQ(chosen(test::coded(test::draw(100'000, 4, random), test::draw(100'000, 4, random))), "band");
  EXPECT_EQ(chosen(test::coded({a.begin(), a.begin() + 60}, {a.begin() + 60, a.begin() + 120})), "words");
  EXPECT_EQ(edit_distance("abcd", "acbd", {}, {.costs = {.insertion = 2}}).report.algorithm, "rows");
  const Coded lines = test::coded(test::draw(20'000, 50'000, random), test::draw(20'000, 50'000, random));
  EXPECT_EQ(lcs(lines, by("", 1)).report.algorithm, "dominance");
}

TEST(SequenceChoice, TakesAllCellsWhereThreadsShareThemBetterThanABand) {
  const auto estimate = [](std::uint64_t n, const std::string& name, int threads) {
    return estimate_edit_distance(n, n, by(name, threads), {});
  };
  for (const std::uint64_t n : {5'000u, 20'000u, 100'000u, 1'000'000u}) {
    for (const int threads : {1, 2, 4, 8}) {
      const bool takes_band = estimate(n, "band", threads).seconds <= estimate(n, "slices", threads).seconds;
      EXPECT_EQ(estimate(n, "", threads).worst_case->algorithm, takes_band ? "band" : "slices") << n << ' ' << threads;
    }
  }
}

}  // namespace
}  // namespace warpfold::sequence
