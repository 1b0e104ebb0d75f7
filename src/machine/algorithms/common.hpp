#pragma once

#include <cstdint>
#include <vector>

#include "warpfold/machine/algorithm.hpp"

/// What the algorithms share.
namespace warpfold::machine {

using Value = std::int64_t;

/// The machines with one memory, and the HMM: programs that leave its shared memories alone run there as on a UMM.
[[nodiscard]] inline std::vector<Kind> flat_machines() {
  return {Kind::pram, Kind::bpram, Kind::dmm, Kind::umm, Kind::hmm};
}

/// A thread of the HMM among those of its multiprocessor: what runs a DMM's program in the shared memories.
[[nodiscard]] inline Thread within_multiprocessor(Thread t) {
  return {t.local_id, t.local_count, t.multiprocessor, t.local_id, t.local_count};
}

/// Raises Error{memory_limit} where a run over so many words of data would not fit the memory of this computer, or the
/// simulation's, before any of them is made.
void check_data(const RunRequest& request, std::uint64_t words);

/// n numbers in 0 .. below-1, the same for the same seed everywhere.
[[nodiscard]] std::vector<Value> random_values(const RunRequest& request, std::uint64_t n, std::uint64_t seed,
                                               std::uint64_t below = 1000);

/// The list of this name, or what `draw` makes.
template <class Draw>
[[nodiscard]] std::vector<Value> given_or(const RunRequest& request, const std::string& name, const Draw& draw) {
  const auto* given = request.list(name);
  return given != nullptr ? *given : draw();
}

/// n entries, each of which stands for one of the problem's.
[[nodiscard]] inline std::optional<std::uint64_t> one_each(std::uint64_t entries) { return entries; }

/// The n words of an array: the list "words", or random ones.
[[nodiscard]] std::vector<Value> words_of(const RunRequest& request);
[[nodiscard]] List words_list();

/// A permutation of 0 .. request.n - 1, the same for the same seed everywhere.
[[nodiscard]] std::vector<std::uint32_t> random_permutation(const RunRequest& request);

/// Raises Error{usage} "n is VALUE: ..." unless `accepted`.
void accept_n(const RunRequest& request, bool accepted, const char* what);

/// Raises Error{usage} "NAME is VALUE: ..." unless `accepted`.
void accept_parameter(const char* name, std::uint64_t value, bool accepted, const char* what);

/// A result with the report, the lower bound of `accesses` accesses and the papers' optimal time for them.
[[nodiscard]] RunResult result_of(const RunRequest& request, const Simulation& simulation, bool correct,
                                  std::uint64_t accesses);

/// Makes n/w + n l/p the bound (n/p on the PRAM, n/w + n/p on the BPRAM), where it is the paper's expression.
void bound_by_size(RunResult& result, const RunRequest& request);

}  // namespace warpfold::machine
