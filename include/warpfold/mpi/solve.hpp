#pragma once

#include <span>
#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/mpi/ranks.hpp"
#include "warpfold/run/run.hpp"

/// Triangulations by all ranks of a communicator. All ranks call with the same problems, each from the thread that
/// MPI_THREAD_FUNNELED allows. Options count for each rank.
namespace warpfold::mpi {

/// Runs interval::solve on all ranks. Every rank gets the same bits and structure as one process.
///
/// Every rank passes the same weights, for example a mapped file. Weights of a formula are computed where they are
/// needed. Besides, a rank holds its part of the table. T is int32_t, int64_t, float or double.
///
/// Raises what `mpi::solve_recurrence` raises, and Error{input} for a visibility graph. On GPUs it also raises
/// Error{usage} if the options name several GPUs or an algorithm other than "tiled".
///
/// On GPUs (Device::Kind::cuda), each rank uses one GPU: the first rank of a host uses GPU options.device.index, the
/// next rank the next GPU. A GPU has room for the whole table and fills in what its rank makes and needs. One rank
/// needs the whole table and searches the structure on its GPU.
///
/// Ranks of one host write tiles directly into each other's GPU memory by CUDA IPC. This needs the same GPU or NVLink.
/// All other super-tiles go through the hosts' memory in MPI messages. The environment variable WARPFOLD_P2P_DISABLE=1
/// makes all of them go that way.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem, MPI_Comm comm,
                                                   const Options& options = {});

/// Runs interval::solve_batch on all ranks. Every rank passes all problems and gets all solutions.
///
/// Of R ranks, the first solves problems 0, R, 2 R, .., the second 1, R+1, .., and so on. Each does so as its options
/// say. They may name a GPU of its own. The report is the rank's own.
///
/// An error of one rank is raised in all others, with that rank's number. Raises Error{memory_limit} if the solutions
/// have 2^31 bytes or more.
template <class T>
[[nodiscard]] Outcome<std::vector<interval::Solution<T>>> solve_batch(
    std::span<const interval::Triangulation<T>> problems, MPI_Comm comm, const Options& options = {});

}  // namespace warpfold::mpi
