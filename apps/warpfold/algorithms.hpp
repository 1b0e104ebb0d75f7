#pragma once

#include <vector>

#include "solve_options.hpp"
#include "warpfold/run/run.hpp"

/// The algorithms that a command accepts.
namespace warpfold::app {

/// A family's own algorithms, and those of the papers' backends that it is handed.
template <class B>
[[nodiscard]] std::vector<AlgorithmInfo> with_papers(std::vector<AlgorithmInfo> own, const std::vector<B>& papers) {
  for (const B& backend : papers) own.push_back(backend.info);
  return own;
}

/// For before anything is read: raises what `choose` raises for the algorithm and the device that were asked for. What
/// follows an algorithm's name and a colon, and whether it takes several GPUs, is left to the solve.
void check_algorithm(const SolveOptions& options, const std::vector<AlgorithmInfo>& accepted);

}  // namespace warpfold::app
