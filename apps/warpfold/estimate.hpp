#pragma once

#include "result.hpp"
#include "warpfold/run/estimate.hpp"

/// `--estimate`: what a run would take, the solver's needs and what the command line adds to them.
namespace warpfold::app {

/// What a run has taken up to now, its instance read: an estimate begins with it, before it times anything.
struct Spent {
  double seconds = 0;
  std::size_t held_bytes = 0;
  std::size_t peak_bytes = 0;
};
[[nodiscard]] Spent spent(const Stopwatch& total);

/// What a run would take, for `--estimate`.
struct Expected {
  std::string command;
  std::size_t n = 0;
  Estimate solve = {};
  std::size_t beside_bytes = 0;  ///< held beside what the solver takes: copies of the instance, and results
  std::size_t after_bytes = 0;   ///< held when the solver has given back all: a solution as JSON and its text
  std::size_t file_bytes = 0;    ///< written
};

/// Of two solves of which the second begins when the first one's memory is free; the first names the algorithm.
[[nodiscard]] Estimate one_after_the_other(Estimate first, const Estimate& second);

/// Prints it instead of a solution.
void print_estimate(const SolveOptions& options, const Spent& before, const Expected& expected);

/// What the lists of a solution hold as JSON and as its text: `Expected::after_bytes`.
class JsonSize {
 public:
  /// `count` numbers up to `largest`; where `width` is above 0, so many lists of `width` numbers.
  void add_list(std::size_t count, std::size_t width, std::size_t largest);
  void add_text(std::size_t characters);
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t bytes_ = 0;
  std::size_t characters_ = 0;
};

}  // namespace warpfold::app
