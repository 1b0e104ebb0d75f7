#pragma once

#include <map>
#include <string>
#include <vector>

#include "papers/registry.hpp"
#include "warpfold/machine/algorithm.hpp"

/// Lemmas and theorems about time, compared with runs.
namespace warpfold::papers {

/// One run of a sweep.
struct Point {
  const char* algorithm;
  machine::Machine machine;
  std::uint32_t threads;
  std::uint64_t n;
  std::map<std::string, std::uint64_t> parameters = {};
  std::string label = {};  ///< what the constant depends on: "m = 2"; empty: nothing
};

/// The value of a paper's expression at a point, with all constants 1.
using Expression = double (*)(const Point&);

/// The sizes in the papers' expressions.
struct Sizes {
  double n, p, w, l;
};
[[nodiscard]] inline Sizes sizes_of(const Point& point) {
  return {static_cast<double>(point.n), static_cast<double>(point.threads), static_cast<double>(point.machine.width),
          static_cast<double>(point.machine.latency)};
}

/// A bound O(..) or Omega(..) of a paper: with some constant, the time is at most, or at least, the expression at every
/// point.
struct Statement {
  enum class Bound { above, below };

  std::string id;
  std::string paper;
  std::string title;
  std::string expression;  ///< "n/w + n l/p"
  Expression value;
  Bound bound;
  double constant;  ///< a limit that holds for every row
  std::vector<Point> points;
  std::string origin = "ours, since the paper names no constant";  ///< whose limit it is
};

/// The statement as an experiment. Each point is a row with the measured time divided by the expression. Running it
/// raises Error{internal} if a result is wrong or the constant does not hold.
[[nodiscard]] Experiment experiment_of(Statement statement);

}  // namespace warpfold::papers
