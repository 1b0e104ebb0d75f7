#include "warpfold/run/run.hpp"

#include <gtest/gtest.h>

#include "run/large_vector.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold {
namespace {

template <class Body>
ErrorKind kind_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::internal;
}

TEST(SolveMonitor, LetsNoSolveBeginThatShouldEnd) {
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  EXPECT_NO_THROW(SolveMonitor(options, 1));
  stop.request_stop();
  EXPECT_EQ(kind_of([&] { SolveMonitor(options, 1); }), ErrorKind::cancelled);
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(kind_of([&] { SolveMonitor(late, 1); }), ErrorKind::time_limit);
}

TEST(SolveMonitor, TellsTheEndOnceHoweverMuchMoreIsDone) {
  int told = 0;
  Options options;
  options.progress = [&](const Progress& progress) { told += progress.done >= progress.total ? 1 : 0; };
  SolveMonitor monitor(options, 10);
  for (int step = 0; step < 5; ++step) monitor.advance(7);
  EXPECT_EQ(told, 1);
}

TEST(PeriodicCheck, LooksOnceEverySoManySteps) {
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  const SolveMonitor monitor(options, 1);
  PeriodicCheck ticker(monitor, 3);
  for (int step = 0; step < 5; ++step) ticker.tick();
  stop.request_stop();
  EXPECT_EQ(kind_of([&] { ticker.tick(); }), ErrorKind::cancelled);
}

TEST(LargeVectors, GrowToTheirSizeAndKeepWhatTheyHad) {
  const Options options;
  const SolveMonitor monitor(options, 1);
  for (const std::size_t size : {1UL, 2UL, 3UL << 20, (4UL << 20) + 1}) {
    std::vector<int> values = {7};
    grow(values, size, 3, monitor);
    ASSERT_EQ(values.size(), size);
    EXPECT_EQ(values.front(), 7);
    EXPECT_EQ(std::count(values.begin(), values.end(), 3), static_cast<std::ptrdiff_t>(size) - 1);
    fill(std::span(values), 5, monitor);
    EXPECT_EQ(std::count(values.begin(), values.end(), 5), static_cast<std::ptrdiff_t>(size));
  }
}

TEST(LargeVectors, StopGrowingWhenTheSolveShouldEnd) {
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  const SolveMonitor monitor(options, 1);
  stop.request_stop();
  std::vector<int> values;
  EXPECT_EQ(kind_of([&] { grow(values, 5, 0, monitor); }), ErrorKind::cancelled);
  EXPECT_TRUE(values.empty());
}

TEST(Memory, MoreThanAllowedOrThereIsRefusedWithBothNumbers) {
  Options options;
  options.max_memory = 1000;
  EXPECT_NO_THROW(check_memory(options, 1000));
  EXPECT_EQ(kind_of([&] { check_memory(options, 1001); }), ErrorKind::memory_limit);
  EXPECT_EQ(kind_of([&] { check_memory({}, std::size_t{1} << 60); }), ErrorKind::memory_limit);
}

}  // namespace
}  // namespace warpfold
