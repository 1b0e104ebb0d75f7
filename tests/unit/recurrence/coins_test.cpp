#include "warpfold/recurrence/coins.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {
namespace {

using Amounts = std::vector<std::int64_t>;

constexpr std::int64_t no_payment = std::numeric_limits<std::int64_t>::max() / 2;

/// The fewest coins and the number of ways, by trying every multiset.
struct Tried {
  std::int64_t fewest = no_payment;
  std::uint64_t ways = 0;
};
Tried try_all(const CoinSystem& system, std::int64_t amount, std::size_t coin = 0, std::int64_t used = 0) {
  if (coin == system.coins().size()) return amount == 0 ? Tried{used, 1} : Tried{};
  Tried best;
  const std::int64_t stock = system.is_limited() ? system.stock()[coin] : amount;
  for (std::int64_t t = 0; t <= stock && t * system.coins()[coin] <= amount; ++t) {
    const Tried rest = try_all(system, amount - t * system.coins()[coin], coin + 1, used + t);
    best.fewest = std::min(best.fewest, rest.fewest);
    best.ways += rest.ways;
  }
  return best;
}

CoinSystem draw(std::mt19937_64& random, std::int64_t largest, std::size_t count, bool limited) {
  Amounts coins, stock;
  while (coins.size() < count) {
    const auto coin = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(largest));
    if (std::find(coins.begin(), coins.end(), coin) == coins.end()) coins.push_back(coin);
  }
  for (std::size_t j = 0; limited && j < count; ++j) stock.push_back(static_cast<std::int64_t>(random() % 5));
  return CoinSystem(coins, stock);
}

void expect_pays(const CoinSystem& system, std::int64_t amount, const Change& change) {
  ASSERT_EQ(change.used.size(), system.coins().size());
  std::int64_t sum = 0, count = 0;
  for (std::size_t j = 0; j < change.used.size(); ++j) {
    EXPECT_GE(change.used[j], 0);
    if (system.is_limited()) {
      EXPECT_LE(change.used[j], system.stock()[j]);
    }
    sum += change.used[j] * system.coins()[j];
    count += change.used[j];
  }
  EXPECT_EQ(sum, amount);
  EXPECT_EQ(count, change.fewest);
}

TEST(Coins, AreAsFewAsTryingEverythingFinds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const CoinSystem system = draw(random, 20, 1 + random() % 4, round % 2 == 1);
    const auto amount = static_cast<std::int64_t>(random() % 45);
    const Tried tried = try_all(system, amount);
    if (tried.fewest == no_payment) {
      EXPECT_THROW((void)fewest_coins(system, amount), Error);
    } else {
      const auto [change, change_report] = fewest_coins(system, amount);
      EXPECT_EQ(change.fewest, tried.fewest);
      expect_pays(system, amount, change);
    }
    const std::int32_t last = fewest_coins_up_to(system, amount).solution.fewest.back();
    EXPECT_EQ(last, tried.fewest == no_payment ? -1 : tried.fewest);
    EXPECT_EQ(count_ways(system, amount, 0, false).solution.exact.front(), std::to_string(tried.ways));
    EXPECT_EQ(count_ways(system, amount, 7, false).solution.modulo.front(), tried.ways % 7);
  }
}

TEST(Coins, ByResiduesAreAsFewAsByTheTable) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    const CoinSystem system = draw(random, 1 + static_cast<std::int64_t>(random() % 60) + 6, 1 + random() % 6, false);
    const auto amount = static_cast<std::int64_t>(random() % 5000);
    const auto table = fewest_coins_up_to(system, amount).solution.fewest;
    if (table.back() < 0) {
      EXPECT_THROW((void)fewest_coins(system, amount), Error);
      continue;
    }
    Options by_table;
    by_table.algorithm = "table";
    for (const Change& change :
         {fewest_coins(system, amount).solution, fewest_coins(system, amount, by_table).solution}) {
      EXPECT_EQ(change.fewest, table.back());
      expect_pays(system, amount, change);
    }
  }
}

TEST(Coins, ManyKindsGoThroughTheVectorSolverAndAgree) {
  std::mt19937_64 random(3);
  const CoinSystem many = draw(random, 900, 80, false);
  const auto by_blocks = fewest_coins_up_to(many, 3000).solution.fewest;
  std::vector<std::int32_t> plain(3001, -1);
  plain[0] = 0;
  for (std::int64_t a = 1; a <= 3000; ++a) {
    for (const std::int64_t coin : many.coins()) {
      if (coin > a || plain[static_cast<std::size_t>(a - coin)] < 0) continue;
      auto& best = plain[static_cast<std::size_t>(a)];
      const std::int32_t candidate = plain[static_cast<std::size_t>(a - coin)] + 1;
      best = best < 0 ? candidate : std::min(best, candidate);
    }
  }
  EXPECT_EQ(by_blocks, plain);
}

TEST(Coins, OfHugeAmountsNeedNoTable) {
  const CoinSystem euro({1, 2, 5, 10, 20, 50, 100, 200});
  const auto [change, change_report] = fewest_coins(euro, 1'000'000'000'000'000'099);
  expect_pays(euro, 1'000'000'000'000'000'099, change);
  EXPECT_EQ(change.fewest, 5'000'000'000'000'000 + 6);  // 99 = 50 + 20 + 20 + 5 + 2 + 2
  EXPECT_LT(change_report.peak_bytes, 10000u);
}

TEST(Coins, OfManyKindsAndASmallAmountGoByTheTable) {
  std::vector<std::int64_t> coins;
  for (std::int64_t coin = 1; coin <= 40'000; ++coin) coins.push_back(20 * coin + 1);
  const CoinSystem many(coins);
  EXPECT_EQ(fewest_coins(many, 800'002).report.algorithm, "table");
  EXPECT_EQ(estimate_fewest(many, 800'002, false).algorithm, "table");
  EXPECT_EQ(fewest_coins(CoinSystem({1, 5, 9}), 1'000'000'000'000).report.algorithm, "residues");
}

TEST(Coins, GreedyFailsWhereTheDefaultIsRight) {
  EXPECT_EQ(fewest_coins(CoinSystem({1, 5, 10, 25, 20}), 40).solution.fewest, 2);
  EXPECT_EQ(fewest_coins(CoinSystem({4, 9}), 12).solution.fewest,
            3);  // the residues' best payment, 5 nines, is above 12
}

TEST(Coins, WithAStockTakeWhatTheEstimateSays) {
  for (const std::int64_t stock : {3, 300, 30000}) {
    const CoinSystem system({1, 7, 13}, {stock, stock, stock});
    for (const std::int64_t amount : {0, 3, 60, 1023, 1024, 30000}) {
      for (const bool all : {false, true}) {
        if (!all && 21 * stock < amount) continue;  // not to be paid
        const std::size_t peak =
            all ? fewest_coins_up_to(system, amount).report.peak_bytes : fewest_coins(system, amount).report.peak_bytes;
        const Estimate expected = estimate_fewest(system, amount, all);
        EXPECT_LE(expected.bytes, peak) << amount << " of " << stock;
        EXPECT_GE(expected.worst_case->bytes, peak) << amount << " of " << stock;
        if (amount > 1023) continue;  // its queue may grow
        EXPECT_EQ(expected.bytes, peak) << amount << " of " << stock;
      }
    }
  }
}

TEST(Coins, StockOfEnoughIsNoLimit) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const CoinSystem unlimited = draw(random, 30, 4, false);
    const CoinSystem limited(unlimited.coins(), Amounts(4, 2000));
    EXPECT_EQ(fewest_coins_up_to(unlimited, 1500).solution.fewest, fewest_coins_up_to(limited, 1500).solution.fewest);
    EXPECT_EQ(count_ways(unlimited, 700, 0, true).solution.exact, count_ways(limited, 700, 0, true).solution.exact);
  }
}

TEST(Ways, AreExactBeyond64Bits) {
  // Partitions of 1000 (one of the numbers Ramanujan and Hardy's formula was first checked on).
  Amounts parts(1000);
  std::iota(parts.begin(), parts.end(), 1);
  EXPECT_EQ(count_ways(CoinSystem(parts), 1000, 0, false).solution.exact.front(), "24061467864032622473692149727991");
  const auto [modulo, modulo_report] = count_ways(CoinSystem(parts), 1000, 1'000'000'007, true);
  EXPECT_EQ(modulo.modulo.size(), 1001u);
  const auto [exact, exact_report] = count_ways(CoinSystem(parts), 300, 0, true);
  EXPECT_EQ(exact.exact[100], "190569292");
  EXPECT_EQ(modulo.modulo[100], 190569292u);
}

TEST(Ways, AreCountedByNoAlgorithmThatIsUnknown) {
  const CoinSystem system({2, 3});
  Options options;
  options.algorithm = "table";  // an algorithm of the fewest coins with the same options
  EXPECT_EQ(count_ways(system, 6, 0, false, options).solution.exact.front(), "2");
  options.algorithm = "no-such-algorithm";
  EXPECT_THROW(static_cast<void>(count_ways(system, 6, 0, false, options)), Error);
  EXPECT_THROW(static_cast<void>(count_ways(system, 6, 5, true, options)), Error);
}

TEST(Ways, ModuloTheLargestModulusDoNotWrap) {
  const std::uint64_t modulus = std::numeric_limits<std::uint64_t>::max();
  Amounts parts(500);
  std::iota(parts.begin(), parts.end(), 1);
  const CoinSystem system(parts, Amounts(500, 3));
  const auto [exact, exact_report] = count_ways(system, 500, 0, false);
  unsigned __int128 rest = 0;
  for (const char digit : exact.exact.front()) rest = (rest * 10 + static_cast<unsigned>(digit - '0')) % modulus;
  EXPECT_EQ(count_ways(system, 500, modulus, false).solution.modulo.front(), static_cast<std::uint64_t>(rest));
}

std::string refusal(const std::function<void()>& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "accepted";
}

TEST(CoinSystem, CountsACoinThatIsGivenTwiceOnce) {
  EXPECT_EQ(CoinSystem({5, 1, 5, 10, 1}).coins(), (Amounts{5, 1, 10}));
}

TEST(CoinSystem, RefusesWhatMakesNoSense) {
  EXPECT_NE(refusal([] { CoinSystem({}); }, ErrorKind::input).find("no coins"), std::string::npos);
  EXPECT_NE(refusal([] { CoinSystem({5, 0}); }, ErrorKind::input).find("coin 0"), std::string::npos);
  EXPECT_NE(refusal(
                [] {
                  CoinSystem({5, 3, 5}, {1, 1, 1});
                },
                ErrorKind::input)
                .find("coin 5 occurs twice"),
            std::string::npos);
  EXPECT_NE(refusal([] { CoinSystem({5, 3}, {1}); }, ErrorKind::input).find("stock has 1"), std::string::npos);
  EXPECT_NE(refusal([] { CoinSystem({5}, {-1}); }, ErrorKind::input).find("-1"), std::string::npos);
  const CoinSystem even({2, 4});
  EXPECT_NE(refusal([&] { (void)fewest_coins(even, 7); }, ErrorKind::infeasible).find("7"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)fewest_coins(even, -1); }, ErrorKind::input).find("-1"), std::string::npos);
  EXPECT_EQ(fewest_coins(even, 0).solution.fewest, 0);
  EXPECT_EQ(count_ways(even, 0, 0, false).solution.exact.front(), "1");
  Options little;
  little.max_memory = 1000;
  EXPECT_NE(refusal([&] { (void)fewest_coins_up_to(even, 4000, little); }, ErrorKind::memory_limit).find("1000"),
            std::string::npos);
  EXPECT_NE(refusal([&] { (void)count_ways(even, 4000, 0, false, little); }, ErrorKind::memory_limit), "accepted");
}

TEST(Ways, AreEstimatedAsTheTableThatTheyNeedHoweverLong) {
  const CoinSystem system({3});
  constexpr std::size_t word = 8;
  EXPECT_EQ(estimate_ways(system, std::int64_t{1} << 41, 5, true).bytes, ((std::size_t{1} << 41) + 1) * word);
  EXPECT_EQ(estimate_ways(system, std::numeric_limits<std::int64_t>::max(), 5, true).bytes,
            std::numeric_limits<std::size_t>::max());  // 2^64 or more
}

TEST(Coins, AreNotCountedAfterAStopOrTheDeadlineHoweverSmallTheAmount) {
  std::stop_source stop;
  stop.request_stop();
  Options stopped;
  stopped.stop = stop.get_token();
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  const CoinSystem coins({2, 3});
  const CoinSystem limited({2, 3}, {5, 5});
  for (const Options& options : {stopped, late}) {
    for (const CoinSystem* system : {&coins, &limited}) {
      EXPECT_THROW(static_cast<void>(fewest_coins(*system, 7, options)), Error);
      EXPECT_THROW(static_cast<void>(fewest_coins_up_to(*system, 7, options)), Error);
      EXPECT_THROW(static_cast<void>(count_ways(*system, 7, 0, false, options)), Error);
      EXPECT_THROW(static_cast<void>(count_ways(*system, 7, 5, true, options)), Error);
    }
  }
}

}  // namespace
}  // namespace warpfold::recurrence
