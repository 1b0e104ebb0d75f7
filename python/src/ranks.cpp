#include "ranks.hpp"

#include "warpfold/core/error.hpp"

namespace warpfold::python {

Ranks ranks_of(nb::handle comm) {
  if (!has_mpi()) {
    throw Error(ErrorKind::usage, "this build has no MPI: one by ./dev test --mpi has, in build/mpi/python");
  }
  const nb::module_ mpi = nb::module_::import_("mpi4py.MPI");
  if (!nb::isinstance(comm, mpi.attr("Comm"))) throw nb::type_error("comm: a communicator of mpi4py is accepted");
  const auto theirs = nb::cast<std::string>(mpi.attr("Get_library_version")());
  const std::string ours = mpi_library();
  if (theirs.substr(0, theirs.find('\0')) != ours.substr(0, ours.find('\0'))) {
    throw Error(ErrorKind::usage,
                "mpi4py uses '" + theirs + "': '" + ours + "' is accepted, of which warpfold is built");
  }
  return Ranks::of_communicator(reinterpret_cast<const void*>(nb::cast<std::uintptr_t>(mpi.attr("_addressof")(comm))));
}

}  // namespace warpfold::python
