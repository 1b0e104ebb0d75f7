#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold {

[[nodiscard]] bool has_mpi();

/// The MPI library of this build, as MPI_Get_library_version names it.
[[nodiscard]] std::string mpi_library();

/// The ranks of an MPI communicator. It compiles with MPI and without; in a build without MPI every function but
/// has_mpi() raises Error{usage}. All ranks call a function with the same arguments, and each gets the whole solution.
class Ranks {
 public:
  /// The ranks that mpirun started: MPI_COMM_WORLD. Initializes MPI, and finalizes it with the last copy. Raises
  /// Error{usage} if MPI does not allow a rank to have threads.
  [[nodiscard]] static Ranks of_job();
  /// The ranks of the MPI_Comm at this address, in a process that has initialized MPI. Raises Error{usage} if only the
  /// thread that initialized MPI may call it.
  [[nodiscard]] static Ranks of_communicator(const void* comm);

  [[nodiscard]] int count() const;
  [[nodiscard]] bool is_first() const;
  /// Sends the standard output and standard error of every rank but the first to /dev/null.
  void leave_output_to_first() const;
  /// Runs action() in every rank. If it fails in one, it fails in all.
  void together(const std::function<void()>& action) const;

  template <class T>
  [[nodiscard]] Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem,
                                                     const Options& options) const;
  template <class T>
  [[nodiscard]] Outcome<interval::ChainSolution> solve_by_dp(const interval::MatrixChain& chain,
                                                             const Options& options) const;
  template <class T>
  [[nodiscard]] Outcome<paths::AllPairs<T>> all_pairs(MatrixView<const T> edges, const Options& options,
                                                      const paths::Request& request) const;
  template <class T>
  [[nodiscard]] Outcome<minplus::Product<T>> multiply(minplus::Semiring semiring, MatrixView<const T> a,
                                                      MatrixView<const T> b, const Options& options,
                                                      bool with_argmin) const;
  [[nodiscard]] Outcome<sequence::Distance> edit_distance(const sequence::Coded& pair, const Options& options,
                                                          const sequence::Request& request) const;
  [[nodiscard]] Outcome<sequence::Subsequence> lcs(const sequence::Coded& pair, const Options& options,
                                                   const sequence::Request& request) const;

 private:
  explicit Ranks(std::shared_ptr<const void> comm) : comm_(std::move(comm)) {}

  std::shared_ptr<const void> comm_;  ///< an MPI_Comm
};

}  // namespace warpfold
