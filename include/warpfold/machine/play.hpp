#pragma once

#include <string>

/// A page on which a reader steps through runs of the memory machines.
namespace warpfold::machine {

/// Returns an HTML page that needs no other file and no network. It contains the runs of some access patterns on the
/// DMM and the UMM for a few widths, latencies, numbers of threads and sizes. The reader chooses a run and moves a
/// slider over its steps. The page shows each thread's accesses over time, the banks or address groups of a step with
/// their stages, and the command line that repeats the run. Takes about a second and 10 MB.
[[nodiscard]] std::string play_html();

}  // namespace warpfold::machine
