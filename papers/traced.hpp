#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/drawing.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/trace_file.hpp"

/// Runs of the machine's algorithms that are drawn: everything in a drawing comes from the trace of a run.
namespace warpfold::papers {

struct TracedRun {
  std::string command;  ///< that repeats it
  machine::RunResult result;
  machine::Recorder trace;
};

/// Runs it with a trace; where n is 0, n follows from the lists.
[[nodiscard]] TracedRun traced(std::string_view algorithm, machine::RunRequest request);

/// A thread at an element of the table.
struct Visit {
  std::uint32_t thread = 0;
  std::uint64_t element = 0;
  std::int64_t value = 0;  ///< what it read or wrote
};

/// A step of a pipeline: the memory steps up to the next one that writes.
struct Step {
  std::vector<Visit> operands;  ///< reads, but for those of the element that the thread itself writes
  std::vector<Visit> writes;
};

/// The steps of a run on the PRAM whose threads each update one element of its first array a step.
[[nodiscard]] std::vector<Step> steps_of(const TracedRun& run);

/// How a paper counts, and how many terms an element has: none where it is given.
struct Table1d {
  std::function<std::uint64_t(std::uint64_t element)> terms;
  std::uint32_t first_thread = 0, first_element = 0;
};

/// Threads x elements over time: which thread adds a term to which element, which one reads it, which elements are
/// final, and which were read too early; and what the table holds after each step, against what is `right` in the end.
[[nodiscard]] Part step_part(const TracedRun& run, const Table1d& table, const std::vector<std::int64_t>& right);
/// The same of a run that is right.
[[nodiscard]] Part step_part(const TracedRun& run, const Table1d& table);

/// The problem ST[i] = sum over j of ST[i - a_j] on the PRAM: its initial values are 1, 2, 3, .., chosen by us.
[[nodiscard]] machine::RunRequest sdp_request(const std::vector<std::int64_t>& offsets, std::uint64_t n,
                                              std::uint32_t threads);
[[nodiscard]] Table1d sdp_table(const std::vector<std::int64_t>& offsets);

/// A read of an element that still lacked a term.
struct EarlyRead {
  std::size_t step = 0;  ///< counted from 1
  Visit visit;
};
[[nodiscard]] std::vector<EarlyRead> early_reads(const TracedRun& run, const Table1d& table);

/// When each address is accessed: a row for each memory step, a column for each address of the first array, the threads
/// in the cells, called as the paper does.
[[nodiscard]] Grid access_grid(const TracedRun& run, const std::string& title, const char* thread);

/// The pipeline of a step: a row for each stage, a column for each bank (DMM) or word of a group (UMM), addresses in
/// the cells.
[[nodiscard]] Grid stage_grid(const TracedRun& run, const std::string& title);

}  // namespace warpfold::papers
