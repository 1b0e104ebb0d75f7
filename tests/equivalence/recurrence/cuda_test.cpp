#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "recurrence/backends.hpp"
#include "recurrence/tuning.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::recurrence {
namespace {

using Random = std::mt19937_64;

Problem<std::int32_t> draw(Op op, bool weighted, std::int64_t largest, std::size_t outputs, int percent,
                           Random& random) {
  Statement<std::int32_t> statement{op, {largest}, {}, static_cast<std::size_t>(largest) + outputs, {}, 0};
  for (std::int64_t a = 1; a < largest; ++a) {
    if (static_cast<int>(random() % 100) < percent) statement.offsets.push_back(a);
  }
  for (std::int64_t i = 0; i < largest; ++i) statement.initial.push_back(static_cast<std::int32_t>(random() % 100000));
  if (weighted) {
    const std::int32_t none = op == Op::min ? infinity<std::int32_t> : -infinity<std::int32_t>;
    for (std::size_t i = 0; i < statement.initial.size(); i += 1 + random() % 3) statement.initial[i] = none;
    for (std::size_t j = 0; j < statement.offsets.size(); ++j) {
      statement.weights.push_back(static_cast<std::int32_t>(random() % 2000) - 500);
    }
  }
  return Problem<std::int32_t>(std::move(statement));
}

std::vector<std::int32_t> solved(const Problem<std::int32_t>& problem, const std::string& algorithm,
                                 Device::Kind kind = Device::Kind::cpu) {
  Options options;
  options.algorithm = algorithm;
  options.device.kind = kind;
  return solve(problem, options).solution.values;
}

std::vector<std::int32_t> solved_on_gpu(const Problem<std::int32_t>& problem) {
  return solved(problem, "blocks", Device::Kind::cuda);
}

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(OnGpu, EveryBitEqualsTheCpu) {
  Random random(21);
  for (const Op op : {Op::min, Op::max}) {
    for (const bool weighted : {false, true}) {
      for (const std::int64_t largest : {1, 31, 32, 33, 255, 257, 1023, 1025, 5000, 20000}) {
        for (const std::size_t outputs : {0u, 1u, 33u, 1023u, 1024u, 1025u, 2048u, 9000u}) {
          const auto problem = draw(op, weighted, largest, outputs, largest % 2 ? 50 : 4, random);
          ASSERT_EQ(solved(problem, "blocks"), solved_on_gpu(problem))
              << to_string(op) << weighted << " largest " << largest << " outputs " << outputs;
        }
      }
    }
  }
}

TEST_F(OnGpu, LargeTablesAndFarOffsetsEqualTheCpu) {
  Random random(22);
  for (const bool weighted : {false, true}) {
    for (const int percent : {0, 1, 50}) {
      const auto problem = draw(Op::min, weighted, 70000, 150000, percent, random);
      EXPECT_EQ(solved(problem, "blocks"), solved_on_gpu(problem)) << percent;
    }
  }
}

/// The signs of two weights. Empty: without weights.
using Signs = std::vector<std::int32_t>;
const Signs all_signs[] = {{}, {-1, -1}, {1, 1}, {1, -1}};

/// Offsets `offset` and twice that, so that outputs of different residues modulo `offset` never mix: a residue without
/// a value stays without. Weights are the largest that a Problem accepts.
template <class IsMissing>
Problem<std::int32_t> by_residues(Op op, const Signs& signs, std::size_t offset, std::size_t outputs,
                                  const IsMissing& is_missing) {
  constexpr std::int32_t largest_bound = (1 << 29) - 1;
  constexpr std::int32_t largest_initial = 1000;
  const auto step = static_cast<std::int64_t>(offset);
  Statement<std::int32_t> statement{op, {2 * step, step}, {}, 2 * offset + outputs, {}, 0};
  const auto steps = static_cast<std::int32_t>((outputs + offset - 1) / offset);
  for (const std::int32_t sign : signs) statement.weights.push_back(sign * ((largest_bound - largest_initial) / steps));
  const std::int32_t unweighted = op == Op::min ? INT32_MAX : INT32_MIN;
  const std::int32_t weighted = op == Op::min ? infinity<std::int32_t> : -infinity<std::int32_t>;
  for (std::size_t i = 0; i < 2 * offset; ++i) {
    const auto value = static_cast<std::int32_t>(i * 7919 % (2 * largest_initial + 1)) - largest_initial;
    statement.initial.push_back(!is_missing(i % offset) ? value : signs.empty() ? unweighted : weighted);
  }
  return Problem<std::int32_t>(std::move(statement));
}

/// Calls check(op, signs) for min and max and all signs.
template <class Check>
void for_every_rule(const Check& check) {
  for (const Op op : {Op::min, Op::max}) {
    for (const Signs& signs : all_signs) {
      SCOPED_TRACE(testing::Message() << to_string(op) << " signs " << testing::PrintToString(signs));
      check(op, signs);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

void expect_the_reference(const Problem<std::int32_t>& problem) {
  ASSERT_EQ(solved(problem, "reference"), solved_on_gpu(problem))
      << "offset " << problem.smallest_offset() << " n " << problem.n();
}

TEST_F(OnGpu, NoValueStaysSoAtEveryPlaceOfAWarp) {
  for_every_rule([](Op op, const Signs& signs) {
    for (std::size_t place = 0; place < 32; ++place) {
      const auto outputs = 1024 + place;
      ASSERT_NO_FATAL_FAILURE(
          expect_the_reference(by_residues(op, signs, 32, outputs, [&](std::size_t r) { return r == place; })));
      ASSERT_NO_FATAL_FAILURE(
          expect_the_reference(by_residues(op, signs, 32, outputs, [&](std::size_t r) { return r != place; })));
    }
  });
}

/// In run b, bit b of a place decides whether it has a value. So each place is tested with and without a value, beside
/// every other place with and without one.
TEST_F(OnGpu, NoValueStaysSoAtEveryPlaceOfAChunkAndABlock) {
  for_every_rule([](Op op, const Signs& signs) {
    for (const std::size_t size : {256u, 1024u, 2048u}) {
      for (std::size_t bit = 1; bit < size; bit *= 2) {
        for (const std::size_t missing : {std::size_t{0}, bit}) {
          const auto is_missing = [&](std::size_t place) { return (place & bit) == missing; };
          ASSERT_NO_FATAL_FAILURE(expect_the_reference(by_residues(op, signs, size, 2 * size + 1000, is_missing)));
        }
      }
    }
  });
}

/// With short offsets, the values after the table's end, up to 31 steps away in a warp, would exceed the bound.
TEST_F(OnGpu, NothingBehindTheEndOfTheTableCounts) {
  for_every_rule([](Op op, const Signs& signs) {
    for (const std::size_t offset : {1u, 2u, 3u, 7u, 31u, 33u, 127u, 257u, 1023u, 1025u, 2049u}) {
      for (const std::size_t outputs : {1u, 7u, 31u, 32u, 33u, 127u, 129u, 257u, 1023u, 1024u, 1025u, 2049u}) {
        for (const std::size_t residue : {0u, 1u}) {
          const auto is_missing = [&](std::size_t place) { return place % 3 != residue; };
          ASSERT_NO_FATAL_FAILURE(expect_the_reference(by_residues(op, signs, offset, outputs, is_missing)));
        }
      }
    }
  });
}

TEST_F(OnGpu, NoValueStaysSoInLaunchesOfEverySize) {
  using tuning::gpu_middle_outputs, tuning::gpu_wide_outputs;
  for_every_rule([](Op op, const Signs& signs) {
    for (const std::size_t offset : {1u, 5u, 1000u, 3000u}) {
      for (const int outputs : {gpu_middle_outputs - 1, gpu_middle_outputs + 1, gpu_wide_outputs + 1}) {
        const auto is_missing = [](std::size_t place) { return place % 3 == 2; };
        ASSERT_NO_FATAL_FAILURE(
            expect_the_reference(by_residues(op, signs, offset, static_cast<std::size_t>(outputs), is_missing)));
      }
    }
  });
}

TEST_F(OnGpu, RefusesWhatItDoesNotSolve) {
  Options options;
  options.device.kind = Device::Kind::cuda;
  const Problem<double> problem(Statement<double>{Op::min, {1}, {1}, 5, {}, 0});
  EXPECT_THROW((void)solve(problem, options), Error);
}

TEST(WithoutGpu, ForcingOneIsADeviceError) {
  if (!gpus().empty()) GTEST_SKIP() << "a GPU is here";
  Options options;
  options.device = parse_device("cuda");
  options.algorithm = "blocks";
  try {
    (void)solve(Problem<std::int32_t>(Statement<std::int32_t>{Op::min, {1}, {1}, 5, {}, 0}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::recurrence
