#include "warpfold/run/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::holding {

/// A family whose problems hold memory for a moment.
struct Problem {
  std::size_t bytes = 0;
  int answer = 0;
};

std::atomic<int> refusals = 0;

Outcome<int> solve(const Problem& problem, const Options& options) {
  Budget budget(options);
  Budget::Reservation taken;
  try {
    taken = budget.reserve(problem.bytes);
  } catch (const Error&) {
    ++refusals;
    throw;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return {problem.answer, {.device = "cpu", .algorithm = "hold"}};
}

namespace {

std::vector<Problem> problems_of(const std::vector<std::size_t>& bytes) {
  std::vector<Problem> problems;
  for (const std::size_t each : bytes) problems.push_back({each, static_cast<int>(problems.size())});
  return problems;
}

Options on_threads(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

void expect_all_are_solved(const std::vector<Problem>& problems, const Options& options) {
  const std::vector<int> answers = solve_batch(std::span<const Problem>(problems), options).solution;
  ASSERT_EQ(answers.size(), problems.size());
  for (std::size_t at = 0; at < problems.size(); ++at) EXPECT_EQ(answers[at], problems[at].answer);
}

ErrorKind kind_of_failure(const std::vector<Problem>& problems, const Options& options) {
  try {
    static_cast<void>(solve_batch(std::span<const Problem>(problems), options));
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::internal;
}

TEST(Batches, TellOfEveryProblemWhicheverThreadSolvesIt) {
  for (const int threads : {1, 4}) {
    Progress last;
    int ends = 0;
    Options options = on_threads(threads);
    options.progress = [&](const Progress& progress) {
      EXPECT_GE(progress.done, last.done);
      last = progress;
      ends += progress.done >= progress.total ? 1 : 0;
    };
    expect_all_are_solved(problems_of(std::vector<std::size_t>(100, 1)), options);
    EXPECT_EQ(last.done, 100);
    EXPECT_EQ(last.total, 100);
    EXPECT_EQ(ends, 1);
  }
}

TEST(Batches, SolveByFewerThreadsWhereMemoryIsShort) {
  Options options = on_threads(8);
  for (const std::size_t most : {100U, 250U, 700U}) {
    options.max_memory = most;
    refusals = 0;
    expect_all_are_solved(problems_of(std::vector<std::size_t>(2000, 100)), options);
    EXPECT_LE(refusals, 8 + 4 + 2) << "a thread that finds no memory leaves the others alone";
    expect_all_are_solved(problems_of(std::vector<std::size_t>(50, 100)), options);
    expect_all_are_solved(problems_of({1, 100, 1, 1, 100, 50, 50, 100}), options);
  }
}

TEST(Batches, HoldNoMoreThanTheyMay) {
  Budget whole(250, "there are");
  Options options = on_threads(8);
  options.budget = &whole;
  const std::vector<Problem> problems = problems_of(std::vector<std::size_t>(50, 100));
  EXPECT_LE(solve_batch(std::span<const Problem>(problems), options).report.peak_bytes, 200U);
  EXPECT_LE(whole.peak(), 200U);
  EXPECT_EQ(whole.left(), 250U);
}

TEST(Batches, RefuseAProblemThatFindsNoMemoryAlone) {
  Options options = on_threads(4);
  options.max_memory = 99;
  EXPECT_EQ(kind_of_failure(problems_of({1, 2, 100, 3}), options), ErrorKind::memory_limit);
}

TEST(Batches, GoOnWithoutAProblemThatFailsIfTheCallerIsTold) {
  for (const int threads : {1, 4}) {
    Options options = on_threads(threads);
    options.max_memory = 99;
    std::vector<std::size_t> failed;
    options.failed = [&](std::size_t at, const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
      failed.push_back(at);
    };
    const std::vector<Problem> problems = problems_of({1, 200, 2, 100, 3});
    const std::vector<int> answers = solve_batch(std::span<const Problem>(problems), options).solution;
    std::ranges::sort(failed);
    EXPECT_EQ(failed, (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(answers, (std::vector<int>{0, 0, 2, 0, 4}));
  }
}

TEST(Batches, NameTheProblemThatFails) {
  Options options = on_threads(1);
  options.max_memory = 99;
  const std::vector<Problem> problems = problems_of({1, 2, 100, 3});
  try {
    static_cast<void>(solve_batch(std::span<const Problem>(problems), options));
    ADD_FAILURE() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("problem 2, counted from 0: ")) << error.what();
  }
}

TEST(Batches, EndWithTheErrorThatTheCallerRaisesForAFailure) {
  Options options = on_threads(4);
  options.max_memory = 99;
  options.failed = [](std::size_t, const Error&) { throw Error(ErrorKind::infeasible, "the caller's"); };
  EXPECT_EQ(kind_of_failure(problems_of({1, 2, 100, 3}), options), ErrorKind::infeasible);
}

TEST(Batches, DoNotGoOnAfterAStop) {
  std::stop_source stop;
  stop.request_stop();
  Options options = on_threads(2);
  options.stop = stop.get_token();
  options.failed = [](std::size_t at, const Error&) { ADD_FAILURE() << "problem " << at << " did not fail"; };
  EXPECT_EQ(kind_of_failure(problems_of({1, 2}), options), ErrorKind::cancelled);
}

// Both threads hold a part and request another one. Neither gets it, and no thread continues with the other problems.
TEST(Batches, SolveWhatNobodyTookWhereEveryThreadWasRefused) {
  Options options = on_threads(2);
  options.max_memory = 100;
  std::atomic<int> holding = 0, refused = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto wait_for_two = [&](const std::atomic<int>& count) {
    while (count < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  };
  std::vector<std::atomic<int>> solved(5);
  detail::solve_each(solved.size(), 5, options, [&](std::size_t at, const Options& each) {
    Budget budget(each);
    const Budget::Reservation part = budget.reserve(40);
    ++holding;
    wait_for_two(holding);
    try {
      const Budget::Reservation rest = budget.reserve(40);
      ++solved[at];
    } catch (const Error&) {
      ++refused;
      wait_for_two(refused);
      throw;
    }
    return 1.0;
  });
  for (const auto& times : solved) EXPECT_EQ(times, 1);
}

TEST(Batches, AnswerAStopBetweenTwoProblems) {
  std::stop_source stop;
  Options options = on_threads(2);
  options.stop = stop.get_token();
  options.progress = [&](const Progress&) { stop.request_stop(); };
  EXPECT_EQ(kind_of_failure(problems_of(std::vector<std::size_t>(10000, 1)), options), ErrorKind::cancelled);
}

}  // namespace
}  // namespace warpfold::holding
