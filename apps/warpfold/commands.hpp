#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "io/json.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// The table of the commands of `warpfold`. The program, its help, `info` and `verify` all use it.
namespace warpfold::app {

using io::Json;

/// The files of an instance.
using Files = std::vector<std::string>;

/// A command. Commands that do not solve a problem have the first three entries only.
struct CommandEntry {
  std::string name;
  std::string description;
  /// Adds the command's options and its action.
  void (*add)(Command command);
  /// The algorithms of the command.
  std::vector<AlgorithmInfo> (*algorithms)() = nullptr;
  /// Checks a solution that the command printed with --json. Raises Error{input} for an instance that cannot be read,
  /// and what the library's `verify` raises. For a key that is missing or has a wrong type it raises MalformedSolution
  /// (verify.hpp) or an exception of nlohmann.
  Verdict (*verify)(const Files& instance, const Json& solution, const Options& limits) = nullptr;
  /// The optimal cost, computed by another algorithm than the one that the solution names. Null: `verify` computes
  /// every value again.
  Json (*optimum)(const Files& instance, const Json& solution, Options limits) = nullptr;
  std::size_t max_files = 1;  ///< the largest number of files of an instance
  bool has_decimals = false;  ///< whether numbers of its solutions are decimals, which are read without rounding
};

/// In the order of the help: the most common ones first.
[[nodiscard]] std::span<const CommandEntry> commands();

/// Adds all commands to the program.
void add_commands(Command program);

}  // namespace warpfold::app
