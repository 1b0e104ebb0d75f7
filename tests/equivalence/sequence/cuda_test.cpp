#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "needs_gpu.hpp"
#include "options.hpp"
#include "sequence/batch/team.hpp"
#include "sequence/gpu/slices.hpp"
#include "several_gpus.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/batch.hpp"

/// Distances on a GPU against those of words with an adder on the CPU.
namespace warpfold::sequence {
namespace {

using test::draw;
using Random = std::mt19937_64;

class OnGpu : public warpfold::test::NeedsGpu {};

Options on_gpu(const std::string& algorithm) { return warpfold::test::by(algorithm, Device::Kind::cuda); }

Options by_words() { return warpfold::test::by("words", Device::Kind::cpu); }

void expect_equal_to_words(const Coded& pair, const std::string& what = "") {
  const auto distance = edit_distance(pair, on_gpu("slices"));
  ASSERT_EQ(distance.solution.distance, edit_distance(pair, by_words()).solution.distance)
      << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << what;
  ASSERT_EQ(lcs(pair, on_gpu("slices")).solution.length, lcs(pair, by_words()).solution.length)
      << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << what;
}

std::int64_t distance_by_rows(const Coded& pair, Measure measure, unsigned rows) {
  const Request request;
  Report report;
  Options options = on_gpu("slices");
  options.device.index = 0;
  Context context(options, report);
  return *cuda::by_slices({pair, request, measure}, context, rows).distance;
}

TEST_F(OnGpu, ShortSequencesOfEveryLengthAreRight) {
  Random random(1);
  for (std::size_t n = 1; n <= 70; ++n) {
    for (const std::size_t m : {std::size_t{1}, n, std::size_t{31}, std::size_t{32}, std::size_t{33}, 2 * n}) {
      expect_equal_to_words(test::coded(draw(n, 3, random), draw(m, 3, random)));
    }
  }
}

TEST_F(OnGpu, LengthsAroundStripesStripsAndChunksAreRight) {
  Random random(2);
  for (const std::size_t n : {1023, 1024, 1025, 2047, 2048, 2049, 4097, 16383, 16384, 16385, 40000}) {
    for (const std::size_t m : {1, 31, 32, 33, 1023, 1024, 1025, 4096, 10007}) {
      expect_equal_to_words(test::coded(draw(n, 4, random), draw(m, 4, random)));
    }
  }
}

TEST_F(OnGpu, EveryNumberOfRowsInAStripeGivesTheSame) {
  Random random(3);
  for (const std::uint32_t alphabet : {1, 2, 4, 5, 20, 32, 33, 256, 257, 2000}) {
    const Coded pair = test::coded(draw(20'011, alphabet, random), draw(9'973, alphabet, random));
    for (const Measure measure : {Measure::edit, Measure::indel}) {
      const std::int64_t expected = distance_by_rows(pair, measure, 1);
      for (const unsigned rows : {2u, 4u, 8u, 16u}) {
        if (rows > 4 && pair.planes() > 8) continue;
        ASSERT_EQ(distance_by_rows(pair, measure, rows), expected) << alphabet << ' ' << rows;
      }
    }
    expect_equal_to_words(pair);
  }
}

TEST_F(OnGpu, SimilarPeriodicAndDisjointSequencesAreRight) {
  Random random(4);
  const auto a = draw(30'000, 4, random);
  expect_equal_to_words(test::coded(a, a), " equal");
  expect_equal_to_words(test::coded(a, test::mutate(a, 20, 4, random)), " similar");
  expect_equal_to_words(test::coded(std::vector<std::uint32_t>(5000, 1), std::vector<std::uint32_t>(7000, 1)),
                        " one symbol");
  expect_equal_to_words(test::coded(std::vector<std::uint32_t>(5000, 1), std::vector<std::uint32_t>(7000, 2)),
                        " disjoint");
  test::Symbols periodic(9000);
  for (std::size_t i = 0; i < periodic.size(); ++i) periodic[i] = static_cast<std::uint32_t>(i % 3);
  expect_equal_to_words(test::coded(periodic, a), " periodic");
}

TEST_F(OnGpu, MoreStripsThanWarpsAreRight) {
  Random random(5);
  const Coded pair = test::coded(draw(3'000'000, 4, random), draw(2'000, 4, random));
  for (const unsigned rows : {1u, 4u}) {
    ASSERT_EQ(distance_by_rows(pair, Measure::edit, rows), *edit_distance(pair, by_words()).solution.distance) << rows;
  }
}

TEST_F(OnGpu, ABoundIsAnsweredByMore) {
  Random random(6);
  const Coded pair = test::coded(draw(3000, 4, random), draw(3100, 4, random));
  const auto distance = static_cast<std::uint64_t>(*edit_distance(pair, by_words()).solution.distance);
  EXPECT_TRUE(edit_distance(pair, on_gpu("slices"), {.max_distance = distance}).solution.distance);
  EXPECT_FALSE(edit_distance(pair, on_gpu("slices"), {.max_distance = distance - 1}).solution.distance);
}

TEST_F(OnGpu, DissimilarSequencesAreHandedOnToTheGpu) {
  Random random(7);
  const Coded pair = test::coded(draw(300'000, 4, random), draw(300'000, 4, random));
  Options options;
  options.device.kind = Device::Kind::cuda;
  const auto found = edit_distance(pair, options);
  EXPECT_EQ(found.report.algorithm, "slices");
  EXPECT_EQ(found.report.device, "cuda:0");
  EXPECT_EQ(found.solution.distance, edit_distance(pair, on_gpu("slices")).solution.distance);
}

TEST_F(OnGpu, ADeadlineEndsALongSolve) {
  Random random(8);
  const auto a = draw(8'000'000, 4, random);
  const Coded pair = test::coded(a, draw(8'000'000, 4, random));
  Options options = on_gpu("slices");
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  EXPECT_THROW((void)edit_distance(pair, options), Error);
}

void expect_scripts_of_the_cpu(const Coded& pair, const std::string& what = "") {
  Options by_slices = by_words();
  by_slices.algorithm = "slices";
  for (const Ties ties : {Ties::left, Ties::right}) {
    const Request request{.script = true, .ties = ties};
    const auto found = edit_distance(pair, on_gpu("slices"), request).solution;
    const auto expected = edit_distance(pair, by_slices, request).solution;
    ASSERT_EQ(found.distance, expected.distance) << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << what;
    ASSERT_EQ(found.script.cigar(), expected.script.cigar())
        << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << what;
    ASSERT_EQ(lcs(pair, on_gpu("slices"), request).solution.script.cigar(),
              lcs(pair, by_slices, request).solution.script.cigar())
        << pair.n() << ' ' << pair.m() << ' ' << pair.codes() << what;
  }
}

TEST_F(OnGpu, ScriptsAroundTilesAreThoseOfTheCpu) {
  Random random(9);
  for (const std::size_t n : {1, 100, 2047, 2048, 2049, 8191, 8193, 20000}) {
    for (const std::size_t m : {1, 63, 2047, 2048, 2049, 4097, 10007}) {
      expect_scripts_of_the_cpu(test::coded(draw(n, 4, random), draw(m, 4, random)));
    }
  }
}

TEST_F(OnGpu, ScriptsOfEveryAlphabetAreThoseOfTheCpu) {
  Random random(10);
  for (const std::uint32_t alphabet : {1, 2, 4, 5, 20, 32, 33, 256, 257, 2000}) {
    const auto a = draw(12'011, alphabet, random);
    expect_scripts_of_the_cpu(test::coded(a, draw(9'973, alphabet, random)));
    expect_scripts_of_the_cpu(test::coded(a, test::mutate(a, 10, alphabet, random)), " similar");
  }
}

TEST_F(OnGpu, LongScriptsAreThoseOfTheCpu) {
  Random random(11);
  const auto a = draw(300'000, 4, random);
  expect_scripts_of_the_cpu(test::coded(a, draw(250'000, 4, random)), " random");
  expect_scripts_of_the_cpu(test::coded(a, test::mutate(a, 3, 4, random)), " similar");
}

/// By each number of rows that the kernels have.
std::vector<std::string> scripts_by_rows(const Coded& pair, Measure measure) {
  const Request request{.script = true};
  Options options = on_gpu("slices");
  options.device.index = 0;
  std::vector<std::string> scripts;
  for (const unsigned rows : {1U, 2U, 4U, 8U, 16U}) {
    if (rows > 4 && pair.planes() > 8) continue;
    Report report;
    Context context(options, report);
    scripts.push_back(cuda::by_slices({pair, request, measure}, context, rows).script.cigar());
  }
  return scripts;
}

TEST_F(OnGpu, EveryNumberOfRowsGivesTheSameScript) {
  Random random(12);
  for (const std::uint32_t alphabet : {4, 20, 256, 300}) {
    const Coded pair = test::coded(draw(50'000, alphabet, random), draw(40'000, alphabet, random));
    for (const Measure measure : {Measure::edit, Measure::indel}) {
      const auto scripts = scripts_by_rows(pair, measure);
      EXPECT_EQ(scripts, std::vector(scripts.size(), scripts.front())) << alphabet;
    }
  }
}

/// A few strips and tiles, for compute-sanitizer (tests/device/sanitize).
void expect_small_scripts_of_every_kernel(std::uint32_t alphabet) {
  Random random(15);
  const Coded pair = test::coded(draw(2100, alphabet, random), draw(300, alphabet, random));
  expect_scripts_of_the_cpu(pair);
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    const auto scripts = scripts_by_rows(pair, measure);
    EXPECT_EQ(scripts, std::vector(scripts.size(), scripts.front())) << alphabet;
  }
}

TEST_F(OnGpu, EveryKernelOfASmallPairOfFewSymbolsIsRight) {
  for (const std::uint32_t alphabet : {4, 20}) expect_small_scripts_of_every_kernel(alphabet);
}

TEST_F(OnGpu, EveryKernelOfASmallPairOfManySymbolsIsRight) {
  for (const std::uint32_t alphabet : {256, 300}) expect_small_scripts_of_every_kernel(alphabet);
}

TEST_F(OnGpu, ScriptsFarFromTheDiagonalAreThoseOfTheCpu) {
  Random random(13);
  const auto a = draw(60'000, 4, random);
  auto without_middle = a, without_begin = a;
  without_middle.erase(without_middle.begin() + 20'000, without_middle.begin() + 45'000);
  without_begin.erase(without_begin.begin(), without_begin.begin() + 30'000);
  expect_scripts_of_the_cpu(test::coded(a, without_middle), " without the middle");
  expect_scripts_of_the_cpu(test::coded(without_begin, a), " without the begin");
  expect_scripts_of_the_cpu(test::coded(draw(200, 4, random), draw(600'000, 4, random)), " wide");
  expect_scripts_of_the_cpu(test::coded(draw(600'000, 4, random), draw(200, 4, random)), " narrow");
}

class SeveralGpusSequences : public warpfold::test::NeedsGpu {};

/// Checks the distances, the scripts, and which GPUs the report names: no more than there are strips of `rows` rows.
void expect_the_same_on_several(const Coded& pair, std::size_t strips) {
  Options by_slices = by_words();
  by_slices.algorithm = "slices";
  for (const bool script : {false, true}) {
    const Request request{.script = script};
    const auto expected = edit_distance(pair, by_slices, request).solution;
    const auto common = lcs(pair, by_slices, request).solution;
    for (const Device& device : warpfold::test::several_gpus()) {
      SCOPED_TRACE(testing::Message() << pair.n() << ' ' << pair.m() << ' ' << to_string(device));
      Options options = warpfold::test::on(device);
      options.algorithm = "slices";
      const auto [found, report] = edit_distance(pair, options, request);
      EXPECT_EQ(found.distance, expected.distance);
      EXPECT_EQ(found.script.cigar(), expected.script.cigar());
      EXPECT_EQ(lcs(pair, options, request).solution.script.cigar(), common.script.cigar());
      if (strips > device.more.size()) {
        EXPECT_EQ(report.device, to_string(device));
      }
    }
  }
}

TEST_F(SeveralGpusSequences, HaveTheDistancesAndScriptsOfTheCpu) {
  Random random(14);
  for (const std::size_t n : {1, 1000, 1025, 2049, 3073, 40'000}) {
    for (const std::size_t m : {1, 33, 1025, 30'000}) {
      expect_the_same_on_several(test::coded(draw(n, 4, random), draw(m, 4, random)), n / 16384);
    }
  }
  const auto a = draw(200'000, 20, random);
  expect_the_same_on_several(test::coded(a, test::mutate(a, 5, 20, random)), 12);
}

TEST_F(SeveralGpusSequences, TakeMoreStripsThanTheyHaveWarps) {
  Random random(15);
  const Coded pair = test::coded(draw(3'000'000, 4, random), draw(2'000, 4, random));
  const auto expected = edit_distance(pair, by_words()).solution.distance;
  for (const Device& device : warpfold::test::several_gpus()) {
    Options options = warpfold::test::on(device);
    options.algorithm = "slices";
    EXPECT_EQ(edit_distance(pair, options).solution.distance, expected) << to_string(device);
  }
}

TEST_F(SeveralGpusSequences, AreEndedByADeadline) {
  Random random(16);
  const auto a = draw(4'000'000, 4, random);
  const Coded pair = test::coded(a, draw(4'000'000, 4, random));
  for (const Device& device : warpfold::test::several_gpus()) {
    Options options = warpfold::test::on(device);
    options.algorithm = "slices";
    options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    EXPECT_THROW((void)edit_distance(pair, options), Error) << to_string(device);
  }
}

TEST_F(OnGpu, OwnCostsAreLeftToTheCpu) {
  const Coded pair("kitten", "sitting");
  EXPECT_THROW((void)edit_distance(pair, on_gpu("slices"), {.costs = {.insertion = 2}}), Error);
}

// Many pairs.

struct Texts {
  std::vector<std::string> a, b;

  [[nodiscard]] std::vector<SymbolView> a_views() const { return {a.begin(), a.end()}; }
  [[nodiscard]] std::vector<SymbolView> b_views() const { return {b.begin(), b.end()}; }
};

std::string text_of(std::size_t length, unsigned alphabet, Random& random) {
  std::string text(length, 0);
  for (char& symbol : text) symbol = static_cast<char>('0' + random() % alphabet * 37);
  return text;
}

/// Pairs of all lengths up to `longest`, a third of them similar.
Texts texts_of(std::size_t pairs, std::size_t longest, unsigned alphabet, Random& random) {
  Texts texts;
  for (std::size_t at = 0; at < pairs; ++at) {
    texts.a.push_back(text_of(random() % (longest + 1), alphabet, random));
    texts.b.push_back(text_of(random() % (longest + 1), alphabet, random));
    if (at % 3 == 0) texts.b.back() = texts.a.back().substr(texts.a.back().size() / 8) + "0";
  }
  return texts;
}

void expect_distances_of_the_cpu(const Texts& texts, const std::string& what) {
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    const BatchRequest request{.measure = measure};
    const auto found = distances(texts.a_views(), texts.b_views(), on_gpu("lanes"), request);
    ASSERT_EQ(found.solution, distances(texts.a_views(), texts.b_views(), by_words(), request).solution) << what;
    ASSERT_EQ(found.report.device, "cuda:0");
    ASSERT_EQ(found.report.algorithm, "lanes");
  }
}

TEST_F(OnGpu, PairsOfEveryAlphabetHaveTheDistancesOfTheCpu) {
  Random random(20);
  for (const unsigned alphabet : {1, 2, 3, 4, 5, 8, 20, 32, 33, 60, 64, 65, 128, 200, 256}) {
    expect_distances_of_the_cpu(texts_of(1000, 150, alphabet, random), std::to_string(alphabet) + " symbols, short");
    expect_distances_of_the_cpu(texts_of(60, 2300, alphabet, random), std::to_string(alphabet) + " symbols, long");
  }
}

TEST_F(OnGpu, PairsOfEveryLengthAroundLanesAndStripsHaveTheDistancesOfTheCpu) {
  Random random(21);
  Texts texts;
  for (const std::size_t n : {1,   2,   7,   8,   9,   15,  16,  17,  31,   32,   33,   63,   64,   65,  127,
                              128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049}) {
    for (const std::size_t m : {1, 31, 32, 33, 64, 100, 1024, 1025}) {
      texts.a.push_back(text_of(n, 4, random)), texts.b.push_back(text_of(m, 4, random));
      expect_distances_of_the_cpu({{texts.a.back()}, {texts.b.back()}}, std::to_string(n) + ' ' + std::to_string(m));
    }
  }
  expect_distances_of_the_cpu(texts, "all lengths");
}

TEST_F(OnGpu, EveryNumberOfPairsIsRight) {
  Random random(22);
  for (const std::size_t pairs : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025}) {
    expect_distances_of_the_cpu(texts_of(pairs, 40, 4, random), std::to_string(pairs));
  }
}

TEST_F(OnGpu, ManyPairsOfSeveralChunksAreRight) {
  Random random(23);
  expect_distances_of_the_cpu(texts_of(120'000, 200, 4, random), "short");
  expect_distances_of_the_cpu(texts_of(4'000, 4000, 4, random), "long");
}

TEST_F(OnGpu, EmptySequencesAndNoPairsAreRight) {
  expect_distances_of_the_cpu({}, "none");
  expect_distances_of_the_cpu({{"", "abc", ""}, {"", "", "ab"}}, "empty");
}

TEST_F(OnGpu, EqualPeriodicAndDisjointPairsAreRight) {
  const std::string a(1000, 'a'), b(900, 'b');
  std::string periodic;
  for (int i = 0; i < 1001; ++i) periodic += "abc"[i % 3];
  expect_distances_of_the_cpu({{a, a, a, periodic, periodic}, {a, b, a.substr(1), periodic, periodic.substr(1)}}, "");
}

TEST_F(OnGpu, DistancesBeyondTheBoundOfABatchAreOneMore) {
  Random random(24);
  const Texts texts = texts_of(3000, 60, 4, random);
  for (const std::uint32_t bound : {0u, 1u, 7u, 30u, 1000u}) {
    const BatchRequest request{.max_distance = bound};
    EXPECT_EQ(distances(texts.a_views(), texts.b_views(), on_gpu("lanes"), request).solution,
              distances(texts.a_views(), texts.b_views(), by_words(), request).solution)
        << bound;
  }
}

/// Pairs of similar lengths, so that groups end early and bands are narrow: some of them equal but for `edits`.
Texts long_texts(std::size_t pairs, std::size_t length, int edits, Random& random) {
  Texts texts;
  for (std::size_t at = 0; at < pairs; ++at) {
    texts.a.push_back(text_of(length - random() % 40, 4, random));
    texts.b.push_back(at % 4 == 0 ? text_of(length, 4, random) : texts.a.back());
    for (int edit = 0; edit < edits; ++edit) {
      std::string& text = texts.b.back();
      const std::size_t place = random() % text.size();
      if (edit % 3 == 0) text[place] = '0';
      if (edit % 3 == 1) text.erase(place, 1 + random() % 5);
      if (edit % 3 == 2) text.insert(place, text_of(1 + random() % 5, 4, random));
    }
  }
  return texts;
}

TEST_F(OnGpu, DistancesOfLongPairsWithinABoundAreThoseOfTheCpu) {
  Random random(30);
  for (const std::size_t length : {300, 1000, 5000}) {
    for (const int edits : {0, 6, 60}) {
      const Texts texts = long_texts(200, length, edits, random);
      for (const Measure measure : {Measure::edit, Measure::indel}) {
        for (const std::uint32_t bound : {0U, 5U, 20U, 90U, 400U, 4'000'000'000U}) {
          const BatchRequest request{.measure = measure, .max_distance = bound};
          ASSERT_EQ(distances(texts.a_views(), texts.b_views(), on_gpu("lanes"), request).solution,
                    distances(texts.a_views(), texts.b_views(), by_words(), request).solution)
              << length << ' ' << edits << ' ' << bound;
        }
      }
    }
  }
}

void expect_scripts_of_a_batch(const Texts& texts, std::optional<std::uint32_t> bound, const std::string& what) {
  Options on_cpu;
  on_cpu.device.kind = Device::Kind::cpu;
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    const BatchRequest request{.measure = measure, .max_distance = bound};
    for (const Ties ties : {Ties::left, Ties::right}) {
      const auto found = scripts(texts.a_views(), texts.b_views(), on_gpu(""), request, ties);
      const auto expected = scripts(texts.a_views(), texts.b_views(), on_cpu, request, ties).solution;
      ASSERT_EQ(found.solution.size(), expected.size()) << what;
      for (std::size_t at = 0; at < expected.size(); ++at) {
        ASSERT_EQ(found.solution[at], expected[at])
            << what << ' ' << at << ' ' << texts.a[at].size() << ' ' << texts.b[at].size();
      }
      ASSERT_EQ(found.report.device, "cuda:0") << what;
    }
  }
}

TEST_F(OnGpu, ScriptsOfABatchAreThoseOfTheCpu) {
  Random random(31);
  for (const unsigned alphabet : {1, 2, 4, 5, 8, 20, 60, 200, 256}) {
    expect_scripts_of_a_batch(texts_of(300, 150, alphabet, random), {}, std::to_string(alphabet) + " symbols, short");
    expect_scripts_of_a_batch(texts_of(40, 1300, alphabet, random), {}, std::to_string(alphabet) + " symbols, long");
  }
  for (const std::size_t pairs : {1, 31, 32, 33, 65}) {
    expect_scripts_of_a_batch(texts_of(pairs, 60, 4, random), {}, std::to_string(pairs) + " pairs");
  }
  expect_scripts_of_a_batch({{"", "abc", ""}, {"", "", "ab"}}, {}, "empty");
  expect_scripts_of_a_batch({}, {}, "none");
}

TEST_F(OnGpu, ShortestScriptsOfABatchAreLeftToTheCpu) {
  Random random(34);
  const Texts texts = texts_of(100, 150, 4, random);
  const auto solved = [&](Measure measure, Ties ties) {
    return scripts(texts.a_views(), texts.b_views(), on_gpu(""), {.measure = measure}, ties).solution;
  };
  EXPECT_THROW(static_cast<void>(solved(Measure::edit, Ties::shortest)), Error);
  EXPECT_EQ(solved(Measure::indel, Ties::shortest), solved(Measure::indel, Ties::left));
}

TEST_F(OnGpu, ScriptsOfABatchWithinABoundAreThoseOfTheCpu) {
  Random random(32);
  const Texts texts = long_texts(100, 900, 30, random);
  for (const std::uint32_t bound : {0U, 10U, 50U, 2000U}) {
    expect_scripts_of_a_batch(texts, bound, std::to_string(bound));
    expect_scripts_of_a_batch(texts_of(200, 100, 4, random), bound, std::to_string(bound) + ", short");
  }
}

/// For compute-sanitizer (tests/device/sanitize).
TEST_F(OnGpu, EveryKernelOfASmallBatchIsRight) {
  Random random(35);
  for (const unsigned alphabet : {4, 20, 200}) {
    const Texts texts = texts_of(70, 100, alphabet, random);
    expect_distances_of_the_cpu(texts, std::to_string(alphabet));
    for (const std::optional<std::uint32_t> bound : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(9)}) {
      expect_scripts_of_a_batch(texts, bound, std::to_string(alphabet));
    }
  }
  expect_distances_of_the_cpu(texts_of(3, 1300, 4, random), "long");
  expect_scripts_of_a_batch(long_texts(8, 400, 6, random), 20, "long");
}

TEST_F(OnGpu, ScriptsOfABatchInSeveralPartsAreThoseOfTheCpu) {
  Random random(33);
  expect_scripts_of_a_batch(long_texts(1100, 2000, 20, random), {}, "parts");
}

TEST_F(OnGpu, ScriptsOfLongPairsOfABatchAreThoseOfTheCpu) {
  Random random(34);
  Texts texts = texts_of(50, 100, 4, random);
  texts.a.push_back(text_of(9000, 4, random)), texts.b.push_back(text_of(8000, 4, random));
  texts.a.push_back(text_of(9000, 4, random)), texts.b.push_back("0");
  expect_scripts_of_a_batch(texts, {}, "long");
}

TEST_F(OnGpu, SolvesInsideABatchShareTheMemoryThatItsThreadsLeave) {
  Options options = on_gpu("");
  options.threads = 4;
  options.max_device_memory = 1000;
  Report report;
  Context context(options, report);
  batch::Batch batch(context, 1, true);
  const int threads = batch.threads_for_gpu(4, 100);
  ASSERT_EQ(threads, 4);
  batch.run(4, threads, [](std::size_t, int, const Options& each) {
    EXPECT_EQ(each.max_device_memory, 150u);
    return 0.25;
  });
}

/// The distances of all pairs are computed first, then the scripts.
TEST_F(OnGpu, ProgressOfScriptsWithinABoundCountsBothPasses) {
  Random random(35);
  const Texts texts = texts_of(100, 150, 4, random);
  double cells = 0;
  for (std::size_t at = 0; at < texts.a.size(); ++at) {
    cells += static_cast<double>(texts.a[at].size() * texts.b[at].size());
  }
  for (const std::optional<std::uint32_t> bound :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(1000)}) {
    Progress last;
    Options options = on_gpu("");
    options.progress = [&](const Progress& progress) { last = progress; };
    static_cast<void>(scripts(texts.a_views(), texts.b_views(), options, {.max_distance = bound}));
    EXPECT_EQ(last.total, bound ? 2 * cells : cells);
    EXPECT_EQ(last.done, last.total);
  }
}

TEST_F(OnGpu, AllPairsAndNeighborsAreThoseOfTheCpu) {
  Random random(25);
  for (const std::size_t rows : {1, 40, 700}) {
    const Texts texts = texts_of(rows, 120, 4, random), others = texts_of(300, 120, 4, random);
    for (const std::optional<std::uint32_t> bound :
         {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(40)}) {
      const BatchRequest request{.max_distance = bound};
      EXPECT_EQ(cdist(texts.a_views(), others.b_views(), on_gpu("lanes"), request).solution,
                cdist(texts.a_views(), others.b_views(), by_words(), request).solution)
          << rows;
      for (const std::size_t k : {1, 5}) {
        EXPECT_EQ(nearest(texts.a_views(), others.b_views(), k, on_gpu("lanes"), request).solution,
                  nearest(texts.a_views(), others.b_views(), k, by_words(), request).solution)
            << rows << ' ' << k;
      }
    }
  }
}

TEST_F(OnGpu, LongPairsOfABatchGoOneAfterAnother) {
  Random random(26);
  Texts texts = texts_of(200, 300, 4, random);
  texts.a.push_back(text_of(40'000, 4, random)), texts.b.push_back(text_of(39'000, 4, random));
  texts.a.push_back(text_of(40'000, 4, random)), texts.b.push_back(text_of(39, 4, random));
  const auto found = distances(texts.a_views(), texts.b_views(), on_gpu(""));
  EXPECT_EQ(found.solution, distances(texts.a_views(), texts.b_views(), by_words()).solution);
  EXPECT_EQ(cdist(texts.a_views(), texts.b_views(), on_gpu("")).solution,
            cdist(texts.a_views(), texts.b_views(), by_words()).solution);
}

TEST_F(OnGpu, BatchesOfWideSymbolsAreThoseOfTheCpu) {
  Random random(27);
  std::vector<test::Symbols> a, b;
  for (int at = 0; at < 300; ++at)
    a.push_back(draw(90, 200, random)), b.push_back(test::mutate(a.back(), 3, 200, random));
  for (auto* list : {&a, &b}) {
    for (auto& symbols : *list) {
      for (auto& symbol : symbols) symbol += 0x1F600;
    }
  }
  const std::vector<SymbolView> first(a.begin(), a.end()), second(b.begin(), b.end());
  EXPECT_EQ(distances(first, second, on_gpu("lanes")).solution, distances(first, second, by_words()).solution);
}

TEST_F(OnGpu, MoreThan256SymbolsOfABatchAreLeftToTheCpu) {
  Random random(28);
  const auto a = draw(1000, 1000, random), b = draw(1000, 1000, random);
  const std::vector<SymbolView> first = {std::span(a)}, second = {std::span(b)};
  EXPECT_THROW((void)distances(first, second, on_gpu("lanes")), Error);
  EXPECT_EQ(distances(first, second).report.algorithm, "words");
}

TEST_F(OnGpu, AStopEndsABatch) {
  Random random(29);
  const Texts texts = texts_of(5000, 200, 4, random);
  std::stop_source source;
  source.request_stop();
  Options options = on_gpu("lanes");
  options.stop = source.get_token();
  EXPECT_THROW((void)distances(texts.a_views(), texts.b_views(), options), Error);
}

}  // namespace
}  // namespace warpfold::sequence
