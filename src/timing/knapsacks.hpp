#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "warpfold/knapsack/problem.hpp"

namespace warpfold::knapsack {

/// n items of uniform weights whose sum is about twice the capacity. No instance with this n and capacity is easier.
inline Problem drawn(std::size_t n, std::int64_t capacity) {
  std::mt19937_64 random(1);
  const auto most = static_cast<std::uint64_t>(4 * capacity / static_cast<std::int64_t>(n));
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    items.push_back(
        {static_cast<std::int64_t>(1 + random() % 1000), static_cast<std::int64_t>(1 + random() % most), 1});
  }
  return Problem(Kind::zero_one, std::move(items), capacity);
}

}  // namespace warpfold::knapsack
