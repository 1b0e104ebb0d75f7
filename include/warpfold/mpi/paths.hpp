#pragma once

#include "warpfold/mpi/grid.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::mpi {

/// paths::all_pairs by all ranks of a communicator, on their CPUs: the same bits and successors, for any number of
/// ranks and threads, in every rank. All ranks call it with the same graph; the thread that calls is the one that
/// MPI_Init_thread(MPI_THREAD_FUNNELED) allows. Options::threads is of each rank.
///
/// Every rank has the edges, which may be a file that it maps. Of the table it makes its block of tiles (Grid). Each
/// round of 64 turns has an owner that closes the tile on the diagonal; the ranks of its row and of its column take the
/// turns in theirs, and send what each turn found down the columns of ranks and along the rows; then every rank
/// multiplies. docs/guides/reach.md has the volume of communication.
///
/// T is int32_t, int64_t, float or double; or-and, which one process solves in bits, is refused. Raises what
/// paths::all_pairs raises, of a cycle the same in every rank; what else one rank raises the others raise too, with its
/// number.
template <class T>
[[nodiscard]] Outcome<paths::AllPairs<T>> all_pairs(MatrixView<const T> edges, MPI_Comm comm,
                                                    const Options& options = {}, const paths::Request& request = {});

}  // namespace warpfold::mpi
