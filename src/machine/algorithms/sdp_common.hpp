#pragma once

#include "machine/algorithms/common.hpp"
#include "warpfold/machine/sdp.hpp"

/// The simplified dynamic programming problem as the machine runs it: ST[i] = sum over j of ST[i - a_j], modulo 2^64,
/// so that a term added twice, or not at all, shows. The offsets belong to the program, as the papers have it: reading
/// them costs nothing.
namespace warpfold::machine {

struct SdpProblem {
  std::uint64_t n = 0;
  std::vector<std::uint32_t> offsets;
  std::vector<Word> table;  ///< the first a_0 entries given, the others 0

  [[nodiscard]] std::uint64_t first() const { return offsets.front(); }
  [[nodiscard]] std::uint64_t terms() const { return offsets.size(); }
  /// What no program gets round: each of these entries is written.
  [[nodiscard]] std::uint64_t new_words() const { return n - first(); }
};

/// --terms k different offsets from --smallest .. --largest, and a table of n entries.
/// Raises Error{usage} where the offsets are not there, or n does not exceed a_0.
[[nodiscard]] SdpProblem sdp_problem(const RunRequest& request);

/// The table ST under the names of what a pipeline reads and writes of it.
struct SdpViews {
  Array<Word> operand, own;
};
[[nodiscard]] SdpViews sdp_views(Simulation& simulation, const SdpProblem& problem);

/// One thread's part in a step of a pipeline: ST[i] = ST[i - offset], or ST[i] + ST[i - offset] after the first term.
[[nodiscard]] Program add_term(SdpViews st, std::uint64_t i, std::uint32_t offset, bool first);

/// The table, filled by the definition.
[[nodiscard]] std::vector<Word> sdp_solution(const SdpProblem& problem);

/// Raises Error{usage} "NAME is VALUE: WHAT is accepted" unless `accepted`.
void accept_parameter(bool accepted, const char* name, std::uint64_t value, const char* what);

/// Raises Error{usage} unless there are `needed` threads for `what`.
void need_threads(const RunRequest& request, std::uint64_t needed, const char* what);

/// The report, whether `table` is right, and the papers' counts. On the PRAM, where every memory step takes one time
/// unit, `memory_steps` is the exact time. On the others the step's stages depend on how the offsets fall into banks
/// or groups; the bound takes as many as `width` together of the `active` threads' requests.
[[nodiscard]] RunResult sdp_result(const RunRequest& request, const Simulation& simulation, bool correct,
                                   std::uint64_t words, std::uint64_t memory_steps, std::uint64_t active);

/// The parameters that sdp_problem reads.
[[nodiscard]] std::vector<Parameter> sdp_parameters();

}  // namespace warpfold::machine
