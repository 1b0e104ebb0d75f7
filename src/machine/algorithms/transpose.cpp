#include "machine/algorithms/transpose.hpp"

#include <cmath>

namespace warpfold::machine {

std::uint32_t side_of(const RunRequest& request) {
  const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(request.n))));
  accept_n(request, side * side == request.n && side < 65536, "a square below 2^32 (the words of the whole array)");
  return static_cast<std::uint32_t>(side);
}

std::vector<Value> transposed(std::span<const Value> a, std::uint64_t side) {
  std::vector<Value> result(a.size());
  for (std::uint64_t i = 0; i < a.size(); ++i) result[i % side * side + i / side] = a[i];
  return result;
}

}  // namespace warpfold::machine
