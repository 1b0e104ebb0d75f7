#pragma once

#include <span>
#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/mpi/ranks.hpp"
#include "warpfold/run/run.hpp"

/// Triangulations by all ranks of a communicator; `mpi::solve_recurrence` says how, and what both raise.
namespace warpfold::mpi {

/// interval::solve by the ranks: the same bits and structure, in every rank. Each has the weights, which may be a file
/// that it maps, or computes those of a formula where it needs them; what it holds besides is its part of the table.
/// Raises Error{input} for a visibility graph. T is int32_t, int64_t, float or double.
///
/// With Device::Kind::cuda a rank solves on a GPU of its host, the first rank there on GPU options.device.index, the
/// next on the next. A GPU has room for the whole table, of which it fills in what its rank makes and needs;
/// super-tiles go from rank to rank through the hosts' memory.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem, MPI_Comm comm,
                                                   const Options& options = {});

/// interval::solve_batch by the ranks: of R ranks the first solves problems 0, R, 2 R, .., the second 1, R+1, .., as
/// the options say, on a GPU of its own if they name one; every rank has all problems, and gets all solutions. The
/// report is the rank's own. What one rank raises the others raise, with its number; Error{memory_limit} where the
/// solutions have 2^31 bytes or more.
template <class T>
[[nodiscard]] Outcome<std::vector<interval::Solution<T>>> solve_batch(
    std::span<const interval::Triangulation<T>> problems, MPI_Comm comm, const Options& options = {});

}  // namespace warpfold::mpi
