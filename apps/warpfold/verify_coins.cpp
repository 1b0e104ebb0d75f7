#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "recurrence_input.hpp"
#include "verify.hpp"

namespace warpfold::app {

namespace {

constexpr std::int64_t longest_table = 100'000'000;

/// The textbook's table, a coin and with a stock a piece at a time; -1 where no coins give the amount.
std::int64_t fewest_by_table(const CoinsInput& input) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max() / 2;
  const auto size = static_cast<std::size_t>(input.amount) + 1;
  std::vector<std::int32_t> table(size, none);
  table[0] = 0;
  for (std::size_t j = 0; j < input.coins.size(); ++j) {
    const auto coin = static_cast<std::size_t>(input.coins[j]);
    const auto most = input.amount / input.coins[j];
    if (input.stock.empty() || input.stock[j] >= most) {
      for (std::size_t a = coin; a < size; ++a) table[a] = std::min(table[a], table[a - coin] + 1);
    } else {
      // Binary pieces: 1, 2, 4, .. and the rest give every number up to the stock.
      for (std::int64_t left = input.stock[j], piece = 1; left > 0; left -= piece, piece *= 2) {
        piece = std::min(piece, left);
        const auto shift = coin * static_cast<std::size_t>(piece);
        for (std::size_t a = size; a-- > shift;) {
          table[a] = std::min(table[a], table[a - shift] + static_cast<std::int32_t>(piece));
        }
      }
    }
  }
  return table.back() >= none ? -1 : table.back();
}

/// The number of ways modulo a number up to 2^61.
std::uint64_t ways_modulo(const CoinsInput& input, std::uint64_t modulus) {
  const auto size = static_cast<std::size_t>(input.amount) + 1;
  std::vector<std::uint64_t> table(size, 0);
  table[0] = 1 % modulus;
  for (std::size_t j = 0; j < input.coins.size(); ++j) {
    const auto coin = static_cast<std::size_t>(input.coins[j]);
    const auto stock = input.stock.empty() ? input.amount : std::min(input.stock[j], input.amount);
    const std::vector<std::uint64_t> before = table;
    for (std::size_t a = coin; a < size; ++a) {
      table[a] = (table[a] + table[a - coin]) % modulus;
      const auto beyond = static_cast<__int128>(stock + 1) * static_cast<__int128>(coin);
      if (beyond <= static_cast<__int128>(a)) {
        table[a] = (table[a] + modulus - before[a - static_cast<std::size_t>(beyond)]) % modulus;
      }
    }
  }
  return table.back();
}

/// The number of ways, rounded: of an exact count that a JSON reader has rounded, too.
double ways_rounded(const CoinsInput& input) {
  const auto size = static_cast<std::size_t>(input.amount) + 1;
  std::vector<double> table(size, 0);
  table[0] = 1;
  for (std::size_t j = 0; j < input.coins.size(); ++j) {
    const auto coin = static_cast<std::size_t>(input.coins[j]);
    const auto most = static_cast<std::size_t>(input.amount) / coin;
    const std::size_t stock = input.stock.empty() ? most : std::min(static_cast<std::size_t>(input.stock[j]), most);
    for (std::size_t a = size; a-- > coin && stock < most;) {  // no subtraction, which would cancel digits
      for (std::size_t t = 1; t <= stock && t * coin <= a; ++t) table[a] += table[a - t * coin];
    }
    for (std::size_t a = coin; a < size && stock == most; ++a) table[a] += table[a - coin];
  }
  return table.back();
}

Flaw flaw_of_ways(const CoinsInput& input, const Json& solution) {
  constexpr std::uint64_t prime = 2305843009213693951;  // 2^61 - 1
  const Json& ways = solution.at("ways");
  bool agrees = false;
  if (ways.is_number_float()) {
    agrees = std::abs(ways.get<double>() / ways_rounded(input) - 1) < 1e-9;
  } else {
    const auto modulus = solution.value("modulus", prime);
    if (modulus > prime) throw Error(ErrorKind::time_limit, "ways are verified modulo up to 2^61 - 1");
    agrees = ways.get<std::uint64_t>() % modulus == ways_modulo(input, modulus);
  }
  return agrees ? Flaw() : "the number of ways is wrong";
}

Flaw flaw_of_payment(const CoinsInput& input, const Json& solution) {
  std::map<std::int64_t, std::int64_t> used;
  __int128 sum = 0;
  std::int64_t count = 0;
  for (const Json& pair : solution.at("used")) {
    const auto coin = pair.at(0).get<std::int64_t>();
    const auto pieces = pair.at(1).get<std::int64_t>();
    const auto at = std::find(input.coins.begin(), input.coins.end(), coin) - input.coins.begin();
    if (at == static_cast<std::ptrdiff_t>(input.coins.size())) return fmt::format("{} is no coin of these", coin);
    if (pieces < 1 || used[coin] != 0) return fmt::format("coin {} is listed {} times", coin, pieces);
    if (!input.stock.empty() && pieces > input.stock[static_cast<std::size_t>(at)]) {
      return fmt::format("coin {} is used {} times, there are {}", coin, pieces,
                         input.stock[static_cast<std::size_t>(at)]);
    }
    used[coin] = pieces;
    sum += static_cast<__int128>(coin) * pieces;
    count += pieces;
  }
  if (sum != input.amount) return fmt::format("the coins add up to {}, the amount is {}", sum, input.amount);
  if (count != solution.at("fewest").get<std::int64_t>()) return fmt::format("{} coins are used, not 'fewest'", count);
  if (solution.at("cost") != solution.at("fewest")) return "the cost is not 'fewest'";
  if (solution.at("coins").is_null()) return std::nullopt;
  for (const Json& coin : solution.at("coins")) --used[coin.get<std::int64_t>()];
  for (const auto& [coin, left] : used) {
    if (left != 0) return fmt::format("'coins' and 'used' differ in coin {}", coin);
  }
  return std::nullopt;
}

}  // namespace

Flaw verify_coins(const std::string& instance, const Json& solution) {
  const CoinsInput input = read_coins(instance);
  if (solution.at("status") != "optimal") return "the status is not 'optimal'";
  if (solution.contains("used")) {
    if (auto flaw = flaw_of_payment(input, solution)) return flaw;
  }
  if (input.amount > longest_table) {
    throw Error(ErrorKind::time_limit, fmt::format("the payment is right; that no fewer coins do is verified up to {}, the "
                                              "amount is {}",
                                              longest_table, input.amount));
  }
  const std::int64_t fewest = fewest_by_table(input);
  const Json& claimed = solution.at("fewest");
  if (claimed.is_null() ? fewest != -1 : claimed.get<std::int64_t>() != fewest) {
    return fmt::format("{} coins are the fewest, {} is claimed", fewest, claimed.dump());
  }
  return solution.contains("ways") ? flaw_of_ways(input, solution) : std::nullopt;
}

}  // namespace warpfold::app
