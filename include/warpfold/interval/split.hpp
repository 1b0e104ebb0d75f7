#pragma once

#include <cstdint>

namespace warpfold::interval {

/// How interval (i,j) of an optimum is made: joined from (i,k) and (k,j), i < k < j. In a recurrence of one's own also,
/// with k == i, closed around the inner interval (i+1,j-1) or, with k == j, closed without either.
struct Split {
  std::uint32_t i = 0;
  std::uint32_t k = 0;
  std::uint32_t j = 0;
  bool operator==(const Split&) const = default;
};

}  // namespace warpfold::interval
