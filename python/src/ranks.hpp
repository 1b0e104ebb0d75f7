#pragma once

#include <optional>

#include "binding.hpp"
#include "ranks/ranks.hpp"

namespace warpfold::python {

/// The ranks of a communicator of mpi4py. Raises TypeError if `comm` is not one. Raises Error{usage} in a build without
/// MPI, if mpi4py uses another MPI library, or if MPI does not allow other threads to call it.
[[nodiscard]] Ranks ranks_of(nb::handle comm);

/// The same, or no ranks for Python's None: this process alone.
[[nodiscard]] inline std::optional<Ranks> ranks_if_any(nb::handle comm) {
  return comm.is_none() ? std::nullopt : std::optional(ranks_of(comm));
}

}  // namespace warpfold::python
