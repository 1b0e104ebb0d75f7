#include "warpfold/run/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "failing.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold {
namespace {

using test::Watchdog;

TEST(Team, RunsEveryMemberAtOnce) {
  const Watchdog watchdog;
  Team team(4);
  ASSERT_EQ(team.size(), 4);
  std::vector<int> calls(4);
  std::atomic<int> here = 0;
  for (int round = 1; round <= 100; ++round) {
    team.run([&](int member) {
      ++calls[static_cast<std::size_t>(member)];
      ++here;
      while (here < 4 * round) std::this_thread::yield();  // for ever, unless all are there
    });
  }
  EXPECT_EQ(calls, std::vector<int>(4, 100));
}

TEST(Team, MeetsAsOftenAsItLikes) {
  const Watchdog watchdog;
  Team team(3);
  std::vector<int> steps(3);
  bool together = true;
  team.run([&](int member) {
    for (int step = 1; step <= 1000; ++step) {
      steps[static_cast<std::size_t>(member)] = step;
      team.barrier();
      if (member == 0) together = together && steps == std::vector<int>(3, step);
      team.barrier();
    }
  });
  EXPECT_TRUE(together);
}

TEST(Team, TakesEveryIndexOnce) {
  const Watchdog watchdog;
  for (const int threads : {1, 2, 5}) {
    for (const std::size_t count : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> taken(count);
      Team team(threads);
      team.parallel_for(count, [&](std::size_t index, int member) {
        ++taken[index];
        EXPECT_LT(member, team.size());
      });
      EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](const auto& times) { return times == 1; }));
    }
  }
}

/// Entry (i,j) of a triangle, i <= j < side, waits for (i,j-1) and (i+1,j).
TEST(Team, BeginsATaskWhenThoseItWaitsForHaveEnded) {
  const Watchdog watchdog;
  constexpr std::size_t side = 20;
  const auto number = [](std::size_t i, std::size_t j) { return j * (j + 1) / 2 + i; };
  for (const int threads : {1, 2, 5}) {
    TaskGraph graph{std::vector<std::uint32_t>(number(0, side)),
                    std::vector<std::vector<std::uint32_t>>(number(0, side))};
    std::vector<std::vector<std::size_t>> before(number(0, side));
    for (std::size_t j = 0; j < side; ++j) {
      for (std::size_t i = 0; i < j; ++i) before[number(i, j)] = {number(i, j - 1), number(i + 1, j)};
    }
    for (std::uint32_t task = 0; task < before.size(); ++task) {
      graph.waits_for[task] = static_cast<std::uint32_t>(before[task].size());
      for (const std::size_t one : before[task]) graph.followers[one].push_back(task);
    }
    std::vector<std::atomic<int>> ended(before.size());
    std::atomic<bool> in_order = true;
    Team(threads).run_tasks(graph, [&](std::size_t task, int) {
      for (const std::size_t one : before[task]) in_order = in_order && ended[one] == 1;
      ++ended[task];
    });
    EXPECT_TRUE(in_order);
    EXPECT_TRUE(std::all_of(ended.begin(), ended.end(), [](const auto& times) { return times == 1; }));
  }
}

TEST(Team, BeginsTheTaskThatTheLongestChainWaitsFor) {
  const TaskGraph graph{{0, 0, 1, 1}, {{}, {2}, {3}, {}}};  // task 0, and 1, 2, 3 one after the other
  std::vector<std::size_t> order;
  Team(1).run_tasks(graph, [&](std::size_t task, int) { order.push_back(task); });
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order[0], 1u);
  EXPECT_EQ(order[1], 2u);
}

TEST(Team, RaisesWhatAMemberRaisedAndLeavesNoThread) {
  const Watchdog watchdog;
  for (int failing = 0; failing < 4; ++failing) {
    Team team(4);
    const auto body = [&](int member) {
      if (member == failing) throw Error(ErrorKind::input, "from member " + std::to_string(member));
    };
    try {
      team.run(body);
      ADD_FAILURE() << "nothing was raised";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "from member " + std::to_string(failing));
    }
    test::expect_other_threads_gone();
    EXPECT_EQ(team.size(), 1);
    EXPECT_NO_THROW(team.run([](int) {})) << "by the caller alone";
  }
}

TEST(Team, WakesThoseWhoWaitForAMemberThatFailed) {
  const Watchdog watchdog;
  for (int failing = 0; failing < 3; ++failing) {
    Team team(3);
    std::atomic<int> destroyed = 0;
    const auto body = [&](int member) {
      const std::shared_ptr<void> local(nullptr, [&](void*) { ++destroyed; });
      for (int step = 0;; ++step) {
        if (member == failing && step == 10) throw std::bad_alloc();
        team.barrier();
      }
    };
    EXPECT_THROW(team.run(body), std::bad_alloc);
    EXPECT_EQ(destroyed, 3) << "what the members held";
  }
}

TEST(Team, GivesOutNoMoreIndicesAndTasksOnceOneHasFailed) {
  const Watchdog watchdog;
  std::atomic<std::size_t> begun = 0;
  const auto body = [&](std::size_t at, int) {
    ++begun;
    if (at == 5) throw std::bad_alloc();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  EXPECT_THROW(Team(3).parallel_for(1000000, body), std::bad_alloc);
  EXPECT_LT(begun, 100000U);
  constexpr std::size_t tasks = 10000;
  TaskGraph chain{std::vector<std::uint32_t>(tasks, 1), std::vector<std::vector<std::uint32_t>>(tasks)};
  chain.waits_for[0] = 0;
  for (std::uint32_t task = 1; task < tasks; ++task) chain.followers[task - 1] = {task};
  EXPECT_THROW(Team(3).run_tasks(chain, body), std::bad_alloc);
  test::expect_other_threads_gone();
}

TEST(Team, EndsItsThreadsSoonAfterItsWork) {
  const Watchdog watchdog;
  Team(4).run([](int) {});
  test::expect_other_threads_gone();
  Team(4).run([](int) {});  // and starts new ones
}

TEST(Team, IsSmallerWhereTheSystemStartsNoThreads) {
  const auto child = [] {
    alarm(60);
    test::reject_threads();
    int ran = 0;
    Team team(4);
    team.run([&](int) { ++ran; });
    _exit(team.size() == 1 && ran == 1 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST(Team, ServesAProcessThatWasForked) {
  Team(4).run([](int) {});  // its threads wait in the parent only
  const auto child = [] {
    alarm(60);
    std::atomic<int> ran = 0;
    Team(4).run([&](int) { ++ran; });
    _exit(ran == 4 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST(Team, ServesSeveralCallersAndTeamsWithinTeams) {
  const Watchdog watchdog;
  std::atomic<int> ran = 0;
  const auto nested = [&] {
    for (int round = 0; round < 50; ++round) {
      Team(3).run([&](int) { Team(2).parallel_for(10, [&](std::size_t, int) { ++ran; }); });
    }
  };
  {
    const std::jthread beside(nested);
    nested();
  }
  EXPECT_EQ(ran, 2 * 50 * 3 * 10);
}

TEST(Parallel, RunsEveryNumberOnceHoweverManyThreadsThereAre) {
  const Watchdog watchdog;
  for (const int threads : {1, 2, 100000}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
    const int ran = parallel(threads, [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
    EXPECT_LE(ran, thread_count(threads));
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& times) { return times == 1; }));
  }
}

TEST(ThreadCount, IsCappedAtEightTimesWhatTheProcessMayUse) {
  EXPECT_EQ(thread_count(1), 1);
  EXPECT_EQ(thread_count(8 * thread_count(0)), 8 * thread_count(0));
  EXPECT_EQ(thread_count(8 * thread_count(0) + 1), 8 * thread_count(0));
  EXPECT_EQ(thread_count(100000), 8 * thread_count(0));
  EXPECT_THROW(static_cast<void>(thread_count(-1)), Error);
}

TEST(Team, AMemberWaitsForAnothersProgress) {
  Team team(2);
  if (team.size() < 2) GTEST_SKIP() << "the system starts one thread only";
  std::atomic<std::size_t> progress = 0;
  std::size_t written = 0, read = 0;
  team.run([&](int member) {
    if (member == 1) {
      for (std::size_t step = 1; step <= 1000; ++step) written = step, progress.store(step, std::memory_order_release);
    } else {
      team.wait(progress, 1000);
      read = written;
    }
  });
  EXPECT_EQ(read, 1000u);
}

TEST(Team, NobodyWaitsForAMemberThatFailed) {
  Team team(2);
  if (team.size() < 2) GTEST_SKIP() << "the system starts one thread only";
  const std::atomic<std::size_t> progress = 0;
  EXPECT_THROW(team.run([&](int member) {
    if (member == 1) throw std::runtime_error("no progress");
    team.wait(progress, 1);
  }),
               std::runtime_error);
}

}  // namespace
}  // namespace warpfold
