#include "ranks/ranks.hpp"

#include <array>
#include <cstdio>

#include "warpfold/core/error.hpp"
#include "warpfold/mpi/chain.hpp"
#include "warpfold/mpi/paths.hpp"
#include "warpfold/mpi/products.hpp"
#include "warpfold/mpi/sequences.hpp"
#include "warpfold/mpi/solve.hpp"

namespace warpfold {

namespace {

MPI_Comm value_of(const std::shared_ptr<const void>& comm) { return *static_cast<const MPI_Comm*>(comm.get()); }

}  // namespace

bool has_mpi() { return true; }

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

Ranks Ranks::of_job() {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  if (level < MPI_THREAD_FUNNELED) throw Error(ErrorKind::usage, "this MPI does not let a rank have threads");
  static const MPI_Comm world = MPI_COMM_WORLD;
  return Ranks({&world, [](const void*) { MPI_Finalize(); }});
}

Ranks Ranks::of_communicator(const void* comm) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED) {
    throw Error(ErrorKind::usage,
                "MPI lets one thread call it: MPI.THREAD_SERIALIZED or MPI.THREAD_MULTIPLE is accepted");
  }
  return Ranks(std::make_shared<MPI_Comm>(*static_cast<const MPI_Comm*>(comm)));
}

int Ranks::count() const {
  int count = 0;
  MPI_Comm_size(value_of(comm_), &count);
  return count;
}

bool Ranks::is_first() const {
  int rank = 0;
  MPI_Comm_rank(value_of(comm_), &rank);
  return rank == 0;
}

void Ranks::leave_output_to_first() const {
  if (is_first()) return;
  for (std::FILE* stream : {stdout, stderr}) {
    if (!std::freopen("/dev/null", "w", stream)) throw Error(ErrorKind::internal, "/dev/null cannot be written");
  }
}

void Ranks::together(const std::function<void()>& action) const {
  mpi::together(mpi::Communicator(value_of(comm_)), action);
}

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>& problem, const Options& options) const {
  return mpi::solve(problem, value_of(comm_), options);
}

template <class T>
Outcome<interval::ChainSolution> Ranks::solve_by_dp(const interval::MatrixChain& chain, const Options& options) const {
  return mpi::solve_by_dp<T>(chain, value_of(comm_), options);
}

template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(MatrixView<const T> edges, const Options& options,
                                             const paths::Request& request) const {
  return mpi::all_pairs(edges, value_of(comm_), options, request);
}

template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring semiring, MatrixView<const T> a, MatrixView<const T> b,
                                             const Options& options, bool with_argmin) const {
  return mpi::multiply(semiring, a, b, value_of(comm_), options, with_argmin);
}

Outcome<sequence::Distance> Ranks::edit_distance(const sequence::Coded& pair, const Options& options,
                                                 const sequence::Request& request) const {
  return mpi::edit_distance(pair, value_of(comm_), options, request);
}

Outcome<sequence::Subsequence> Ranks::lcs(const sequence::Coded& pair, const Options& options,
                                          const sequence::Request& request) const {
  return mpi::lcs(pair, value_of(comm_), options, request);
}

}  // namespace warpfold

#include "ranks/instances.hpp"
