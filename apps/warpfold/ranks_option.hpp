#pragma once

#include <optional>
#include <utility>

#include "arguments.hpp"
#include "ranks/ranks.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::app {

/// Adds --ranks, for `mpirun -n 4 warpfold ... --ranks`.
void add_ranks_option(Command command, SolveOptions& options);

/// The ranks of this job with --ranks, otherwise nothing. All ranks run the command. From now on only the first rank
/// prints and writes, including the errors of the others. Raises Error{usage} for an option that --ranks excludes.
[[nodiscard]] std::optional<Ranks> ranks_of(const SolveOptions& options);

/// Returns the result of read() in every rank. If it fails in one, it fails in all.
template <class Read>
[[nodiscard]] auto read_by(const std::optional<Ranks>& ranks, const Read& read) {
  std::optional<decltype(read())> found;
  const auto action = [&] { found.emplace(read()); };
  ranks ? ranks->together(action) : action();
  return std::move(*found);
}

/// Adds the keys "ranks" and "rank_bytes".
void add_ranks(Json& object, const Ranks& ranks, const Report& report);

}  // namespace warpfold::app
