#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "drawn_rows.hpp"
#include "knapsack/items.hpp"
#include "knapsack/parts.hpp"
#include "knapsack/reference.hpp"
#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::knapsack {
namespace {

Problem drawn(Kind kind, std::size_t n, std::int64_t max_weight, std::int64_t max_value, std::int64_t capacity,
              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t copies = kind == Kind::bounded ? up_to(9) : 1;
    items.push_back({up_to(max_value), (kind == Kind::unbounded ? 1 : 0) + up_to(max_weight), copies});
  }
  return Problem(kind, std::move(items), capacity);
}

/// The value alone, the packing and every capacity of a problem by every algorithm, compared with the plain loops.
void expect_all_equal_reference(const Problem& problem) {
  const std::vector<std::int64_t> every = reference::every_capacity(problem);
  for (const std::string algorithm : {"reference", "core", "table", ""}) {
    if (problem.kind() == Kind::unbounded && algorithm == "core") continue;
    for (const std::string dtype : {"i32", "i64"}) {
      const auto [solution, report] = solve(problem, test::by(algorithm), {true, dtype});
      ASSERT_EQ(solution.value, every.back()) << algorithm << " " << dtype;
      ASSERT_EQ(verify(problem, solution).violation, std::nullopt) << algorithm << " " << dtype;
      ASSERT_EQ(solve(problem, test::by(algorithm), {false, dtype}).solution.value, every.back())
          << algorithm << " " << dtype;
    }
  }
  for (const std::string dtype : {"i32", "i64"}) {
    ASSERT_EQ(every_capacity(problem, test::by("table"), {false, dtype}).solution.values, every) << dtype;
  }
}

class Kinds : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, Kinds, testing::Values(Kind::zero_one, Kind::bounded, Kind::unbounded));

TEST_P(Kinds, EveryAlgorithmEqualsReferenceAtGranuleEdges) {
  std::uint64_t seed = 1;
  for (const std::int64_t capacity : {0, 1, 2, 15, 16, 17, 62, 63, 64, 65, 127, 128, 129, 1000}) {
    for (const std::size_t n : {0, 1, 2, 7, 33}) {
      for (const std::int64_t max_weight : {1, 5, 40, 300}) {
        expect_all_equal_reference(drawn(GetParam(), n, max_weight, 50, capacity, ++seed));
      }
    }
  }
}

TEST_P(Kinds, EveryAlgorithmEqualsReferenceWithTies) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    expect_all_equal_reference(drawn(GetParam(), 12, 3, 2, 25, seed));
  }
}

/// Threads, strips and halos: the rows themselves, also at sizes for which a solve does not use them.
template <class T>
void expect_rows_equal(std::size_t n, std::int64_t max_weight, std::int64_t capacity, int threads, bool one_capacity,
                       std::uint64_t seed, std::int64_t min_share = 64) {
  const auto [rows, expected] = drawn_rows<T>(n, max_weight, capacity, seed);
  const Options options;
  SolveMonitor monitor(options, 1);
  const std::size_t cells = padded_cells(capacity);
  const Cells<T> best = allocate_cells<T>(cells);
  std::vector<std::uint64_t> words(rows.size() * cells / 64, 0);
  const Decisions decisions{words.data(), cells / 64};
  cpu::zero_one_rows<T>({.rows = rows,
                         .capacity = capacity,
                         .lowest = one_capacity ? capacity : 0,
                         .threads = threads,
                         .min_share = min_share},
                        best.get(), decisions, monitor);
  if (one_capacity) {
    ASSERT_EQ(best[capacity], expected.back());
  } else {
    for (std::int64_t c = 0; c <= capacity; ++c) ASSERT_EQ(best[c], expected[c]) << c << " of " << capacity;
  }
}

TEST(Rows, EqualReferenceForEveryThreadCountWeightAndStrip) {
  std::uint64_t seed = 100;
  for (const int threads : {1, 2, 3, 5}) {
    for (const bool one_capacity : {false, true}) {
      for (const std::int64_t capacity : {40, 700, 5000, 30000}) {
        for (const std::int64_t max_weight : {3, 60, 1000, 9000, 40000}) {
          expect_rows_equal<std::int32_t>(25, max_weight, capacity, threads, one_capacity, ++seed);
          expect_rows_equal<std::int64_t>(9, max_weight, capacity, threads, one_capacity, ++seed);
        }
      }
    }
  }
}

TEST(Rows, EqualReferenceWhereMoreThreadsTakePartAsTheyFill) {
  std::uint64_t seed = 500;
  for (const int threads : {2, 3, 5}) {
    for (const bool one_capacity : {false, true}) {
      for (const std::int64_t min_share : {500, 3000, 20000}) {
        expect_rows_equal<std::int32_t>(60, 1000, 25000, threads, one_capacity, ++seed, min_share);
        expect_rows_equal<std::int64_t>(200, 60, 4000, threads, one_capacity, ++seed, min_share);
      }
    }
  }
}

TEST(Rows, EqualReferenceWhereGroupsOutgrowTheFirstCache) {
  expect_rows_equal<std::int32_t>(60, 5000, 150000, 2, false, 7);
  expect_rows_equal<std::int32_t>(60, 5000, 80000, 2, true, 8);
  expect_rows_equal<std::int32_t>(12, 90000, 150000, 3, false, 9);
}

TEST(Rows, AreEqualOnEveryInstructionSet) {
  for (const std::string& name : instruction_sets()) {
    force_instruction_set(name);
    expect_rows_equal<std::int32_t>(30, 200, 3000, 2, false, 11);
    expect_rows_equal<std::int64_t>(30, 200, 3000, 2, false, 12);
    expect_all_equal_reference(drawn(Kind::zero_one, 20, 30, 50, 200, 13));
    expect_all_equal_reference(drawn(Kind::unbounded, 20, 30, 50, 200, 14));
  }
  force_instruction_set("");
}

/// Finds the best packing that leaves out the heaviest item, then the next, and so on, by trying all. Of items of equal
/// weight the later one counts as heavier.
std::vector<std::int64_t> lightest_first(const Problem& problem) {
  const std::vector<Item>& items = problem.items();
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return items[a].weight < items[b].weight; });
  std::vector<std::int64_t> best;
  std::int64_t best_value = -1;
  for (unsigned set = 0; set < 1U << items.size(); ++set) {  // the highest bit is the heaviest item's
    std::vector<std::int64_t> copies(items.size(), 0);
    std::int64_t value = 0, weight = 0;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::int64_t taken = set >> k & 1;
      copies[order[k]] = taken;
      value += taken * items[order[k]].value;
      weight += taken * items[order[k]].weight;
    }
    if (weight > problem.capacity() || value <= best_value) continue;
    best_value = value;
    best = copies;
  }
  return best;
}

TEST(Table, LeavesOutTheHeaviestItemsOfEqualPackings) {
  for (std::uint64_t seed = 1; seed < 300; ++seed) {
    const Problem problem = drawn(Kind::zero_one, seed % 10, 4, 2, static_cast<std::int64_t>(seed % 13), seed);
    const std::vector<std::int64_t> expected = lightest_first(problem);
    for (const std::string algorithm : {"reference", "table"}) {
      ASSERT_EQ(solve(problem, test::by(algorithm)).solution.copies, expected) << algorithm << ", seed " << seed;
    }
  }
}

std::vector<char> packing_by_parts(std::vector<Row<std::int32_t>> rows, std::int64_t capacity, std::size_t max_marked,
                                   std::size_t tables) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
  Budget budget(tables * padded_cells(capacity) * sizeof(std::int32_t) + 4096, "the test has");
  const Options options;
  SolveMonitor monitor(options, 1);
  const PartsPacker<std::int32_t>::Run run = [&](const Table<std::int32_t>& table, std::int32_t* best,
                                                 const Decisions& decisions) {
    cpu::zero_one_rows(table, best, decisions, monitor);
  };
  return PartsPacker<std::int32_t>(rows, max_marked, 1, budget, run).packing(capacity);
}

int tables_filled = 0;

/// Rows as a GPU fills them: only the wanted cells.
template <class T>
void plain_rows(const Table<T>& table, T* best, Context&, SolveMonitor&) {
  std::vector<T> cells(static_cast<std::size_t>(table.capacity) + 1, table.value_before);
  std::copy_n(best, std::min(table.weight_before, table.capacity + 1), cells.begin());
  for (const auto& [weight, value] : table.rows) {
    for (std::int64_t c = table.capacity; c >= weight; --c) {
      cells[c] = std::max<T>(cells[c], cells[c - weight] + value);
    }
  }
  std::copy(cells.begin() + table.lowest, cells.end(), best + table.lowest);
  ++tables_filled;
}

template <class T>
void expect_packing_by_any_rows(const Problem& problem, const Options& options) {
  const std::vector<Piece> list = pieces(problem);
  Report report;
  Context context(options, report);
  SolveMonitor monitor(options, 1);
  EXPECT_EQ(TableSolver<T>(list, context, monitor, plain_rows<T>).packing(problem.capacity()),
            TableSolver<T>(list, context, monitor).packing(problem.capacity()));
}

TEST(Table, GivesTheSamePackingWhateverFillsItsRows) {
  for (const auto& [max_weight, max_value] : {std::pair{40, 3}, {300, 1000}}) {
    const Problem problem = drawn(Kind::bounded, 100, max_weight, max_value, 3000, 5);
    for (const int threads : {1, 3}) {
      Options options = test::by("table", threads);
      expect_packing_by_any_rows<std::int32_t>(problem, options);
      tables_filled = 0;
      options.max_memory = 2 * padded_cells(3000) * sizeof(std::int64_t);
      expect_packing_by_any_rows<std::int32_t>(problem, options);
      expect_packing_by_any_rows<std::int64_t>(problem, options);
      EXPECT_GT(tables_filled, 0) << "nothing was halved";
    }
  }
}

/// The packing by decisions of all rows at once, of which few fit.
TEST(Table, PacksByPartsAsByAllDecisions) {
  for (const std::size_t max_marked : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 20}) {
    for (const auto& [n, max_weight, capacity] :
         {std::tuple{60, 3, 63}, {60, 40, 64}, {90, 300, 3000}, {40, 2000, 3000}, {300, 9, 1}, {25, 70, 0}}) {
      const auto [rows, expected] = drawn_rows<std::int32_t>(static_cast<std::size_t>(n), max_weight, capacity, 3);
      for (const std::size_t tables : {2, 4, 100}) {
        EXPECT_EQ(packing_by_parts(rows, capacity, max_marked, tables),
                  packing_by_parts(rows, capacity, rows.size() * padded_cells(capacity), 100))
            << n << " rows, capacity " << capacity << ", " << max_marked << " bytes, " << tables << " tables";
      }
    }
  }
}

TEST(Table, PacksByHalvingWhereDecisionsDoNotFit) {
  const Problem problem = drawn(Kind::zero_one, 40, 300, 1000, 3000, 5);
  const std::int64_t best = reference::every_capacity(problem).back();
  Options options = test::by("table", 2);
  options.max_memory = 2 * padded_cells(3000) * 4 + 40 * sizeof(Piece);
  const auto [solution, report] = solve(problem, options);
  EXPECT_EQ(solution.value, best);
  EXPECT_EQ(verify(problem, solution).violation, std::nullopt);
  EXPECT_LE(report.peak_bytes, options.max_memory);
}

TEST(Table, PacksLightItemsByPartsOnEveryNumberOfThreads) {
  const Problem problem = drawn(Kind::zero_one, 3000, 100, 1000, 75'000, 5);
  std::vector<std::int64_t> copies;
  for (const int threads : {1, 2, 3}) {
    const Solution solution = solve(problem, test::by("table", threads)).solution;
    EXPECT_EQ(solution.value, reference::every_capacity(problem).back());
    EXPECT_EQ(verify(problem, solution).violation, std::nullopt);
    if (copies.empty()) copies = solution.copies;
    EXPECT_EQ(solution.copies, copies) << threads;
  }
}

TEST(Table, TellsItsEndWhenThereIsNothingLeftToStop) {
  const Problem problem = drawn(Kind::zero_one, 2000, 100, 1000, 50'000, 7);  // halved for its items
  std::stop_source stop;
  int told = 0;
  Options options = test::by("table", 2);
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done < progress.total) return;
    ++told;
    stop.request_stop();
  };
  EXPECT_NO_THROW(static_cast<void>(solve(problem, options)));
  EXPECT_EQ(told, 1);
}

TEST(Table, RefusesLessMemoryThanItNeeds) {
  Options options = test::by("table");
  options.max_memory = 1000;
  EXPECT_THROW(static_cast<void>(solve(drawn(Kind::zero_one, 40, 300, 1000, 3000, 5), options)), Error);
}

RC_GTEST_PROP(Table, EveryCapacityNeverFalls, ()) {
  const auto kind = *rc::gen::element(Kind::zero_one, Kind::bounded, Kind::unbounded);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const auto best = every_capacity(drawn(kind, 15, 40, 100, 300, seed), test::by("table")).solution.values;
  RC_ASSERT(std::is_sorted(best.begin(), best.end()));
}

RC_GTEST_PROP(Solve, DoesNotDependOnTheOrderOfItems, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Problem problem = drawn(Kind::bounded, 14, 60, 100, 250, seed);
  std::vector<Item> items = problem.items();
  std::reverse(items.begin(), items.end());
  RC_ASSERT(solve(problem).solution.value == solve(Problem(Kind::bounded, items, 250)).solution.value);
}

}  // namespace
}  // namespace warpfold::knapsack
