#pragma once

#include "warpfold/mpi/grid.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::mpi {

/// Runs paths::all_pairs on the CPUs of all ranks of a communicator. Every rank gets the same bits and successors as
/// one process, for any number of ranks and threads.
///
/// Every rank passes the same edges, for example a mapped file. T is int32_t, int64_t, float or double.
/// Options::threads counts for each rank. All ranks call it with the same graph, each from the thread that
/// MPI_THREAD_FUNNELED allows.
///
/// Raises what paths::all_pairs raises, and Error{usage} for or-and, which one process solves in bits. A negative cycle
/// is the same in every rank. Any other error of one rank is raised in all others, with that rank's number.
///
/// Method: each rank computes its block of tiles of the table (Grid). In each round of 64 turns an owner closes the
/// tile on the diagonal. The ranks of its row and column take the turns in their tiles, and send each turn's result
/// along their rows and columns of ranks. Then every rank multiplies. docs/guides/reach.md has the volume of
/// communication.
template <class T>
[[nodiscard]] Outcome<paths::AllPairs<T>> all_pairs(MatrixView<const T> edges, MPI_Comm comm,
                                                    const Options& options = {}, const paths::Request& request = {});

}  // namespace warpfold::mpi
