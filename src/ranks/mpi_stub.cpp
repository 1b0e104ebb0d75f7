// In a build without MPI.
#include "ranks/ranks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold {

namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::usage, "this build has no MPI: ./dev build --mpi makes one that has");
}

}  // namespace

bool has_mpi() { return false; }
std::string mpi_library() { refuse(); }

Ranks Ranks::of_job() { refuse(); }
Ranks Ranks::of_communicator(const void*) { refuse(); }

int Ranks::count() const { refuse(); }
bool Ranks::is_first() const { refuse(); }
void Ranks::leave_output_to_first() const { refuse(); }
void Ranks::together(const std::function<void()>&) const { refuse(); }

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const {
  refuse();
}
template <class T>
Outcome<interval::ChainSolution> Ranks::solve_by_dp(const interval::MatrixChain&, const Options&) const {
  refuse();
}
template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(MatrixView<const T>, const Options&, const paths::Request&) const {
  refuse();
}
template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, MatrixView<const T>, MatrixView<const T>,
                                             const Options&, bool) const {
  refuse();
}
Outcome<sequence::Distance> Ranks::edit_distance(const sequence::Coded&, const Options&,
                                                 const sequence::Request&) const {
  refuse();
}
Outcome<sequence::Subsequence> Ranks::lcs(const sequence::Coded&, const Options&, const sequence::Request&) const {
  refuse();
}

}  // namespace warpfold

#include "ranks/instances.hpp"
