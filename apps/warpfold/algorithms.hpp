#pragma once

#include <vector>

#include "solve_options.hpp"
#include "warpfold/run/run.hpp"

/// The algorithms that a command accepts.
namespace warpfold::app {

/// Returns the family's own algorithms and those of the extra backends.
template <class B>
[[nodiscard]] std::vector<AlgorithmInfo> with_papers(std::vector<AlgorithmInfo> own, const std::vector<B>& papers) {
  for (const B& backend : papers) own.push_back(backend.info);
  return own;
}

/// Checks the requested algorithm and device before any file is read. Raises what `choose` raises. Does not check the
/// parameters after an algorithm's name and a colon, or whether the algorithm supports several GPUs: the solve does.
void check_algorithm(const SolveOptions& options, const std::vector<AlgorithmInfo>& accepted);

}  // namespace warpfold::app
