#pragma once

#include <exception>

#include "warpfold/mpi/ranks.hpp"

namespace warpfold::mpi {

/// The steps that ranks take together. A rank that fails goes on to send and receive until all ranks know. Then all
/// stop after the same step.
class Steps {
 public:
  explicit Steps(const Communicator& ranks) : ranks_(ranks) {}
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// Runs action(), unless this rank has stopped. If it raises, this rank stops.
  template <class Action>
  void attempt(const Action& action) {
    if (stopped_) return;
    try {
      action();
    } catch (...) {
      failure_ = std::current_exception();
      stop();
    }
  }
  void stop() { stopped_ = true; }

  /// Asks the others whether they have stopped. `any_stopped` waits for the answer.
  void ask() {
    any_stopped_ = stopped_ ? 1 : 0;
    MPI_Iallreduce(MPI_IN_PLACE, &any_stopped_, 1, MPI_INT, MPI_MAX, ranks_.get(), &asking_);
  }
  [[nodiscard]] bool any_stopped() {
    MPI_Wait(&asking_, MPI_STATUS_IGNORE);
    return any_stopped_ != 0;
  }

  /// Raises in all ranks the error that one has raised.
  void raise() const {
    together(ranks_, [&] {
      if (failure_) std::rethrow_exception(failure_);
    });
  }

 private:
  const Communicator& ranks_;
  std::exception_ptr failure_;
  bool stopped_ = false;
  int any_stopped_ = 0;
  MPI_Request asking_ = MPI_REQUEST_NULL;
};

}  // namespace warpfold::mpi
