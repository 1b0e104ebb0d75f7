#pragma once

#include <cstdint>
#include <type_traits>

#include "warpfold/minplus/multiply.hpp"
#include "warpfold/mpi/grid.hpp"

/// Products of matrices by all ranks of a communicator. They have the bits of one process, argmin included, for any
/// number of ranks and threads.
///
/// All ranks call with the same semiring and sizes, each from the thread that MPI_THREAD_FUNNELED allows. Threads,
/// memory and device of the options count for each rank. A product runs on a GPU only if the options name one. If they
/// name several, or cuda:all, each rank of a host takes one of them.
///
/// Raises what minplus::multiply raises. An error of one rank is raised in all others, with that rank's number. The
/// report's seconds are those of the whole product, communication included. Its bytes are the maximum of all ranks.
namespace warpfold::mpi {

/// C = plus(C, A (x) B) for matrices that are distributed over the ranks.
///
/// Each rank passes its blocks of A (m x p), B (p x n) and C (m x n), as Grid::block gives them. argmin, if any, is as
/// large as C's block.
///
/// The method is SUMMA (van de Geijn and Watts, Concurrency: Practice and Experience 9(4), 1997). Columns of A are sent
/// along the rows of ranks, and rows of B along the columns, while the previous ones are multiplied.
/// docs/guides/reach.md has the volume of communication and the memory of a rank.
template <class T>
Report accumulate(minplus::Semiring semiring, const minplus::ProductSize& size,
                  std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                  MatrixView<T> c, MPI_Comm comm, const Options& options = {}, MatrixView<std::uint32_t> argmin = {});

/// C = A (x) B, if every rank has all of A and B, for example as mapped files. Every rank gets the whole product. Each
/// computes its block of C; only these blocks are sent.
template <class T>
[[nodiscard]] Outcome<minplus::Product<T>> multiply(minplus::Semiring semiring, MatrixView<const T> a,
                                                    std::type_identity_t<MatrixView<const T>> b, MPI_Comm comm,
                                                    const Options& options = {}, bool with_argmin = false);

}  // namespace warpfold::mpi
