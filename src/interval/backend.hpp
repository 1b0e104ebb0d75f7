#pragma once

#include <span>
#include <vector>

#include "warpfold/core/run.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/triangulation.hpp"

/// What every backend offers to solve.cpp. A backend fills in the report and leaves it to solve() to refuse what is
/// infeasible. Explicitly instantiated for int32_t, int64_t, float, double.
namespace warpfold::interval {

namespace reference {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report);
}

/// The GPU methods of the 2013 paper (paper_kernels.hpp).
namespace paper {
/// False in a build without CUDA.
[[nodiscard]] bool compiled();

/// By options.algorithm, which is not empty: "bb:256,2".
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report);
}  // namespace paper

/// The tiled solver on a GPU.
namespace cuda {
/// False in a build without CUDA.
[[nodiscard]] bool compiled();

template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report);

/// The matrix chain's recurrence for dimensions p_0 .. p_n. `exact`: every total is a whole number that T holds.
template <class T>
RecurrenceResult<T> solve_chain(std::span<const T> dimensions, bool exact, const Options& options);

template <class T>
std::vector<Solution<T>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options,
                                     Report& report);
}  // namespace cuda

namespace cpu {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report);
}

}  // namespace warpfold::interval
