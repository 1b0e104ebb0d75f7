#pragma once

#include <vector>

#include "result.hpp"

/// `warpfold bench all`: one row for each kind of problem.
namespace warpfold::app {

/// What all rows share. `quick` takes small problems.
struct BenchConditions {
  Options options;
  std::uint64_t seed = 1;
  int repeats = 5;
  bool quick = false;
};

/// Measures all problems. Each answer is checked before it is timed: raises Error{internal} for a wrong one. A problem
/// that no algorithm solves on a GPU runs on the CPU. `tell` gets each row as soon as it is measured.
[[nodiscard]] std::vector<Json> bench_all(const BenchConditions& conditions,
                                          const std::function<void(const Json&)>& tell);

}  // namespace warpfold::app
