#include "warpfold/sequence/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>
#include <stop_token>
#include <string>

#include "oracle.hpp"
#include "sequence/lanes/alphabet.hpp"
#include "sequence/lanes/group.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::sequence {
namespace {

using test::Symbols;

struct Case {
  std::vector<std::string> a, b;
};

std::uint32_t distance_of(const std::string& a, const std::string& b, Measure measure) {
  const Request request;
  return static_cast<std::uint32_t>(test::Recursion<std::string>(a, b, request, measure == Measure::edit).distance());
}

std::string text_of(std::size_t length, const std::string& letters, std::mt19937_64& random) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

/// Pairs of all lengths up to `most`, some of them similar.
Case pairs_of(std::size_t count, std::size_t most, const std::string& letters) {
  std::mt19937_64 random(count + most);
  Case pairs;
  for (std::size_t at = 0; at < count; ++at) {
    pairs.a.push_back(text_of(random() % (most + 1), letters, random));
    pairs.b.push_back(text_of(random() % (most + 1), letters, random));
    if (at % 3 == 0) pairs.b.back() = pairs.a.back().substr(pairs.a.back().size() / 8) + "b";
  }
  return pairs;
}

std::vector<SymbolView> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::vector<std::uint32_t> expected(const Case& pairs, const BatchRequest& request) {
  std::vector<std::uint32_t> distances;
  for (std::size_t at = 0; at < pairs.a.size(); ++at) {
    const std::uint32_t distance = distance_of(pairs.a[at], pairs.b[at], request.measure);
    distances.push_back(request.max_distance ? std::min(distance, *request.max_distance + 1) : distance);
  }
  return distances;
}

Options by(const char* algorithm, int threads = 0) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

constexpr const char* every_algorithm[] = {"", "lanes", "words"};

struct BatchTest : testing::TestWithParam<Measure> {};

TEST_P(BatchTest, DistancesAreThoseOfTheTableByEveryAlgorithm) {
  for (const std::string letters : {"a", "ab", "acgt", "abcdefghijklmnopqrst"}) {
    const Case pairs = pairs_of(400, 40, letters);
    const BatchRequest request{.measure = GetParam()};
    const auto right = expected(pairs, request);
    for (const auto* algorithm : every_algorithm) {
      EXPECT_EQ(distances(views(pairs.a), views(pairs.b), by(algorithm), request).solution, right) << algorithm;
    }
  }
}

TEST_P(BatchTest, AlphabetsOfEveryNumberOfPlanesAreToldApart) {
  std::string letters;
  for (std::size_t planes = 1; planes <= 8; ++planes) {
    for (int code = static_cast<int>(letters.size()); code < 1 << planes; ++code)
      letters += static_cast<char>(code * 37);
    const Case pairs = pairs_of(300, 20, letters);
    const BatchRequest request{.measure = GetParam()};
    EXPECT_EQ(distances(views(pairs.a), views(pairs.b), by("lanes"), request).solution, expected(pairs, request))
        << planes;
  }
}

TEST_P(BatchTest, DistancesBeyondTheBoundAreOneMore) {
  const Case pairs = pairs_of(500, 40, "acgt");
  for (const std::uint32_t bound :
       {0u, 1u, 2u, 5u, 9u, 20u, 39u, 200u, std::numeric_limits<std::uint32_t>::max() - 1}) {
    const BatchRequest request{.measure = GetParam(), .max_distance = bound};
    const auto right = expected(pairs, request);
    for (const auto* algorithm : every_algorithm) {
      EXPECT_EQ(distances(views(pairs.a), views(pairs.b), by(algorithm), request).solution, right)
          << algorithm << ' ' << bound;
    }
  }
}

/// By the kernel for long pairs, which no batch uses for these lengths.
std::uint32_t distance_by_slices(const std::string& a, const std::string& b, Measure measure) {
  if (measure == Measure::edit) return static_cast<std::uint32_t>(*edit_distance(a, b, by("slices")).solution.distance);
  return static_cast<std::uint32_t>(a.size() + b.size()) -
         2 * static_cast<std::uint32_t>(*lcs(a, b, by("slices")).solution.length);
}

TEST_P(BatchTest, LongPairsGoLikeASinglePair) {
  std::mt19937_64 random(3);
  Case pairs;
  for (const std::size_t length : {63, 64, 65, 500, 2047, 2048, 2049, 2500}) {
    pairs.a.push_back(text_of(length, "acgt", random));
    pairs.b.push_back(text_of(length + 40, "acgt", random));
    pairs.a.push_back(text_of(2300, "acgt", random));
    pairs.b.push_back(pairs.a.back().substr(length / 10));
  }
  for (const std::uint32_t bound : {100u, 10'000u}) {
    const BatchRequest request{.measure = GetParam(), .max_distance = bound};
    std::vector<std::uint32_t> right;
    for (std::size_t at = 0; at < pairs.a.size(); ++at) {
      right.push_back(std::min(bound + 1, distance_by_slices(pairs.a[at], pairs.b[at], GetParam())));
    }
    for (const auto* algorithm : every_algorithm) {
      EXPECT_EQ(distances(views(pairs.a), views(pairs.b), by(algorithm), request).solution, right) << algorithm;
    }
  }
}

TEST_P(BatchTest, ResultsDoNotDependOnTheGrouping) {
  const Case pairs = pairs_of(1000, 50, "acgt");
  const BatchRequest request{.measure = GetParam(), .max_distance = 30};
  const auto all = distances(views(pairs.a), views(pairs.b), by("lanes"), request).solution;
  const std::vector<SymbolView> a = views(pairs.a), b = views(pairs.b);
  std::vector<std::uint32_t> parts;
  for (std::size_t first = 0, size = 1; first < a.size(); first += size, size = 2 * size + 1) {
    const std::size_t count = std::min(size, a.size() - first);
    const auto part = distances(std::span(a).subspan(first, count), std::span(b).subspan(first, count),
                                by("lanes", 1 + static_cast<int>(size % 3)), request);
    parts.insert(parts.end(), part.solution.begin(), part.solution.end());
  }
  EXPECT_EQ(parts, all);
}

TEST_P(BatchTest, AllPairsAreThePairs) {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{7, 300}, {300, 7}, {40, 40}, {0, 5}, {5, 0}}) {
    std::mt19937_64 random(rows);
    std::vector<std::string> a, b;
    for (std::size_t i = 0; i < rows; ++i) a.push_back(text_of(random() % 40, "acgt", random));
    for (std::size_t j = 0; j < columns; ++j) b.push_back(text_of(random() % 40, "acgt", random));
    for (const auto bound : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(12)}) {
      const BatchRequest request{.measure = GetParam(), .max_distance = bound};
      Case pairs;
      for (const auto& first : a) {
        for (const auto& second : b) pairs.a.push_back(first), pairs.b.push_back(second);
      }
      const auto right = expected(pairs, request);
      for (const auto* algorithm : every_algorithm) {
        EXPECT_EQ(cdist(views(a), views(b), by(algorithm), request).solution, right) << rows << algorithm;
      }
    }
  }
}

std::vector<std::vector<Neighbor>> naive_nearest(const std::vector<std::string>& a, const std::vector<std::string>& b,
                                                 std::size_t k, const BatchRequest& request) {
  std::vector<std::vector<Neighbor>> all;
  for (const auto& one : a) {
    std::vector<Neighbor> neighbors;
    for (std::size_t j = 0; j < b.size(); ++j) neighbors.push_back({distance_of(one, b[j], request.measure), j});
    std::erase_if(neighbors, [&](const Neighbor& neighbor) {
      return request.max_distance && neighbor.distance > *request.max_distance;
    });
    std::ranges::sort(neighbors);
    neighbors.resize(std::min(k, neighbors.size()));
    all.push_back(std::move(neighbors));
  }
  return all;
}

TEST_P(BatchTest, TheNearestAreThoseOfASortWithTiesByIndex) {
  std::mt19937_64 random(11);
  std::vector<std::string> few, many;
  for (int i = 0; i < 12; ++i) few.push_back(text_of(random() % 12, "ab", random));
  for (int j = 0; j < 700; ++j) many.push_back(text_of(random() % 12, "ab", random));
  for (const std::size_t k : {0, 1, 3, 20, 1000}) {
    for (const auto bound : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(2)}) {
      const BatchRequest request{.measure = GetParam(), .max_distance = bound};
      for (const auto* algorithm : every_algorithm) {
        ASSERT_EQ(nearest(views(few), views(many), k, by(algorithm), request).solution,
                  naive_nearest(few, many, k, request));
        ASSERT_EQ(nearest(views(many), views(few), k, by(algorithm), request).solution,
                  naive_nearest(many, few, k, request));
      }
    }
  }
}

TEST_P(BatchTest, APatternHasTheDistancesOfThePairs) {
  std::mt19937_64 random(5);
  for (const std::size_t length : {0, 1, 63, 64, 65, 128, 129, 200}) {
    const std::string text = text_of(length, "acgt", random);
    const Pattern pattern(text, GetParam());
    for (const std::size_t other : {0, 1, 64, 100, 200}) {
      const std::string second = text_of(other, "acgt", random);
      EXPECT_EQ(pattern.distance(second), distance_of(text, second, GetParam()));
    }
  }
}

TEST_P(BatchTest, WideSymbolsAreComparedAsIntegers) {
  const std::vector<std::uint32_t> emoji = {0x1F600, 'a', 0x1F601, 'b'};
  const std::vector<std::uint16_t> narrow = {'a', 0xE9, 'b'};
  const std::string text = "ab";
  const std::vector<SymbolView> a = {std::span(emoji), std::span(emoji), std::span(narrow), std::string_view(text)};
  const std::vector<SymbolView> b = {std::span(narrow), std::string_view(text), std::string_view(text),
                                     std::span(emoji)};
  const BatchRequest request{.measure = GetParam()};
  const bool is_edit = GetParam() == Measure::edit;
  const std::vector<std::uint32_t> right = {is_edit ? 2u : 3u, 2, 1, 2};
  for (const auto* algorithm : every_algorithm) EXPECT_EQ(distances(a, b, by(algorithm), request).solution, right);
}

TEST_P(BatchTest, MoreThan256SymbolsGoByWords) {
  for (const std::uint32_t alphabet : {300U, 1000U}) {
    SCOPED_TRACE(alphabet);
    std::mt19937_64 random(8);
    std::vector<Symbols> a, b;
    std::vector<SymbolView> first, second;
    for (int at = 0; at < 100; ++at)
      a.push_back(test::draw(90, alphabet, random)), b.push_back(test::mutate(a[at], 3, alphabet, random));
    for (int at = 0; at < 100; ++at)
      first.emplace_back(std::span<const std::uint32_t>(a[at])),
          second.emplace_back(std::span<const std::uint32_t>(b[at]));
    const BatchRequest request{.measure = GetParam()};
    const auto found = distances(first, second, {}, request);
    EXPECT_EQ(found.report.algorithm, "words");
    for (std::size_t at = 0; at < a.size(); ++at) {
      const Request one;
      EXPECT_EQ(found.solution[at],
                test::Recursion<Symbols>(a[at], b[at], one, GetParam() == Measure::edit).distance());
    }
    EXPECT_THROW((void)distances(first, second, by("lanes"), request), Error);
  }
}

TEST_P(BatchTest, ScriptsAreThoseOfSinglePairs) {
  const Case pairs = pairs_of(60, 30, "acgt");
  const BatchRequest request{.measure = GetParam(), .max_distance = 15};
  for (const Ties ties : {Ties::left, Ties::right}) {
    const auto found = scripts(views(pairs.a), views(pairs.b), {}, request, ties).solution;
    for (std::size_t at = 0; at < pairs.a.size(); ++at) {
      const Request one{.script = true, .ties = ties};
      test::Recursion<std::string> naive(pairs.a[at], pairs.b[at], one, GetParam() == Measure::edit);
      EXPECT_EQ(found[at], naive.distance() <= 15 ? std::optional(naive.script()) : std::nullopt);
    }
  }
}

TEST_P(BatchTest, BoundedScriptsOfLongAndShortPairsKeepTheirPlaces) {
  const std::string far(3000, 'x'), long_one(3000, 'a'), near = long_one + "b";
  const std::vector<std::string> a = {long_one, "kitten", long_one, "abc"}, b = {near, "sitting", far, "abc"};
  const auto found = scripts(views(a), views(b), {}, {.measure = GetParam(), .max_distance = 2}).solution;
  ASSERT_TRUE(found[0].has_value());
  EXPECT_EQ(found[0]->cigar(), "3000=1I");
  EXPECT_FALSE(found[1].has_value());
  EXPECT_FALSE(found[2].has_value());
  ASSERT_TRUE(found[3].has_value());
  EXPECT_EQ(found[3]->cigar(), "3=");
}

INSTANTIATE_TEST_SUITE_P(EachMeasure, BatchTest, testing::Values(Measure::edit, Measure::indel),
                         [](const auto& tested) { return tested.param == Measure::edit ? "Edit" : "Indel"; });

TEST(BatchTest, TheReportNamesWhatRan) {
  const Case many = pairs_of(2000, 100, "acgt");
  EXPECT_EQ(distances(views(many.a), views(many.b)).report.algorithm, "lanes");
  const Case few = pairs_of(3, 100, "acgt");
  EXPECT_EQ(distances(views(few.a), views(few.b)).report.algorithm, "words");
  EXPECT_GT(distances(views(many.a), views(many.b)).report.peak_bytes, 2000 * 16u);
}

TEST(BatchTest, WhatIsNotAcceptedIsNamed) {
  const std::string text = "abc";
  const std::vector<SymbolView> one = {std::string_view(text)}, two = {std::string_view(text), std::string_view(text)};
  EXPECT_THROW((void)distances(one, two), Error);
  EXPECT_THROW((void)scripts(one, two), Error);
  EXPECT_THROW((void)distances(one, one, by("slices")), Error);
  Options on_gpu;
  on_gpu.device = {Device::Kind::cuda, 0};
  EXPECT_THROW((void)cdist(one, two, on_gpu), Error);
  Options with_little;
  with_little.max_memory = 8;
  EXPECT_THROW((void)nearest(one, two, 1, with_little), Error);
}

TEST(BatchTest, AStopEndsABatch) {
  const Case pairs = pairs_of(2000, 100, "acgt");
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  EXPECT_THROW((void)distances(views(pairs.a), views(pairs.b), options), Error);
}

/// Strings that are one item for a thread, which takes hundreds of milliseconds.
Case one_item(std::size_t count, std::size_t length) {
  std::mt19937_64 random(count);
  Case lists;
  for (std::size_t at = 0; at < count; ++at) {
    lists.a.push_back(text_of(length, "acgt", random));
    lists.b.push_back(text_of(length, "acgt", random));
  }
  return lists;
}

TEST(BatchTest, ADeadlineEndsAnItemThatWorksOn) {
  const Case short_ones = one_item(16, 2000), long_ones = one_item(1, 300'000);
  const Case many = one_item(400, 2000);
  const auto kind = [](const auto& solve, const char* algorithm) {
    Options options = by(algorithm, 1);
    options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    try {
      solve(options);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  const auto all_pairs = [&](const Options& options) { (void)cdist(views(short_ones.a), views(many.b), options); };
  const auto nearest_of = [&](const Options& options) {
    (void)nearest(views(short_ones.a), views(many.b), 1, options);
  };
  const auto one_pair = [&](const Options& options) {
    (void)distances(views(long_ones.a), views(long_ones.b), options);
  };
  for (const char* algorithm : {"words", "lanes"}) {
    EXPECT_EQ(kind(all_pairs, algorithm), ErrorKind::time_limit) << algorithm;
    EXPECT_EQ(kind(nearest_of, algorithm), ErrorKind::time_limit) << algorithm;
    EXPECT_EQ(kind(one_pair, algorithm), ErrorKind::time_limit) << algorithm;
  }
}

TEST(BatchTest, ProgressEndsAtItsTotal) {
  const Case pairs = pairs_of(2000, 60, "acgt");
  Progress last;
  Options options;
  options.progress = [&](const Progress& progress) { last = progress; };
  (void)distances(views(pairs.a), views(pairs.b), options);
  EXPECT_GT(last.total, 0);
  EXPECT_EQ(last.done, last.total);
}

TEST(AlphabetTest, TheFewestBitsThatTellSymbolsApartAreTaken) {
  const auto planes_of = [](std::string_view text) {
    lanes::Alphabet alphabet;
    alphabet.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return alphabet.planes().count;
  };
  EXPECT_EQ(planes_of(""), 1u);
  EXPECT_EQ(planes_of("a"), 1u);
  EXPECT_EQ(planes_of("ab"), 1u);
  EXPECT_EQ(planes_of("ACGT"), 2u);
  EXPECT_EQ(planes_of("acgtn"), 3u);
  EXPECT_EQ(planes_of("abcdefghijklmnopqrstuvwxyz"), 5u);
}

}  // namespace
}  // namespace warpfold::sequence
