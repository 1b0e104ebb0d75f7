#pragma once

#include <string>
#include <vector>

/// Runs of the memory machines for a reader to step through.
namespace warpfold::machine {

/// The runs of access patterns and of the papers' algorithms on the DMM and the UMM, for a few widths, latencies,
/// numbers of threads and sizes. The reader chooses a run and moves a slider over its steps. The figure shows each
/// thread's accesses over time, the banks or address groups of a step with their stages, and the command line that
/// repeats the run.
class Play {
 public:
  /// Runs everything. Takes about two seconds and 20 MB.
  Play();

  /// Returns an HTML page that needs no other file and no network, with all runs.
  [[nodiscard]] std::string page() const;

  /// Returns the figure of that page for another page, with the runs of these algorithms in this order. It takes the
  /// colors --paper,
  /// --ink, --dim, --line and --box of its page. A link with data-play="ALGORITHM" before it chooses that algorithm.
  /// Empty if there is no run of them.
  [[nodiscard]] std::string figure(const std::vector<std::string>& algorithms) const;

  /// Returns the algorithms that have runs, each once.
  [[nodiscard]] static std::vector<std::string> algorithms();

 private:
  std::vector<std::string> runs_;  ///< of each pattern: members of a JSON object
};

}  // namespace warpfold::machine
