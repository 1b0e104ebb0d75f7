#include "machine/algorithms/permute.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::machine {

std::vector<std::uint32_t> permutation_of(const RunRequest& request) {
  accept_n(request, request.n <= (std::uint64_t{1} << 31), "at most 2^31 words");
  if (request.permutation.empty()) return random_permutation(static_cast<std::uint32_t>(request.n), request.seed);
  if (request.permutation.size() != request.n) {
    throw Error(ErrorKind::usage, fmt::format("n is {}, but the permutation has {} entries: their number is accepted",
                                              request.n, request.permutation.size()));
  }
  permutation::check_permutation(request.permutation);
  return request.permutation;
}

std::vector<Value> permuted(const std::vector<Value>& values, const std::vector<std::uint32_t>& permutation) {
  std::vector<Value> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[permutation[i]] = values[i];
  return result;
}

std::uint64_t moved(const std::vector<std::uint32_t>& permutation) {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < permutation.size(); ++i) count += permutation[i] != i;
  return count;
}

}  // namespace warpfold::machine
