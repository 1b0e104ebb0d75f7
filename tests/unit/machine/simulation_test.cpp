#include "warpfold/machine/simulation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/stages.hpp"
#include "warpfold/machine/trace.hpp"

namespace {

using namespace warpfold::machine;
using warpfold::Error;
using warpfold::ErrorKind;

std::uint32_t stages_of(Kind kind, std::uint32_t width, std::vector<Address> addresses) {
  return stages(kind, width, addresses);
}

Program read_list(Thread t, Array<int> m, std::vector<std::uint32_t> addresses) { co_await m.read(addresses[t.id]); }

Program contiguous(Thread t, Array<int> m, std::uint32_t steps) {
  for (std::uint32_t s = 0; s < steps; ++s) co_await m.read(s * t.count + t.id);
}

std::uint64_t time_of(const Machine& machine, const std::vector<std::uint32_t>& addresses, Timing timing) {
  Simulation simulation(machine, static_cast<std::uint32_t>(addresses.size()), {.timing = timing});
  const auto m = simulation.array<int>("m", 16);
  simulation.run([&](Thread t) { return read_list(t, m, addresses); });
  return simulation.time_units().count;
}

/// The kind of error that `action` raises, and its text.
template <class F>
std::string error_of(ErrorKind kind, F action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was raised";
  return {};
}

// 2012, Fig. 4: W(0) asks for 0, 1, 5, 10 and W(1) for 8, 9, 14, 15; p = 8, w = 4, l = 3.
const std::vector<std::uint32_t> figure4 = {0, 5, 10, 1, 8, 9, 14, 15};

TEST(Stages, CountDistinctAddressesOfTheBusiestBankOnTheDmm) {
  EXPECT_EQ(stages_of(Kind::dmm, 4, {0, 1, 5, 10}), 2u);
  EXPECT_EQ(stages_of(Kind::dmm, 4, {8, 9, 14, 15}), 1u);
  EXPECT_EQ(stages_of(Kind::dmm, 4, {7, 3, 11, 15}), 4u);
  EXPECT_EQ(stages_of(Kind::dmm, 4, {7, 3, 7, 3}), 2u);
}

TEST(Stages, CountDistinctAddressGroupsOnTheUmm) {
  EXPECT_EQ(stages_of(Kind::umm, 4, {0, 1, 5, 10}), 3u);
  EXPECT_EQ(stages_of(Kind::umm, 4, {8, 9, 14, 15}), 2u);
  EXPECT_EQ(stages_of(Kind::umm, 4, {12, 0, 13, 1}), 2u);
}

TEST(Stages, EqualAddressesAreOneRequestAndNoneAreNoStage) {
  for (const Kind kind : {Kind::dmm, Kind::umm}) {
    EXPECT_EQ(stages_of(kind, 4, {6, 6, 6, 6}), 1u);
    EXPECT_EQ(stages_of(kind, 4, {}), 0u);
  }
}

TEST(Stages, OnPramAndBpramDependOnTheNumberOfRequestsAlone) {
  EXPECT_EQ(stages_of(Kind::pram, 1, {0, 4, 8, 12, 16}), 1u);
  EXPECT_EQ(stages_of(Kind::bpram, 4, {0, 4, 8, 12, 16}), 2u);
  EXPECT_EQ(stages_of(Kind::bpram, 4, {0, 0, 0, 0}), 1u);
}

TEST(WorkedExamples, Figure4Of2012TakesFiveTimeUnitsOnTheDmmAndSevenOnTheUmm) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    EXPECT_EQ(time_of(dmm(4, 3), figure4, timing), 5u);
    EXPECT_EQ(time_of(umm(4, 3), figure4, timing), 7u);
  }
}

TEST(WorkedExamples, Figure5Of2013TakesEightTimeUnits) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    EXPECT_EQ(time_of(umm(4, 5), {0, 5, 10, 1, 8, 9, 10, 11}, timing), 8u);
  }
}

TEST(WorkedExamples, TwoContiguousStepsTake12InLockstepAnd11Pipelined) {
  for (const auto& [timing, expected] : {std::pair{Timing::lockstep, 12u}, std::pair{Timing::pipelined, 11u}}) {
    Simulation simulation(umm(4, 5), 8, {.timing = timing});
    const auto m = simulation.array<int>("m", 16);
    simulation.run([&](Thread t) { return contiguous(t, m, 2); });
    EXPECT_EQ(simulation.time_units().count, expected);
  }
}

/// Records the order in which warps enter the pipeline.
class Order : public Observer {
 public:
  std::vector<std::uint32_t> warps;
  void on_dispatch(const TraceDispatch& dispatch) override { warps.push_back(dispatch.warp); }
};

TEST(Pipelined, WarpsThatWaitForTheMemoryTakeTurns) {
  // With a latency of 1, a warp waits again as soon as it was served, and the others are served before it.
  Order order;
  Simulation simulation(umm(4, 1), 12, {.timing = Timing::pipelined, .observer = &order});
  const auto m = simulation.array<int>("m", 36);
  simulation.run([&](Thread t) { return contiguous(t, m, 3); });
  EXPECT_EQ(order.warps, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Machines, WithOneUnitOfTimeServeEverybodyOrWidthThreads) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    EXPECT_EQ(time_of(pram(), figure4, timing), 1u);
    EXPECT_EQ(time_of(bpram(4), figure4, timing), 2u);
    EXPECT_EQ(time_of(bpram(3), figure4, timing), 3u);
  }
}

Program swap_neighbors(Thread t, Array<int> m) {
  const int x = co_await m.read(t.id ^ 1u);
  co_await m.write(t.id, x);
}

Program read_and_write_at_once(Thread t, Array<int> m, Array<int> seen) {
  int x = -1;
  if (t.id % 2 == 0) {
    x = co_await m.read(t.id + 1);
  } else {
    co_await m.write(t.id, 100);
  }
  co_await seen.write(t.id, x);
}

TEST(Steps, ReadsSeeTheMemoryBeforeTheWritesOfTheSameStep) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    Simulation simulation(umm(4, 5), 4, {.timing = timing});
    const auto m = simulation.array<int>("m", {1, 2, 3, 4});
    const auto seen = simulation.array<int>("seen", 4);
    simulation.run([&](Thread t) { return swap_neighbors(t, m); });
    EXPECT_EQ(simulation.values(m), (std::vector<int>{2, 1, 4, 3}));
    simulation.run([&](Thread t) { return read_and_write_at_once(t, m, seen); });
    EXPECT_EQ(simulation.values(seen), (std::vector<int>{1, -1, 3, -1}));
    EXPECT_EQ(simulation.values(m), (std::vector<int>{2, 100, 4, 100}));
  }
}

Program write_half(Thread t, Array<int> m) { co_await m.write(t.id / 2, static_cast<int>(t.id)); }

TEST(Steps, OfSimultaneousWritesTheLowestThreadWinsAndTheOthersAreCounted) {
  Simulation simulation(dmm(4, 2), 8);
  const auto m = simulation.array<int>("m", 4);
  simulation.run([&](Thread t) { return write_half(t, m); });
  EXPECT_EQ(simulation.values(m), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(simulation.report().total.simultaneous_writes, 4u);
}

TEST(Steps, ExclusiveModeRefusesSimultaneousWritesNamingThreadsAndAddress) {
  Simulation simulation(dmm(4, 2), 8, {.exclusive = true});
  const auto m = simulation.array<int>("m", 4);
  const std::string text =
      error_of(ErrorKind::input, [&] { simulation.run([&](Thread t) { return write_half(t, m); }); });
  EXPECT_NE(text.find("threads 0 and 1 write address 0"), std::string::npos) << text;
}

TEST(Steps, AnIndexOutOfRangeNamesThreadStepArrayAndRange) {
  Simulation simulation(dmm(4, 2), 4);
  const auto m = simulation.array<int>("m", 6);
  const std::string text =
      error_of(ErrorKind::input, [&] { simulation.run([&](Thread t) { return contiguous(t, m, 2); }); });
  EXPECT_EQ(text, "thread 2, step 1: index 6 of array 'm' is out of range: 0 to 5 is accepted");
}

Program odd_ones_out(Thread t, Array<int> m) {
  for (std::uint32_t i = 0; i < 2; ++i) {
    if (t.id % 2 == i) {
      co_await skip();
    } else {
      co_await m.write(t.id, 1);
    }
  }
}

TEST(Steps, SkippingSitsOneAccessOutAndEmptyStepsCostNothing) {
  Simulation simulation(umm(4, 5), 4);
  const auto m = simulation.array<int>("m", 4);
  simulation.run([&](Thread t) { return odd_ones_out(t, m); });
  EXPECT_EQ(simulation.time_units().count, 10u);
  EXPECT_EQ(simulation.report().total.histogram, (std::vector<std::uint64_t>{0, 2}));
  simulation.run([](Thread) -> Program { co_await skip(); });
  EXPECT_EQ(simulation.time_units().count, 10u);
}

Program pass_on(Thread t, Array<int> m, Array<int> out) {
  for (std::uint32_t i = 0; i < t.id; ++i) co_await m.read(t.id);  // so that threads arrive at different times
  co_await m.write(t.id, static_cast<int>(t.id));
  co_await phase("second");
  const int x = co_await m.read((t.id + 1) % t.count);
  co_await out.write(t.id, x);
}

TEST(Barriers, LetNobodyPassBeforeEverybodyArrives) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    Simulation simulation(umm(2, 3), 6, {.timing = timing});
    const auto m = simulation.array<int>("m", 6), out = simulation.array<int>("out", 6);
    simulation.run([&](Thread t) { return pass_on(t, m, out); });
    EXPECT_EQ(simulation.values(out), (std::vector<int>{1, 2, 3, 4, 5, 0}));
    const RunReport report = simulation.report();
    ASSERT_EQ(report.phases.size(), 2u);
    EXPECT_EQ(report.phases[0].counters.accesses(), 21u);
    EXPECT_EQ(report.phases[1].name, "second");
    EXPECT_EQ(report.phases[1].counters.accesses(), 12u);
    EXPECT_EQ(report.phases[0].counters.time_units + report.phases[1].counters.time_units, simulation.time_units());
  }
}

Program increment(Array<int> m, std::uint32_t i) {
  const int x = co_await m.read(i);
  co_await m.write(i, x + 1);
}

Program increment_twice(Thread t, Array<int> m) {
  co_await increment(m, t.id);
  co_await barrier();
  co_await increment(m, (t.id + 1) % t.count);
}

TEST(Programs, CallOtherProgramsAsSubroutines) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    Simulation simulation(umm(4, 5), 8, {.timing = timing});
    const auto m = simulation.array<int>("m", 8);
    simulation.run([&](Thread t) { return increment_twice(t, m); });
    EXPECT_EQ(simulation.values(m), std::vector<int>(8, 2));
  }
}

Program through_shared(Thread t, Array<int> in, Array<int> tile, Array<int> out) {
  const int x = co_await in.read(t.id);
  co_await tile.write(t.local_id, x);
  co_await barrier();
  const int y = co_await tile.read(t.local_count - 1 - t.local_id);
  co_await out.write(t.id, y);
}

TEST(Hmm, SharedMemoriesAreSeparateAndWorkSideBySide) {
  Simulation simulation(hmm(2, 4, 10, 3), 16);
  const auto in = simulation.array<int>("in", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const auto out = simulation.array<int>("out", 16), tile = simulation.shared_array<int>("tile", 8);
  simulation.run([&](Thread t) { return through_shared(t, in, tile, out); });
  EXPECT_EQ(simulation.values(out), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}));
  // Global: 4 warps, 4 + 10 - 1. Shared: 2 warps on each multiprocessor at once, 2 + 3 - 1.
  EXPECT_EQ(simulation.time_units().count, 2 * (4 + 9) + 2 * (2 + 2));
}

TEST(Simulation, TellsTheValuesOfItsOwnGlobalArraysAlone) {
  Simulation simulation(hmm(2, 4, 5, 1), 8), other(hmm(2, 4, 5, 1), 8);
  const auto global = simulation.array<int>("global", {1, 2, 3, 4}), shared = simulation.shared_array<int>("shared", 4);
  const auto others = other.array<int>("others", 1000);
  EXPECT_EQ(simulation.values(global), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_THROW((void)simulation.values(shared), Error);
  EXPECT_THROW((void)simulation.values(others), Error);
  EXPECT_THROW((void)simulation.values(Array<int>()), Error);
  EXPECT_THROW(simulation.run({}), Error);
}

Program count_up(Thread t, Array<std::uint32_t> m, std::vector<std::uint32_t> order) {
  for (std::size_t i = t.id; i < order.size(); i += t.count) co_await m.read(order[i]);
}

TEST(Sequences, LengthAndFragmentationAreThoseOf2013) {
  // a_i = i has no gap; a_i = 2i has n - 1; equal neighbors and steps of one, up or down, are no gaps.
  for (const auto& [order, fragmentation] : std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>>{
           {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0}, {{0, 2, 4, 6, 8, 10, 12}, 6}, {{3, 3, 2, 1, 1, 5, 6, 7, 0}, 2}}) {
    Simulation simulation(umm(4, 5), 4);
    const auto m = simulation.array<std::uint32_t>("m", 16);
    simulation.run([&](Thread t) { return count_up(t, m, order); });
    const auto report = simulation.report();
    const SequenceReport& sequence = report.phases.at(0).sequences.at(0);
    EXPECT_EQ(sequence.length, order.size());
    EXPECT_EQ(sequence.fragmentation, fragmentation);
  }
}

Program rotate(Thread t, Array<std::uint32_t> m) {
  const std::uint32_t x = co_await m.read(t.id);
  co_await m.write((t.id + 2) % t.count, x);
}

// UMM 2013, section II: a sequential access is either a read or a write. So the step from the last read to the first
// write is no gap.
TEST(Sequences, ReadsAndWritesAreSequencesOfTheirOwn) {
  Simulation simulation(umm(4, 5), 4);
  const auto m = simulation.array<std::uint32_t>("m", 4);
  simulation.run([&](Thread t) { return rotate(t, m); });
  const auto sequences = simulation.report().phases.at(0).sequences;
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_FALSE(sequences[0].writes);
  EXPECT_EQ(sequences[0].fragmentation, 0u);
  EXPECT_TRUE(sequences[1].writes);
  EXPECT_EQ(sequences[1].fragmentation, 1u);  // 2, 3, 0, 1
}

TEST(Validation, NamesTheValueAndWhatIsAccepted) {
  EXPECT_EQ(error_of(ErrorKind::usage, [] { Simulation(umm(0, 1), 4); }), "width is 0: 1 or more is accepted");
  EXPECT_EQ(error_of(ErrorKind::usage, [] { Simulation(umm(4, 0), 4); }), "latency is 0: 1 or more is accepted");
  EXPECT_EQ(error_of(ErrorKind::usage, [] { Simulation(umm(4, 1), 0); }), "threads is 0: 1 or more is accepted");
  EXPECT_NE(error_of(ErrorKind::usage, [] { Simulation(umm(4, 1), 10); }).find("for example 12"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::usage, [] { Simulation(hmm(2, 4, 1, 1), 12); }).find("for example 16"),
            std::string::npos);
  const auto too_much = [] {
    Simulation simulation(umm(4, 1), 4, {.max_memory = 10000});
    static_cast<void>(simulation.array<int>("m", 1000));
  };
  EXPECT_NE(error_of(ErrorKind::memory_limit, too_much).find("array 'm' of 1000 words"), std::string::npos);
}

}  // namespace
