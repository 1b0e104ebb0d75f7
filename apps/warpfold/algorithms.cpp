#include "algorithms.hpp"

#include "warpfold/run/backend.hpp"

namespace warpfold::app {

void check_algorithm(const SolveOptions& options, const std::vector<AlgorithmInfo>& accepted) {
  std::vector<Candidate> candidates;
  for (const AlgorithmInfo& info : accepted) candidates.push_back({&info, 0, {}, true, true});
  static_cast<void>(choose(candidates, options.resolve(), [](std::size_t /*on_cpu*/) { return true; }));
}

}  // namespace warpfold::app
