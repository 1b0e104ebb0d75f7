#include "ranks.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>

#include "warpfold/core/error.hpp"
#include "warpfold/mpi/chain.hpp"
#include "warpfold/mpi/paths.hpp"
#include "warpfold/mpi/products.hpp"
#include "warpfold/mpi/solve.hpp"

namespace warpfold::app {

/// MPI, from its beginning to its end.
class Ranks::Job {
 public:
  Job() {
    int given = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    if (given < MPI_THREAD_FUNNELED) throw Error(ErrorKind::usage, "this MPI does not let a rank have threads");
    ranks_.emplace(MPI_COMM_WORLD);
  }
  ~Job() {
    ranks_.reset();
    MPI_Finalize();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] const mpi::Communicator& ranks() const { return *ranks_; }

 private:
  std::optional<mpi::Communicator> ranks_;
};

Ranks::Ranks() : job_(std::make_unique<Job>()) {
  if (is_first()) return;
  for (std::FILE* stream : {stdout, stderr}) {
    if (!std::freopen("/dev/null", "w", stream)) throw Error(ErrorKind::internal, "/dev/null cannot be written");
  }
}
Ranks::~Ranks() = default;

int Ranks::count() const { return job_->ranks().size(); }
bool Ranks::is_first() const { return job_->ranks().rank() == 0; }
void Ranks::together(const std::function<void()>& action) const { mpi::together(job_->ranks(), action); }

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>& problem, const Options& options) const {
  return mpi::solve(problem, job_->ranks().get(), options);
}

template <class T>
Outcome<interval::ChainSolution> Ranks::solve_by_dp(const interval::MatrixChain& chain, const Options& options) const {
  return mpi::solve_by_dp<T>(chain, job_->ranks().get(), options);
}

template <class T>
Outcome<paths::AllPairs<T>> Ranks::all_pairs(const Matrix<T>& edges, const Options& options,
                                             const paths::Request& request) const {
  return mpi::all_pairs(edges.view(), job_->ranks().get(), options, request);
}

template <class T>
Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring semiring, const MatrixView<const T>& a,
                                             const MatrixView<const T>& b, const Options& options,
                                             bool with_argmin) const {
  return mpi::multiply(semiring, a, b, job_->ranks().get(), options, with_argmin);
}

}  // namespace warpfold::app

#include "ranks_instances.hpp"
