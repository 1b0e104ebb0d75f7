#include <gtest/gtest.h>

#include <random>

#include "recurrence/backends.hpp"
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

std::vector<std::int32_t> solved(const Problem<std::int32_t>& problem, const std::string& algorithm) {
  Options options;
  options.algorithm = algorithm;
  return solve(problem, options).solution.values;
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
          ASSERT_EQ(solved(problem, "blocks"), solved(problem, "cuda-blocks"))
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
      EXPECT_EQ(solved(problem, "blocks"), solved(problem, "cuda-blocks")) << percent;
    }
  }
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
  try {
    (void)solve(Problem<std::int32_t>(Statement<std::int32_t>{Op::min, {1}, {1}, 5, {}, 0}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::recurrence
