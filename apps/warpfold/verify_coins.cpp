#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "recurrence_input.hpp"
#include "verify.hpp"
#include "warpfold/recurrence/coins.hpp"

namespace warpfold::app {

namespace {

constexpr std::int64_t longest_table = 100'000'000;

/// The textbook's table, a coin and with a stock a piece at a time; -1 where no coins give the amount.
std::vector<std::int32_t> fewest_by_table(const CoinsInput& input) {
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
  for (std::int32_t& count : table) count = count >= none ? -1 : count;
  return table;
}

/// The numbers of ways, modulo.
std::vector<std::uint64_t> ways_modulo(const CoinsInput& input, std::uint64_t modulus) {
  const auto size = static_cast<std::size_t>(input.amount) + 1;
  const auto sum = [modulus](io::Whole a, io::Whole b) { return static_cast<std::uint64_t>((a + b) % modulus); };
  std::vector<std::uint64_t> table(size, 0);
  table[0] = 1 % modulus;
  for (std::size_t j = 0; j < input.coins.size(); ++j) {
    const auto coin = static_cast<std::size_t>(input.coins[j]);
    const auto stock = input.stock.empty() ? input.amount : std::min(input.stock[j], input.amount);
    const std::vector<std::uint64_t> before = table;
    for (std::size_t a = coin; a < size; ++a) {
      table[a] = sum(table[a], table[a - coin]);
      const io::Whole beyond = static_cast<io::Whole>(stock + 1) * static_cast<io::Whole>(coin);
      if (beyond > static_cast<io::Whole>(a)) continue;
      table[a] = sum(table[a], io::Whole{modulus} - before[a - static_cast<std::size_t>(beyond)]);
    }
  }
  return table;
}

/// Exact numbers of ways, of any length, are compared modulo a prime, 2^61 - 1.
Flaw flaw_of_ways(const CoinsInput& input, const Json& solution) {
  constexpr std::uint64_t prime = 2305843009213693951;
  const bool exact = !solution.contains("modulus");
  const auto modulus = exact ? prime : whole<std::uint64_t>(solution.at("modulus"));
  if (modulus == 0) return "'modulus' is 0";
  const std::vector<std::uint64_t> ways = ways_modulo(input, modulus);
  const auto agrees = [&](const Json& stated, std::uint64_t right) {
    if (!exact) return io::whole_digits(stated) == std::to_string(right);
    return residue(stated, modulus) == right;
  };
  if (!agrees(solution.at("ways"), ways.back())) return "the number of ways is wrong";
  if (!solution.contains("all_ways")) return std::nullopt;
  const Json& all = solution.at("all_ways");
  if (!all.is_array() || all.size() != ways.size()) return fmt::format("'all_ways' has not {} entries", ways.size());
  for (std::size_t a = 0; a < ways.size(); ++a) {
    if (!agrees(all[a], ways[a])) return fmt::format("'all_ways' is wrong for the amount {}", a);
  }
  return std::nullopt;
}

Flaw flaw_of_payment(const CoinsInput& input, const Json& solution) {
  std::map<std::int64_t, std::int64_t> used;
  __int128 sum = 0;
  std::int64_t count = 0;
  for (const Json& pair : solution.at("used")) {
    const auto coin = whole<std::int64_t>(pair.at(0));
    const auto pieces = whole<std::int64_t>(pair.at(1));
    const auto at = std::find(input.coins.begin(), input.coins.end(), coin) - input.coins.begin();
    if (at == static_cast<std::ptrdiff_t>(input.coins.size())) return fmt::format("{} is no coin of these", coin);
    if (pieces < 1 || used[coin] != 0) return fmt::format("coin {} is listed {} times", coin, pieces);
    if (!input.stock.empty() && pieces > input.stock[static_cast<std::size_t>(at)]) {
      return fmt::format("coin {} is used {} times, there are {}", coin, pieces,
                         input.stock[static_cast<std::size_t>(at)]);
    }
    used[coin] = pieces;
    sum += static_cast<__int128>(coin) * pieces;
    if (__builtin_add_overflow(count, pieces, &count)) return "more coins are used than can be counted";
  }
  if (sum != input.amount) return fmt::format("the coins add up to {}, the amount is {}", sum, input.amount);
  if (count != whole<std::int64_t>(solution.at("fewest"))) return fmt::format("{} coins are used, not 'fewest'", count);
  if (solution.at("coins").is_null()) return std::nullopt;
  for (const std::int64_t coin : wholes<std::int64_t>(solution.at("coins"))) --used[coin];
  for (const auto& [coin, left] : used) {
    if (left != 0) return fmt::format("'coins' and 'used' differ in coin {}", coin);
  }
  return std::nullopt;
}

/// The fewest coins of an amount, as the command prints it.
Json fewest_json(std::int32_t count) { return count < 0 ? Json(nullptr) : Json(count); }

Flaw flaw_of_all_fewest(const Json& stated, const std::vector<std::int32_t>& fewest) {
  if (!stated.is_array() || stated.size() != fewest.size()) {
    return fmt::format("'all_fewest' has not {} entries", fewest.size());
  }
  for (std::size_t a = 0; a < fewest.size(); ++a) {
    if (stated[a] != fewest_json(fewest[a]) || stated[a].is_number_float()) {
      return fmt::format("'all_fewest' is {} for the amount {}, {} are the fewest", json_text(stated[a]), a, fewest[a]);
    }
  }
  return std::nullopt;
}

}  // namespace

Flaws verify_coins(const std::string& instance, const Json& solution, Coverage& coverage) {
  const CoinsInput input = read_coins(instance);
  naming(instance, [&] { return recurrence::CoinSystem(input.coins, input.stock); });
  if (input.amount < 0) throw Error(ErrorKind::input, fmt::format("{}: the amount is {}", instance, input.amount));
  if (Flaw flaw = flaw_of_run(solution, static_cast<std::size_t>(input.amount))) return {flaw};
  if (solution.contains("used")) {
    if (Flaw flaw = flaw_of_payment(input, solution)) return {flaw};
  } else if (solution.contains("coins")) {
    return {"'used' is missing: what the command prints with --json is accepted"};
  }
  if (solution.at("cost") != solution.at("fewest")) return {std::nullopt, "the cost is not 'fewest'"};
  if (input.amount > longest_table) return {};  // what is used adds up; whether fewer do is another question
  const std::vector<std::int32_t> fewest = fewest_by_table(input);
  const Json& claimed = solution.at("fewest");
  if (claimed != fewest_json(fewest.back()) || claimed.is_number_float()) {
    return {std::nullopt, fmt::format("{} coins are the fewest, {} is claimed", fewest.back(), json_text(claimed))};
  }
  if (solution.contains("all_fewest")) {
    if (Flaw flaw = flaw_of_all_fewest(solution.at("all_fewest"), fewest)) return {std::nullopt, flaw};
  }
  if (solution.contains("ways")) {
    if (Flaw flaw = flaw_of_ways(input, solution)) return {std::nullopt, flaw};
  }
  coverage.is_optimal = true;
  return {};
}

}  // namespace warpfold::app
