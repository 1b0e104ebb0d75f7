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

/// Lists of integers by name.
using Lists = std::map<std::string, std::vector<std::int64_t>>;

/// What an algorithm is run on.
struct RunRequest {
  Machine machine;
  std::uint32_t threads = 1;
  std::uint64_t n = 0;  ///< the problem's size, in the algorithm's own unit
  SimulationOptions options = {};
  bool as_printed = false;                               ///< the paper's form where it differs from the right one
  std::uint64_t seed = 1;                                ///< of the lists that are drawn
  std::map<std::string, std::uint64_t> parameters = {};  ///< the algorithm's own, by name
  Lists lists = {};                                      ///< its data; what is missing is drawn at random
  std::string operation = {};                            ///< that combines terms; empty: the algorithm's first

  /// The parameter's value, or `otherwise`.
  [[nodiscard]] std::uint64_t parameter(const std::string& name, std::uint64_t otherwise) const;
  /// The list of this name; nullptr where it is to be drawn.
  [[nodiscard]] const std::vector<std::int64_t>* list(const std::string& name) const;
};

/// What came out. Formulas hold for the lockstep timing, and are those of it alone; the pipelined one stays at or
/// below.
struct RunResult {
  RunReport report;                      ///< `report.total.time_units` is the measured time
  std::optional<std::uint64_t> formula;  ///< the exact time in closed form, where there is one
  std::string formula_text;
  /// The paper's expression for this program with every constant 1; where it has none, that of the accesses that are
  /// needed or of the memory steps, as the text says.
  std::optional<double> bound;
  std::string bound_text;
  std::uint64_t lower_bound = 0;  ///< no program can take less, by bandwidth and latency
  std::string lower_bound_text;
  bool correct = false;                              ///< against the plain result
  std::map<std::string, std::uint64_t> counts = {};  ///< what else the algorithm's paper counts, by name
  Lists inputs = {};   ///< the lists it ran on, given or drawn: as `RunRequest::lists` they give the same run
  Lists outputs = {};  ///< what it left behind, by the paper's name
};

/// An option of one algorithm, given to the command as --NAME VALUE.
struct Parameter {
  std::string_view name;
  std::string_view description;
};

/// Data of one algorithm, given to the command as --NAME 1,2,3 or as a file.
struct List {
  std::string_view name;
  std::string_view description;
  std::int64_t least, most;  ///< what an entry may be
  std::string_view entries;  ///< how many there are, in terms of n: "n + 1"
  /// The n that so many entries stand for, if any does; no function where n does not follow.
  std::optional<std::uint64_t> (*size)(std::uint64_t entries) = nullptr;
  std::vector<std::string_view> instead_of = {};  ///< parameters that say how it would be drawn
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
  std::vector<List> lists = {};
  std::vector<std::string_view> operations = {};  ///< that its terms may be combined by
};

/// All of them, in the order of the papers, then those of textbooks.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Raises Error{usage} that lists the names where there is none of this name.
[[nodiscard]] const Algorithm& find_algorithm(std::string_view name);

/// The n that follows from the lists, if one says it. Raises Error{usage} where a list cannot have so many entries.
[[nodiscard]] std::optional<std::uint64_t> size_of(const Algorithm& algorithm, const Lists& lists);

/// Runs it. Besides what the algorithm refuses, raises Error{usage} for a machine that it does not run on, for a
/// parameter, list or operation that it does not have, for lists that contradict n or a parameter, and for `as_printed`
/// where the paper's form is the right one; Error{input} for an entry of a list that is not accepted.
[[nodiscard]] RunResult run(const Algorithm& algorithm, const RunRequest& request);

}  // namespace warpfold::machine
