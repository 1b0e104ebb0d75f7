#pragma once

#include <functional>
#include <string>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// What a cell says for a GPU where there is none.
inline constexpr const char* no_gpu = "no GPU";
[[nodiscard]] bool has_gpu();

/// The processor, the threads that may use it, and the first GPU: "AMD EPYC, 2 threads; no GPU".
[[nodiscard]] std::string this_machine();

/// The seconds that `work` takes by the wall clock.
[[nodiscard]] double timed(const std::function<void()>& work);

/// Measures what fits into the time that the options allow a row. One for each method, sizes ascending: the last size's
/// rate says what the next one will take.
class Meter {
 public:
  explicit Meter(const RunOptions& options) : max_seconds_(options.row_seconds) {}

  /// The median of up to five runs within a second, a short first one besides, or one run; `run` returns its seconds.
  /// "not measured" where one of so many `operations` is expected to take too long, which is known from the second size
  /// on.
  [[nodiscard]] Cell seconds(double operations, const std::function<double()>& run);

 private:
  double max_seconds_;
  double per_operation_ = 0;  ///< of the last size
};

inline constexpr const char* not_measured = "not measured";

/// Says why a row is not measured.
[[nodiscard]] std::string measuring_note(const RunOptions& options);

}  // namespace warpfold::papers
