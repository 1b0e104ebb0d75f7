#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/problem.hpp"

namespace warpfold::knapsack {

namespace {

/// Uniform integers that are the same on every platform. Those of std::uniform_int_distribution are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t first, std::int64_t last) {
    const auto width = static_cast<unsigned __int128>(last - first) + 1;
    return first + static_cast<std::int64_t>((width * engine_()) >> 64);
  }

 private:
  std::mt19937_64 engine_;
};

Item correlated(int strength, std::int64_t range, Random& random) {
  const std::int64_t weight = random.between(1, range);
  if (strength == 0) return {random.between(1, range), weight, 1};
  const std::int64_t tenth = std::max<std::int64_t>(range / 10, 1);
  if (strength == 1) return {std::max<std::int64_t>(random.between(weight - tenth, weight + tenth), 1), weight, 1};
  return {weight + tenth, weight, 1};
}

/// `span(2, 10)`: every item is a multiple, up to tenfold, of one of two small ones.
std::vector<Item> span(int strength, std::size_t n, std::int64_t range, Random& random) {
  constexpr std::int64_t multiples = 10;
  Item base[2];
  for (Item& item : base) {
    item = correlated(strength, range, random);
    item.value = (2 * item.value + multiples - 1) / multiples;
    item.weight = (2 * item.weight + multiples - 1) / multiples;
  }
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const Item& item = base[i % 2];
    const std::int64_t factor = random.between(1, multiples);
    items.push_back({factor * item.value, factor * item.weight, 1});
  }
  return items;
}

Item draw(const std::string& name, std::int64_t range, Random& random) {
  const std::int64_t tenth = std::max<std::int64_t>(range / 10, 1);
  if (name == "uncorrelated") return correlated(0, range, random);
  if (name == "weakly-correlated") return correlated(1, range, random);
  if (name == "strongly-correlated") return correlated(2, range, random);
  if (name == "similar-weights") return {random.between(1, 1000), random.between(100000, 100100), 1};
  if (name == "inverse-strongly-correlated") {
    const std::int64_t value = random.between(1, range);
    return {value, value + tenth, 1};
  }
  const std::int64_t weight = random.between(1, range);
  if (name == "almost-strongly-correlated") {
    const std::int64_t noise = range / 500;
    return {std::max<std::int64_t>(weight + tenth + random.between(-noise, noise), 1), weight, 1};
  }
  if (name == "subset-sum") return {weight, weight, 1};
  if (name == "even-odd-subset-sum") return {2 * ((weight + 1) / 2), 2 * ((weight + 1) / 2), 1};
  if (name == "even-odd-knapsack") return {2 * ((weight + 1) / 2) + tenth, 2 * ((weight + 1) / 2), 1};
  if (name == "multiple-strongly-correlated") {
    return {weight + (weight % 6 == 0 ? 3 * range / 10 : 2 * range / 10), weight, 1};
  }
  if (name == "profit-ceiling") return {3 * ((weight + 2) / 3), weight, 1};
  const double from_center = static_cast<double>(weight - 2 * range);  // circle
  const double diameter = 2.0 * static_cast<double>(range);
  const double height = std::sqrt(diameter * diameter - from_center * from_center);
  return {static_cast<std::int64_t>(2.0 / 3.0 * height), weight, 1};
}

}  // namespace

const std::vector<std::string>& generator_classes() {
  static const std::vector<std::string> names = {"uncorrelated",
                                                 "weakly-correlated",
                                                 "strongly-correlated",
                                                 "inverse-strongly-correlated",
                                                 "almost-strongly-correlated",
                                                 "subset-sum",
                                                 "even-odd-subset-sum",
                                                 "even-odd-knapsack",
                                                 "similar-weights",
                                                 "span-uncorrelated",
                                                 "span-weakly-correlated",
                                                 "span-strongly-correlated",
                                                 "multiple-strongly-correlated",
                                                 "profit-ceiling",
                                                 "circle"};
  return names;
}

Problem generate(const Generator& generator) {
  const auto& names = generator_classes();
  if (std::find(names.begin(), names.end(), generator.name) == names.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("class '{}' is unknown: {} are accepted", generator.name, fmt::join(names, ", ")));
  }
  if (generator.range < 1 || generator.range > 1'000'000'000'000) {
    throw Error(ErrorKind::usage, fmt::format("range {}: 1 to 10^12 is accepted", generator.range));
  }
  if (generator.series < 1 || generator.series_length < generator.series || generator.series_length > 1'000'000) {
    throw Error(ErrorKind::usage,
                fmt::format("series {} of a series length of {}: 1 <= series <= series length <= 10^6 "
                            "is accepted",
                            generator.series, generator.series_length));
  }
  if (generator.n < 1 || generator.n > 100'000'000) {
    throw Error(ErrorKind::usage, fmt::format("{} items: 1 to 10^8 are accepted", generator.n));
  }
  Random random(generator.seed);
  std::vector<Item> items;
  if (generator.name.starts_with("span-")) {
    const int strength = generator.name == "span-uncorrelated" ? 0 : generator.name == "span-weakly-correlated" ? 1 : 2;
    items = span(strength, generator.n, generator.range, random);
  } else {
    while (items.size() < generator.n) items.push_back(draw(generator.name, generator.range, random));
  }
  __int128 total = 0;
  std::int64_t heaviest = 0;
  for (const Item& item : items) {
    total += item.weight;
    heaviest = std::max(heaviest, item.weight);
  }
  auto capacity = static_cast<std::int64_t>(total * generator.series / (generator.series_length + 1));
  capacity = std::max(capacity, heaviest);  // Pisinger's programs let every item fit
  if (generator.name.starts_with("even-odd")) capacity |= 1;
  return Problem(Kind::zero_one, std::move(items), capacity);
}

}  // namespace warpfold::knapsack
