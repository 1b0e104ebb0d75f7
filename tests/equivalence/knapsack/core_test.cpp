#include "knapsack/core.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "core/size_text.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::knapsack {
namespace {

constexpr CoreBudget no_limit{std::numeric_limits<double>::infinity(), std::numeric_limits<std::size_t>::max()};

/// Compares the core with the table's rows. The packing must add up to the value.
void expect_best(const Problem& problem, const std::string& what) {
  Options table;
  table.algorithm = "table";
  const std::int64_t expected = solve(problem, table, {false, ""}).solution.value;
  const Options options;
  const SolveMonitor monitor(options, 0);
  const std::vector<Piece> list = pieces(problem);
  const CoreResult result = core(list, problem.capacity(), no_limit, monitor);
  ASSERT_TRUE(result.finished) << what;
  ASSERT_EQ(result.value, expected) << what;
  std::int64_t value = 0;
  std::int64_t weight = 0;
  for (std::size_t p = 0; p < list.size(); ++p) {
    value += result.taken[p] ? list[p].value : 0;
    weight += result.taken[p] ? list[p].weight : 0;
  }
  ASSERT_EQ(value, expected) << what;
  ASSERT_LE(weight, problem.capacity()) << what;
}

TEST(Core, EqualsTheTableOnEveryClassOfPisinger) {
  for (const std::string& name : generator_classes()) {
    for (const std::size_t n : {5, 50, 300}) {
      for (const std::int64_t series : {10, 50, 95}) {
        const Problem problem = generate({name, n, 1000, series, 100, n + static_cast<std::uint64_t>(series)});
        if (name == "similar-weights" && n > 50) continue;
        expect_best(problem, name + " " + std::to_string(n) + " " + std::to_string(series));
      }
    }
  }
}

TEST(Core, RecoversPackingsOfMoreThan64Decisions) {
  std::size_t longest = 0;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Problem problem = generate({"profit-ceiling", 120, 300, 50, 100, seed});
    expect_best(problem, "profit-ceiling");
    const Options options;
    const SolveMonitor monitor(options, 0);
    longest = std::max(longest, core(pieces(problem), problem.capacity(), no_limit, monitor).enumerated);
  }
  EXPECT_GT(longest, 64U);
}

TEST(Core, UsesABoundOnTheNumberOfPiecesWhereListsGrowLong) {
  const Options options;
  const SolveMonitor monitor(options, 0);
  for (const char* name : {"strongly-correlated", "inverse-strongly-correlated"}) {
    const Problem problem = generate({name, 500, 100000, 40, 100, 3});
    EXPECT_TRUE(core(pieces(problem), problem.capacity(), no_limit, monitor).cardinality_bound) << name;
    Options table;
    table.algorithm = "core";
    const auto [solution, report] = solve(problem, table);
    EXPECT_EQ(verify(problem, solution).violation, std::nullopt);
  }
}

TEST(Core, GivesUpWithinItsBudget) {
  const Problem problem = generate({"profit-ceiling", 200, 1000, 40, 100, 3});
  const Options options;
  const SolveMonitor monitor(options, 0);
  EXPECT_FALSE(core(pieces(problem), problem.capacity(), {10, 1 << 30}, monitor).finished);
}

TEST(Core, HoldsNoMoreThanTheLimit) {
  for (const char* name : {"uncorrelated", "strongly-correlated", "profit-ceiling"}) {
    const Problem problem = generate({name, 100, 1000, 40, 100, 5});
    Options options;
    options.algorithm = "core";
    std::size_t most = solve(problem, options).report.peak_bytes;
    std::string refusal;
    for (; refusal.empty(); most -= 1 + most / 50) {
      options.max_memory = most;
      try {
        EXPECT_LE(solve(problem, options).report.peak_bytes, most) << name;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
        refusal = error.what();
        EXPECT_NE(refusal.find(bytes_text(static_cast<double>(most))), std::string::npos) << refusal;
      }
    }
  }
}

TEST(Core, HandsOverToTheTableWhereTheListCostsMore) {
  const Problem problem = generate({"profit-ceiling", 3000, 40, 50, 100, 3});
  Options table;
  table.algorithm = "table";
  const auto [solution, report] = solve(problem);
  EXPECT_EQ(solution.value, solve(problem, table).solution.value);
  EXPECT_FALSE(solution.reason.empty());
}

TEST(Core, IsExactWhereProductsLeave64Bits) {
  const std::int64_t big = std::int64_t{1} << 40;
  std::vector<Item> items;
  for (std::int64_t i = 0; i < 18; ++i) items.push_back({big + 37 * i * i, big + 91 * i + i % 5, 1});
  const Problem problem(Kind::zero_one, items, 9 * big + 4000);
  std::int64_t best = 0;
  for (unsigned set = 0; set < 1U << 18; ++set) {
    std::int64_t value = 0;
    std::int64_t weight = 0;
    for (unsigned i = 0; i < 18; ++i) {
      value += set >> i & 1 ? items[i].value : 0;
      weight += set >> i & 1 ? items[i].weight : 0;
    }
    if (weight <= problem.capacity()) best = std::max(best, value);
  }
  Options options;
  options.algorithm = "core";
  const auto [solution, report] = solve(problem, options);
  EXPECT_EQ(solution.value, best);
  EXPECT_EQ(verify(problem, solution).violation, std::nullopt);
}

RC_GTEST_PROP(Core, EqualsEverySubsetTried, ()) {
  const auto items = *rc::gen::container<std::vector<Item>>(
      rc::gen::build<Item>(rc::gen::set(&Item::value, rc::gen::inRange<std::int64_t>(0, 60)),
                           rc::gen::set(&Item::weight, rc::gen::inRange<std::int64_t>(0, 60)),
                           rc::gen::set(&Item::copies, rc::gen::just<std::int64_t>(1))));
  const auto capacity = *rc::gen::inRange<std::int64_t>(0, 300);
  RC_PRE(items.size() <= 16);
  std::int64_t best = 0;
  for (unsigned set = 0; set < 1U << items.size(); ++set) {
    std::int64_t value = 0;
    std::int64_t weight = 0;
    for (unsigned i = 0; i < items.size(); ++i) {
      value += set >> i & 1 ? items[i].value : 0;
      weight += set >> i & 1 ? items[i].weight : 0;
    }
    if (weight <= capacity) best = std::max(best, value);
  }
  const Problem problem(Kind::zero_one, items, capacity);
  const auto [solution, report] = solve(problem);
  RC_ASSERT(solution.value == best);
  RC_ASSERT(verify(problem, solution).violation == std::nullopt);
  RC_ASSERT(reference::every_capacity(problem).back() == best);
}

}  // namespace
}  // namespace warpfold::knapsack
