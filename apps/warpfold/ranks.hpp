#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "command.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"
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
  [[nodiscard]] Outcome<interval::ChainSolution> solve_by_dp(const interval::MatrixChain& chain,
                                                             const Options& options) const;
  template <class T>
  [[nodiscard]] Outcome<paths::AllPairs<T>> all_pairs(const Matrix<T>& edges, const Options& options,
                                                      const paths::Request& request) const;
  template <class T>
  [[nodiscard]] Outcome<minplus::Product<T>> multiply(minplus::Semiring semiring, const MatrixView<const T>& a,
                                                      const MatrixView<const T>& b, const Options& options,
                                                      bool with_argmin) const;

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

/// For commands that ranks solve: --ranks.
void add_ranks_option(Command command, SolveOptions& options);

/// Where --ranks asks for them. Raises Error{usage} for what goes with no ranks.
[[nodiscard]] std::optional<Ranks> ranks_of(const SolveOptions& options);

/// What read() returns, in every rank; where it fails in one it fails in all.
template <class Read>
[[nodiscard]] auto read_by(const std::optional<Ranks>& ranks, const Read& read) {
  std::optional<decltype(read())> found;
  const auto action = [&] { found.emplace(read()); };
  ranks ? ranks->together(action) : action();
  return std::move(*found);
}

/// What ranks have solved: the keys "ranks" and "rank_bytes".
void add_ranks(Json& object, const Ranks& ranks, const Report& report);

}  // namespace warpfold::app
