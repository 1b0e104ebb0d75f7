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

/// The ranks of this job if --ranks asks for them, else none. All ranks run the command; from here on the first alone
/// prints and writes, errors of the others included. Raises Error{usage} for an option that --ranks excludes.
[[nodiscard]] std::optional<Ranks> ranks_of(const SolveOptions& options);

/// What read() returns, in every rank. If it fails in one, it fails in all.
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
