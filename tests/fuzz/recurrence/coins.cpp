#include "warpfold/recurrence/coins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::fuzz {
namespace {

using recurrence::Change;
using recurrence::CoinSystem;

CoinSystem drawn(Bytes& bytes) {
  std::vector<std::int64_t> coins, stock;
  const std::int64_t largest = bytes.pick<std::int64_t>({5, 40, 300});
  const std::size_t count = 1 + bytes.below(8);
  for (std::size_t k = 0; k < count; ++k) coins.push_back(bytes.between(1, largest));
  std::sort(coins.begin(), coins.end());
  coins.erase(std::unique(coins.begin(), coins.end()), coins.end());
  if (bytes.one_in(2)) {
    for (std::size_t k = 0; k < coins.size(); ++k)
      stock.push_back(bytes.between(0, bytes.pick<std::int64_t>({1, 9, 900})));
  }
  return stated([&] { return CoinSystem(coins, stock); });
}

/// The number of ways modulo 2^64, one coin after another.
std::uint64_t ways(const CoinSystem& system, std::size_t amount) {
  std::vector<std::uint64_t> count(amount + 1, 0);
  count[0] = 1;
  for (std::size_t c = 0; c < system.coins().size(); ++c) {
    const auto coin = static_cast<std::size_t>(system.coins()[c]);
    const std::size_t stock = system.is_limited() ? static_cast<std::size_t>(system.stock()[c]) : amount;
    std::vector<std::uint64_t> next(amount + 1, 0);
    for (std::size_t a = 0; a <= amount; ++a) {
      for (std::size_t t = 0; t <= stock && t * coin <= a; ++t) next[a] += count[a - t * coin];
    }
    count = next;
  }
  return count[amount];
}

std::string fewest(const CoinSystem& system, std::int64_t amount, const Options& options) {
  const Change change = fewest_coins(system, amount, options).solution;
  expect(verify(system, amount, change), fmt::format("change of {} by '{}'", amount, options.algorithm));
  return bits(change.fewest);
}

void pay(Bytes& bytes) {
  const CoinSystem system = drawn(bytes);
  const std::int64_t amount = bytes.between(0, bytes.pick<std::int64_t>({30, 200, 900}));
  const std::string problem =
      fmt::format("{} from {} coins{}", amount, system.coins().size(), system.is_limited() ? " in stock" : "");
  const auto solved = [&](const Options& options) { return fewest(system, amount, options); };
  std::vector<std::string> algorithms = {system.is_limited() ? "stock" : "table", ""};
  if (!system.is_limited() && applies([&] { return solved(by("residues")); })) algorithms.emplace_back("residues");
  expect_alike(problem, answer([&] { return solved(by(algorithms.front())); }), algorithms, solved);
  const auto used = [&](const Options& options) { return bits(fewest_coins(system, amount, options).solution.used); };
  expect_each_alike(problem, algorithms, used);
  expect(verify(system, amount, fewest_coins_up_to(system, amount).solution), problem + ", every amount");
  expect_each_alike(problem + ", every amount", {""}, [&](const Options& options) {
    return bits(fewest_coins_up_to(system, amount, options).solution.fewest);
  });

  std::vector<std::int64_t> coins = system.coins();
  const std::int64_t times = bytes.between(2, 5);
  for (std::int64_t& coin : coins) coin *= times;
  const CoinSystem larger(coins, system.stock());
  const auto cost = [](const CoinSystem& coin_system, std::int64_t sum) {
    try {
      return fewest_coins(coin_system, sum).solution.fewest;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::infeasible) throw;
      return std::int64_t{-1};
    }
  };
  expect(cost(system, amount) == cost(larger, times * amount),
         fmt::format("{}: {} times as much takes other coins", problem, times));

  if (amount > 200) return;
  const std::uint64_t modulus = bytes.pick<std::uint64_t>({2, 1000003, std::uint64_t{1} << 32});
  const std::string exact = count_ways(system, amount, 0, false).solution.exact.front();
  expect(verify(system, amount, count_ways(system, amount, 0, true).solution, 0), problem + ", all ways");
  const std::uint64_t counted = ways(system, static_cast<std::size_t>(amount));
  if (exact.size() < 19) expect(exact == fmt::format("{}", counted), problem + ": " + exact + " ways");
  const std::uint64_t remainder = count_ways(system, amount, std::uint64_t{1} << 32, false).solution.modulo.front();
  expect(remainder == counted % (std::uint64_t{1} << 32), problem + ": ways modulo 2^32");
  expect_each_alike(problem + ", ways", {""}, [&](const Options& options) {
    return bits(count_ways(system, amount, modulus, true, options).solution.modulo);
  });
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, warpfold::fuzz::pay);
}
