#include "ranks.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>

#include "warpfold/core/error.hpp"
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
Outcome<interval::Solution<T>> Ranks::solve(const polygon::Outline& outline, polygon::Weight weight,
                                            const Options& options) const {
  return mpi::solve<T>(outline, weight, job_->ranks().get(), options);
}

#define WARPFOLD_INSTANTIATE(T)                                                                                     \
  template Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const;    \
  template Outcome<interval::Solution<T>> Ranks::solve<T>(const polygon::Outline&, polygon::Weight, const Options&) \
      const;
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::app
