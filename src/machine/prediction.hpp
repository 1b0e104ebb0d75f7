#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/twins.hpp"

/// The time of a kernel from the stages and the steps of its run on a simulated machine.
namespace warpfold::machine {

/// What decides the time: pipeline stages, and lockstep steps, each of which waits for the one before.
struct Work {
  std::uint64_t stages = 0;
  std::uint64_t steps = 0;
};

/// Returns the work of the twin's run.
[[nodiscard]] Work work_of(const Twin& twin);
/// Returns the work of the pattern's loads.
[[nodiscard]] Work work_of(const Pattern& pattern);

/// cycles = cycles_per_stage stages + cycles_per_step steps.
struct TimeModel {
  double cycles_per_stage = 0;
  double cycles_per_step = 0;

  [[nodiscard]] double cycles(const Work& work) const;
};

/// A work with its measured time.
struct Measured {
  Work work;
  double cycles = 0;
};

/// Returns the model with the least sum of squares of relative errors. Nothing if the measurements do not determine it.
[[nodiscard]] std::optional<TimeModel> fit(const std::vector<Measured>& measured);

/// The counters of one kernel, by their names.
using KernelCounters = std::map<std::string, double>;

/// What decides the time of a program's accesses and of what it does in between. A step is a load if one of its threads
/// loads: the next step waits for it. Stores are not waited for.
struct DetailedWork {
  double load_stages = 0, loads = 0;    ///< stages and steps of loads
  double store_stages = 0, stores = 0;  ///< of stores
  double barriers = 0;
  double instructions = 0;  ///< of a warp that takes part in every step; those of accesses and barriers among them
};

/// Returns the work of the twin's run, and of the loop. The instructions are those that a counter shows for the kernel,
/// without those of its frame. A program's are spread evenly over its accesses. Nothing if a counter is missing.
[[nodiscard]] std::optional<DetailedWork> detailed_work_of(const Twin& twin, const KernelCounters& kernel,
                                                           const KernelCounters& frame);
[[nodiscard]] std::optional<DetailedWork> detailed_work_of(const Loop& loop, const KernelCounters& kernel,
                                                           const KernelCounters& frame);

/// Cycles of each part of a DetailedWork.
struct DetailedModel {
  double cycles_per_load_stage = 0, cycles_per_load = 0, cycles_per_store_stage = 0, cycles_per_store = 0;
  double cycles_per_barrier = 0, cycles_per_instruction = 0;

  [[nodiscard]] double cycles_of_loads(const DetailedWork& work) const;
  [[nodiscard]] double cycles_of_stores(const DetailedWork& work) const;
  [[nodiscard]] double cycles_of_barriers(const DetailedWork& work) const;
  [[nodiscard]] double cycles_of_instructions(const DetailedWork& work) const;
  [[nodiscard]] double cycles(const DetailedWork& work) const;
};

/// A detailed work with its measured time.
struct MeasuredDetail {
  DetailedWork work;
  double cycles = 0;
};

/// Returns the model with the least sum of squares of relative errors. Nothing if the measurements do not determine it.
[[nodiscard]] std::optional<DetailedModel> fit_detail(const std::vector<MeasuredDetail>& measured);

/// Parses what `ncu --csv --metrics ..` prints, one row for each kernel and counter. Lines before the head are skipped.
/// Raises Error{input} "NAME:LINE: ..." or "NAME: ..." for a text without the columns ID, Metric Name and Metric Value,
/// and for a value that is no number.
[[nodiscard]] std::vector<KernelCounters> read_counters(std::string_view text, const std::string& name);

/// Returns the names of the counters that the rows of the probe compare.
[[nodiscard]] std::vector<std::string> counters_of_probe();

/// Returns the stages that a kernel's counters show for its program or pattern: wavefronts of shared memory, sectors of
/// global memory. Nothing if a counter is missing.
[[nodiscard]] std::optional<double> counted_stages(const Twin& twin, const KernelCounters& counters);
[[nodiscard]] std::optional<double> counted_stages(const Pattern& pattern, const KernelCounters& counters);
[[nodiscard]] std::optional<double> counted_stages(const Loop& loop, const KernelCounters& counters);

}  // namespace warpfold::machine
