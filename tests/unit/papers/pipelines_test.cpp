#include "papers/pipeline-dp-2018/pipelines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "recurrence/backends.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::pipeline_2018 {

using recurrence::Statement;
namespace {

/// With xor, a term that is missing or applied twice changes the result; with min it may not. Offsets are at least
/// `gap`.
Problem<std::int32_t> random_problem(std::mt19937_64& random, std::int64_t gap = 1) {
  const auto k = 1 + static_cast<std::int64_t>(random() % 8);
  std::vector<std::int64_t> pool(static_cast<std::size_t>(3 * k));
  std::iota(pool.begin(), pool.end(), gap);
  std::shuffle(pool.begin(), pool.end(), random);
  pool.resize(static_cast<std::size_t>(k));
  Statement<std::int32_t> statement{Op::bit_xor, pool, {}, 0, {}, 0};
  statement.initial.resize(static_cast<std::size_t>(*std::max_element(pool.begin(), pool.end())));
  for (auto& value : statement.initial) value = static_cast<std::int32_t>(random() % (1U << 30));
  statement.n = statement.initial.size() + random() % 60;
  return Problem<std::int32_t>(std::move(statement));
}

std::vector<std::int32_t> start_of(const Problem<std::int32_t>& problem) {
  std::vector<std::int32_t> table(problem.initial().begin(), problem.initial().end());
  table.resize(problem.n(), -1);
  return table;
}

std::vector<std::int32_t> expected(const Problem<std::int32_t>& problem) {
  std::vector<std::int32_t> table = start_of(problem);
  const Options options;
  SolveMonitor monitor(options, 1);
  reference<std::int32_t>(problem, monitor, table);
  return table;
}

/// The kernel's steps on the host, with the lanes of a step in any order.
std::vector<std::int32_t> run_on_host(const Problem<std::int32_t>& problem, const Pipeline& pipeline,
                                      std::mt19937_64& random) {
  std::vector<std::int32_t> table = start_of(problem);
  const auto at = [&](std::int64_t i) -> std::int32_t& { return table[static_cast<std::size_t>(i)]; };
  std::vector<std::int64_t> lanes(static_cast<std::size_t>(pipeline.lanes()));
  std::iota(lanes.begin(), lanes.end(), 0);
  std::int64_t head = pipeline.first_head();
  for (std::int64_t step = 0; step < pipeline.steps(); ++step, head += pipeline.fold) {
    std::shuffle(lanes.begin(), lanes.end(), random);
    for (const std::int64_t lane : lanes) {
      const auto [element, first, last] = pipeline.work(head, lane);
      for (std::int64_t j = first; j < last; ++j) {
        const std::int32_t operand = at(element - problem.offsets()[static_cast<std::size_t>(j)]);
        at(element) = j == 0 ? operand : at(element) ^ operand;
      }
    }
  }
  return table;
}

TEST(PaperSchedule, EveryPipelineFillsTheTableWhateverTheOrderOfItsThreads) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto problem = random_problem(random, 1 + static_cast<std::int64_t>(random() % 30));
    const auto right = expected(problem);
    EXPECT_EQ(run_on_host(problem, make_pipeline(problem, {.method = Method::pipeline}), random), right);
    const auto k = static_cast<std::int64_t>(problem.offsets().size());
    for (std::int64_t m = 1; m <= k; ++m) {
      EXPECT_EQ(run_on_host(problem, make_pipeline(problem, {.method = Method::m_by_m, .m = m}), random), right);
    }
    for (std::int64_t p = 1; p <= largest_fold(problem.offsets()); ++p) {
      EXPECT_EQ(run_on_host(problem, make_pipeline(problem, {.method = Method::p_fold, .p = p}), random), right);
    }
  }
}

TEST(PaperSchedule, ThePrintedPFoldLeavesTheLastElementsUnfinished) {
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto problem = random_problem(random, 20);
    const std::int64_t p = largest_fold(problem.offsets());
    const auto n = static_cast<std::int64_t>(problem.n());
    const Pipeline printed = make_pipeline(problem, {.method = Method::p_fold, .p = p, .as_printed = true});
    const bool right = run_on_host(problem, printed, random) == expected(problem);
    const bool divides = (n - 1 - problem.largest_offset() - (p - 1)) % p == 0;
    EXPECT_TRUE(right || !divides);
    wrong += right ? 0 : 1;
  }
  EXPECT_GT(wrong, 50);
}

TEST(PaperSchedule, OneMoreThanTheLargestFoldGoesWrong) {
  std::mt19937_64 random(3);
  int wrong = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto problem = random_problem(random, 10);
    Pipeline pipeline = make_pipeline(problem, {.method = Method::p_fold});
    ++pipeline.fold;
    wrong += run_on_host(problem, pipeline, random) == expected(problem) ? 0 : 1;
  }
  EXPECT_GT(wrong, 50);
}

TEST(PaperSchedule, CountsTheStepsThatThePapersState) {
  const Problem<std::int32_t> problem({Op::min, {6, 3, 1}, std::vector<std::int32_t>(6, 1), 20, {}, 0});
  EXPECT_EQ(make_pipeline(problem, {.method = Method::pipeline}).steps(), 20 + 3 - 6 - 1);
  EXPECT_EQ(make_pipeline(problem, {.method = Method::m_by_m, .m = 3}).steps(), 20 - 6);
  const Problem<std::int32_t> gap({Op::min, {10, 8, 5}, std::vector<std::int32_t>(10, 1), 40, {}, 0});
  EXPECT_EQ(largest_fold(gap.offsets()), 3);  // 2023, Fig. 7; p = 4 is impossible (Fig. 11)
  EXPECT_EQ(make_pipeline(gap, {.method = Method::p_fold}).lanes(), 9);
  EXPECT_EQ(make_pipeline(gap, {.method = Method::p_fold}).steps(), 3 + (40 - 1 - 10) / 3);
}

TEST(PaperSchedule, RefusesAFoldOrAnMThatIsNone) {
  const Problem<std::int32_t> problem({Op::min, {10, 8, 5}, std::vector<std::int32_t>(10, 1), 40, {}, 0});
  for (const Schedule wrong :
       {Schedule{.method = Method::p_fold, .p = 4}, Schedule{.method = Method::p_fold, .p = -1},
        Schedule{.method = Method::m_by_m, .m = 4}, Schedule{.method = Method::m_by_m, .m = 0}}) {
    EXPECT_THROW((void)make_pipeline(problem, wrong), Error);
  }
}

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
