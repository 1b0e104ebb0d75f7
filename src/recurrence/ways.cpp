#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>
#include <cmath>

#include "core/decimal.hpp"
#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::recurrence {

namespace {

/// Multiplies by the factor of coin c: calls add(a) for the amounts that it can end in, in ascending order, the product
/// with 1 / (1 - x^c). With a limit of s pieces it then calls subtract(a, (s + 1) c) in descending order, the product
/// with 1 - x^((s + 1) c).
template <class Add, class Subtract>
void multiply_in(const CoinSystem& system, std::size_t size, SolveMonitor& monitor, const Add& add,
                 const Subtract& subtract) {
  PeriodicCheck ticker(monitor, 1 << 16);
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    const auto coin = static_cast<std::uint64_t>(system.coins()[j]);
    for (std::size_t a = coin; a < size; ++a) {
      ticker.tick();
      add(a, static_cast<std::size_t>(coin));
    }
    monitor.advance(static_cast<double>(size));
    if (!system.is_limited()) continue;
    const auto beyond = (static_cast<__int128>(system.stock()[j]) + 1) * static_cast<__int128>(coin);
    if (beyond >= static_cast<__int128>(size)) continue;
    for (std::size_t a = size; a-- > static_cast<std::size_t>(beyond);) {
      ticker.tick();
      subtract(a, static_cast<std::size_t>(beyond));
    }
  }
}

/// The number of limbs of the largest count. Every coin can be taken at most amount / c times, so there are at most the
/// product of (amount / c + 1) ways. Products of limited coins are smaller than those without limit, which they pass
/// through.
std::size_t limbs_needed(const CoinSystem& system, std::int64_t amount) {
  double bits = 1;
  for (const std::int64_t coin : system.coins()) {
    bits += std::log2(static_cast<double>(amount) / static_cast<double>(coin) + 1) + 1e-6;
  }
  return static_cast<std::size_t>(bits) / GMP_NUMB_BITS + 1;
}

/// The decimal digits of a number of that many limbs, and the size of the string itself.
std::size_t text_bytes(std::size_t limbs) { return sizeof(std::string) + limbs * GMP_NUMB_BITS * 31 / 100 + 2; }

std::vector<std::string> exact_ways(const CoinSystem& system, std::size_t size, std::size_t limbs, bool all,
                                    Budget& budget, SolveMonitor& monitor) {
  std::vector<mp_limb_t> table;
  grow(table, size * limbs, mp_limb_t{0}, monitor);
  const auto count = static_cast<mp_size_t>(limbs);
  const auto row = [&](std::size_t a) { return table.data() + a * limbs; };
  row(0)[0] = 1;
  multiply_in(
      system, size, monitor, [&](std::size_t a, std::size_t coin) { mpn_add_n(row(a), row(a), row(a - coin), count); },
      [&](std::size_t a, std::size_t beyond) { mpn_sub_n(row(a), row(a), row(a - beyond), count); });
  std::vector<std::string> ways;
  Budget::Reservation taken = budget.reserve(all ? size : 1, sizeof(std::string));
  ways.reserve(all ? size : 1);
  PeriodicCheck ticker(monitor, 1 << 14);
  for (std::size_t a = all ? 0 : size - 1; a < size; ++a) {
    ticker.tick();
    ways.push_back(decimal(row(a), limbs));
    taken.resize(taken.bytes() + ways.back().capacity());
  }
  return ways;
}

std::vector<std::uint64_t> ways_modulo(const CoinSystem& system, std::size_t size, std::uint64_t modulus, bool all,
                                       SolveMonitor& monitor) {
  std::vector<std::uint64_t> table;
  grow(table, size, std::uint64_t{0}, monitor);
  table[0] = 1 % modulus;
  const auto subtract = [&](std::size_t a, std::size_t shift) {
    const std::uint64_t less = table[a - shift];
    table[a] = table[a] >= less ? table[a] - less : table[a] + (modulus - less);
  };
  const auto add = [&](std::size_t a, std::size_t shift) {
    const std::uint64_t room = modulus - table[a - shift];
    table[a] = table[a] >= room ? table[a] - room : table[a] + table[a - shift];
  };
  multiply_in(system, size, monitor, add, subtract);
  if (!all) return {table.back()};
  return table;
}

constexpr std::int64_t longest = std::int64_t{1} << 40;

std::size_t table_size(std::int64_t amount) {
  if (amount < 0) throw Error(ErrorKind::input, fmt::format("the amount is {}: 0 or more is accepted", amount));
  return static_cast<std::size_t>(amount) + 1;
}

/// A count to make.
struct Count {
  const CoinSystem& system;
  std::int64_t amount;
  std::uint64_t modulus;
  bool all;

  [[nodiscard]] std::size_t size() const { return table_size(amount); }
  [[nodiscard]] std::size_t limbs() const { return modulus == 0 ? limbs_needed(system, amount) : 1; }
  [[nodiscard]] double operations() const {
    return static_cast<double>(size()) * static_cast<double>(system.coins().size());
  }
};

Ways count(const Count& asked, Context& context) {
  const std::size_t size = asked.size(), limbs = asked.limbs();
  const Budget::Reservation taken = context.budget.reserve(size, limbs * sizeof(mp_limb_t));
  if (asked.amount > longest) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("a table of {} amounts is too long: up to {} is accepted", asked.amount, longest));
  }
  SolveMonitor monitor(context.options, asked.operations());
  if (asked.modulus > 0) return {{}, ways_modulo(asked.system, size, asked.modulus, asked.all, monitor)};
  return {exact_ways(asked.system, size, limbs, asked.all, context.budget, monitor), {}};
}

std::size_t bytes_needed(const Count& asked, const Options&) {
  const std::size_t texts = asked.modulus == 0 && asked.all ? bytes_of(asked.size(), text_bytes(asked.limbs())) : 0;
  return sum_of_bytes(bytes_of(asked.size(), asked.limbs() * sizeof(mp_limb_t)), texts);
}

using Counter = Backend<Count, Count, Ways>;

double operations_of(const Count& asked) { return asked.operations(); }

/// A limit is one more product.
double seconds_of(const Count& asked, double of_each) {
  return asked.operations() * of_each * (asked.system.is_limited() ? 2 : 1);
}

/// One backend for exact numbers and one with a modulus. There is no choice between them.
std::span<const Counter> counters(bool exact) {
  static const Counter with_limbs = {
      .info = {"ways", "cpu", "exact counts, a coin at a time", "k n additions of as many words as the count has"},
      .bytes = bytes_needed,
      .run = count,
      .operations = operations_of,
      .seconds = [](const Counter&, const Count& asked, const Options&) {
        return seconds_of(asked, tuning::ways_seconds + tuning::limb_seconds * static_cast<double>(asked.limbs()));
      }};
  static const Counter with_modulus = {
      .info = {"ways-mod", "cpu", "counts modulo a number, a coin at a time", "k n additions, 8 n bytes"},
      .bytes = bytes_needed,
      .run = count,
      .operations = operations_of,
      .seconds = [](const Counter&, const Count& asked, const Options&) {
        return seconds_of(asked, tuning::ways_modulo_seconds);
      }};
  return {exact ? &with_limbs : &with_modulus, 1};
}

}  // namespace

Estimate estimate_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all) {
  const Count asked{system, amount, modulus, all};
  return estimate_by(counters(modulus == 0), asked, {});
}

Outcome<Ways> count_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all,
                         const Options& options) {
  const Count asked{system, amount, modulus, all};
  return solve_by(counters(modulus == 0), asked, asked, without_those_of(coin_algorithms(), options));
}

}  // namespace warpfold::recurrence
