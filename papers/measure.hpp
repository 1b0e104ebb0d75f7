#pragma once

#include <functional>
#include <string>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// The text of a cell for a GPU on a machine without one.
inline constexpr const char* no_gpu = "no GPU";
[[nodiscard]] bool has_gpu();

/// A description of this machine: the processor, the threads that may be used, and the first GPU: "AMD EPYC, 2 threads;
/// no GPU".
[[nodiscard]] std::string this_machine();

/// The wall-clock seconds of `work`.
[[nodiscard]] double timed(const std::function<void()>& work);

/// Measures the sizes that fit into the time that the options allow for a row. Use one for each method, with ascending
/// sizes: the rate of the last size predicts the time of the next.
class Meter {
 public:
  explicit Meter(const RunOptions& options) : max_seconds_(options.row_seconds) {}

  /// Returns the median of up to five runs within a second. A short first run is not counted; a long one is the only
  /// run. `run` returns its seconds. Returns "not measured" if a run of this many `operations` is expected to take too
  /// long. The first size has no such prediction.
  [[nodiscard]] Cell seconds(double operations, const std::function<double()>& run);

 private:
  double max_seconds_;
  double per_operation_ = 0;  ///< seconds per operation at the last size
};

inline constexpr const char* not_measured = "not measured";

/// The note that says why rows are not measured.
[[nodiscard]] std::string measuring_note(const RunOptions& options);

}  // namespace warpfold::papers
