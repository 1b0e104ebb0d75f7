#include "ranks_option.hpp"

#include "warpfold/core/error.hpp"

namespace warpfold::app {

void add_ranks_option(Command command, SolveOptions& options) {
  command.in(Group::solving)
      .flag("--ranks", options.ranks, "the solve by all ranks of an MPI job: mpirun -n 4 warpfold ... --ranks");
}

std::optional<Ranks> ranks_of(const SolveOptions& options) {
  if (!options.ranks) return std::nullopt;
  if (options.estimate)
    throw Error(ErrorKind::usage, "--ranks and --estimate exclude each other: one of them is accepted");
  Ranks ranks = Ranks::of_job();
  ranks.leave_output_to_first();
  return ranks;
}

void add_ranks(Json& object, const Ranks& ranks, const Report& report) {
  object["ranks"] = ranks.count();
  object["rank_bytes"] = report.peak_bytes;
}

}  // namespace warpfold::app
