#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/simulation.hpp"

/// Programs that call programs, compiled without tail calls.
namespace warpfold::machine {
namespace {

Program nothing() { co_return; }

Program call_often(Thread t, Array<int> a, int calls) {
  for (int call = 0; call < calls; ++call) co_await nothing();
  co_await a.write(t.id, calls);
}

TEST(Subroutines, TakeNoStackWhereTheyEndWithoutAnAccess) {
  Simulation simulation(umm(4, 2), 4);
  const auto a = simulation.array<int>("a", 4);
  simulation.run([&](Thread t) { return call_often(t, a, 300000); });
  EXPECT_EQ(simulation.values(a), std::vector<int>(4, 300000));
  EXPECT_EQ(simulation.time_units().count, 2u);
}

Program fail_as_second(Thread t, Array<int> a) {
  co_await a.write(t.id, 1);
  if (t.id == 1) throw std::runtime_error("its own");
  co_await a.write(t.id, 2);
}

Program call(Thread t, Array<int> a) { co_await fail_as_second(t, a); }

Program call_and_catch(Thread t, Array<int> a) {
  bool failed = false;
  try {
    co_await call(t, a);
  } catch (const std::runtime_error&) {
    failed = true;
  }
  if (failed) co_await a.write(t.id, 99);
}

TEST(Subroutines, RaiseWhereTheyAreCalled) {
  Simulation simulation(umm(4, 2), 4);
  const auto a = simulation.array<int>("a", 4);
  simulation.run([&](Thread t) { return call_and_catch(t, a); });
  EXPECT_EQ(simulation.values(a), (std::vector<int>{2, 99, 2, 2}));
}

TEST(Subroutines, EndTheRunWhereNobodyCatches) {
  Simulation simulation(umm(4, 2), 4);
  const auto a = simulation.array<int>("a", 4);
  EXPECT_THROW(simulation.run([&](Thread t) { return call(t, a); }), std::runtime_error);
  simulation.run([&](Thread t) { return call_often(t, a, 7); });
  EXPECT_EQ(simulation.values(a), std::vector<int>(4, 7));
}

TEST(Arrays, OfNoSimulationAreRefused) {
  try {
    static_cast<void>(Array<int>().read(0));
    FAIL() << "a word was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "an array is of no simulation: those that one makes are accepted");
  }
}

}  // namespace
}  // namespace warpfold::machine
