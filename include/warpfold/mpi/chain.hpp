#pragma once

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/mpi/ranks.hpp"

namespace warpfold::mpi {

/// interval::solve_by_dp by all ranks of a communicator: the same order, in every rank. T is int32_t, int64_t, float or
/// double. `mpi::solve_recurrence` says how, and what both raise; Error{overflow} as solve_by_dp does.
template <class T>
[[nodiscard]] Outcome<interval::ChainSolution> solve_by_dp(const interval::MatrixChain& chain, MPI_Comm comm,
                                                           const Options& options = {});

}  // namespace warpfold::mpi
