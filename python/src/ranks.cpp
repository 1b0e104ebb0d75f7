#include "ranks.hpp"

#include <array>

#include "warpfold/mpi/paths.hpp"
#include "warpfold/mpi/products.hpp"
#include "warpfold/mpi/solve.hpp"

namespace warpfold::python {

namespace {

MPI_Comm at(std::uintptr_t address) { return *reinterpret_cast<const MPI_Comm*>(address); }

/// What this module is linked with; mpi4py says the same of its own.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

void check_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level >= MPI_THREAD_SERIALIZED) return;
  throw Error(ErrorKind::usage,
              "MPI lets one thread call it: MPI.THREAD_SERIALIZED or MPI.THREAD_MULTIPLE is accepted");
}

}  // namespace

bool has_mpi() { return true; }

Ranks::Ranks(nb::handle comm) {
  const nb::module_ mpi = nb::module_::import_("mpi4py.MPI");
  if (!nb::isinstance(comm, mpi.attr("Comm"))) throw nb::type_error("comm: a communicator of mpi4py is accepted");
  const auto theirs = nb::cast<std::string>(mpi.attr("Get_library_version")());
  const std::string ours = library_version();
  if (theirs.substr(0, theirs.find('\0')) != ours.substr(0, ours.find('\0'))) {
    throw Error(ErrorKind::usage,
                "mpi4py uses '" + theirs + "': '" + ours + "' is accepted, of which warpfold is built");
  }
  check_threads();
  comm_ = nb::cast<std::uintptr_t>(mpi.attr("_addressof")(comm));
}

template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring semiring, const MatrixView<const T>& a,
                                             const MatrixView<const T>& b, const Options& options,
                                             bool with_argmin) const {
  return mpi::multiply(semiring, a, b, at(comm_), options, with_argmin);
}

template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(const MatrixView<const T>& edges, const Options& options,
                                             const paths::Request& request) const {
  return mpi::all_pairs(edges, at(comm_), options, request);
}

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>& problem, const Options& options) const {
  return mpi::solve(problem, at(comm_), options);
}

}  // namespace warpfold::python

#include "ranks_instances.hpp"
