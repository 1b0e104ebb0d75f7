#pragma once

#include <functional>
#include <memory>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/polygon/triangulation.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::app {

/// This process as a rank of an MPI job: `mpirun -n 4 warpfold ... --ranks`. All ranks do the same; the first alone
/// prints and writes, and says what any of them raises.
class Ranks {
 public:
  /// Raises Error{usage} in a build without MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int count() const;
  [[nodiscard]] bool is_first() const;
  /// Runs action() in every rank; where it fails in one it fails in all.
  void together(const std::function<void()>& action) const;

  template <class T>
  [[nodiscard]] Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem,
                                                     const Options& options) const;
  template <class T>
  [[nodiscard]] Outcome<interval::Solution<T>> solve(const polygon::Outline& outline, polygon::Weight weight,
                                                     const Options& options) const;

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

}  // namespace warpfold::app
