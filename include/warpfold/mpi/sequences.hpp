#pragma once

#include "warpfold/mpi/ranks.hpp"
#include "warpfold/sequence/lcs.hpp"

/// Distances of two sequences by all ranks of a communicator. Every rank gets the distance and script of one process,
/// for any number of ranks and threads.
///
/// The recurrences are those of `sequence::edit_distance` and `sequence::lcs`. All cells are computed, by `slices`:
/// similar sequences take one process less time. Request::max_distance restricts the diagonals.
///
/// Strips of rows go to the threads of all ranks in turn. So each rank has as many strips as threads one below the
/// other, and passes the differences along the last row to the next rank, one or two bits a column, as they are
/// computed. For a script each rank keeps what its own strips need. The walk begins where the last row is, and ranks
/// hand it on. Each takes at most the memory for a script that one process takes.
///
/// All ranks call with the same pair and request, each from the thread that MPI_THREAD_FUNNELED allows. Threads and
/// memory of the options count for each rank. Their processors must have vectors of the same length.
///
/// Raises what one process raises, and Error{usage} for sets of symbols, costs other than 1, transpositions, ties
/// `shortest` and `longest` of edits, checkpoints, GPUs, and processors with different vectors. An error of one rank is
/// raised in all others, with that rank's number. The report's bytes are the maximum of all ranks.
namespace warpfold::mpi {

/// Computes what `sequence::edit_distance` of the pair and request gives.
[[nodiscard]] Outcome<sequence::Distance> edit_distance(const sequence::Coded& pair, MPI_Comm comm,
                                                        const Options& options = {},
                                                        const sequence::Request& request = {});

/// Computes what `sequence::lcs` of the pair and request gives.
[[nodiscard]] Outcome<sequence::Subsequence> lcs(const sequence::Coded& pair, MPI_Comm comm,
                                                 const Options& options = {}, const sequence::Request& request = {});

}  // namespace warpfold::mpi
