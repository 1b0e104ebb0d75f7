// In a build without MPI.
#include "ranks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::python {

bool has_mpi() { return false; }

Ranks::Ranks(nb::handle) {
  throw Error(ErrorKind::usage, "this build has no MPI: one by ./dev test --mpi has, in build/mpi/python");
}

template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, const MatrixView<const T>&, const MatrixView<const T>&,
                                             const Options&, bool) const {
  return {};
}
template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(const MatrixView<const T>&, const Options&, const paths::Request&) const {
  return {};
}
template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const {
  return {};
}

}  // namespace warpfold::python

#include "ranks_instances.hpp"
