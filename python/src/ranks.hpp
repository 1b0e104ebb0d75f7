#pragma once

#include <cstdint>
#include <optional>

#include "binding.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::python {

/// The ranks of a communicator of mpi4py, in a build with MPI: each calls with the same arguments, and gets the whole.
class Ranks {
 public:
  /// Raises Error{usage} in a build without MPI, or where mpi4py uses another MPI or forbids threads to call it;
  /// TypeError for what is no communicator.
  explicit Ranks(nb::handle comm);

  template <class T>
  [[nodiscard]] Outcome<minplus::Product<T>> multiply(minplus::Semiring semiring, const MatrixView<const T>& a,
                                                      const MatrixView<const T>& b, const Options& options,
                                                      bool with_argmin) const;
  template <class T>
  [[nodiscard]] Outcome<paths::AllPairs<T>> all_pairs(const MatrixView<const T>& edges, const Options& options,
                                                      const paths::Request& request) const;
  template <class T>
  [[nodiscard]] Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem,
                                                     const Options& options) const;

 private:
  std::uintptr_t comm_;  ///< where its MPI_Comm lies
};

[[nodiscard]] bool has_mpi();

/// None for None: this process alone.
[[nodiscard]] inline std::optional<Ranks> ranks_of(nb::handle comm) {
  return comm.is_none() ? std::nullopt : std::optional<Ranks>(comm);
}

}  // namespace warpfold::python
