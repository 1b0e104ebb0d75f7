#pragma once

#include <cstdint>
#include <vector>

#include "warpfold/machine/algorithm.hpp"

/// Helpers of the algorithms.
namespace warpfold::machine {

using Value = std::int64_t;

/// The machines with one memory, and the HMM. A program that does not use shared memories runs on the HMM as on a UMM.
[[nodiscard]] inline std::vector<Kind> flat_machines() {
  return {Kind::pram, Kind::bpram, Kind::dmm, Kind::umm, Kind::hmm};
}

/// A thread of the HMM, numbered within its multiprocessor. It runs a DMM's program in the shared memories.
[[nodiscard]] inline Thread within_multiprocessor(Thread t) {
  return {t.local_id, t.local_count, t.multiprocessor, t.local_id, t.local_count};
}

/// Raises Error{memory_limit} if a run over that many words of data would exceed the memory of this computer, or the
/// simulation's limit. Call it before any of the data is made.
void check_data(const RunRequest& request, std::uint64_t words);

/// Returns n numbers in 0 .. below-1, the same for the same seed on every machine.
[[nodiscard]] std::vector<Value> random_values(const RunRequest& request, std::uint64_t n, std::uint64_t seed,
                                               std::uint64_t below = 1000);

/// Returns the list of this name, or what `draw` returns.
template <class Draw>
[[nodiscard]] std::vector<Value> given_or(const RunRequest& request, const std::string& name, const Draw& draw) {
  const auto* given = request.list(name);
  return given != nullptr ? *given : draw();
}

/// The `List::size` of a list with one entry for each of the problem's n.
[[nodiscard]] inline std::optional<std::uint64_t> one_each(std::uint64_t entries) { return entries; }

/// Returns the n words of an array: the list "words", or random ones.
[[nodiscard]] std::vector<Value> words_of(const RunRequest& request);
[[nodiscard]] List words_list();

/// Returns a permutation of 0 .. request.n - 1, the same for the same seed on every machine.
[[nodiscard]] std::vector<std::uint32_t> random_permutation(const RunRequest& request);

/// Raises Error{usage} "n is VALUE: ..." unless `accepted`.
void accept_n(const RunRequest& request, bool accepted, const char* what);

/// Raises Error{usage} "NAME is VALUE: ..." unless `accepted`.
void accept_parameter(const char* name, std::uint64_t value, bool accepted, const char* what);

/// Raises Error{usage} unless the threads of an address group are all in one warp.
void accept_warp_of_rows(const Machine& machine);

/// Returns a result with the report, the lower bound of `accesses` accesses, and the papers' optimal time for them.
[[nodiscard]] RunResult result_of(const RunRequest& request, const Simulation& simulation, bool correct,
                                  std::uint64_t accesses);

/// Sets the bound to n/w + n l/p (n/p on the PRAM, n/w + n/p on the BPRAM). For algorithms whose paper states it.
void bound_by_size(RunResult& result, const RunRequest& request);

}  // namespace warpfold::machine
