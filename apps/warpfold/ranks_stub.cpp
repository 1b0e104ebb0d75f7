// In a build without MPI.
#include <cstdint>

#include "ranks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

class Ranks::Job {};

Ranks::Ranks() { throw Error(ErrorKind::usage, "this build has no MPI: ./dev build --mpi makes one that has"); }
Ranks::~Ranks() = default;

int Ranks::count() const { return 1; }
bool Ranks::is_first() const { return true; }
void Ranks::together(const std::function<void()>& action) const { action(); }

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const {
  return {};
}

template <class T>
Outcome<interval::ChainSolution> Ranks::solve_by_dp(const interval::MatrixChain&, const Options&) const {
  return {};
}
template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(const Matrix<T>&, const Options&, const paths::Request&) const {
  return {};
}
template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, const MatrixView<const T>&, const MatrixView<const T>&,
                                             const Options&, bool) const {
  return {};
}

}  // namespace warpfold::app

#include "ranks_instances.hpp"
