#pragma once

#include "result.hpp"
#include "warpfold/run/estimate.hpp"

/// `--estimate`: the solver's estimate, plus what the command line needs besides.
namespace warpfold::app {

/// The time and memory that a run has used after reading its instance. An estimate begins with it, before any probe.
struct Spent {
  double seconds = 0;
  std::size_t held_bytes = 0;
  std::size_t peak_bytes = 0;
};
[[nodiscard]] Spent spent(const Stopwatch& total);

/// The expected resources of a run.
struct Expected {
  std::string command;
  std::size_t n = 0;
  Estimate solve = {};
  std::size_t beside_bytes = 0;  ///< bytes held during the solve: copies of the instance, and results
  std::size_t after_bytes = 0;  ///< bytes held after the solver has freed its memory: the solution as JSON and its text
  std::size_t file_bytes = 0;   ///< bytes of the files that are written
};

/// The estimate of two solves, of which the second begins after the first one's memory is free. The first one gives the
/// algorithm's name.
[[nodiscard]] Estimate one_after_the_other(Estimate first, const Estimate& second);

/// Prints the estimate instead of a solution.
void print_estimate(const SolveOptions& options, const Spent& before, const Expected& expected);

/// Adds up the bytes of a solution's lists, as JSON values and as text: `Expected::after_bytes`.
class JsonSize {
 public:
  /// Adds `count` numbers up to `largest`. If `width` is above 0, adds that many lists of `width` numbers.
  void add_list(std::size_t count, std::size_t width, std::size_t largest);
  void add_text(std::size_t characters);
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t bytes_ = 0;
  std::size_t characters_ = 0;
};

}  // namespace warpfold::app
