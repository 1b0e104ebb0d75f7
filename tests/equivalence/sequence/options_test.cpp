#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "failing.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/time_warping.hpp"

namespace warpfold::sequence {
namespace {

/// Sequences that the dense kernel solves by several threads.
const Coded& long_pair() {
  static const Coded pair = [] {
    std::mt19937_64 random(1);
    const auto a = test::draw(9000, 4, random);
    return test::coded(a, test::mutate(a, 3, 4, random));
  }();
  return pair;
}

/// Sequences that every algorithm solves in a moment.
Coded short_pair() {
  std::mt19937_64 random(2);
  const auto a = test::draw(1500, 4, random);
  return test::coded(a, test::mutate(a, 3, 4, random));
}

Outcome<Distance> solve_by_slices(Options options) {
  options.algorithm = "slices";
  return edit_distance(long_pair(), options, {.script = true});
}

TEST(FailingSlices, RaiseWhatTheCallbackRaised) {
  warpfold::test::expect_callback_failure_arrives(
      [](const Options& options) { static_cast<void>(solve_by_slices(options)); });
}

TEST(FailingSlices, AreComputedByTheCallerWhereNoThreadStarts) {
  const auto script = solve_by_slices(warpfold::test::on_threads(2)).solution.script;
  warpfold::test::expect_solved_without_threads([&](const Options& options) {
    const auto outcome = solve_by_slices(options);
    return outcome.solution.script == script ? outcome.report.threads : -1;
  });
}

TEST(FailingSlices, TakeNoMoreThreadsThanTheCap) {
  warpfold::test::expect_too_many_threads_are_capped(
      [](const Options& options) { return solve_by_slices(options).report.threads; });
}

/// Calls test(algorithm, solve) for every algorithm of both problems, where solve(options) returns a report.
template <class Test>
void for_every_algorithm(const Coded& pair, const Request& request, const Test& test) {
  for (const auto& info : edit_distance_algorithms()) {
    test(info.name, [&](const Options& options) { return edit_distance(pair, options, request).report; });
  }
  for (const auto& info : lcs_algorithms()) {
    test(info.name, [&](const Options& options) { return lcs(pair, options, request).report; });
  }
  const std::vector<float> a(pair.a().begin(), pair.a().end()), b(pair.b().begin(), pair.b().end());
  for (const auto& info : dtw_algorithms()) {
    test(info.name, [&](const Options& options) {
      return dtw(TimeSeries<float>(a), TimeSeries<float>(b), options, {.script = request.script}).report;
    });
  }
  const ScoredPair scored(pair, 2, -3);
  for (const auto& info : align_algorithms()) {
    test(info.name, [&](const Options& options) {
      return align(scored, options, {.script = request.script, .gaps = {5, 2, {}}}).report;
    });
  }
}

TEST(SequenceOptions, AStopEndsEveryAlgorithm) {
  for_every_algorithm(long_pair(), {}, [](const std::string& name, const auto& solve) {
    if (name == "table") return;  // too large
    std::stop_source source;
    Options options;
    options.algorithm = name;
    options.stop = source.get_token();
    source.request_stop();
    EXPECT_THROW(solve(options), Error) << name;
  });
}

TEST(SequenceOptions, AStopDuringTheSolveEndsIt) {
  for (const std::string name : {"words", "slices", "band"}) {
    std::stop_source source;
    Options options;
    options.algorithm = name;
    options.stop = source.get_token();
    options.progress = [&](const Progress&) { source.request_stop(); };
    try {
      // Ends without an error if it is done before the first call.
      static_cast<void>(edit_distance(long_pair(), options));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << name;
    }
    EXPECT_TRUE(source.stop_requested()) << name;
  }
}

TEST(SequenceOptions, ProgressRisesToTheEnd) {
  for_every_algorithm(short_pair(), {.script = true}, [](const std::string& name, const auto& solve) {
    Options options;
    options.algorithm = name;
    double done = 0;
    int ends = 0;
    options.progress = [&](const Progress& progress) {
      EXPECT_GE(progress.done, done) << name;
      done = progress.done;
      ends += progress.done == progress.total;
    };
    solve(options);
    EXPECT_EQ(ends, 1) << name;
  });
}

TEST(SequenceOptions, TheReportNamesTheAlgorithm) {
  for_every_algorithm(short_pair(), {}, [](const std::string& name, const auto& solve) {
    Options options;
    options.algorithm = name;
    const Report report = solve(options);
    EXPECT_EQ(report.algorithm, name);
    EXPECT_EQ(report.device, "cpu");
  });
}

std::size_t bytes_of(const Estimate& estimate) {
  return std::max(estimate.bytes, estimate.worst_case ? estimate.worst_case->bytes : 0);
}

TEST(SequenceOptions, EstimatesCoverThePeak) {
  const Coded pair = short_pair();
  for (const bool script : {false, true}) {
    for (const Ties ties : {Ties::left, Ties::right}) {
      const Request request{.script = script, .ties = ties};
      Options options;
      for (const auto& info : edit_distance_algorithms()) {
        options.algorithm = info.name;
        EXPECT_LE(edit_distance(pair, options, request).report.peak_bytes,
                  bytes_of(estimate_edit_distance(pair, options, request)))
            << info.name << script;
      }
      for (const auto& info : lcs_algorithms()) {
        options.algorithm = info.name;
        EXPECT_LE(lcs(pair, options, request).report.peak_bytes, bytes_of(estimate_lcs(pair, options, request)))
            << info.name << script;
      }
      const ScoredPair scored(pair, 2, -3);
      for (const FreeEnds& ends : {global_ends, local_ends}) {
        const AlignmentRequest alignment{.script = script, .ties = ties, .gaps = {5, 2, {}}, .ends = ends};
        for (const auto& info : align_algorithms()) {
          if ((info.name == "diagonals" || info.name == "band") && ends.local) continue;
          options.algorithm = info.name;
          EXPECT_LE(align(scored, options, alignment).report.peak_bytes,
                    bytes_of(estimate_align(scored, options, alignment)))
              << info.name << script;
        }
      }
    }
  }
}

TEST(SequenceOptions, AMemoryLimitIsObeyedOrRaised) {
  for_every_algorithm(short_pair(), {.script = true}, [](const std::string& name, const auto& solve) {
    for (const std::size_t bytes : {20'000u, 200'000u, 2'000'000u}) {
      Options options;
      options.algorithm = name;
      options.max_memory = bytes;
      try {
        EXPECT_LE(solve(options).peak_bytes, bytes) << name;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << name;
      }
    }
  });
}

TEST(SequenceOptions, AnAlgorithmThatDoesNotSolveTheRequestIsRejectedWithThoseThatDo) {
  try {
    Options options;
    options.algorithm = "slices";
    static_cast<void>(edit_distance("abc", "abd", options, {.transpositions = true}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("rows"));
  }
}

TEST(SequenceOptions, LengthsAloneTellThatTheDistanceIsMore) {
  const std::string few(10, 'a'), many(1000, 'a');
  for (const auto& info : edit_distance_algorithms()) {
    Options options;
    options.algorithm = info.name;
    const auto found = edit_distance(few, many, options, {.script = true, .max_distance = 989});
    EXPECT_FALSE(found.solution.distance) << info.name;
    EXPECT_TRUE(found.solution.script.empty()) << info.name;
    EXPECT_EQ(found.report.peak_bytes, 0u) << info.name;
    EXPECT_EQ(edit_distance(few, many, options, {.max_distance = 990}).solution.distance, 990) << info.name;
  }
}

}  // namespace
}  // namespace warpfold::sequence
