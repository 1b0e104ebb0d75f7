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

/// Algorithms of the papers and of textbooks as programs that the simulated machines run, each with its formula and its
/// source.
namespace warpfold::machine {

/// Lists of integers by name.
using Lists = std::map<std::string, std::vector<std::int64_t>>;

/// The machine, the size and the data that an algorithm runs on.
struct RunRequest {
  Machine machine;
  std::uint32_t threads = 1;
  std::uint64_t n = 0;  ///< size of the problem; the algorithm's description says in which unit
  SimulationOptions options = {};
  bool as_printed = false;  ///< run the form that the paper prints, if it differs from the corrected one
  std::uint64_t seed = 1;   ///< for lists that are drawn at random
  std::map<std::string, std::uint64_t> parameters = {};  ///< the algorithm's own parameters, by name
  Lists lists = {};                                      ///< input lists; missing ones are drawn at random
  std::string operation = {};  ///< the operation that combines terms; empty: the algorithm's first

  /// Returns the value of a parameter, or `otherwise` if it is not given.
  [[nodiscard]] std::uint64_t parameter(const std::string& name, std::uint64_t otherwise) const;
  /// Returns the list of this name; nullptr if it is not given.
  [[nodiscard]] const std::vector<std::int64_t>* list(const std::string& name) const;
};

/// The result of a run. Formulas give the time of lockstep timing; pipelined timing takes at most as long.
struct RunResult {
  RunReport report;                      ///< `report.total.time_units` is the measured time
  std::optional<std::uint64_t> formula;  ///< exact time in time units in closed form, if there is one
  std::string formula_text;
  /// The paper's asymptotic time with every constant 1. Without one: the same for the accesses or memory steps that
  /// `bound_text` names.
  std::optional<double> bound;
  std::string bound_text;
  std::uint64_t lower_bound = 0;  ///< time units that no program can fall below, by bandwidth and latency
  std::string lower_bound_text;
  /// The lower bound for threads that keep O(1) words between their accesses, if the paper's proof assumes such
  /// threads. A thread that keeps more may be faster.
  std::optional<std::uint64_t> few_words_lower_bound;
  std::string few_words_lower_bound_text;
  bool correct = false;                              ///< the result equals that of a plain implementation
  std::map<std::string, std::uint64_t> counts = {};  ///< other quantities that the algorithm's paper counts, by name
  Lists inputs = {};   ///< input lists, given or drawn; as `RunRequest::lists` they repeat the run
  Lists outputs = {};  ///< output lists, by the paper's names
};

/// An option of one algorithm. The command line takes it as --NAME VALUE.
struct Parameter {
  std::string_view name;
  std::string_view description;
};

/// An input list of one algorithm. The command line takes it as --NAME 1,2,3 or as a file.
struct List {
  std::string_view name;
  std::string_view description;
  std::int64_t min, max;     ///< the accepted range of an entry
  std::string_view entries;  ///< the number of entries in terms of n, such as "n + 1"
  /// Returns the n of a list with that many entries, if there is one. Null if the list does not determine n.
  std::optional<std::uint64_t> (*size)(std::uint64_t entries) = nullptr;
  /// parameters that describe a random list; they exclude the given one
  std::vector<std::string_view> instead_of = {};
};

/// A program for the machines, with its description.
struct Algorithm {
  std::string_view name;
  std::string_view description;  ///< one sentence, which includes the meaning of n
  std::string_view source;       ///< paper and section, or the name in textbooks
  RunResult (*run)(const RunRequest&);
  std::vector<Kind> machines;  ///< the machines that it runs on
  bool has_printed_form = false;
  std::vector<Parameter> parameters = {};
  std::vector<List> lists = {};
  std::vector<std::string_view> operations = {};  ///< the operations that can combine its terms
};

/// Returns all algorithms: those of the papers in their order, then those of textbooks.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Returns the algorithm of this name. Raises Error{usage} that lists all names if there is none.
[[nodiscard]] const Algorithm& find_algorithm(std::string_view name);

/// Returns the n that the lists determine, if one does. Raises Error{usage} for a list of an impossible size.
[[nodiscard]] std::optional<std::uint64_t> size_of(const Algorithm& algorithm, const Lists& lists);

/// Runs an algorithm on a machine. Raises the algorithm's own errors, and these:
///
/// * Error{usage} for a machine that it does not run on, and for a parameter, list or operation that it does not have.
/// * Error{usage} for lists that contradict n or a parameter, and for `as_printed` if the algorithm has no printed
///   form.
/// * Error{input} for an entry of a list that is out of range.
[[nodiscard]] RunResult run(const Algorithm& algorithm, const RunRequest& request);

}  // namespace warpfold::machine
