#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "dtypes.hpp"
#include "io/text.hpp"
#include "number_lists.hpp"
#include "result.hpp"
#include "warpfold/run/verdict.hpp"

/// The shared part of the commands' verifiers: how they read a solution. Each verifier is in verify_COMMAND.cpp. It
/// converts the solution to the library's type and calls the library's `verify`.
namespace warpfold::app {

using io::with_file_context;

/// Raised for a missing key, and for a value of another type than the command prints.
struct MalformedSolution : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Checks the keys that all solutions share: each must exist and have the type that `common_keys` writes, and `n` must
/// be the instance's. `solved` is the status of an exact solution.
[[nodiscard]] Violation find_run_violation(const Json& solution, std::size_t n, const char* solved = "optimal");

/// Checks a unified diff: it turns the first file of the instance into the second one. It is optimal if no other one
/// deletes and inserts fewer lines.
[[nodiscard]] Verdict verify_patch(const Files& instance, const std::string& patch, const Options& limits);

/// Whether a file of this name has RNA structures.
[[nodiscard]] bool is_rna_structure_file(const std::string& path);

/// Checks a .db, .ct or .bpseq file of structures against a file of sequences and, if there is a second one, a file of
/// energies: each is a structure of its sequence, and has the energy that is stated, at 37 degrees Celsius with the
/// bases beside pairs. If `optimal` is asked for, whether no other structure has less energy.
[[nodiscard]] Verdict verify_structures(const Files& instance, const std::string& path, bool optimal,
                                        const Options& limits);

/// The value of a key. Raises MalformedSolution if it is missing.
[[nodiscard]] const Json& value_at(const Json& object, const char* key);

/// The list and the text of a key. Raise MalformedSolution for any other value.
[[nodiscard]] const Json& list_at(const Json& solution, const char* key);
[[nodiscard]] std::string text_at(const Json& solution, const char* key);

/// An integer of type T that is written as one. Raises MalformedSolution for any other value.
template <class T>
[[nodiscard]] T integer(const Json& value) {
  const auto number = value.is_string() ? std::nullopt : io::json_number(value);
  if (!number || !number->is_integral || number->exact < io::Integer{std::numeric_limits<T>::min()} ||
      number->exact > io::Integer{std::numeric_limits<T>::max()}) {
    throw MalformedSolution(fmt::format("{} is no integer from {} to {}", json_text(value).substr(0, 60),
                                        std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
  return static_cast<T>(number->exact);
}

/// The same for a list.
template <class T>
[[nodiscard]] std::vector<T> integers(const Json& list) {
  if (!list.is_array()) throw MalformedSolution(fmt::format("{} is no list", json_text(list).substr(0, 40)));
  std::vector<T> values;
  for (const Json& value : list) values.push_back(integer<T>(value));
  return values;
}

/// A number as T. Raises MalformedSolution for any other value.
template <class T>
[[nodiscard]] T number(const Json& value) {
  if constexpr (std::is_integral_v<T>) return integer<T>(value);
  if (!value.is_number()) throw MalformedSolution(fmt::format("{} is no number", json_text(value).substr(0, 60)));
  return static_cast<T>(value.get<double>());
}

/// What `read` reads of a key's value. Raises its MalformedSolution with the name of the key.
template <class Read>
[[nodiscard]] auto read_under(const std::string& key, const Read& read) try {
  return read();
} catch (const MalformedSolution& error) {
  throw MalformedSolution(fmt::format("'{}': {}", key, error.what()));
}

/// A number of the value of a key. Raises MalformedSolution that names the key.
template <class T>
[[nodiscard]] T number_under(const std::string& key, const Json& value) {
  return read_under(key, [&] { return number<T>(value); });
}
template <class T>
[[nodiscard]] T number_at(const Json& solution, const char* key) {
  return number_under<T>(key, value_at(solution, key));
}

/// True or false, which is `otherwise` without the key. Raises MalformedSolution for any other value.
[[nodiscard]] bool truth_at(const Json& solution, const char* key, bool otherwise);

/// The run's value of --no-edge, if it had one. Raises MalformedSolution for any other value.
[[nodiscard]] std::optional<io::Number> stated_no_edge(const Json& solution);

/// A number as a multiple of 10^-places: one that is written as an integer if there are none. Raises MalformedSolution
/// for any other value.
[[nodiscard]] std::int64_t units(const Json& value, int places);

/// The digits of an integer of any length. Raises MalformedSolution for any other value.
[[nodiscard]] std::string integer_text(const Json& value);

/// A list of three indices. Raises MalformedSolution for any other value.
[[nodiscard]] std::array<std::uint32_t, 3> triple(const Json& value);

/// Whether two costs are equal: integers of any length exactly, others up to the rounding of the type.
[[nodiscard]] bool is_same_cost(const Json& stated, const Json& cost, const std::string& dtype);

}  // namespace warpfold::app
