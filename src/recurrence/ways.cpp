#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>
#include <cmath>

#include "core/large_vector.hpp"
#include "recurrence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/coins.hpp"

namespace warpfold::recurrence {

namespace {

using Clock = std::chrono::steady_clock;

/// Calls add(a) for the amounts that coin c can end in, in ascending order, and with a limit of s pieces then
/// subtract(a, (s + 1) c) in descending order: the product with 1 / (1 - x^c), and with 1 - x^((s + 1) c).
template <class Add, class Subtract>
void multiply_in(const CoinSystem& system, std::size_t size, Watch& watch, const Add& add, const Subtract& subtract) {
  Ticker ticker(watch, 1 << 16);
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    const auto coin = static_cast<std::uint64_t>(system.coins()[j]);
    for (std::size_t a = coin; a < size; ++a) {
      ticker.tick();
      add(a, static_cast<std::size_t>(coin));
    }
    watch.advance(static_cast<double>(size));
    if (!system.is_limited()) continue;
    const auto beyond = (static_cast<__int128>(system.stock()[j]) + 1) * static_cast<__int128>(coin);
    if (beyond >= static_cast<__int128>(size)) continue;
    for (std::size_t a = size; a-- > static_cast<std::size_t>(beyond);) {
      ticker.tick();
      subtract(a, static_cast<std::size_t>(beyond));
    }
  }
}

/// Limbs that hold the largest count: every coin can be taken at most amount / c times, so there are at most the
/// product of (amount / c + 1) ways. Products of limited coins are below those without limit, which they pass through.
std::size_t limbs_needed(const CoinSystem& system, std::int64_t amount) {
  double bits = 1;
  for (const std::int64_t coin : system.coins()) {
    bits += std::log2(static_cast<double>(amount) / static_cast<double>(coin) + 1) + 1e-6;
  }
  return static_cast<std::size_t>(bits) / GMP_NUMB_BITS + 1;
}

/// Decimal digits of a number of so many limbs, and the string's own size.
std::size_t text_bytes(std::size_t limbs) { return sizeof(std::string) + limbs * GMP_NUMB_BITS * 31 / 100 + 2; }

std::string decimal(const mp_limb_t* limbs, std::size_t count) {
  mpz_t number;
  mpz_init(number);
  mpz_import(number, count, -1, sizeof(mp_limb_t), 0, 0, limbs);
  std::string digits(mpz_sizeinbase(number, 10) + 2, '\0');
  mpz_get_str(digits.data(), 10, number);
  mpz_clear(number);
  digits.resize(digits.find('\0'));
  return digits;
}

std::vector<std::string> exact_ways(const CoinSystem& system, std::size_t size, std::size_t limbs, bool all,
                                    Budget& budget, Watch& watch) {
  std::vector<mp_limb_t> table;
  grow(table, size * limbs, mp_limb_t{0}, watch);
  const auto count = static_cast<mp_size_t>(limbs);
  const auto row = [&](std::size_t a) { return table.data() + a * limbs; };
  row(0)[0] = 1;
  multiply_in(
      system, size, watch, [&](std::size_t a, std::size_t coin) { mpn_add_n(row(a), row(a), row(a - coin), count); },
      [&](std::size_t a, std::size_t beyond) { mpn_sub_n(row(a), row(a), row(a - beyond), count); });
  std::vector<std::string> ways;
  Budget::Share taken = budget.take(all ? size : 1, sizeof(std::string));
  ways.reserve(all ? size : 1);
  Ticker ticker(watch, 1 << 14);
  for (std::size_t a = all ? 0 : size - 1; a < size; ++a) {
    ticker.tick();
    ways.push_back(decimal(row(a), limbs));
    taken.resize(taken.bytes() + ways.back().capacity());
  }
  return ways;
}

std::vector<std::uint64_t> ways_modulo(const CoinSystem& system, std::size_t size, std::uint64_t modulus, bool all,
                                       Watch& watch) {
  std::vector<std::uint64_t> table;
  grow(table, size, std::uint64_t{0}, watch);
  table[0] = 1 % modulus;
  const auto subtract = [&](std::size_t a, std::size_t shift) {
    const std::uint64_t less = table[a - shift];
    table[a] = table[a] >= less ? table[a] - less : table[a] + (modulus - less);
  };
  const auto add = [&](std::size_t a, std::size_t shift) {
    const std::uint64_t room = modulus - table[a - shift];
    table[a] = table[a] >= room ? table[a] - room : table[a] + table[a - shift];
  };
  multiply_in(system, size, watch, add, subtract);
  if (!all) return {table.back()};
  return table;
}

constexpr std::int64_t longest = std::int64_t{1} << 40;

std::size_t table_size(std::int64_t amount) {
  if (amount < 0) throw Error(ErrorKind::input, fmt::format("the amount is {}: 0 or more is accepted", amount));
  return static_cast<std::size_t>(std::min(amount, longest)) + 1;
}

std::string algorithm_for(std::uint64_t modulus) { return modulus == 0 ? "ways" : "ways-mod"; }

}  // namespace

Estimate estimate_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all) {
  const std::size_t size = table_size(amount);
  const std::size_t limbs = modulus == 0 ? limbs_needed(system, amount) : 1;
  Estimate expected{{algorithm_for(modulus), 0, size * limbs * sizeof(mp_limb_t)}};
  expected.operations = static_cast<double>(size) * static_cast<double>(system.coins().size());
  expected.seconds =
      expected.operations * (modulus == 0 ? tuning::ways_seconds + tuning::limb_seconds * static_cast<double>(limbs)
                                          : tuning::ways_modulo_seconds);
  if (system.is_limited()) expected.seconds *= 2;
  if (modulus == 0 && all) expected.bytes += size * text_bytes(limbs);
  return expected;
}

Ways count_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all,
                const Options& options) {
  const auto start = Clock::now();
  const std::size_t size = table_size(amount);
  const std::size_t limbs = modulus == 0 ? limbs_needed(system, amount) : 1;
  Ways ways;
  ways.report.device = "cpu";
  ways.report.algorithm = algorithm_for(modulus);
  Budget budget(options);
  const Budget::Share taken = budget.take(size, limbs * sizeof(mp_limb_t));
  if (amount > longest) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("a table of {} amounts is too long: up to {} is accepted", amount, longest));
  }
  Watch watch(options, static_cast<double>(size) * static_cast<double>(system.coins().size()));
  if (modulus == 0) {
    ways.exact = exact_ways(system, size, limbs, all, budget, watch);
  } else {
    ways.modulo = ways_modulo(system, size, modulus, all, watch);
  }
  ways.report.peak_bytes = budget.peak();
  ways.report.solve_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return ways;
}

}  // namespace warpfold::recurrence
