#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/drawing.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/trace_file.hpp"

/// Runs of the machine's algorithms for drawings. Everything in a drawing comes from the trace of a run.
namespace warpfold::papers {

struct TracedRun {
  std::string command;  ///< that repeats it
  machine::RunResult result;
  machine::Recorder trace;
};

/// Runs an algorithm with a trace. If n is 0, it follows from the lists.
[[nodiscard]] TracedRun traced(std::string_view algorithm, machine::RunRequest request);

/// A thread at an element of the table.
struct Visit {
  std::uint32_t thread = 0;
  std::uint64_t element = 0;
  std::int64_t value = 0;  ///< the value that it read or wrote
};

/// A step of a pipeline: the memory steps up to and including the next one that writes.
struct Step {
  std::vector<Visit> operands;  ///< reads, except of the element that the thread itself writes
  std::vector<Visit> writes;
};

/// The steps of a run on the PRAM in which each thread updates one element of its first array per step.
[[nodiscard]] std::vector<Step> steps_of(const TracedRun& run);

/// How a paper counts elements and threads, and the number of terms of an element: 0 if it is given.
struct Table1d {
  std::function<std::uint64_t(std::uint64_t element)> terms;
  std::uint32_t first_thread = 0, first_element = 0;
};

/// A grid of threads and elements over time: which thread adds a term to which element, which reads it, which elements
/// are final, and which were read too early. Also shows the table after each step, compared with the `right` final
/// values.
[[nodiscard]] Part step_part(const TracedRun& run, const Table1d& table, const std::vector<std::int64_t>& right);
/// The same for a run whose result is right.
[[nodiscard]] Part step_part(const TracedRun& run, const Table1d& table);

/// The problem ST[i] = sum over j of ST[i - a_j] on the PRAM. We chose its initial values 1, 2, 3, ..
[[nodiscard]] machine::RunRequest sdp_request(const std::vector<std::int64_t>& offsets, std::uint64_t n,
                                              std::uint32_t threads);
[[nodiscard]] Table1d sdp_table(const std::vector<std::int64_t>& offsets);

/// A read of an element that still lacked a term.
struct EarlyRead {
  std::size_t step = 0;  ///< counted from 1
  Visit visit;
};
[[nodiscard]] std::vector<EarlyRead> early_reads(const TracedRun& run, const Table1d& table);

/// The machine with its threads, warps, memory management unit and banks, as the papers draw it. The first warp's
/// requests stand at the address lines: one for each bank on the DMM, one for all banks on the UMM.
[[nodiscard]] Graph architecture(const TracedRun& run);

/// The place of each address of the first array: a row for each address group, a column for each bank. The color is
/// that of what the machine serves in one time unit per address: banks on the DMM, groups on the UMM.
[[nodiscard]] Grid memory_grid(const TracedRun& run, const std::string& title);

/// When each address is accessed: a row for each memory step, a column for each address of the first array, and threads
/// in the cells, numbered as in the paper.
[[nodiscard]] Grid access_grid(const TracedRun& run, const std::string& title, const char* thread);

/// The pipeline of a step: a row for each stage, a column for each bank (DMM) or word of a group (UMM), and addresses
/// in the cells.
[[nodiscard]] Grid stage_grid(const TracedRun& run, const std::string& title);

/// The pipeline's registers over time: a row for each register, a column for each time unit, and in the cells the warp
/// whose requests are there, on the UMM with their address group. Requests in the last register are completed.
[[nodiscard]] Grid register_grid(const TracedRun& run, const std::string& title);

}  // namespace warpfold::papers
