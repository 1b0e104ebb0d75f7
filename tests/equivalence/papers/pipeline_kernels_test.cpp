#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "needs_gpu.hpp"
#include "papers/pipeline-dp-2018/pipelines.hpp"
#include "recurrence/backends.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::pipeline_2018 {

using recurrence::Statement;
namespace {

Problem<std::int32_t> random_problem(Op op, std::size_t k, std::int64_t smallest, std::size_t outputs,
                                     std::mt19937_64& random) {
  std::vector<std::int64_t> pool(2 * k);
  std::iota(pool.begin(), pool.end(), smallest);
  std::shuffle(pool.begin(), pool.end(), random);
  pool.resize(k);
  Statement<std::int32_t> statement{op, pool, {}, 0, {}, 0};
  statement.initial.resize(static_cast<std::size_t>(*std::max_element(pool.begin(), pool.end())));
  for (auto& value : statement.initial) value = static_cast<std::int32_t>(random());
  statement.n = statement.initial.size() + outputs;
  return Problem<std::int32_t>(std::move(statement));
}

class PaperRecurrences : public warpfold::test::NeedsGpu {};

void expect_the_references_bits(const Problem<std::int32_t>& problem) {
  Options options;
  options.algorithm = "reference";
  const auto expected = recurrence::solve(problem, options).solution.values;
  options.device = parse_device("cuda");
  for (const auto& backend : backends<std::int32_t>()) {
    if (backend.info.name.starts_with("2-by-2") && problem.offsets().size() < 2) continue;
    options.algorithm = backend.info.name;
    ASSERT_EQ(recurrence::solve(problem, options, backends<std::int32_t>()).solution.values, expected)
        << backend.info.name << ", " << to_string(problem.op()) << ", from " << problem.offsets().back();
  }
}

/// Small enough for compute-sanitizer (tests/device/sanitize).
TEST_F(PaperRecurrences, EveryMethodGivesTheReferencesBitsOfAShortTable) {
  std::mt19937_64 random(5);
  expect_the_references_bits(random_problem(Op::min, 6, 40, 150, random));
}

/// Of so many offsets.
class PaperRecurrencesOf : public PaperRecurrences, public testing::WithParamInterface<std::size_t> {};

TEST_P(PaperRecurrencesOf, EveryMethodGivesTheReferencesBitsForEveryOp) {
  const std::size_t k = GetParam();
  std::mt19937_64 random(k);
  for (const Op op : {Op::bit_xor, Op::min, Op::max, Op::bit_or, Op::bit_and}) {
    for (const std::int64_t smallest : {1, 2000}) {
      expect_the_references_bits(random_problem(op, k, smallest, 700 + random() % 100, random));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Offsets, PaperRecurrencesOf, testing::Values(1, 2, 31, 513, 1500),
                         testing::PrintToStringParamName());

TEST_F(PaperRecurrences, ThePrintedPFoldFailsWhereTheCorrectedHolds) {
  std::mt19937_64 random(2);
  const auto problem = random_problem(Op::bit_xor, 20, 101, 1001, random);
  Options options;
  options.algorithm = "reference";
  const auto expected = recurrence::solve(problem, options).solution.values;
  const auto values = [&](bool as_printed) {
    std::vector<std::int32_t> table(problem.n(), -1);
    std::copy(problem.initial().begin(), problem.initial().end(), table.begin());
    SolveMonitor monitor(options, 1);
    const Schedule schedule{.method = Method::p_fold, .p = 4, .as_printed = as_printed};
    solve(problem, schedule, 0, monitor, table);
    return table;
  };
  EXPECT_EQ(values(false), expected);
  EXPECT_NE(values(true), expected);  // 4 does not divide 1001 - 1 - 3
}

TEST(PaperRecurrencesWithoutADevice, FailWithOneLine) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  Options options;
  options.device = parse_device("cuda");
  options.algorithm = "pipeline";
  const Problem<std::int32_t> problem({Op::min, {3, 1}, {1, 2, 3}, 10, {}, 0});
  try {
    (void)recurrence::solve(problem, options, backends<std::int32_t>());
    FAIL() << "solved without a device";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
