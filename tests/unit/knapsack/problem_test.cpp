#include "warpfold/knapsack/problem.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::knapsack {
namespace {

constexpr std::int64_t huge = std::int64_t{1} << 60;

void expect_refused(Kind kind, const std::vector<Item>& items, std::int64_t capacity, const std::string& part,
                    ErrorKind expected = ErrorKind::input) {
  try {
    static_cast<void>(Problem(kind, items, capacity));
    FAIL() << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), expected) << part;
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Problems, RefuseWhatCannotBeSolved) {
  expect_refused(Kind::zero_one, {}, -1, "capacity -1");
  expect_refused(Kind::zero_one, {{1, 1, 1}, {-2, 1, 1}}, 5, "item 1: value -2");
  expect_refused(Kind::zero_one, {{1, -7, 1}}, 5, "item 0: weight -7");
  expect_refused(Kind::zero_one, {{1, 1, 2}}, 5, "2 copies in a 0-1 problem");
  expect_refused(Kind::bounded, {{1, 1, -1}}, 5, "copies -1");
  expect_refused(Kind::unbounded, {{1, 0, 1}}, 5, "infinite");
}

TEST(Problems, OfNoKindAreRefused) {
  try {
    const Problem problem(static_cast<Kind>(7), {{1, 1}}, 5);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "kind 7 is unknown");
  }
}

TEST(Problems, WhoseTotalsDoNotFitOverflow) {
  expect_refused(Kind::zero_one, {{huge, 1, 1}, {huge, 1, 1}}, 5, "item 1: the total value no longer fits",
                 ErrorKind::overflow);
  expect_refused(Kind::bounded, {{1, huge, 3}}, 4 * huge, "weight no longer fits", ErrorKind::overflow);
  expect_refused(Kind::bounded, {{huge / 2, 0, 1000}}, 5, "value no longer fits", ErrorKind::overflow);
  expect_refused(Kind::unbounded, {{huge / 2, 1, 1}}, 5, "value no longer fits", ErrorKind::overflow);
}

TEST(Problems, ValuesJustWithinTheLimitAreExact) {
  const Problem problem(Kind::zero_one, {{huge, 3, 1}, {huge - 1, 3, 1}}, 5);
  const auto [solution, report] = solve(problem);
  EXPECT_EQ(solution.value, huge);
  EXPECT_EQ(solution.copies, (std::vector<std::int64_t>{1, 0}));
  Request narrow;
  narrow.dtype = "i32";
  EXPECT_THROW(static_cast<void>(solve(problem, {}, narrow)), Error);
}

TEST(Problems, HeavyWeightlessAndMissingItemsAreNoTrouble) {
  const Problem problem(Kind::zero_one, {{5, 0, 1}, {7, 100, 1}, {0, 0, 1}, {3, 9, 1}, {4, 9, 1}}, 10);
  for (const std::string algorithm : {"", "core", "table", "reference"}) {
    Options options;
    options.algorithm = algorithm;
    const auto [solution, report] = solve(problem, options);
    EXPECT_EQ(solution.value, 9) << algorithm;
    EXPECT_EQ(solution.weight, 9) << algorithm;
  }
  EXPECT_EQ(solve(Problem(Kind::zero_one, {}, 0)).solution.value, 0);
  EXPECT_EQ(every_capacity(Problem(Kind::zero_one, {{5, 0, 1}}, 0)).solution.values, std::vector<std::int64_t>{5});
}

TEST(Problems, CapacityBeyondAllMemoryNeedsNoTable) {
  const Problem problem(Kind::zero_one, {{5, 10, 1}, {7, 100, 1}}, huge);
  EXPECT_EQ(solve(problem).solution.value, 12);
  Options table;
  table.algorithm = "table";
  EXPECT_EQ(solve(problem, table).solution.value, 12) << "what fits all together is packed without one";
  EXPECT_THROW(static_cast<void>(solve(problem, table, {false, ""})), Error);
  EXPECT_THROW(static_cast<void>(every_capacity(problem)), Error);
}

TEST(Problems, UnboundedCapacityShrinksToWhatMatters) {
  const Problem problem(Kind::unbounded, {{10, 7, 1}, {13, 10, 1}, {1, 1, 1}}, std::int64_t{1} << 50);
  const auto [solution, report] = solve(problem);
  EXPECT_EQ(verify(problem, solution).violation, std::nullopt);
  EXPECT_GE(solution.value, ((std::int64_t{1} << 50) / 7) * 10);
  EXPECT_LT(report.peak_bytes, 10000U);
}

TEST(Pieces, SumToEveryNumberOfCopies) {
  for (std::int64_t copies = 0; copies < 40; ++copies) {
    const auto list = pieces(Problem(Kind::bounded, {{1, 1, copies}}, 1000));
    std::vector<bool> reached(static_cast<std::size_t>(copies) + 1, false);
    for (unsigned set = 0; set < 1U << list.size(); ++set) {
      std::int64_t sum = 0;
      for (unsigned p = 0; p < list.size(); ++p) sum += set >> p & 1 ? list[p].count : 0;
      ASSERT_LE(sum, copies);
      reached[static_cast<std::size_t>(sum)] = true;
    }
    EXPECT_TRUE(std::all_of(reached.begin(), reached.end(), [](bool hit) { return hit; })) << copies;
  }
}

TEST(Generator, ClassesAreWhatTheirNamesSay) {
  const auto items = [](const char* name) { return generate({name, 200, 1000, 50, 100, 7}).items(); };
  for (const Item& item : items("strongly-correlated")) EXPECT_EQ(item.value, item.weight + 100);
  for (const Item& item : items("inverse-strongly-correlated")) EXPECT_EQ(item.weight, item.value + 100);
  for (const Item& item : items("weakly-correlated")) EXPECT_LE(std::abs(item.value - item.weight), 100);
  for (const Item& item : items("almost-strongly-correlated")) EXPECT_LE(std::abs(item.value - item.weight - 100), 2);
  for (const Item& item : items("subset-sum")) EXPECT_EQ(item.value, item.weight);
  for (const Item& item : items("even-odd-subset-sum")) EXPECT_EQ(item.weight % 2, 0);
  for (const Item& item : items("even-odd-knapsack")) EXPECT_EQ(item.value, item.weight + 100);
  for (const Item& item : items("similar-weights")) EXPECT_GE(item.weight, 100000);
  for (const Item& item : items("multiple-strongly-correlated")) {
    EXPECT_EQ(item.value, item.weight + (item.weight % 6 == 0 ? 300 : 200));
  }
  for (const Item& item : items("profit-ceiling")) EXPECT_EQ(item.value % 3, 0);
  for (const Item& item : items("circle")) EXPECT_LE(item.value, 2 * 2000 / 3);
  EXPECT_EQ(generate({"even-odd-knapsack", 20, 100, 50, 100, 7}).capacity() % 2, 1);
}

TEST(Generator, IsTheSameForTheSameSeedAndDiffersForAnother) {
  for (const std::string& name : generator_classes()) {
    EXPECT_EQ(generate({name, 50, 1000, 50, 100, 7}).items(), generate({name, 50, 1000, 50, 100, 7}).items());
    EXPECT_NE(generate({name, 50, 1000, 50, 100, 7}).items(), generate({name, 50, 1000, 50, 100, 8}).items());
  }
}

TEST(Generator, RefusesNonsense) {
  EXPECT_THROW(static_cast<void>(generate({"nonsense", 50, 1000, 50, 100, 7})), Error);
  EXPECT_THROW(static_cast<void>(generate({"circle", 0, 1000, 50, 100, 7})), Error);
  EXPECT_THROW(static_cast<void>(generate({"circle", 10, 0, 50, 100, 7})), Error);
  EXPECT_THROW(static_cast<void>(generate({"circle", 10, 10, 101, 100, 7})), Error);
}

template <class Solve>
void expect_no_solve_begins(const Solve& solve_with, const std::string& name) {
  std::stop_source stop;
  stop.request_stop();
  Options stopped;
  stopped.stop = stop.get_token();
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  for (const auto& [options, kind] :
       {std::pair(stopped, ErrorKind::cancelled), std::pair(late, ErrorKind::time_limit)}) {
    try {
      solve_with(options);
      ADD_FAILURE() << name << " solved";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << name;
    }
  }
}

TEST(Solve, DoesNotBeginAfterAStopOrTheDeadlineHoweverSmallTheProblem) {
  for (const Kind kind : {Kind::zero_one, Kind::bounded, Kind::unbounded}) {
    const Problem problem(kind, {{5, 2, 1}, {3, 1, 1}}, 2);
    for (const char* algorithm : {"", "core", "table", "reference"}) {
      if (kind == Kind::unbounded && algorithm == std::string("core")) continue;
      const auto with_algorithm = [&](Options options) {
        options.algorithm = algorithm;
        static_cast<void>(solve(problem, options));
      };
      expect_no_solve_begins(with_algorithm, algorithm);
    }
    expect_no_solve_begins([&](const Options& options) { static_cast<void>(every_capacity(problem, options)); },
                           "every capacity");
  }
}

TEST(Problems, UnboundedWithNothingWorthPackingNeedNoTable) {
  const std::int64_t capacity = 1'000'000'000'000;
  for (const std::vector<Item>& items : {std::vector<Item>(), {{0, 3}}, {{0, 0}}, {{7, capacity + 1}}}) {
    const Problem problem(Kind::unbounded, items, capacity);
    const auto outcome = solve(problem);
    EXPECT_EQ(outcome.solution.value, 0);
    EXPECT_EQ(outcome.solution.copies, std::vector<std::int64_t>(items.size(), 0));
    EXPECT_LT(outcome.report.peak_bytes, 10'000);
    EXPECT_LT(estimate(problem).bytes, 10'000);
  }
}

TEST(SubsetSums, AreCountedByNoAlgorithmThatIsUnknown) {
  const SubsetSum problem({3, 5}, 8);
  Options options;
  options.algorithm = "bitset";  // an algorithm of `solve` with the same options
  EXPECT_EQ(count_subsets(problem, 0, options).solution.digits, "1");
  options.algorithm = "no-such-algorithm";
  EXPECT_THROW(static_cast<void>(count_subsets(problem, 0, options)), Error);
}

TEST(SubsetSums, AreNotCountedOnAGpu) {
  Options options;
  options.device = parse_device("cuda");
  try {
    static_cast<void>(count_subsets(SubsetSum({3, 5}, 8), 0, options));
    FAIL() << "they were";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device) << error.what();
  }
}

TEST(SubsetSums, AreNotBegunAfterAStopOrTheDeadlineHoweverSmallTheProblem) {
  const SubsetSum problem({3, 5, 9}, 10);
  for (const char* algorithm : {"", "core", "bitset"}) {
    const auto with_algorithm = [&](Options options) {
      options.algorithm = algorithm;
      static_cast<void>(solve(problem, options));
    };
    expect_no_solve_begins(with_algorithm, algorithm);
  }
  expect_no_solve_begins([&](const Options& options) { static_cast<void>(count_subsets(problem, 0, options)); },
                         "count");
}

TEST(Solve, EveryListedAlgorithmRunsOrSaysWhyNot) {
  const Problem problem = generate({"uncorrelated", 50, 100, 50, 100, 7});
  for (const AlgorithmInfo& info : algorithms()) {
    Options options;
    options.algorithm = info.name;
    if (info.device == "cuda") continue;
    EXPECT_EQ(solve(problem, options).report.algorithm, info.name);
  }
  Options unknown;
  unknown.algorithm = "nonsense";
  EXPECT_THROW(static_cast<void>(solve(problem, unknown)), Error);
}

TEST(SubsetSums, MoveTheTargetByTheirNegativeNumbers) {
  const SubsetSum problem({7, -3, 0, -4}, 2);
  EXPECT_EQ(problem.deficit(), 7);
  EXPECT_EQ(problem.total(), 14);
  const SubsetSum magnitudes = problem.of_magnitudes();
  EXPECT_EQ(magnitudes.numbers(), (std::vector<std::int64_t>{7, 3, 0, 4}));
  EXPECT_EQ(magnitudes.target(), 9);
  EXPECT_EQ(magnitudes.deficit(), 0);
  EXPECT_EQ(SubsetSum({7, 3}, 2).deficit(), 0);
  EXPECT_EQ(SubsetSum({}, 0).deficit(), 0);
  EXPECT_EQ(SubsetSum({-5}, -5).of_magnitudes().target(), 0);
}

}  // namespace
}  // namespace warpfold::knapsack
