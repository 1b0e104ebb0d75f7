#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/machine.hpp"
#include "warpfold/machine/simulation.hpp"

/// The papers' algorithms, and textbooks', as running programs, each next to its formula and its source.
namespace warpfold::machine {

/// What an algorithm is run on.
struct RunRequest {
  Machine machine;
  std::uint32_t threads = 1;
  std::uint64_t n = 0;  ///< the problem's size, in the algorithm's own unit
  SimulationOptions options = {};
  bool as_printed = false;                               ///< the paper's form where it differs from the right one
  std::uint64_t seed = 1;                                ///< of the data
  std::map<std::string, std::uint64_t> parameters = {};  ///< the algorithm's own, by name
  std::vector<std::uint32_t> permutation = {};           ///< of those that permute; empty: a random one

  /// The parameter's value, or `otherwise`.
  [[nodiscard]] std::uint64_t parameter(const std::string& name, std::uint64_t otherwise) const;
};

/// What came out. Formulas hold for the lockstep timing; the pipelined one stays at or below them.
struct RunResult {
  RunReport report;                      ///< `report.total.time_units` is the measured time
  std::optional<std::uint64_t> formula;  ///< the exact lockstep time in closed form, where there is one
  std::string formula_text;
  std::optional<double> bound;  ///< the paper's asymptotic expression with every constant 1
  std::string bound_text;
  std::uint64_t lower_bound = 0;  ///< no program can take less, by bandwidth and latency
  std::string lower_bound_text;
  bool correct = false;                              ///< against the plain result
  std::map<std::string, std::uint64_t> counts = {};  ///< what else the algorithm's paper counts, by name
};

/// An option of one algorithm, given to the command as --NAME VALUE.
struct Parameter {
  std::string_view name;
  std::string_view description;
};

/// A program for the machines, and what it is.
struct Algorithm {
  std::string_view name;
  std::string_view description;  ///< one sentence, n's meaning included
  std::string_view source;       ///< paper and section, or the name in textbooks
  RunResult (*run)(const RunRequest&);
  std::vector<Kind> machines;  ///< those that it runs on
  bool has_printed_form = false;
  std::vector<Parameter> parameters = {};
};

/// All of them, in the order of the papers, then those of textbooks.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Raises Error{usage} that lists the names where there is none of this name.
[[nodiscard]] const Algorithm& find_algorithm(std::string_view name);

/// Runs it. Besides what the algorithm refuses, raises Error{usage} for a machine that it does not run on, for a
/// parameter that it does not have, and for `as_printed` where the paper's form is the right one.
[[nodiscard]] RunResult run(const Algorithm& algorithm, const RunRequest& request);

}  // namespace warpfold::machine
