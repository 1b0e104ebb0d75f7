#pragma once

#include <cstdint>
#include <type_traits>

#include "warpfold/minplus/multiply.hpp"
#include "warpfold/mpi/grid.hpp"

/// Products by all ranks of a communicator: the bits of one process, argmin included, for any number of ranks and
/// threads. All ranks call with the same semiring and sizes; the thread that calls is the one that
/// MPI_Init_thread(MPI_THREAD_FUNNELED) allows. Options are of each rank: its threads, memory and device. A product
/// runs on a GPU only where the options name one; of several that they name, or cuda:all, each rank of a host takes
/// one.
///
/// Both raise what minplus::multiply raises; what one rank raises the others raise too, with its number. The report's
/// seconds are of the whole, the ways between ranks included, its bytes the most that any rank took.
namespace warpfold::mpi {

/// C = plus(C, A (x) B) of matrices that no rank has as a whole: each has its block of the three (and of argmin, as
/// large as C's), as Grid::block says of m x p, p x n and m x n. SUMMA (van de Geijn and Watts, Concurrency: Practice
/// and Experience 9(4), 1997): owner computes; columns of A go along the rows of ranks and rows of B along the columns,
/// while those before them are multiplied. docs/guides/reach.md has the volume of communication and the memory of a
/// rank.
template <class T>
Report accumulate(minplus::Semiring semiring, const minplus::ProductSize& size,
                  std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                  MatrixView<T> c, MPI_Comm comm, const Options& options = {}, MatrixView<std::uint32_t> argmin = {});

/// minplus::multiply where every rank has A and B, which may be files that it maps, and gets the whole product: it
/// computes its block of C, which alone is sent.
template <class T>
[[nodiscard]] Outcome<minplus::Product<T>> multiply(minplus::Semiring semiring, MatrixView<const T> a,
                                                    std::type_identity_t<MatrixView<const T>> b, MPI_Comm comm,
                                                    const Options& options = {}, bool with_argmin = false);

}  // namespace warpfold::mpi
