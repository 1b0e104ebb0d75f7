#pragma once

#include "machine/algorithms/common.hpp"
#include "warpfold/machine/sdp.hpp"

/// The simplified dynamic programming problem as the machine runs it: ST[i] = op over j of ST[i - a_j]. The default
/// operation is the sum modulo 2^64, which shows a term that is added twice or not at all. The offsets belong to the
/// program, as in the papers: reading them is free.
namespace warpfold::machine {

struct SdpProblem {
  std::uint64_t n = 0;
  std::vector<std::uint32_t> offsets;
  std::vector<Value> table;  ///< the first a_0 entries given, the others 0
  Value (*combine)(Value, Value) = nullptr;

  [[nodiscard]] std::uint64_t first() const { return offsets.front(); }
  [[nodiscard]] std::uint64_t terms() const { return offsets.size(); }
  /// The entries that every program has to write.
  [[nodiscard]] std::uint64_t new_words() const { return n - first(); }
};

/// Reads the lists "offsets" and "initial". Without them, draws --terms k different offsets from --smallest ..
/// --largest, and random values. Raises Error{usage} if there are not so many offsets, n does not exceed a_0, or the
/// number of initial values is not a_0.
[[nodiscard]] SdpProblem sdp_problem(const RunRequest& request);

/// The table ST, under one name for each read and write of a pipeline.
struct SdpViews {
  Array<Value> operand, own;
};
[[nodiscard]] SdpViews sdp_views(Simulation& simulation, const SdpProblem& problem);

/// Counts how many threads read one element in one step.
class Readers {
 public:
  explicit Readers(std::uint64_t elements) : readers_(elements) {}
  void read(std::uint64_t element);
  void end_step();
  [[nodiscard]] std::uint32_t most() const { return most_; }

 private:
  std::vector<std::uint32_t> readers_;   ///< of each element, in this step
  std::vector<std::uint64_t> elements_;  ///< read in this step
  std::uint32_t most_ = 0;
};

/// Whether thread j of a pipeline adds a term to the element j behind the head.
[[nodiscard]] inline bool is_active(const SdpProblem& problem, std::uint64_t head, std::uint64_t j) {
  return head >= problem.first() + j && head - j < problem.n;
}

/// Returns the largest number of threads that read one operand in one step of the p-fold pipeline's run, whose head
/// goes to `last`. A run that is shorter than the pipeline stays below `read_collisions` of the offsets.
[[nodiscard]] std::uint32_t collisions_of_run(const SdpProblem& problem, std::uint64_t fold, std::uint64_t last);

/// Returns the number of steps of that run in which all threads work.
[[nodiscard]] std::uint64_t full_steps(const SdpProblem& problem, std::uint64_t fold, std::uint64_t last);

/// One thread's part in a step of a pipeline: ST[i] = ST[i - a_j], or ST[i] op ST[i - a_j] if j > 0.
[[nodiscard]] Program add_term(SdpViews st, const SdpProblem* problem, std::uint64_t i, std::uint64_t j);

/// Raises Error{usage} "NAME is VALUE: WHAT is accepted" unless `accepted`.
void accept_parameter(bool accepted, const char* name, std::uint64_t value, const char* what);

/// Raises Error{usage} unless there are `needed` threads for `what`.
void need_threads(const RunRequest& request, std::uint64_t needed, const char* what);

/// Returns the report, whether `table` is correct, and the papers' counts. On the PRAM every memory step takes one time
/// unit, so `memory_steps` is the exact time. On the others the stages of a step depend on how the offsets fall into
/// banks or groups. There the bound assumes `width` of the `active` threads' requests per stage.
[[nodiscard]] RunResult sdp_result(const RunRequest& request, const Simulation& simulation, bool correct,
                                   std::uint64_t words, std::uint64_t memory_steps, std::uint64_t active);

/// Returns the result of a run on `problem` that left its table in `st`.
[[nodiscard]] RunResult sdp_result(const RunRequest& request, Simulation& simulation, const SdpProblem& problem,
                                   Array<Value> st, std::uint64_t memory_steps, std::uint64_t active);

/// Describes an algorithm for this problem. It takes what `sdp_problem` reads, and its own parameters `own`.
[[nodiscard]] Algorithm sdp_algorithm(std::string_view name, std::string_view description, std::string_view source,
                                      RunResult (*run)(const RunRequest&), bool has_printed_form = false,
                                      const std::vector<Parameter>& own = {});

}  // namespace warpfold::machine
