#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpfold::sequence::warp {

/// Two series of integers in a type of floating point that holds every sum, relative to the least value of both.
template <class Lane>
struct Converted {
  std::vector<Lane> a, b;

  Converted(std::span<const std::int32_t> of_a, std::span<const std::int32_t> of_b) {
    const std::int64_t origin = std::min(std::ranges::min(of_a), std::ranges::min(of_b));
    for (const auto& [from, to] : {std::pair(of_a, &a), std::pair(of_b, &b)}) {
      to->reserve(from.size());
      for (const std::int32_t value : from) to->push_back(static_cast<Lane>(value - origin));
    }
  }
};

}  // namespace warpfold::sequence::warp
