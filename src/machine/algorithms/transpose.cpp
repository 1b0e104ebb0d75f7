#include "machine/algorithms/transpose.hpp"

#include <cmath>

namespace warpfold::machine {

std::uint32_t side_of(const RunRequest& request) {
  const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(request.n))));
  accept_n(request, side * side == request.n && side < 65536, "a square below 2^32 (the words of the whole array)");
  return static_cast<std::uint32_t>(side);
}

std::vector<Value> transposed(const std::vector<Value>& words, std::uint64_t side) {
  std::vector<Value> expected(words.size());
  for (std::uint64_t i = 0; i < words.size(); ++i) expected[i % side * side + i / side] = words[i];
  return expected;
}

RunResult transpose_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                           const std::vector<Value>& words, std::uint64_t side) {
  const auto after = simulation.values(a);
  RunResult result = result_of(request, simulation, after == transposed(words, side), 2 * (request.n - side));
  bound_by_size(result, request);
  result.inputs["words"] = words;
  result.outputs["a"] = after;
  return result;
}

}  // namespace warpfold::machine
