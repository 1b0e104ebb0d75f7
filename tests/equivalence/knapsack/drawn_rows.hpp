#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "knapsack/reference.hpp"
#include "knapsack/table.hpp"
#include "warpfold/knapsack/problem.hpp"

namespace warpfold::knapsack {

/// Rows of a table, and the expected results for every capacity.
template <class T>
struct DrawnRows {
  std::vector<Row<T>> rows;
  std::vector<std::int64_t> expected;
};

/// n random items from a seed, without those heavier than the capacity.
template <class T>
DrawnRows<T> drawn_rows(std::size_t n, std::int64_t max_weight, std::int64_t capacity, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Row<T>> rows;
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const auto weight = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(max_weight));
    const auto value = static_cast<std::int64_t>(1 + random() % 1000);
    if (weight > capacity) continue;
    rows.push_back({weight, static_cast<T>(value)});
    items.push_back({value, weight, 1});
  }
  return {rows, reference::every_capacity(Problem(Kind::zero_one, items, capacity))};
}

}  // namespace warpfold::knapsack
