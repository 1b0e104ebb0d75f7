#pragma once

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

}  // namespace warpfold::machine
