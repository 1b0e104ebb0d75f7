#pragma once

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/mpi/ranks.hpp"

namespace warpfold::mpi {

/// Runs interval::solve_by_dp on all ranks of a communicator. Every rank gets the same order and cost as one process.
///
/// T is int32_t, int64_t, float or double. All ranks call it with the same chain, each from the thread that
/// MPI_THREAD_FUNNELED allows. Options::threads counts for each rank.
///
/// Raises what `mpi::solve_recurrence` raises, and Error{overflow} if the cost may not fit an integer type.
template <class T>
[[nodiscard]] Outcome<interval::ChainSolution> solve_by_dp(const interval::MatrixChain& chain, MPI_Comm comm,
                                                           const Options& options = {});

}  // namespace warpfold::mpi
