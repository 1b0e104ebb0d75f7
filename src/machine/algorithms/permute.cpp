#include "machine/algorithms/permute.hpp"

#include "warpfold/permutation/plan.hpp"

namespace warpfold::machine {

std::vector<std::uint32_t> permutation_of(const RunRequest& request) {
  accept_n(request, request.n <= (std::uint64_t{1} << 31), "at most 2^31 words");
  const auto* given = request.list("permutation");
  if (given == nullptr) return random_permutation(request);
  std::vector<std::uint32_t> permutation(given->begin(), given->end());
  permutation::check_permutation(permutation);
  return permutation;
}

RunResult permute_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                         const std::vector<Value>& words, const std::vector<std::uint32_t>& permutation) {
  std::vector<Value> expected(words.size());
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    expected[permutation[i]] = words[i];
    moved += permutation[i] != i;
  }
  const auto after = simulation.values(a);
  RunResult result = result_of(request, simulation, after == expected, 2 * moved);
  bound_by_size(result, request);
  result.inputs["permutation"].assign(permutation.begin(), permutation.end());
  result.inputs["words"] = words;
  result.outputs["a"] = after;
  return result;
}

Program move_within_rows(Thread pe, Array<Value> a, const std::vector<std::uint32_t>* destination) {
  for (std::uint64_t i = pe.id; i < a.size(); i += pe.count) {
    const Value x = co_await a.read(i);
    co_await a.write((*destination)[i], x);
  }
}

std::vector<List> permute_lists(const char* meaning) {
  return {{"permutation", meaning, 0, (Value{1} << 31) - 1, "n", one_each}, words_list()};
}

}  // namespace warpfold::machine
