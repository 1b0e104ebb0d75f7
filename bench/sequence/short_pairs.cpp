// How long does one pair of 64 symbols take beside the bare loop of its word with an adder?
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../question.hpp"
#include "warpfold/sequence/batch.hpp"

namespace {

using namespace warpfold;

using ShortSymbols = std::array<std::uint8_t, 64>;
using MatchWords = std::array<std::uint64_t, 256>;

ShortSymbols drawn_letters(std::mt19937_64& random) {
  ShortSymbols symbols;
  for (auto& symbol : symbols) symbol = static_cast<std::uint8_t>('a' + random() % 10);
  return symbols;
}

MatchWords matches_of(const ShortSymbols& a) {
  MatchWords matches{};
  for (std::size_t i = 0; i < a.size(); ++i) matches[a[i]] |= std::uint64_t{1} << i;
  return matches;
}

/// The equations of Hyyro (2003) for 64 rows in a word, with the matches given.
std::uint64_t bare_distance(const MatchWords& matches, const ShortSymbols& b) {
  std::uint64_t plus = ~std::uint64_t{0}, minus = 0, distance = 64;
  for (const std::uint8_t symbol : b) {
    const std::uint64_t match = matches[symbol];
    const std::uint64_t zero = (((match & plus) + plus) ^ plus) | match | minus;
    std::uint64_t row_plus = minus | ~(zero | plus), row_minus = plus & zero;
    distance += row_plus >> 63;
    distance -= row_minus >> 63;
    row_plus = row_plus << 1 | 1;
    row_minus <<= 1;
    plus = row_minus | ~(zero | row_plus);
    minus = row_plus & zero;
  }
  return distance;
}

/// One of many pairs, in turn, so that no branch is known beforehand.
template <class Solve>
void measure_short(const char* name, const std::vector<ShortSymbols>& pairs, const Solve& solve) {
  constexpr int rounds = 2000;
  std::uint64_t sum = 0;
  const auto timing = bench::measure(21, [&] {
    for (int round = 0; round < rounds; ++round) sum += solve(pairs[static_cast<std::size_t>(round) % pairs.size()]);
  });
  bench::require(sum > 0, name);
  bench::keep({{"work", name}, {"seconds", timing.median_seconds / rounds}, {"spread", timing.spread}});
}

const bench::Question short_pairs_question("short_pairs", [](const bench::Arguments&) {
  std::mt19937_64 random(1);
  const ShortSymbols a = drawn_letters(random);
  std::vector<ShortSymbols> others(64);
  for (auto& other : others) other = drawn_letters(random);
  const std::span<const std::uint8_t> first(a);
  const MatchWords matches = matches_of(a);
  const sequence::Pattern pattern{sequence::SymbolView(first)};
  for (const ShortSymbols& other : others) {
    const std::uint64_t expected = bare_distance(matches, other);
    bench::require(pattern.distance(std::span<const std::uint8_t>(other)) == expected, "a kept pattern");
    bench::require(sequence::short_distance(first, other) == expected, "two sequences");
  }
  measure_short("the bare loop", others, [&](const ShortSymbols& b) { return bare_distance(matches, b); });
  measure_short("a kept pattern", others,
                [&](const ShortSymbols& b) { return pattern.distance(std::span<const std::uint8_t>(b)); });
  measure_short("two sequences", others, [&](const ShortSymbols& b) { return sequence::short_distance(first, b); });
});

}  // namespace
