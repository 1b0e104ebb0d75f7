#include "warpfold/mpi/sequences.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>

#include "equivalence/mpi/raised.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/core/instruction_set.hpp"

/// With as many ranks as mpirun starts: every rank expects the distance and script of one process.
namespace warpfold::mpi {
namespace {

using sequence::Coded;
using sequence::Ties;
using sequence::test::Symbols;

Options with_threads(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

void expect_equivalent(const Coded& pair, const sequence::Request& request, const Options& options) {
  SCOPED_TRACE(testing::Message() << pair.n() << " and " << pair.m() << " symbols, " << options.threads << " threads");
  const auto expected = sequence::edit_distance(pair, {}, request).solution;
  const auto found = edit_distance(pair, MPI_COMM_WORLD, options, request).solution;
  EXPECT_EQ(found.distance, expected.distance);
  EXPECT_EQ(found.script, expected.script);
  const auto common = sequence::lcs(pair, {}, request).solution;
  const auto found_common = lcs(pair, MPI_COMM_WORLD, options, request).solution;
  EXPECT_EQ(found_common.length, common.length);
  EXPECT_EQ(found_common.script, common.script);
}

/// Fewer strips than ranks, and many rounds of strips.
TEST(SequencesByRanks, AreEquivalentToOneProcessAtEveryLength) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {0, 1, 63, 64, 511, 512, 513, 3'000, 9'001}) {
    for (const std::size_t m : {0, 1, 127, 4'097, 10'000}) {
      const Symbols a = sequence::test::draw(n, 4, random), b = sequence::test::draw(m, 4, random);
      const Coded pair = sequence::test::coded(a, b);
      expect_equivalent(pair, {}, with_threads(1));
      expect_equivalent(pair, {.script = true}, with_threads(1));
    }
  }
}

TEST(SequencesByRanks, AreEquivalentWithSeveralThreadsAndManyRounds) {
  std::mt19937_64 random(2);
  for (const std::uint32_t alphabet : {2u, 4u, 30u, 1'000u}) {
    const Symbols a = sequence::test::draw(40'000, alphabet, random),
                  b = sequence::test::draw(25'000, alphabet, random);
    const Coded pair = sequence::test::coded(a, b);
    for (const Ties ties : {Ties::left, Ties::right}) {
      expect_equivalent(pair, {.script = true, .ties = ties}, with_threads(2));
    }
    expect_equivalent(pair, {}, with_threads(2));
  }
}

/// Each rank has another number of threads.
TEST(SequencesByRanks, AreEquivalentWithUnequalTeams) {
  std::mt19937_64 random(3);
  const Communicator ranks(MPI_COMM_WORLD);
  const Coded pair =
      sequence::test::coded(sequence::test::draw(30'000, 4, random), sequence::test::draw(30'000, 4, random));
  expect_equivalent(pair, {.script = true}, with_threads(1 + ranks.rank() % 3));
  expect_equivalent(pair, {}, with_threads(3 - ranks.rank() % 3));
}

TEST(SequencesByRanks, AreEquivalentInABandAndBeyondTheBound) {
  std::mt19937_64 random(4);
  const Symbols a = sequence::test::draw(30'000, 4, random);
  const Symbols b = sequence::test::mutate(a, 30, 4, random);
  const Coded pair = sequence::test::coded(a, b);
  const auto distance = static_cast<std::uint64_t>(*sequence::edit_distance(pair).solution.distance);
  for (const std::uint64_t bound : {std::uint64_t{0}, distance - 1, distance, 2 * distance, std::uint64_t{1} << 40}) {
    expect_equivalent(pair, {.script = true, .max_distance = bound}, with_threads(1));
    expect_equivalent(pair, {.max_distance = bound}, with_threads(2));
  }
}

TEST(SequencesByRanks, AreEquivalentInEveryInstructionSet) {
  std::mt19937_64 random(5);
  const Coded pair =
      sequence::test::coded(sequence::test::draw(6'000, 4, random), sequence::test::draw(9'000, 4, random));
  for (const auto& set : instruction_sets()) {
    SCOPED_TRACE(set);
    force_instruction_set(set);
    expect_equivalent(pair, {.script = true}, with_threads(1));
  }
  force_instruction_set("");
}

/// The first and the last instruction set have other vectors.
TEST(SequencesByRanks, AreRejectedWhereVectorsHaveUnequalLengths) {
  const Communicator ranks(MPI_COMM_WORLD);
  const auto sets = instruction_sets();
  if (ranks.size() == 1 || sets.size() == 1) GTEST_SKIP() << "one rank, or one instruction set";
  force_instruction_set(ranks.rank() == 0 ? sets.front() : sets.back());
  const Coded pair("kitten", "sitting");
  const std::string said = raised([&] { static_cast<void>(edit_distance(pair, MPI_COMM_WORLD)); });
  force_instruction_set("");
  EXPECT_NE(said.find("equal ones are accepted"), std::string::npos) << said;
}

TEST(SequencesByRanks, ObeyALimitOfMemoryWithTheSameScript) {
  std::mt19937_64 random(6);
  const Coded pair =
      sequence::test::coded(sequence::test::draw(40'000, 4, random), sequence::test::draw(40'000, 4, random));
  Options options = with_threads(1);
  options.max_memory = 4 << 20;
  const auto outcome = edit_distance(pair, MPI_COMM_WORLD, options, {.script = true});
  EXPECT_EQ(outcome.solution.script, sequence::edit_distance(pair, {}, {.script = true}).solution.script);
  EXPECT_LE(outcome.report.peak_bytes, options.max_memory);
  EXPECT_EQ(outcome.report.algorithm, "slices");
}

TEST(SequencesByRanks, AllFailWhereOneDoes) {
  const Communicator ranks(MPI_COMM_WORLD);
  std::mt19937_64 random(7);
  const Coded pair =
      sequence::test::coded(sequence::test::draw(200'000, 4, random), sequence::test::draw(200'000, 4, random));
  for (int failing = 0; failing < ranks.size(); ++failing) {
    const bool fails = ranks.rank() == failing;
    Options options = with_threads(2);
    if (fails) options.max_memory = 1000;
    std::string said = raised([&] { static_cast<void>(edit_distance(pair, MPI_COMM_WORLD, options)); });
    EXPECT_NE(said.find("the limit is 1000"), std::string::npos) << said;
    options = with_threads(2);
    if (fails) options.progress = [](const Progress&) { throw Error(ErrorKind::cancelled, "enough"); };
    said = raised([&] { static_cast<void>(lcs(pair, MPI_COMM_WORLD, options, {.script = true})); });
    EXPECT_NE(said.find("enough"), std::string::npos) << said;
    if (!fails) {
      EXPECT_NE(said.find("rank " + std::to_string(failing)), std::string::npos) << said;
    }
    options = with_threads(1);
    if (fails) options.deadline = std::chrono::steady_clock::now();
    EXPECT_NE(raised([&] { static_cast<void>(lcs(pair, MPI_COMM_WORLD, options)); }), "nothing");
  }
}

TEST(SequencesByRanks, AreRejectedForWhatSlicesDoNotSolve) {
  const Coded pair("kitten", "sitting");
  const auto said = [&](const sequence::Request& request, const Options& options = {}) {
    return raised([&] { static_cast<void>(edit_distance(pair, MPI_COMM_WORLD, options, request)); });
  };
  EXPECT_NE(said({.costs = {2, 1, 1, 1}}).find("unit costs"), std::string::npos) << said({.costs = {2, 1, 1, 1}});
  EXPECT_NE(said({.transpositions = true}).find("unit costs"), std::string::npos);
  EXPECT_NE(said({.script = true, .ties = Ties::shortest}).find("ties left and right"), std::string::npos);
  Options options;
  options.algorithm = "diagonals";
  EXPECT_NE(said({}, options).find("algorithm 'diagonals'"), std::string::npos) << said({}, options);
  EXPECT_EQ(said({}), "nothing");
}

}  // namespace
}  // namespace warpfold::mpi
